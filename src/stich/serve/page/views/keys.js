// Playing by keys.

/**
 * Digits choose a move by its place, arrows the next one; where no move is legal, arrows go through the hand.
 * @param {Element} board
 * @param {KeyboardEvent} event
 */
export function moveFocus(board, event) {
  /** @type {NodeListOf<HTMLElement>} */
  const moves = board.querySelectorAll('.place.legal, .choice');
  /** @type {NodeListOf<HTMLElement>} */
  const cards = board.querySelectorAll('.hand .place');
  if (/^[0-9]$/.test(event.key)) moves[(Number(event.key) + 9) % 10]?.focus();
  else if (/^Arrow/.test(event.key)) {
    event.preventDefault();
    const around = [...(moves.length ? moves : cards)];
    const at = around.findIndex((one) => one.matches(':focus'));
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : -1;
    around[at < 0 ? 0 : (at + step + around.length) % around.length]?.focus();
  }
}
