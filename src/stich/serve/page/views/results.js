// Results: the score beside the table, the end of a deal, the end of the game.

/** @import { Scene } from '../draw/scene.js' */

import { dialog, el } from '../draw/dom.js';
import { scoreRows } from '../draw/scene.js';
import { number, t } from '../words/i18n.js';

/**
 * The score as a table; nothing in games that tell none.
 * @param {Scene} scene
 */
export function scoreBoard(scene) {
  const rows = scoreRows(scene);
  if (!rows.length) return [];
  const lines = rows.map((row) =>
    el(
      'tr',
      { class: row.own ? 'own-row' : '' },
      el('th', { scope: 'row' }, row.name),
      el('td', { class: 'note' }, row.note),
      el('td', { class: 'value' }, String(row.value)),
    ),
  );
  return [el('h2', {}, t('scores')), el('table', {}, lines)];
}

/**
 * Shows the end of a deal; resolves to whether the player wants its review.
 * @param {Scene} scene
 * @param {string[]} news
 * @param {boolean} coached
 */
export async function dealOver(scene, news, coached) {
  const rows = scoreRows(scene).map((row) =>
    el(
      'tr',
      { class: row.own ? 'own-row' : '' },
      el('th', {}, row.name),
      el('td', { class: 'value' }, String(row.value)),
    ),
  );
  const content = el(
    'div',
    { class: 'deal-over' },
    news.map((line) => el('p', {}, line)),
    el('table', {}, rows),
  );
  const buttons = [['next', t('next')]];
  if (coached) buttons.push(['review', t('reviewDeal')]);
  return (await dialog(t('dealOver'), content, buttons, { class: 'deal-box' })) === 'review';
}

/**
 * The end of the game over the felt, with what can be done next.
 * @param {Scene} scene
 * @param {Record<'again' | 'review' | 'replay' | 'lobby', () => void>} run
 */
export function finalPanel(scene, run) {
  const returns = scene.view.returns ?? [];
  const order = returns.map((value, seat) => ({ value, seat })).sort((a, b) => b.value - a.value);
  const rows = order.map(({ value, seat }) =>
    el(
      'tr',
      { class: seat === scene.me ? 'own-row' : '' },
      el('th', {}, scene.names[seat]),
      el('td', { class: 'value' }, number(value, Number.isInteger(value) ? 0 : 1)),
    ),
  );
  /** @param {keyof typeof run} key */
  const button = (key, more = '') =>
    el('button', { type: 'button', class: `choice ${more}`, 'data-do': key, onclick: run[key] }, t(key));
  return el(
    'div',
    { class: 'prompt final', role: 'dialog', 'aria-label': t('gameOver') },
    el('h2', {}, verdict(returns, scene.me, scene.game.teams)),
    el('table', {}, rows),
    el('div', { class: 'choices' }, button('again', 'main'), button('review'), button('replay'), button('lobby')),
  );
}

/**
 * Who has won, where the results say so: unequal sides (one against three) count differently.
 * @param {number[]} returns
 * @param {number} me
 * @param {number[] | null} teams
 */
function verdict(returns, me, teams) {
  const sizes = teams ? [0, 1].map((side) => teams.filter((team) => team === side).length) : [1, 1];
  const bare = returns.every((value) => value === 0 || Math.abs(value) === 1);
  if (sizes[0] !== sizes[1] && !bare) return t('result');
  const rivals = returns.filter((_, seat) => (teams ? teams[seat] !== teams[me] : seat !== me));
  const most = Math.max(...rivals);
  if (returns[me] === most && returns.every((value) => value === most)) return t('draw');
  return returns[me] >= most ? t('youWin') : t('youLose');
}
