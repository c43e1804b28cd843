// The coach: what a search thinks of each move, now and after the deal.

import { el } from '../draw/dom.js';
import { digits, drawFelt, shadesOf } from '../draw/felt.js';
import { review } from '../net/api.js';
import { settings } from '../settings.js';
import { actionLabel, number, said, t } from '../words/i18n.js';

/** The levels of a game that rate moves. */
export function raters(game) {
  return game.levels.filter((level) => level.rates);
}

function levelSelect(game, level, changed) {
  return el(
    'label',
    { class: 'level' },
    t('coachBy'),
    el(
      'select',
      { onchange: (event) => changed(event.target.value) },
      raters(game).map((one) =>
        el('option', { value: one.level, selected: one.level === level }, one[settings.language]),
      ),
    ),
  );
}

/** The numbers behind the colours: value, interval and visits of each legal move, the best first. */
export function valuesTable(scene, values, marked) {
  const shades = shadesOf(values);
  const labels = new Map(
    scene.view.legal.map((action) => [action.action, actionLabel(action, scene.faces, scene.pack)]),
  );
  const rows = [...values.values()].sort((a, b) => b.value - a.value);
  const show = (value) => digits(value, { values });
  return el(
    'table',
    { class: 'values' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        [t('move'), t('value'), t('interval'), t('visits')].map((text) => el('th', { scope: 'col' }, text)),
      ),
    ),
    el(
      'tbody',
      {},
      rows.map((one) =>
        el(
          'tr',
          { class: marked === one.action ? 'own-row' : '', vars: { '--shade': shades.get(one.action) } },
          el('th', { scope: 'row' }, labels.get(one.action) ?? one.name),
          el('td', { class: 'shade' }, show(one.value)),
          el('td', {}, one.low === null || one.high === null ? '–' : `${show(one.low)} … ${show(one.high)}`),
          el('td', {}, number(one.visits, 0)),
        ),
      ),
    ),
  );
}

export function coachPanel(scene, values, game, level, changed) {
  return el(
    'section',
    { class: 'coach', 'aria-label': t('coach') },
    el('h2', {}, t('coach')),
    valuesTable(scene, values),
    el('p', { class: 'note' }, t('valueNote')),
    levelSelect(game, level, changed),
  );
}

/** The review of a deal or game: the own decisions by what they lost; a click shows the position. Resolves when closed. */
export function openReview({ table, held, game, level, seats, first, end, finished, go }) {
  return new Promise((resolve) => {
    const list = el('ol', { class: 'decisions' });
    const position = el('div', { class: 'position' });
    const status = el('p', { role: 'status' });
    const state = { rows: [], run: 0, level };
    const box = el(
      'dialog',
      { class: 'review', 'aria-label': t('review') },
      el(
        'div',
        { class: 'review-head' },
        el('h2', {}, t('review')),
        levelSelect(game, level, (chosen) => {
          state.level = chosen;
          load();
        }),
        el(
          'button',
          { type: 'button', class: 'main', 'data-do': 'close', onclick: () => box.close() },
          t('close'),
        ),
      ),
      el('p', { class: 'note' }, t('reviewNote')),
      status,
      el('div', { class: 'review-body' }, list, position),
    );
    const leave = () => box.close();
    addEventListener('hashchange', leave);
    box.addEventListener('close', () => {
      state.run += 1;
      removeEventListener('hashchange', leave);
      box.remove();
      resolve();
    });

    const scene = (row) => ({
      view: row.view,
      seats,
      me: held.seat,
      faces: game.cards,
      game,
      language: settings.language,
      pack: game.pack,
      play: () => {},
      busy: true,
      values: new Map(row.values.map((one) => [one.action, one])),
      marked: legal(row, row.action),
      best: legal(row, row.best),
    });
    const legal = (row, action) => row.view.legal.find((one) => one.action === action);
    const label = (row, action) =>
      actionLabel(legal(row, action) ?? { name: row.name, label: row.name }, game.cards, game.pack);

    function show(row, button) {
      list.querySelectorAll('[aria-current]').forEach((one) => one.removeAttribute('aria-current'));
      button.setAttribute('aria-current', 'true');
      const board = el('div', { class: 'board still' });
      const drawn = scene(row);
      position.replaceChildren(
        el('h3', {}, t('position', { n: row.number + 1 })),
        board,
        valuesTable({ ...drawn, faces: game.cards }, drawn.values, row.action),
        finished ? el('a', { class: 'tool', href: `#/replay/${table}/${row.number}` }, t('openHands')) : '',
      );
      drawFelt(board, drawn);
      position.scrollIntoView({ block: 'nearest' });
    }

    function draw() {
      const rows = [...state.rows].sort((a, b) => b.lost - a.lost || a.number - b.number);
      const worst = Math.max(...rows.map((row) => row.lost), 1e-9);
      list.replaceChildren(
        ...rows.map((row) =>
          el(
            'li',
            {},
            el(
              'button',
              {
                type: 'button',
                'data-number': row.number,
                onclick: (event) => show(row, event.currentTarget),
                class: row.lost > 0 && row.lost >= worst / 2 ? 'costly' : '',
                vars: { '--shade': Math.round(120 * (1 - row.lost / worst)) },
              },
              el('b', { class: 'shade' }, row.lost > 0 ? `−${number(row.lost, row.lost < 3 ? 2 : 1)}` : '0'),
              el('span', {}, `${t('chosen')}: ${label(row, row.action)}`),
              row.lost > 0 && el('span', {}, `${t('best')}: ${label(row, row.best)}`),
            ),
          ),
        ),
      );
    }

    async function load() {
      state.run += 1;
      const { run } = state;
      state.rows = [];
      status.textContent = t('reviewRuns');
      draw();
      try {
        await review(table, { seat: held.seat, first, end, level: state.level, token: held.token }, (rows) => {
          if (run !== state.run) throw new Error('closed');
          state.rows.push(...rows);
          draw();
        });
      } catch (error) {
        if (run === state.run) status.textContent = t('error', { what: said(error.message) });
        return;
      }
      const lost = state.rows.reduce((sum, row) => sum + row.lost, 0);
      status.textContent = !state.rows.length
        ? t('reviewNone')
        : lost > 0
          ? t('reviewSum', { n: number(lost, 1) })
          : t('reviewGood');
      box.dataset.ready = 'true';
    }

    document.body.append(box);
    box.showModal();
    load();
  });
}
