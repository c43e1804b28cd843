// Our own cards, drawn as SVG from what stands on them: suit, rank and the pack.

/**
 * @import { Face, Family } from '../net/types.js'
 * @import { Fact } from '../words/i18n.js'
 * @import { Plain } from './dom.js'
 */

import { faceName, rankLetter, suitName } from '../words/i18n.js';
import { svg } from './dom.js';
import { courtFigure, fool, jesterFigure, rosette, wizardFigure } from './figures.js';

/** @typedef {Family['pack']} Pack */

/** @type {Record<string, string>} */
const SUITS = { spades: 'spade', hearts: 'heart', clubs: 'club', diamonds: 'diamond' };
/** @type {Record<string, string>} */
const PATHS = {
  heart:
    'M0 9.500C-2 6.500-9.500 1.500-9.500-4C-9.500-7.500-7-9.500-4.600-9.500C-2.400-9.500-.8-8.200 0-6' +
    'C.8-8.200 2.400-9.500 4.600-9.500C7-9.500 9.500-7.500 9.500-4C9.500 1.500 2 6.500 0 9.500Z',
  spade:
    'M0-10C2-7 9.500-2 9.500 3C9.500 6 7.300 7.600 5 7.600C3 7.600 1.600 6.600 .9 5.200C1.100 7.600 2 9.200 3.600 10' +
    'H-3.600C-2 9.200-1.100 7.600-.9 5.200C-1.600 6.600-3 7.600-5 7.600C-7.300 7.600-9.500 6-9.500 3C-9.500-2-2-7 0-10Z',
  diamond:
    'M0-10.500C2-6.500 5-2.500 8 0C5 2.500 2 6.500 0 10.500C-2 6.500-5 2.500-8 0C-5-2.500-2-6.500 0-10.500Z',
  club:
    'M0-10A4.700 4.700 0 0 1 3.700-2.400A4.700 4.700 0 1 1 .9 3.400C1.100 6.900 2 9.200 3.600 10H-3.600' +
    'C-2 9.200-1.100 6.900-.9 3.400A4.700 4.700 0 1 1-3.700-2.400A4.700 4.700 0 0 1 0-10Z',
};
const [LEFT, MIDDLE, RIGHT] = [32, 50, 68];
const [TOP, BOTTOM, CENTRE] = [30, 110, 70];
/** @type {Record<string, number[][]>} */
const PIPS = {
  1: [[MIDDLE, CENTRE]],
  2: [
    [MIDDLE, TOP],
    [MIDDLE, BOTTOM],
  ],
  3: [
    [MIDDLE, TOP],
    [MIDDLE, CENTRE],
    [MIDDLE, BOTTOM],
  ],
  4: pairs(TOP, BOTTOM),
  5: [...pairs(TOP, BOTTOM), [MIDDLE, CENTRE]],
  6: pairs(TOP, CENTRE, BOTTOM),
  7: [...pairs(TOP, CENTRE, BOTTOM), [MIDDLE, 50]],
  8: [...pairs(TOP, CENTRE, BOTTOM), [MIDDLE, 50], [MIDDLE, 90]],
  9: [...pairs(TOP, 57, 83, BOTTOM), [MIDDLE, CENTRE]],
  10: [...pairs(TOP, 57, 83, BOTTOM), [MIDDLE, 43.5], [MIDDLE, 96.5]],
};

/** @param {...number} heights */
function pairs(...heights) {
  return heights.flatMap((y) => [
    [LEFT, y],
    [RIGHT, y],
  ]);
}

/**
 * A suit's sign as a path.
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} [scale]
 * @param {boolean} [turned]
 * @param {string} [more] further classes
 */
export function pip(suit, x, y, scale = 1, turned = false, more = '') {
  return svg('path', {
    d: PATHS[suit],
    class: `${suit} ${more}`,
    transform: `translate(${x} ${y}) scale(${scale})${turned ? ' rotate(180)' : ''}`,
  });
}

/**
 * A small picture of the suit that a fact names, for buttons and signs; null where it names none.
 * @param {Fact} fact
 */
export function suitSign(fact) {
  const named = Object.values(fact).find((value) => String(value) in SUITS);
  if (named === undefined) return null;
  const drawn = pip(SUITS[String(named)], 0, 0);
  return svg('svg', { viewBox: '-12 -12 24 24', class: 'suit', 'aria-hidden': 'true' }, drawn);
}

/**
 * A card; without a face its back.
 * @param {Face | null} face
 * @param {Pack} pack
 * @param {Record<string, Plain>} [attributes]
 */
export function card(face, pack, attributes = {}) {
  const name = face ? faceName(face, face.rank) : '';
  const content = face ? front(face, pack) : back();
  return svg(
    'svg',
    {
      viewBox: '0 0 100 140',
      role: 'img',
      'aria-label': name,
      ...attributes,
      class: `card ${face ? `pack-${pack ?? 'french'}` : 'back'} ${attributes.class ?? ''}`,
    },
    paper(),
    content,
  );
}

function paper() {
  return svg('rect', { x: 0.7, y: 0.7, width: 98.6, height: 138.6, rx: 8, class: 'paper' });
}

/**
 * @param {Face} face
 * @param {Pack} pack
 */
function front(face, pack) {
  const { suit: id, rank } = face;
  const suit = SUITS[id ?? ''];
  if (id === 'trump' || id === 'fool') return trumpFront(face);
  if (id === 'mage' || id === 'jester') return magicFront(id);
  if (!suit) return plainFront(id === null ? rank : rankLetter(rank));
  if (pack === 'wizard') return wizardFront(suit, rank);
  return [...twice(corner(suit, rankLetter(rank))), ...middle(suit, rank)];
}

/**
 * Something in the upper left, and again upside down.
 * @param {SVGElement} shape
 */
function twice(shape) {
  const turned = shape.cloneNode(true);
  return [shape, svg('g', { transform: 'rotate(180 50 70)' }, turned)];
}

/**
 * @param {string} suit
 * @param {string} letter
 */
function corner(suit, letter) {
  return svg(
    'g',
    {},
    svg(
      'text',
      { x: 12, y: 21, class: `index ${letter.length > 1 ? 'wide' : ''} ${suit}`, 'text-anchor': 'middle' },
      letter,
    ),
    pip(suit, 12, 32, 0.62),
  );
}

/**
 * @param {string} suit
 * @param {string} rank
 */
function middle(suit, rank) {
  if (rank === 'A') return [pip(suit, 50, 70, 2.5, false, 'great'), pip(suit, 50, 70, 1.9, false, 'inner')];
  const places = PIPS[rank];
  if (places) return places.map(([x, y]) => pip(suit, x, y, 0.98, y > CENTRE));
  return [courtFigure(suit, rank, (x, y, scale) => pip(suit, x, y, scale))];
}

/** @param {number} y */
function band(y) {
  return svg('rect', { x: 8, y, width: 84, height: 34, rx: 4, class: 'band' });
}

/** The ornament beside a trump's number. */
function flourish() {
  return svg('path', { d: 'M50 25C58 13 66 37 74 25C79 18 86 20 86 26M50 25a3 3 0 1 0 .1 0', class: 'flourish' });
}

/** @param {Face} face */
function trumpFront({ suit, rank }) {
  const number = suit === 'trump' ? rank : null;
  const label = svg(
    'g',
    {},
    band(8),
    svg(
      'text',
      {
        x: number ? 25 : 50,
        y: number ? 34.5 : 31,
        class: number ? 'numeral' : 'numeral word',
        'text-anchor': 'middle',
      },
      number ?? suitName('fool'),
    ),
    number && flourish(),
  );
  return [...twice(label), number ? rosette(50, 70, Number(number)) : fool(50, 70)];
}

/** @param {'mage' | 'jester'} suit */
function magicFront(suit) {
  const letter = svg(
    'text',
    { x: 19.5, y: 27, class: 'index special', 'text-anchor': 'middle' },
    suitName(suit).slice(0, 1).toUpperCase(),
  );
  return [
    svg('rect', { x: 7, y: 7, width: 86, height: 126, rx: 6, class: suit === 'mage' ? 'night' : 'day' }),
    suit === 'mage' ? wizardFigure() : jesterFigure(),
    ...twice(letter),
  ];
}

/**
 * @param {string} suit
 * @param {string} rank
 */
function wizardFront(suit, rank) {
  const label = svg(
    'g',
    {},
    svg(
      'text',
      { x: 16, y: 25, class: `index ${rank.length > 1 ? '' : 'large'} ${suit}`, 'text-anchor': 'middle' },
      rank,
    ),
    pip(suit, 16, 39, 0.7),
  );
  return [
    svg('rect', { x: 28, y: 24, width: 44, height: 92, rx: 22, class: `field ${suit}` }),
    svg('text', { x: 50, y: 84, class: `giant ${suit}`, 'text-anchor': 'middle' }, rank),
    pip(suit, 50, 40, 0.85),
    pip(suit, 50, 100, 0.85, true),
    ...twice(label),
  ];
}

/** @param {string} text */
function plainFront(text) {
  const size = text.length > 3 ? 'small' : '';
  const mark = svg('text', { x: 7, y: 18, class: 'generic mark' }, text);
  return [svg('text', { x: 50, y: 80, class: `generic ${size}`, 'text-anchor': 'middle' }, text), ...twice(mark)];
}

function back() {
  const lines = [];
  for (let i = -6; i < 17; i += 1) {
    lines.push(
      svg('path', { d: `M${i * 10} 140L${i * 10 + 100} 0M${i * 10} 0L${i * 10 + 100} 140`, class: 'weave' }),
    );
  }
  return [
    svg('rect', { x: 6, y: 6, width: 88, height: 128, rx: 5, class: 'cloth' }),
    svg('svg', { x: 6, y: 6, width: 88, height: 128, viewBox: '6 6 88 128' }, lines),
    svg('rect', { x: 6, y: 6, width: 88, height: 128, rx: 5, class: 'edge' }),
    svg('circle', { cx: 50, cy: 70, r: 17, class: 'seal' }),
    ...['heart', 'spade', 'diamond', 'club'].map((suit, i) =>
      pip(suit, 50 + [-7, 7, 7, -7][i], 70 + [-7, -7, 7, 7][i], 0.52, false, 'on-seal'),
    ),
  ];
}
