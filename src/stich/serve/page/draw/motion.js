// Cards that fly; nothing moves where the player or the system wants it still.

/** @import { Played } from '../net/types.js' */

import { moving } from '../settings.js';

/** @param {Element} node */
function centre(node) {
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/**
 * Lets a card of the trick come from its player.
 * @param {Element} board
 * @param {Played} played
 */
export function fly(board, { seat, card }) {
  const node = board.querySelector(`.lying[data-card="${CSS.escape(card)}"] .card`);
  const from = board.querySelector(`.seat[data-seat="${seat}"] .chip`);
  if (!moving() || !node || !from) return;
  const [x, y] = centre(from);
  const [toX, toY] = centre(node);
  node.animate(
    [
      { transform: `translate(${x - toX}px, ${y - toY}px) scale(.5)`, opacity: 0.3 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 260, easing: 'cubic-bezier(.2,.8,.3,1)' },
  );
}

/**
 * Lets the trick go to who took it.
 * @param {Element} board
 * @param {number} taker
 */
export async function sweep(board, taker) {
  const to = board.querySelector(`.seat[data-seat="${taker}"] .chip`);
  const cards = [...board.querySelectorAll('.lying .card')];
  if (!moving() || !to || !cards.length) return;
  const [x, y] = centre(to);
  await Promise.all(
    cards.map((node) => {
      const [fromX, fromY] = centre(node);
      const away = { transform: `translate(${x - fromX}px, ${y - fromY}px) scale(.35)`, opacity: 0.2 };
      const options = /** @type {const} */ ({ duration: 280, easing: 'ease-in', fill: 'forwards' });
      return node.animate([{ transform: 'none', opacity: 1 }, away], options).finished.catch(() => {});
    }),
  );
}
