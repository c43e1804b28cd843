// What the page says: the words of a language as the server gives them, with names, cards and numbers put into them.

/**
 * @import { Event, Face, GameWords, PageWords, TextKey, View } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 */

import { settings } from '../settings.js';

/** @typedef {Record<string, string | number | string[] | number[]>} Fact its name is under `fact` */

/**
 * Who a fact is told to: the game, what everybody is called by seat, and the reader's own seat where there is one.
 * @typedef {object} Reader
 * @property {GameInfo} game
 * @property {string[]} names
 * @property {number | null} [reader]
 */

const SIGNS = { spades: '♠', hearts: '♥', clubs: '♣', diamonds: '♦' };

/** @type {PageWords | null} */
let words = null;

/** @param {PageWords} loaded */
export function speak(loaded) {
  words = loaded;
}

/** The languages that there are, by code, with their own names. */
export function languages() {
  return words?.languages ?? {};
}

/**
 * A text of the page, with values put into it.
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(words?.page[key] ?? readable(key), (name) => values[name]?.toString());
}

/**
 * What a level of play is called.
 * @param {string} level
 */
export function levelName(level) {
  return words?.levels[level] ?? readable(level);
}

/**
 * What the server refuses; in its own words where there are none for it.
 * @param {string | undefined} id
 * @param {string} reason
 */
export function refusal(id, reason) {
  return words?.errors[id ?? ''] ?? reason;
}

/**
 * An id as people read it, where there is no word for it.
 * @param {string} id
 */
function readable(id) {
  return id.replaceAll('_', ' ');
}

/**
 * Puts values where a word has places for them; a place without a value stays.
 * @param {string} text
 * @param {(name: string, signed: boolean) => string | undefined} value
 */
function fill(text, value) {
  return text.replace(/\{(\w+)(:\+)?\}/g, (all, name, signed) => value(name, Boolean(signed)) ?? all);
}

/**
 * A game's own words.
 * @param {GameInfo} game
 * @returns {Partial<GameWords>}
 */
function own(game) {
  return words?.games[game.family] ?? {};
}

/**
 * A word of a game, or of all games.
 * @param {GameInfo} game
 * @param {'facts' | 'actions' | 'piles' | 'questions' | 'choices'} table
 * @param {string} id
 */
function entry(game, table, id) {
  return own(game)[table]?.[id] ?? words?.shared[table][id];
}

/**
 * A word that has one form.
 * @param {GameInfo} game
 * @param {'piles' | 'questions' | 'choices'} table
 * @param {string} id
 */
function word(game, table, id) {
  const found = entry(game, table, id);
  return typeof found === 'string' ? found : undefined;
}

/** @param {GameInfo} game */
export function title(game) {
  return own(game).title ?? game.title;
}

/** @param {GameInfo} game */
export function about(game) {
  return own(game).about ?? game.about;
}

/** @param {GameInfo} game */
export function variantText(game) {
  return own(game).variants?.[game.variant] ?? game.doc;
}

/**
 * @param {GameInfo} game
 * @param {string} name
 */
export function optionWords(game, name) {
  return own(game).options?.[name] ?? { name: readable(name), doc: '' };
}

/**
 * @param {GameInfo} game
 * @param {string} choice
 */
export function choiceText(game, choice) {
  return word(game, 'choices', choice) ?? readable(choice);
}

/**
 * @param {GameInfo} game
 * @param {string} id
 */
export function pileText(game, id) {
  return word(game, 'piles', id) ?? readable(id);
}

/**
 * @param {GameInfo} game
 * @param {number} seat
 */
export function seatText(game, seat) {
  return own(game).seats?.[seat] ?? `${words?.shared.seat ?? ''} ${seat + 1}`;
}

/**
 * What is asked of the player: the game's own question, else that of its phase.
 * @param {GameInfo} game
 * @param {View} view
 */
export function question(game, view) {
  return word(game, 'questions', view.ask ?? view.phase) ?? t('choose');
}

/**
 * A suit, a mode, a level.
 * @param {GameInfo} game
 * @param {string} id
 */
function term(game, id) {
  return own(game).terms?.[id] ?? words?.shared.suits[id] ?? readable(id);
}

/**
 * What stands in a card's corner.
 * @param {string} rank
 */
export function rankLetter(rank) {
  return words?.shared.letters[rank] ?? rank;
}

/**
 * What a suit is called.
 * @param {string} suit
 */
export function suitName(suit) {
  return words?.shared.suits[suit] ?? readable(suit);
}

/**
 * A card's full name: "ace of hearts", "Herz Ass".
 * @param {GameInfo} game
 * @param {string} code
 */
export function cardName(game, code) {
  return faceName(game.cards[code], own(game).cards?.[code] ?? code);
}

/**
 * The same of a face; `plain` is the name of a card that has none.
 * @param {Face | undefined} face
 * @param {string} plain
 */
export function faceName(face, plain) {
  if (!face || face.suit === null || !words) return plain;
  const { names, ranks } = words.shared;
  const rank = ranks[face.rank] ?? face.rank;
  const suit = suitName(face.suit);
  return fill(names[face.suit || 'none'] ?? names.any, (name) => ({ rank, suit })[name]);
}

/**
 * A card as it stands in a sentence: its sign and the letter of the language.
 * @param {GameInfo} game
 * @param {string} code
 */
export function cardShort(game, code) {
  const face = game.cards[code];
  if (!face || face.suit === null) return own(game).cards?.[code] ?? code;
  const { suit } = face;
  const values = { rank: rankLetter(face.rank), suit: suitName(suit), sign: signOf(suit) };
  return fill(words?.shared.short[suit] ?? '{sign}{rank}', (name) => ({ ...values })[name]);
}

/** @param {string} suit */
export function signOf(suit) {
  return /** @type {Record<string, string>} */ (SIGNS)[suit] ?? '';
}

/**
 * What happened, trump or contract, or what else is counted.
 * @param {Fact} fact
 * @param {Reader} reader
 */
export function factText(fact, reader) {
  return sentence('facts', fact, reader);
}

/**
 * What can be done.
 * @param {Fact} fact
 * @param {Reader} reader
 */
export function actionText(fact, reader) {
  return sentence('actions', fact, reader);
}

/**
 * What a move says as people read it in a log.
 * @param {Event} event
 * @param {Reader} reader
 */
export function eventText(event, reader) {
  const name = reader.names[event.seat];
  if (!event.says) return t('hidden', { name });
  const { fact, card } = event.says;
  if (fact === 'play' && typeof card === 'string')
    return t('playedBy', { name, what: cardName(reader.game, card) });
  return t('saidBy', { name, what: actionText(event.says, reader) });
}

/**
 * @param {'facts' | 'actions'} table
 * @param {Fact} fact
 * @param {Reader} reader
 */
function sentence(table, fact, reader) {
  const { fact: name, ...values } = fact;
  const found = entry(reader.game, table, String(name));
  if (found === undefined)
    return [readable(String(name)), ...Object.entries(values).map(([key, value]) => valueText(key, value, reader))]
      .filter(Boolean)
      .join(' ');
  return fill(typeof found === 'string' ? found : form(found, fact, reader.reader ?? null), (key, signed) => {
    const value = values[key];
    if (value === undefined) return undefined;
    if (signed && typeof value === 'number') return value < 0 ? `−${-value}` : `+${value}`;
    return valueText(key, value, reader);
  });
}

/**
 * Which form of a word fits: `you` where the reader is meant, `one` for a count of one, both, or `any`.
 * @param {Record<string, string>} forms
 * @param {Fact} fact
 * @param {number | null} me
 */
function form(forms, fact, me) {
  const seats = Array.isArray(fact.seats) ? fact.seats.map(Number) : [fact.seat];
  const meant = me !== null && seats.includes(me) ? ['you'] : [];
  const single = fact.count === 1 ? ['one'] : [];
  const fitting = [[...meant, ...single].join('_'), ...meant, ...single, 'any'];
  return forms[fitting.find((name) => name in forms) ?? 'any'];
}

/**
 * A value of a fact; its name says what it is.
 * @param {string} name
 * @param {string | number | string[] | number[]} value
 * @param {Reader} reader
 */
function valueText(name, value, { game, names }) {
  const several = Array.isArray(value) ? value : [value];
  const kind = name.split('_').at(-1);
  if (kind === 'seat' || kind === 'seats')
    return several
      .map((seat) => names[Number(seat)] ?? seatText(game, Number(seat)))
      .join(words?.shared.between_seats);
  if (kind === 'card' || kind === 'cards') return several.map((card) => cardShort(game, String(card))).join(' ');
  return several.map((one) => (typeof one === 'string' ? term(game, one) : String(one))).join(', ');
}

/**
 * A number with as many digits as it needs.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 1) {
  return value.toLocaleString(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
