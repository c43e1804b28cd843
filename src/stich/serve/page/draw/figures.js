// Figures of our own for court cards, trumps, wizards and jesters: built from simple shapes, no pictures.

import { svg } from './dom.js';

/** @type {(d: string, name: string) => SVGElement} */
const path = (d, name) => svg('path', { d, class: name });
/** @type {(cx: number, cy: number, r: number, name: string) => SVGElement} */
const circle = (cx, cy, r, name) => svg('circle', { cx, cy, r, class: name });

/** @type {Record<string, () => SVGElement[]>} */
const HATS = {
  K: () => [
    path('M34 33L32 17L41 25L50 13L59 25L68 17L66 33Z', 'gold'),
    path('M34 33H66V37H34Z', 'trim'),
    circle(50, 12, 2, 'trim'),
    circle(32, 16, 1.8, 'trim'),
    circle(68, 16, 1.8, 'trim'),
  ],
  Q: () => [
    path('M36 35C36 26 43 25 50 19C57 25 64 26 64 35Z', 'gold'),
    circle(50, 18, 2.6, 'trim'),
    circle(50, 29, 2, 'trim'),
    circle(42, 31, 1.5, 'trim'),
    circle(58, 31, 1.5, 'trim'),
  ],
  J: () => [
    path('M33 36C33 24 42 20 52 20C62 20 67 27 67 36Z', 'cloth-a'),
    path('M31 34H69V39H31Z', 'trim'),
    path('M62 33C68 28 75 20 73 12C66 15 60 24 59 32Z', 'gold'),
  ],
  C: () => [
    path('M34 39C33 26 40 19 50 19C60 19 67 26 66 39Z', 'steel'),
    path('M47 19C48 13 54 9 61 10C57 13 54 16 53 19Z', 'cloth-a'),
    path('M33 37H67V41H33Z', 'gold'),
  ],
};
/** @type {Record<string, () => SVGElement[]>} */
const HAIR = {
  K: () => [path('M37 47C36 66 43 70 50 70C57 70 64 66 63 47C60 56 57 55 50 55C43 55 40 56 37 47Z', 'hair')],
  Q: () => [path('M35 38C30 50 32 62 38 67L40 44Z', 'hair'), path('M65 38C70 50 68 62 62 67L60 44Z', 'hair')],
  J: () => [path('M35 39C33 46 34 53 38 56L39 42Z', 'hair'), path('M65 39C67 46 66 53 62 56L61 42Z', 'hair')],
  C: () => [path('M44 54Q50 57 56 54Q50 59 44 54Z', 'hair')],
};
/** @type {Record<string, () => SVGElement[]>} */
const THINGS = {
  K: () => [path('M77 66V27', 'staff'), circle(77, 24, 4, 'gold')],
  Q: () => [path('M77 66C75 52 78 44 77 38', 'stem'), circle(77, 34, 5, 'bloom'), circle(77, 34, 1.8, 'gold')],
  J: () => [path('M78 66V26', 'staff'), path('M78 17L83 28H73Z', 'steel')],
  C: () => [
    svg(
      'g',
      { transform: 'translate(-8 0)' },
      path('M70 70C69 57 74 50 80 47L79 41L83 44C88 50 87 56 88 60L83 62L80 59C79 63 81 66 81 70Z', 'horse'),
      circle(82, 52, 1, 'ink'),
    ),
  ],
};

/**
 * Draws a suit's sign somewhere.
 * @typedef {(x: number, y: number, scale: number) => SVGElement} Mark
 */

/**
 * @param {string} rank
 * @param {Mark} mark
 */
function half(rank, mark) {
  return [
    path('M17 70C19 59 30 56 42 55H58C70 56 81 59 83 70Z', 'cloth-a'),
    path('M42 55L50 70L58 55Z', 'cloth-b'),
    path('M28 58L34 70M72 58L66 70', 'seam'),
    ...(rank === 'K' ? [] : HAIR[rank]()),
    svg('ellipse', { cx: 50, cy: 45, rx: 13, ry: 14.5, class: 'skin' }),
    ...(rank === 'K' ? HAIR.K() : []),
    circle(45, 44, 1.3, 'ink'),
    circle(55, 44, 1.3, 'ink'),
    path('M50 45V49H48.500', 'line'),
    path(rank === 'K' ? 'M46 57Q50 59 54 57' : 'M46 53Q50 55.500 54 53', rank === 'K' ? 'line pale' : 'line'),
    ...HATS[rank](),
    ...THINGS[rank](),
    mark(28, 33, 0.8),
  ];
}

/**
 * A court card's figure, the lower half turned: J, Q, K, and C for the rider of tarock packs.
 * @param {string} suit
 * @param {string} rank
 * @param {Mark} mark
 */
export function courtFigure(suit, rank, mark) {
  const known = HATS[rank] ? rank : 'J';
  return svg(
    'g',
    { class: `court ${suit}` },
    svg('rect', { x: 20, y: 11, width: 60, height: 118, rx: 4, class: 'panel' }),
    svg(
      'svg',
      { x: 20, y: 11, width: 60, height: 59, viewBox: '15 8 70 62', preserveAspectRatio: 'xMidYMax slice' },
      half(known, mark),
    ),
    svg(
      'g',
      { transform: 'rotate(180 50 70)' },
      svg(
        'svg',
        { x: 20, y: 11, width: 60, height: 59, viewBox: '15 8 70 62', preserveAspectRatio: 'xMidYMax slice' },
        half(known, mark),
      ),
    ),
    path('M20 70H80', 'divide'),
  );
}

/**
 * @param {number} count
 * @param {number} radius
 * @param {number} width
 * @param {string} name
 */
function petals(count, radius, width, name) {
  const found = [];
  for (let i = 0; i < count; i += 1) {
    found.push(
      svg('path', {
        d:
          `M0 0C${-width} ${-radius * 0.45} ${-width * 0.7} ${-radius * 0.85} 0 ${-radius}` +
          `C${width * 0.7} ${-radius * 0.85} ${width} ${-radius * 0.45} 0 0Z`,
        class: name,
        transform: `rotate(${(360 * i) / count})`,
      }),
    );
  }
  return found;
}

/**
 * A flower with as many petals as the trump has points: every number has its own face.
 * @param {number} x
 * @param {number} y
 * @param {number} number
 */
export function rosette(x, y, number) {
  const count = Math.max(number, 1);
  const width = Math.min(9, 44 / count + 1.6);
  return svg(
    'g',
    { class: 'rosette', transform: `translate(${x} ${y})` },
    circle(0, 0, 25.5, 'rim'),
    ...petals(count, 24, width, 'petal'),
    ...petals(count, 14, width * 0.6, 'petal inner'),
    circle(0, 0, 4.2, 'heartwood'),
  );
}

/**
 * The Gstiess: a fool with a cap of three bells.
 * @param {number} x
 * @param {number} y
 */
export function fool(x, y) {
  return svg(
    'g',
    { class: 'rosette', transform: `translate(${x} ${y})` },
    circle(0, 0, 25.5, 'rim'),
    path('M-10 0C-12-10-20-12-22-4C-20-16-8-18 0-9C8-18 20-16 22-4C20-12 12-10 10 0Z', 'petal'),
    path('M-6-6C-6-16 0-22 4-21C0-17 4-12 6-6Z', 'petal inner'),
    circle(-22, -3, 2.6, 'heartwood'),
    circle(22, -3, 2.6, 'heartwood'),
    circle(5, -21, 2.6, 'heartwood'),
    svg('ellipse', { cx: 0, cy: 4, rx: 9, ry: 10, class: 'face' }),
    circle(-3.5, 2, 1.2, 'dot'),
    circle(3.5, 2, 1.2, 'dot'),
    path('M-4.500 7Q0 12 4.500 7', 'smile'),
    path('M-11 14L-6 22L0 15L6 22L11 14C6 18-6 18-11 14Z', 'petal'),
  );
}

/** A wizard: a hat with stars, a long beard. */
export function wizardFigure() {
  return svg(
    'g',
    { class: 'magic' },
    path('M50 22C45 38 36 54 31 62H69C64 54 55 38 50 22Z', 'hat'),
    path('M24 63C34 57 66 57 76 63C66 68 34 68 24 63Z', 'brim'),
    star(47, 50, 4),
    star(55, 42, 2.6),
    star(50, 20, 4.5),
    star(24, 36, 2.6),
    star(77, 44, 3.2),
    star(72, 24, 2),
    svg('ellipse', { cx: 50, cy: 73, rx: 12, ry: 9, class: 'skin' }),
    circle(45.5, 71, 1.3, 'ink'),
    circle(54.5, 71, 1.3, 'ink'),
    path('M36 73C36 96 44 112 50 120C56 112 64 96 64 73C60 80 56 77 50 80C44 77 40 80 36 73Z', 'beard'),
    path('M78 60V122', 'staff'),
    circle(78, 56, 5, 'orb'),
  );
}

/** A jester: a cap of two horns with bells, a ruff. */
export function jesterFigure() {
  return svg(
    'g',
    { class: 'magic' },
    path('M50 44C42 24 22 26 18 52C26 42 32 46 34 62H50Z', 'horn one'),
    path('M50 44C58 24 78 26 82 52C74 42 68 46 66 62H50Z', 'horn two'),
    circle(18, 55, 4, 'bell'),
    circle(82, 55, 4, 'bell'),
    path('M34 60Q50 52 66 60V65Q50 58 34 65Z', 'bell'),
    svg('ellipse', { cx: 50, cy: 76, rx: 15, ry: 17, class: 'skin' }),
    circle(44, 73, 1.7, 'ink'),
    circle(56, 73, 1.7, 'ink'),
    circle(50, 78, 2.2, 'nose'),
    path('M42 83Q50 92 58 83', 'line'),
    path('M26 98L34 112L42 100L50 114L58 100L66 112L74 98C62 92 38 92 26 98Z', 'ruff'),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function star(x, y, size) {
  const points = [];
  for (let i = 0; i < 10; i += 1) {
    const radius = i % 2 ? size * 0.42 : size;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    points.push(`${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`);
  }
  return svg('polygon', { points: points.join(' '), class: 'star' });
}
