// The coach: what a search thinks of each move, now and after the deal.

/**
 * @import { Decision, Seat } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 * @import { Scene, Values } from '../draw/scene.js'
 * @import { Held } from '../settings.js'
 */

import { el, openModal, reasonOf } from '../draw/dom.js';
import { drawFelt } from '../draw/felt.js';
import { sceneOf } from '../draw/scene.js';
import { digits, shadesOf } from '../draw/values.js';
import { review } from '../net/api.js';
import { actionText, levelName, number, t } from '../words/i18n.js';

/**
 * The levels of a game that rate moves.
 * @param {GameInfo} game
 */
export function raters(game) {
  return game.levels.filter((level) => level.rates);
}

/**
 * @param {GameInfo} game
 * @param {string | undefined} level
 * @param {(level: string) => void} changed
 */
function levelSelect(game, level, changed) {
  const options = raters(game).map((one) =>
    el('option', { value: one.level, selected: one.level === level }, levelName(one.level)),
  );
  return el(
    'label',
    { class: 'level' },
    t('coachBy'),
    el('select', { onchange: (event) => changed(event.currentTarget.value) }, options),
  );
}

/**
 * The numbers behind the colours: value, interval and visits of each legal move, the best first.
 * @param {Scene} scene
 * @param {Values} values
 * @param {number} [marked] the action that was played
 */
function valuesTable(scene, values, marked) {
  const shades = shadesOf(values);
  const labels = new Map(scene.view.legal.map((one) => [one.action, actionText(one.says, scene)]));
  const rows = [...values.values()].sort((a, b) => b.value - a.value);
  /** @param {number} value */
  const show = (value) => digits(value, values);
  const heads = [t('move'), t('value'), t('interval'), t('visits')].map((text) =>
    el('th', { scope: 'col' }, text),
  );
  const lines = rows.map((one) =>
    el(
      'tr',
      { class: marked === one.action ? 'own-row' : '', vars: { '--shade': shades.get(one.action) } },
      el('th', { scope: 'row' }, labels.get(one.action) ?? one.name),
      el('td', { class: 'shade' }, show(one.value)),
      el('td', {}, one.low === null || one.high === null ? '–' : `${show(one.low)} … ${show(one.high)}`),
      el('td', {}, number(one.visits, 0)),
    ),
  );
  return el('table', { class: 'values' }, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, lines));
}

/**
 * @param {Scene} scene
 * @param {Values} values
 * @param {string | undefined} level
 * @param {(level: string) => void} changed
 */
export function coachPanel(scene, values, level, changed) {
  return el(
    'section',
    { class: 'coach', 'aria-label': t('coach') },
    el('h2', {}, t('coach')),
    valuesTable(scene, values),
    el('p', { class: 'note' }, t('valueNote')),
    levelSelect(scene.game, level, changed),
  );
}

/**
 * What is reviewed.
 * @typedef {object} ReviewOf
 * @property {string} table
 * @property {Held} held
 * @property {GameInfo} game
 * @property {string | undefined} level the coach's strength
 * @property {Seat[]} seats
 * @property {number} first from this move on
 * @property {number} end up to this move
 * @property {boolean} finished whether all hands may be seen
 */

/**
 * The review of a deal or game; resolves when it is closed.
 * @param {ReviewOf} asked
 * @returns {Promise<void>}
 */
export function openReview(asked) {
  return new Promise((resolve) => {
    const shown = new Review(asked);
    openModal(shown.box, () => {
      shown.run += 1;
      resolve();
    });
    shown.load();
  });
}

/** The own decisions by what they lost; a click shows the position. */
class Review {
  /** @type {Decision[]} */
  rows = [];
  run = 0;
  list = el('ol', { class: 'decisions' });
  position = el('div', { class: 'position' });
  status = el('p', { role: 'status' });

  /** @param {ReviewOf} asked */
  constructor(asked) {
    this.asked = asked;
    this.level = asked.level;
    /** @type {HTMLDialogElement} */
    this.box = el(
      'dialog',
      { class: 'review', 'aria-label': t('review') },
      el(
        'div',
        { class: 'review-head' },
        el('h2', {}, t('review')),
        levelSelect(asked.game, asked.level, (chosen) => {
          this.level = chosen;
          this.load();
        }),
        el(
          'button',
          { type: 'button', class: 'main', 'data-do': 'close', onclick: () => this.box.close() },
          t('close'),
        ),
      ),
      el('p', { class: 'note' }, t('reviewNote')),
      this.status,
      el('div', { class: 'review-body' }, this.list, this.position),
    );
  }

  /**
   * @param {Decision} row
   * @param {number} action
   */
  legal(row, action) {
    return row.view.legal.find((one) => one.action === action);
  }

  /**
   * @param {Decision} row
   * @param {number} action
   */
  label(row, action) {
    const { game, seats, held } = this.asked;
    const found = this.legal(row, action);
    return found ? actionText(found.says, sceneOf(row.view, seats, held.seat, game)) : row.name;
  }

  /**
   * @param {Decision} row
   * @param {Element} button
   */
  show(row, button) {
    const { table, held, game, seats, finished } = this.asked;
    for (const one of this.list.querySelectorAll('[aria-current]')) one.removeAttribute('aria-current');
    button.setAttribute('aria-current', 'true');
    const board = el('div', { class: 'board still' });
    const values = new Map(row.values.map((one) => [one.action, one]));
    const scene = {
      ...sceneOf(row.view, seats, held.seat, game),
      play: () => {},
      busy: true,
      values,
      marked: this.legal(row, row.action),
      best: this.legal(row, row.best),
    };
    this.position.replaceChildren(
      el('h3', {}, t('position', { n: row.number + 1 })),
      board,
      valuesTable(scene, values, row.action),
      finished ? el('a', { class: 'tool', href: `#/replay/${table}/${row.number}` }, t('openHands')) : '',
    );
    drawFelt(board, scene);
    this.position.scrollIntoView({ block: 'nearest' });
  }

  draw() {
    const rows = [...this.rows].sort((a, b) => b.lost - a.lost || a.number - b.number);
    const worst = Math.max(...rows.map((row) => row.lost), 1e-9);
    this.list.replaceChildren(...rows.map((row) => el('li', {}, this.row(row, worst))));
  }

  /**
   * @param {Decision} row
   * @param {number} worst
   */
  row(row, worst) {
    const costs = row.lost > 0;
    return el(
      'button',
      {
        type: 'button',
        'data-number': row.number,
        onclick: (event) => this.show(row, event.currentTarget),
        class: costs && row.lost >= worst / 2 ? 'costly' : '',
        vars: { '--shade': Math.round(120 * (1 - row.lost / worst)) },
      },
      el('b', { class: 'shade' }, costs ? `−${number(row.lost, row.lost < 3 ? 2 : 1)}` : '0'),
      el('span', {}, `${t('chosen')}: ${this.label(row, row.action)}`),
      costs && el('span', {}, `${t('best')}: ${this.label(row, row.best)}`),
    );
  }

  async load() {
    this.run += 1;
    const { run, level } = this;
    const { table, held, first, end } = this.asked;
    this.rows = [];
    this.status.textContent = t('reviewRuns');
    this.draw();
    try {
      await review(table, { seat: held.seat, first, end, level, token: held.token }, (rows) => {
        if (run !== this.run) throw new Error('closed');
        this.rows.push(...rows);
        this.draw();
      });
    } catch (error) {
      if (run === this.run) this.status.textContent = t('error', { what: reasonOf(error) });
      return;
    }
    this.status.textContent = this.summary();
    this.box.dataset.ready = 'true';
  }

  summary() {
    if (!this.rows.length) return t('reviewNone');
    const lost = this.rows.reduce((sum, row) => sum + row.lost, 0);
    return lost > 0 ? t('reviewSum', { n: number(lost, 1) }) : t('reviewGood');
  }
}
