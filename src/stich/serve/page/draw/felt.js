// A position drawn: seats around the felt, the trick in the middle, the own hand below. Knows nothing of connections.

/**
 * @import { Played, Row } from '../net/types.js'
 * @import { Attributes } from './dom.js'
 * @import { Scene } from './scene.js'
 */

import { cardName, factText, pileText, t } from '../words/i18n.js';
import { card, suitSign } from './cards.js';
import { actionsOf, cardButton, draw, prompt } from './choices.js';
import { el } from './dom.js';
import { agentText, sorted } from './scene.js';

// Where the others sit, in percent of the felt, from the left around; at 0 and 100 they touch the edge.
// Then the same for narrow screens.
/** @type {Record<number, number[][]>} */
const PLACES = {
  1: [[50, 2]],
  2: [
    [6, 6],
    [94, 6],
  ],
  3: [
    [1.5, 34],
    [50, 2],
    [98.5, 34],
  ],
  4: [
    [1.5, 40],
    [24, 2],
    [76, 2],
    [98.5, 40],
  ],
  5: [
    [1.5, 44],
    [14, 6],
    [50, 2],
    [86, 6],
    [98.5, 44],
  ],
};
/** @type {Record<number, number[][]>} */
const NARROW = {
  1: [[50, 1]],
  2: [
    [3, 1],
    [97, 1],
  ],
  3: [
    [1, 17],
    [50, 0.5],
    [99, 17],
  ],
  4: [
    [1, 20],
    [16, 0.5],
    [84, 0.5],
    [99, 20],
  ],
  5: [
    [1, 26],
    [2, 0.5],
    [50, 0.5],
    [98, 0.5],
    [99, 26],
  ],
};

/**
 * Where a seat sits, seen from the own one: 0 below, then clockwise from the left.
 * @param {number} seat
 * @param {number} me
 * @param {number} seats
 */
function away(seat, me, seats) {
  return (seat - me + seats) % seats;
}

/**
 * The way from the middle to a seat, for its card in the trick.
 * @param {number} seat
 * @param {number} me
 * @param {number} seats
 */
function direction(seat, me, seats) {
  const steps = away(seat, me, seats);
  if (steps === 0) return [0, 1];
  if (seats === 2) return [0, -1];
  const [x, y] = PLACES[seats - 1][steps - 1];
  if (seats === 4)
    return [
      [-1, 0],
      [0, -1],
      [1, 0],
    ][steps - 1];
  return [(x - 50) / 45, Math.min(0.25, (y - 32) / 32)];
}

/**
 * Draws a position into an element; what had the focus keeps it.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawFelt(root, scene) {
  const narrow = matchMedia('(max-width: 700px)').matches;
  const felt = el(
    'div',
    { class: 'felt', 'data-seats': scene.seats.length },
    signs(scene),
    others(scene, narrow),
    el('div', { class: 'middle' }, middle(scene)),
    prompt(scene),
  );
  const parts = [felt, own(scene, narrow)];
  const focused = root.contains(document.activeElement) ? focusKey() : null;
  root.replaceChildren(...parts);
  if (!focused) return;
  const again = root.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

function focusKey() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : null;
}

/**
 * Trump or contract, and what lies open beside the trick: talon, turned card, exposed card.
 * @param {Scene} scene
 */
function signs(scene) {
  const { view } = scene;
  const trump =
    view.trump &&
    el(
      'div',
      { class: 'sign', title: t('trump') },
      suitSign(view.trump),
      el('span', { class: suitSign(view.trump) ? 'unseen' : '' }, factText(view.trump, scene)),
    );
  const { rows } = view;
  const long = rows.filter((row) => row.cards.length > 4);
  return [
    el(
      'div',
      { class: 'signs' },
      trump,
      rows.filter((row) => !long.includes(row)).map((row) => rowOf(scene, row)),
    ),
    long.length > 0 &&
      el(
        'div',
        { class: 'signs low' },
        long.map((row) => rowOf(scene, row)),
      ),
  ];
}

/**
 * @param {Scene} scene
 * @param {Row} row
 */
function rowOf(scene, row) {
  const closed = row.count !== undefined ? row.count - row.cards.length : 0;
  return el(
    'figure',
    { class: 'pile' },
    el(
      'div',
      { class: 'stack' },
      row.cards.map((code) => cardButton(scene, code, { class: 'small' })),
      closed > 0 && card(null, scene.game.pack, { class: 'small', 'aria-hidden': 'true' }),
    ),
    el('figcaption', {}, pileText(scene.game, row.pile), row.count !== undefined && el('b', {}, ` ${row.count}`)),
  );
}

/**
 * The other seats around the felt.
 * @param {Scene} scene
 * @param {boolean} narrow
 */
function others(scene, narrow) {
  const count = scene.seats.length;
  const places = (narrow ? NARROW : PLACES)[count - 1] ?? [];
  return scene.seats.map((_, number) => {
    const steps = away(number, scene.me, count);
    if (steps === 0) return null;
    const [x, y] = places[steps - 1] ?? [(100 * steps) / count, 2];
    return seatOf(scene, number, { vars: { '--x': `${x}%`, '--y': `${y}%` } });
  });
}

/**
 * @param {Scene} scene
 * @param {number} number
 * @param {Attributes} [attributes]
 */
function seatOf(scene, number, attributes = {}) {
  const { view } = scene;
  const seat = scene.seats[number];
  const hand = view.hands.find((one) => one.seat === number);
  const score = view.scores.find((one) => one.seats.length === 1 && one.seats[0] === number);
  const turn = view.player === number;
  const count = hand?.count ?? 0;
  const known = number !== scene.me && hand?.cards.length ? sorted(hand.cards, scene.game.cards) : [];
  return el(
    'div',
    { class: `seat ${turn ? 'turn' : ''} ${seat.kind}`, 'data-seat': number, ...attributes },
    el(
      'div',
      { class: 'chip' },
      el('span', { class: 'face', 'aria-hidden': 'true' }, (scene.names[number] ?? '?').slice(0, 1).toUpperCase()),
      el(
        'span',
        { class: 'who' },
        el('b', {}, scene.names[number]),
        el(
          'small',
          {},
          [
            number === scene.me && scene.names[number] !== t('you') ? t('you') : '',
            agentText(seat, scene.game),
            seat.kind === 'person' && seat.here === false && number !== scene.me ? t('away') : '',
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      el(
        'span',
        { class: 'tags' },
        number !== scene.me &&
          el(
            'span',
            { class: 'count', 'aria-label': count === 1 ? t('card1') : t('cards', { n: count }) },
            String(count),
          ),
        view.dealer === number &&
          el('span', { class: 'tag', title: t('dealer') }, t('dealer').slice(0, 1).toUpperCase()),
        view.defender === number && !view.over && el('span', { class: 'tag wide' }, t('defender')),
        score?.note && el('span', { class: 'tag wide' }, factText(score.note, scene)),
      ),
    ),
    scene.thinking === number &&
      el(
        'span',
        { class: 'dots', role: 'img', 'aria-label': t('thinking', { name: scene.names[number] }) },
        el('i'),
        el('i'),
        el('i'),
      ),
    scene.spoken?.[number] && el('div', { class: 'bubble' }, scene.spoken[number]),
    known.length > 0 &&
      el(
        'div',
        { class: `known ${scene.open ? 'open' : ''}` },
        known.map((code) => el('span', { class: 'slot' }, draw(scene, code))),
      ),
  );
}

/** @param {Scene} scene */
function middle(scene) {
  const { view } = scene;
  if (view.pairs) return pairsOf(scene);
  const trick = scene.shown ?? view.trick;
  if (trick.length) return trickOf(scene, trick);
  return el('div', { class: 'trick empty' });
}

/**
 * A trick with each card before its player.
 * @param {Scene} scene
 * @param {Played[]} trick
 * @param {number | null} [taker]
 */
export function trickOf(scene, trick, taker) {
  const count = scene.seats.length;
  return el(
    'div',
    {
      class: 'trick',
      role: 'img',
      'aria-label': trick
        .map((one) =>
          t('playedBy', {
            name: scene.names[one.seat],
            what: cardName(scene.game, one.card),
          }),
        )
        .join(', '),
    },
    trick.map((one, i) => {
      const [x, y] = direction(one.seat, scene.me, count);
      return el(
        'div',
        {
          class: `lying ${(taker ?? scene.taker) === one.seat ? 'taker' : ''}`,
          'data-seat': one.seat,
          'data-card': one.card,
          vars: { '--dx': x, '--dy': y, '--turn': `${((one.seat * 37 + i * 11) % 9) - 4}deg` },
        },
        draw(scene, one.card),
      );
    }),
  );
}

/**
 * Durak: each attack card with what beats it; open ones may be the target of a chosen card.
 * @param {Scene} scene
 */
function pairsOf(scene) {
  return el(
    'div',
    { class: 'pairs' },
    (scene.view.pairs ?? []).map((pair) =>
      el(
        'div',
        { class: `pair ${pair.answer ? 'beaten' : ''}` },
        pair.answer || scene.view.chosen === null
          ? draw(scene, pair.attack)
          : cardButton(scene, pair.attack, {}, true),
        pair.answer && draw(scene, pair.answer, { class: 'answer' }),
      ),
    ),
  );
}

/**
 * The own seat and hand.
 * @param {Scene} scene
 * @param {boolean} narrow
 */
function own(scene, narrow) {
  const { view, me } = scene;
  const hand = view.hands.find((one) => one.seat === me);
  const cards = sorted(hand?.cards ?? [], scene.game.cards);
  const rows = narrow && cards.length > 12 ? 2 : 1;
  const perRow = Math.ceil(cards.length / rows) || 1;
  const first = cards.findIndex((code) => actionsOf(scene, code).length);
  return el(
    'div',
    { class: 'own' },
    seatOf(scene, me),
    el(
      'div',
      { class: `hand rows-${rows}`, role: 'group', 'aria-label': t('cards', { n: cards.length }) },
      Array.from({ length: rows }, (_, row) =>
        el(
          'div',
          { class: 'row', vars: { '--cards': perRow } },
          cards
            .slice(row * perRow, (row + 1) * perRow)
            .map((code, i) =>
              cardButton(scene, code, {}, false, row * perRow + i === Math.max(first, 0) ? '0' : '-1'),
            ),
        ),
      ),
    ),
  );
}
