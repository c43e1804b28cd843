// The page: which view is shown, and the head line.

/**
 * @import { NewTable, TextKey } from './net/types.js'
 * @import { Games } from './net/api.js'
 */

import { byId, el, isWriting, reasonOf, toast } from './draw/dom.js';
import { allGames, gameOf, wordsIn } from './net/api.js';
import { apply, seatAt, set, settings } from './settings.js';
import { choose, help } from './views/dialogs.js';
import { joinPage, makeTable } from './views/join.js';
import { Lobby } from './views/lobby.js';
import { Replay } from './views/replay.js';
import { LiveTable } from './views/table.js';
import { languages, speak, t } from './words/i18n.js';

const main = byId('main');
/** @type {{ end(): void } | null} the view that is shown */
let shown = null;

/**
 * Goes to a view; `again` makes a new table of a wish.
 * @param {string} where
 * @param {NewTable} [wish]
 */
function go(where, wish) {
  if (where === 'again' && wish) {
    shown?.end();
    shown = null;
    makeTable(main, wish, go);
  } else if (location.hash === `#/${where}`) route();
  else location.hash = `#/${where}`;
}

async function route() {
  shown?.end();
  shown = null;
  document.title = 'Stich';
  const asked = location.hash;
  main.replaceChildren(el('p', { class: 'shuffle' }, t('shuffling')));
  try {
    const games = await allGames();
    if (asked === location.hash) open(asked.replace(/^#\//, '').split('/'), games);
  } catch (error) {
    const again = el('button', { type: 'button', onclick: route }, t('goOn'));
    main.replaceChildren(el('p', { class: 'empty' }, t('error', { what: reasonOf(error) }), ' ', again));
  }
}

/**
 * @param {string[]} path
 * @param {Games} games
 */
function open([view, table, more], games) {
  if (view === 'table' && table) openTable(table, games);
  else if (view === 'join' && table && more) {
    if (seatAt(table)) go(`table/${table}`);
    else joinPage(main, table, more, games, go);
  } else if (view === 'replay' && table) shown = new Replay(main, table, more, games);
  else shown = new Lobby(main, games, go);
}

/**
 * @param {string} table
 * @param {Games} games
 */
function openTable(table, games) {
  const held = seatAt(table);
  const game = held && gameOf(games, held.game);
  if (!game) {
    toast(t('noSeat'), 'bad');
    go(`replay/${table}`);
    return;
  }
  shown = new LiveTable(main, table, held, game, go);
}

/** The head line. */
function head() {
  /**
   * @param {string} key
   * @param {TextKey} text
   * @param {() => void} run
   */
  const button = (key, text, run) =>
    el('button', { type: 'button', class: 'tool', 'data-tool': key, onclick: run }, t(text));
  const known = Object.keys(languages());
  const other = known[(known.indexOf(settings.language) + 1) % known.length];
  const language = { type: 'button', class: 'tool', 'data-tool': 'language', lang: other };
  const icon = el('img', { src: 'page/icon.svg', alt: '', width: 26, height: 26 });
  byId('head').replaceChildren(
    el('a', { class: 'brand', href: '#/' }, icon, 'Stich'),
    el(
      'nav',
      {},
      el('button', { ...language, onclick: () => translate(other) }, languages()[other]),
      button('help', 'help', help),
      button('settings', 'settings', change),
    ),
  );
}

/**
 * Loads the words of a language; English where the server does not have it.
 * @param {string} language
 */
async function load(language) {
  const words = await wordsIn(language);
  speak(words);
  if (words.language !== settings.language) set('language', words.language);
}

/**
 * Changes the language; everything is drawn again.
 * @param {string} language
 */
async function translate(language) {
  try {
    await load(language);
  } catch (error) {
    toast(t('error', { what: reasonOf(error) }), 'bad');
  }
  head();
  route();
}

async function change() {
  const before = settings.language;
  await choose();
  if (before !== settings.language) translate(settings.language);
}

addEventListener('hashchange', route);
addEventListener('keydown', (event) => {
  if (event.key === '?' && !document.querySelector('dialog[open]') && !isWriting(event, 'input, textarea')) help();
});
apply();
matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', apply);
translate(settings.language);
