// What is drawn: a position, who sits around it, and what can be done. All views make such scenes.

/**
 * @import { Action, Event, Face, Played, Seat, Sitter, Value, View } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 * @import { Names, Pack } from '../words/i18n.js'
 */

import { settings } from '../settings.js';
import { actionLabel, cardName, said, shortCards, t, withNames } from '../words/i18n.js';
import { parsed } from './cards.js';

const ORDER = ['trump', 'spade', 'heart', 'club', 'diamond', 'rest'];
const AGENTS = ['Vreni', 'Hannes', 'Resi', 'Kurt', 'Olga', 'Emil'];

/** @typedef {Map<number, Value>} Values what the coach thinks, by action */

/**
 * @typedef {object} Scene
 * @property {View} view the position
 * @property {Seat[]} seats who sits there
 * @property {number} me the seat below
 * @property {GameInfo} game
 * @property {Names} names what everybody is called
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
  return { view, seats, me, game, names: namesOf(seats, me) };
}

/**
 * What everybody is called: persons by name, agents by names of ours; `own` is the player's.
 * @param {Sitter[]} seats
 * @param {number} [me]
 */
export function namesOf(seats, me) {
  /** @type {Names} */
  const names = seats.map((seat, i) =>
    seat.kind === 'agent' && !seat.name.endsWith('(left)')
      ? AGENTS[i % AGENTS.length]
      : seat.kind === 'open'
        ? t('free')
        : said(seat.name),
  );
  if (me !== undefined) names.own = names[me];
  return names;
}

/**
 * The words for a seat's player: the level's name where it has one, else the agent's spec.
 * @param {Sitter} seat
 * @param {GameInfo} game
 */
export function agentText(seat, game) {
  if (seat.kind !== 'agent') return '';
  const level = game.levels.find((one) => one.level === seat.name || one.agent === seat.name);
  return level ? level[settings.language] : seat.agent.replace(/\(.*/, '');
}

/**
 * Cards by suit, in the order in which the server names them; colours alternate.
 * @param {string[]} cards
 * @param {Record<string, Face>} faces
 * @param {Pack} pack
 */
export function sorted(cards, faces, pack) {
  /** @param {string} code */
  const place = (code) => {
    const { suit, rank } = parsed(faces[code]?.text ?? code);
    if (suit) return ORDER.indexOf(suit);
    return pack === 'tarock' || rank.startsWith('W') ? 0 : 5;
  };
  return cards
    .map((code) => ({ code, at: place(code) }))
    .sort((a, b) => a.at - b.at)
    .map(({ code }) => code);
}

/**
 * How a card looks; one that the game does not name is its code.
 * @param {Scene} scene
 * @param {string} code
 * @returns {Face}
 */
export function face(scene, code) {
  return scene.game.cards[code] ?? { text: code, colour: '' };
}

/**
 * What an event says, in the player's language.
 * @param {Event} event
 * @param {Scene} scene
 */
export function eventText(event, scene) {
  const name = scene.names[event.seat];
  if (event.name === null) return t('hidden', { name });
  const played = scene.game.cards[event.name];
  if (played) return t('playedBy', { name, what: cardName(played.text, scene.game.pack) });
  return t('saidBy', {
    name,
    what: actionLabel({ name: event.name, label: event.label ?? event.name }, scene.game.cards, scene.game.pack),
  });
}

/**
 * What a move led to, in the player's language.
 * @param {string} line
 * @param {Scene} scene
 */
export function newsText(line, scene) {
  return said(shortCards(withNames(line, scene.names, scene.game.seat_names), scene.game.pack));
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
    note: said(score.note ?? ''),
  }));
}
