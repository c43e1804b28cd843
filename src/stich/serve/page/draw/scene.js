// What is drawn: a position, who sits around it, and what can be done. All views make such scenes.

/**
 * @import { Action, Face, Played, Seat, Sitter, Value, View } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 */

import { cardName, factText, levelName, t } from '../words/i18n.js';

/** @type {Record<string, number>} */
const ORDER = { trump: 0, fool: 0, mage: 0, spades: 1, hearts: 2, clubs: 3, diamonds: 4 };
const REST = 5;
const AGENTS = ['Vreni', 'Hannes', 'Resi', 'Kurt', 'Olga', 'Emil'];

/** @typedef {Map<number, Value>} Values what the coach thinks, by action */

/**
 * @typedef {object} Scene
 * @property {View} view the position
 * @property {Seat[]} seats who sits there
 * @property {number} me the seat below
 * @property {GameInfo} game
 * @property {string[]} names what everybody is called
 * @property {number | null} reader the seat of who looks at it; null where that is somebody else
 * @property {boolean} [open] whether all hands are shown
 * @property {((actions: Action[], button: HTMLElement) => void) | null} [play] called when a legal card or choice is clicked
 * @property {boolean} [busy] whether clicks are ignored
 * @property {Values | null} [values] the coach's
 * @property {Record<number, string>} [spoken] what each seat said last
 * @property {Played[]} [shown] a trick instead of the view's
 * @property {number | null} [taker] who takes it
 * @property {number | null} [thinking] the seat that is being waited for
 * @property {{ card: string | null, action: number | null }} [marked] an action that was played
 * @property {{ card: string | null, action: number | null }} [best] the action that would have been best
 */

/**
 * A scene without extras.
 * @param {View} view
 * @param {Seat[]} seats
 * @param {number} me
 * @param {GameInfo} game
 * @returns {Scene}
 */
export function sceneOf(view, seats, me, game) {
  return { view, seats, me, game, names: namesOf(seats), reader: me };
}

/**
 * What everybody is called: persons by name, agents by names of ours.
 * @param {Sitter[]} seats
 */
export function namesOf(seats) {
  return seats.map(({ kind, name, left }, i) => {
    if (left) return t('left', { name });
    if (kind === 'open') return t('free');
    return kind === 'agent' ? AGENTS[i % AGENTS.length] : name;
  });
}

/**
 * The words for a seat's player: the level's name where it has one, else the agent's spec.
 * @param {Sitter} seat
 * @param {GameInfo} game
 */
export function agentText(seat, game) {
  if (seat.kind !== 'agent') return '';
  const level = game.levels.find((one) => one.level === seat.name || one.agent === seat.name);
  return level ? levelName(level.level) : seat.agent.split('(')[0];
}

/**
 * Cards by suit, in the order in which the server names them; colours alternate.
 * @param {string[]} cards
 * @param {Record<string, Face>} faces
 */
export function sorted(cards, faces) {
  /** @param {string} code */
  const place = (code) => ORDER[faces[code]?.suit ?? ''] ?? REST;
  return cards
    .map((code) => ({ code, at: place(code) }))
    .sort((a, b) => a.at - b.at)
    .map(({ code }) => code);
}

/**
 * How a card looks; one whose face the game does not say is its name.
 * @param {Scene} scene
 * @param {string} code
 * @returns {Face}
 */
export function face(scene, code) {
  const found = scene.game.cards[code];
  return typeof found?.suit === 'string' ? found : { suit: null, rank: cardName(scene.game, code) };
}

/**
 * The scores as rows: names for seats, "we" and "they" for sides.
 * @param {Scene} scene
 */
export function scoreRows(scene) {
  return scene.view.scores.map((score) => ({
    ...score,
    name:
      score.seats.length === 1
        ? scene.names[score.seats[0]]
        : score.seats.includes(scene.me)
          ? t('we')
          : t('they'),
    own: score.seats.includes(scene.me),
    note: score.note ? factText(score.note, scene) : '',
  }));
}
