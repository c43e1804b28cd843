// What the player has chosen, and the seats held; both stay in this browser.

/** @import { NewTable } from './net/types.js' */

/**
 * @typedef {object} Settings
 * @property {string} language its code
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {'auto' | 'on' | 'off'} motion whether things move
 * @property {'two' | 'four'} colours of the suits
 * @property {'once' | 'twice'} tap how a card is played
 * @property {string} pause milliseconds that a full trick stays
 * @property {string} name what the player is called
 */

/**
 * A seat held at a table.
 * @typedef {object} Held
 * @property {string} token its secret
 * @property {number} seat its number
 * @property {string} game the game's name
 * @property {NewTable} wish how to make such a table again
 * @property {number} at when it was taken, in milliseconds since 1970
 * @property {string | null} [invite] the invitation for open seats
 * @property {number} [dealStart] the move with which the present deal began
 * @property {boolean} [over] whether the game is over
 */

/** @type {Settings} */
const DEFAULTS = {
  language: (navigator.language ?? 'en').slice(0, 2),
  theme: 'auto',
  motion: 'auto',
  colours: 'two',
  tap: 'once',
  pause: '1200',
  name: '',
};

/**
 * An object kept in this browser; an empty one where there is none.
 * @param {string} key
 */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read('stich.settings') };

/**
 * Changes a setting and applies it.
 * @param {keyof Settings} name
 * @param {string} value
 */
export function set(name, value) {
  Object.assign(settings, { [name]: value });
  localStorage.setItem('stich.settings', JSON.stringify(settings));
  apply();
}

/** Writes what CSS needs to the root element. */
export function apply() {
  const root = document.documentElement;
  root.lang = settings.language;
  root.dataset.theme = settings.theme;
  root.dataset.colours = settings.colours;
  root.dataset.motion = moving() ? 'on' : 'off';
}

/** Whether things may move. */
export function moving() {
  if (settings.motion !== 'auto') return settings.motion === 'on';
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const SEAT = 'stich.table.';

/**
 * The seat held at a table.
 * @param {string} table
 * @returns {Held | null}
 */
export function seatAt(table) {
  const found = read(SEAT + table);
  return found.token ? found : null;
}

/**
 * @param {string} table
 * @param {Held} seat
 */
export function keepSeat(table, seat) {
  localStorage.setItem(SEAT + table, JSON.stringify(seat));
}

/** @param {string} table */
export function dropSeat(table) {
  localStorage.removeItem(SEAT + table);
}

/**
 * All seats held, the newest first.
 * @returns {(Held & { table: string })[]}
 */
export function seatsHeld() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(SEAT))
    .map((key) => ({ table: key.slice(SEAT.length), ...read(key) }))
    .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}
