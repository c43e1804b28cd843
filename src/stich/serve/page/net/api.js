// The server's HTTP side.

/**
 * @import { Decision, Family, GameList, GameOption, Join, JoinedTable, ListedTable, MadeTable, NewTable } from './types.js'
 * @import { ReplayPage, Report, Reported, ReviewPage, TableInfo, Variant } from './types.js'
 * @import { PageWords } from './types.js'
 */

import { refusal } from '../words/i18n.js';

/**
 * @typedef {object} Asked
 * @property {object} [body] sent as JSON
 * @property {string} [token] the secret of a seat
 */

/**
 * The answer to a request; whoever calls says of what type it is.
 * @param {string} path
 * @param {Asked} [asked]
 */
async function ask(path, { body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(`api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers,
    body: body && JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(refusal(told.error, problem(told.detail) ?? `HTTP ${answer.status}`));
  return told;
}

/**
 * What the server says is wrong: a text, or what does not fit its schema.
 * @param {string | { msg: string }[] | undefined} detail
 */
function problem(detail) {
  return Array.isArray(detail) ? detail.map((one) => one.msg).join('; ') : detail;
}

/**
 * A variant with what its family has in common; each option has the variant's value.
 * @typedef {Omit<Family, 'variants' | 'options'> & Omit<Variant, 'options'>
 *   & { options: (GameOption & { value: string | number | boolean })[] }} GameInfo
 */

/** @typedef {Map<string, GameInfo>} Games all variants by name */

/**
 * @param {Family} game
 * @returns {GameInfo[]}
 */
function variantsOf({ variants, ...family }) {
  return variants.map((variant) => ({
    ...family,
    ...variant,
    options: family.options.map((one) => ({ ...one, value: variant.options[one.name] })),
  }));
}

/**
 * All words in a language; the browser keeps them.
 * @param {string} language
 * @returns {Promise<PageWords>}
 */
export function wordsIn(language) {
  return ask(`words?language=${encodeURIComponent(language)}`);
}

/** @type {Promise<GameList> | null} */
let games = null;

/**
 * All games by name; asked for once.
 * @returns {Promise<Games>}
 */
export async function allGames() {
  games ??= ask('games');
  try {
    return new Map((await games).families.flatMap(variantsOf).map((game) => [game.name, game]));
  } catch (error) {
    games = null;
    throw error;
  }
}

/**
 * The game of a name: that by which tables are made, or the one by which a table calls it.
 * @param {Games} all
 * @param {string} name
 */
export function gameOf(all, name) {
  return all.get(name) ?? [...all.values()].find((game) => game.variant === name);
}

/** @type {(wish: NewTable) => Promise<MadeTable>} */
export const createTable = (wish) => ask('tables', { body: wish });
/** @type {(table: string) => Promise<TableInfo>} */
export const aboutTable = (table) => ask(`tables/${table}`);
/** @type {(table: string, wish: Join) => Promise<JoinedTable>} */
export const joinTable = (table, wish) => ask(`tables/${table}/join`, { body: wish });
/** @type {(table: string, token: string) => Promise<TableInfo>} */
export const leaveTable = (table, token) => ask(`tables/${table}/leave`, { body: { token } });
/** @type {(limit: number) => Promise<ListedTable[]>} */
export const finishedTables = (limit) => ask(`tables?status=finished&limit=${limit}`);
/** @type {(table: string, report: Report) => Promise<Reported>} */
export const reportMove = (table, report) => ask(`tables/${table}/reports`, { body: report });
/** @type {(table: string) => string} */
export const transcriptUrl = (table) => `api/tables/${table}/transcript`;

/**
 * All moves of a finished game, page by page.
 * @param {string} table
 */
export async function wholeReplay(table) {
  /** @type {ReplayPage} */
  const found = await ask(`tables/${table}/replay`);
  while (found.steps.length < found.moves) {
    /** @type {ReplayPage} */
    const more = await ask(`tables/${table}/replay?first=${found.steps.length}`);
    found.steps.push(...more.steps);
  }
  return found;
}

/**
 * @typedef {object} ReviewWish
 * @property {number} seat whose decisions
 * @property {number} [first] from this move on
 * @property {number} [end] up to this move
 * @property {string} [level] the coach's strength
 * @property {string} token the secret of the seat
 */

/**
 * The decisions of a seat, a few at a time; `each` gets them as they come.
 * @param {string} table
 * @param {ReviewWish} wish
 * @param {(decisions: Decision[]) => void} each
 */
export async function review(table, { seat, first = 0, end = Infinity, level, token }, each) {
  /** @type {number | null} */
  let next = first;
  while (next !== null && next < end) {
    const asked = `seat=${seat}&first=${next}&count=4${level ? `&level=${level}` : ''}`;
    /** @type {ReviewPage} */
    const found = await ask(`tables/${table}/review?${asked}`, { token });
    each(found.decisions.filter((one) => one.number < end));
    next = found.next;
  }
}
