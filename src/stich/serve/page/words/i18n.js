// What the page says in the player's language: its own words, cards, and the server's English sentences.

/**
 * @import { Face, View } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 * @import { TextKey } from './text.js'
 */

import { settings } from '../settings.js';
import { PATTERNS, TERMS } from './german.js';
import { TEXT } from './text.js';

/** @typedef {GameInfo['pack']} Pack */

/**
 * What everybody is called, by seat; `own` is the player's name.
 * @typedef {string[] & { own?: string }} Names
 */

/**
 * A text of the page, with values put into it.
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return TEXT[settings.language][key].replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/** @type {Record<string, Record<string, string>>} */
const NAMES = {
  en: {
    '♠': 'spades',
    '♥': 'hearts',
    '♣': 'clubs',
    '♦': 'diamonds',
    A: 'ace',
    K: 'king',
    Q: 'queen',
    J: 'jack',
    C: 'cavalier',
    W: 'wizard',
    N: 'jester',
    T: 'trump',
  },
  de: {
    '♠': 'Pik',
    '♥': 'Herz',
    '♣': 'Kreuz',
    '♦': 'Karo',
    A: 'Ass',
    K: 'König',
    Q: 'Dame',
    J: 'Bube',
    C: 'Reiter',
    W: 'Zauberer',
    N: 'Narr',
    T: 'Trumpf',
  },
};
/** @type {Record<string, Record<string, string>>} */
const LETTERS = {
  de: { J: 'B', Q: 'D', C: 'R', T: '10', 'W!': 'Z', 'J!': 'N' },
  en: { T: '10', 'W!': 'W', 'J!': 'J' },
};

/**
 * What stands in a card's corner.
 * @param {string} rank
 */
export function rankLetter(rank) {
  return LETTERS[settings.language][rank] ?? rank;
}

/**
 * A card's full name: "ace of hearts", "Herz Ass".
 * @param {string} text
 * @param {Pack} pack
 */
export function cardName(text, pack) {
  const names = NAMES[settings.language];
  const suited = /^([♠♥♦♣])(.+)$/u.exec(text);
  if (suited) {
    const rank = suited[2] === 'T' ? '10' : (names[suited[2]] ?? suited[2]);
    return settings.language === 'de' ? `${names[suited[1]]} ${rank}` : `${rank} of ${names[suited[1]]}`;
  }
  const special = /^([TJW])(\d+)$/.exec(text);
  if (special && pack === 'tarock') return `${names.T} ${special[2]}`;
  if (special && pack === 'wizard') return special[1] === 'W' ? names.W : names.N;
  return text;
}

/**
 * A card as it stands in a sentence: its sign and the letter of the language.
 * @param {string} text
 * @param {Pack} pack
 */
export function shortCards(text, pack) {
  const signs = text.replace(
    /([♠♥♦♣])(10|1[1-3]|[1-9]|[TJQKAC])(?!\w)/gu,
    (_, sign, rank) => sign + rankLetter(rank),
  );
  if (pack === 'tarock') return signs.replace(/\bT(\d+)\b/g, (_, rank) => `${NAMES[settings.language].T} ${rank}`);
  return pack === 'wizard'
    ? signs.replace(/\b([JW])[1-4]\b/g, (_, kind) => NAMES[settings.language][kind === 'W' ? 'W' : 'N'])
    : signs;
}

/**
 * A term or sentence of the server in the player's language.
 * @param {string} text
 * @returns {string}
 */
export function said(text) {
  if (settings.language !== 'de') return text;
  if (TERMS[text] !== undefined) return TERMS[text];
  for (const [pattern, german] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return typeof german === 'function' ? german(found, said) : text.replace(pattern, german);
  }
  return text;
}

/** @type {Record<string, Record<string, string>>} */
const QUESTIONS = {
  en: {
    trump: 'Choose trumps',
    melds: 'Announce your melds?',
    cards: 'Your turn',
    bids: 'How many tricks will you take?',
    bidding: 'What do you say?',
    hand: 'Build your hand',
    lead: 'You lead',
    follow: 'You follow',
    attack: 'You attack',
    defence: 'You defend',
  },
  de: {
    trump: 'Was ist Trumpf?',
    melds: 'Weisen?',
    cards: 'Du bist dran',
    bids: 'Wie viele Stiche sagst du an?',
    bidding: 'Was sagst du?',
    hand: 'Blatt zusammenstellen',
    lead: 'Du spielst aus',
    follow: 'Du gibst zu',
    attack: 'Du greifst an',
    defence: 'Du verteidigst',
  },
};

/**
 * What is asked of the player: the game's own question, else that of its phase.
 * @param {View} view
 */
export function question(view) {
  return view.ask ? said(view.ask) : (QUESTIONS[settings.language][view.phase] ?? t('choose'));
}

/**
 * An action as it stands on a button.
 * @param {{ name: string, label: string }} action
 * @param {Record<string, Face>} faces
 * @param {Pack} pack
 */
export function actionLabel(action, faces, pack) {
  const married = /^M:(.+)$/.exec(action.name);
  if (married && faces[married[1]]) return t('marriage', { card: shortCards(faces[married[1]].text, pack) });
  if (faces[action.name] && action.label === action.name) return shortCards(faces[action.name].text, pack);
  const inner = /^[A-Z] \((.+)\)$/.exec(action.label);
  return shortCards(said(inner ? inner[1] : action.label), pack);
}

/**
 * Names put into the server's sentences, which count seats.
 * @param {string} text
 * @param {Names} names
 * @param {string[]} seatNames
 */
export function withNames(text, names, seatNames) {
  let found = text.trim().replace(/\b[Ss]eat (\d)\b/g, (all, seat) => names[seat] ?? all);
  if (names.own) found = found.replace(/^You take\b/, `${names.own} takes`).replace(/^You\b/, names.own);
  seatNames.forEach((name, seat) => {
    if (!/^Seat \d$/.test(name)) found = found.replace(new RegExp(`\\b${name}\\b`, 'g'), names[seat] ?? name);
  });
  return found;
}

/**
 * A number with as many digits as it needs.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 1) {
  return value.toLocaleString(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
