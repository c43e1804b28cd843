// The lobby: every game, variant and agent that the server offers, the own tables, games to look at.

/**
 * @import { NewTable } from '../net/types.js'
 * @import { GameInfo, Games } from '../net/api.js'
 */

import { card } from '../draw/cards.js';
import { el } from '../draw/dom.js';
import { namesOf } from '../draw/scene.js';
import { finishedTables, gameOf } from '../net/api.js';
import { dropSeat, seatsHeld, settings } from '../settings.js';
import { about, t, title } from '../words/i18n.js';
import { Setup } from './setup.js';

/** @typedef {(where: string, wish?: NewTable) => void} Go goes to a view; `again` makes a new table of a wish */

/**
 * Families of variants in the server's order, those with few cards last.
 * @param {Games} games
 */
function families(games) {
  /** @type {Map<string, GameInfo[]>} */
  const found = new Map();
  for (const game of games.values()) found.set(game.family, [...(found.get(game.family) ?? []), game]);
  /** @param {GameInfo[]} family */
  const isLarge = ([first]) => Number(Object.keys(first.cards).length > 10);
  return [...found.values()].sort((a, b) => isLarge(b) - isLarge(a));
}

export class Lobby {
  /**
   * @param {Element} main
   * @param {Games} games
   * @param {Go} go
   */
  constructor(main, games, go) {
    this.main = main;
    this.games = games;
    this.go = go;
    this.families = families(games);
    const kept = games.get(localStorage.getItem('stich.game') ?? '');
    this.setup = new Setup(kept ?? this.families[0][0], (start) => (start ? this.start() : this.draw()));
    this.draw();
  }

  end() {}

  /** @param {GameInfo} game */
  choose(game) {
    this.setup.choose(game);
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.id;
    const opened = new Set([...this.main.querySelectorAll('details[open]')].map((box) => box.id));
    const { family } = this.setup.game;
    const variants = this.families.find(([first]) => first.family === family) ?? [];
    const chosen = (/** @type {GameInfo} */ game) => {
      localStorage.setItem(`stich.variant.${game.family}`, game.name);
      this.choose(game);
    };
    this.main.replaceChildren(
      el(
        'section',
        { class: 'lobby' },
        el('p', { class: 'tagline' }, t('tagline')),
        el(
          'div',
          { class: 'games', role: 'radiogroup', 'aria-label': t('chooseGame') },
          this.families.map((one) => this.tile(one)),
        ),
        this.setup.form(variants, chosen, opened),
        this.lists(),
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {GameInfo[]} family */
  tile(family) {
    const [first] = family;
    const chosen = this.setup.game.family === first.family;
    const faces = Object.values(first.cards);
    const shown = [0.12, 0.5, 0.97].map((part) => faces[Math.floor(part * (faces.length - 1))]);
    const kept = localStorage.getItem(`stich.variant.${first.family}`);
    return el(
      'button',
      {
        type: 'button',
        role: 'radio',
        id: `game-${first.family}`,
        'data-game': first.family,
        class: `tile ${chosen ? 'chosen' : ''}`,
        'aria-checked': String(chosen),
        onclick: () => this.choose(family.find((one) => one.name === kept) ?? first),
      },
      el(
        'span',
        { class: 'fan', 'aria-hidden': 'true' },
        shown.map((face) => card(face, first.pack, { class: 'small' })),
      ),
      el('b', {}, title(first)),
      el('small', {}, about(first)),
    );
  }

  start() {
    localStorage.setItem('stich.game', this.setup.game.name);
    this.go('again', this.setup.wish());
  }

  lists() {
    const recent = el('section', { class: 'list' });
    this.fillRecent(recent);
    return el('div', { class: 'lists' }, this.ownTables(), recent);
  }

  /** @param {string} name */
  title(name) {
    const game = gameOf(this.games, name);
    return game ? title(game) : name;
  }

  ownTables() {
    const held = seatsHeld()
      .filter((one) => !one.over)
      .slice(0, 8);
    if (!held.length) return null;
    /** @param {string} table */
    const forget = (table) => {
      dropSeat(table);
      this.draw();
    };
    const rows = held.map((one) =>
      el(
        'li',
        {},
        el('span', {}, this.title(one.game), ' ', el('small', {}, when(one.at / 1000))),
        el('a', { class: 'tool', href: `#/table/${one.table}` }, t('goOn')),
        el('button', { type: 'button', class: 'tool', onclick: () => forget(one.table) }, t('forget')),
      ),
    );
    return el('section', { class: 'list' }, el('h2', {}, t('myTables')), el('ul', {}, rows));
  }

  /** @param {Element} section */
  async fillRecent(section) {
    const tables = await finishedTables(8).catch(() => []);
    if (!tables.length) return;
    const rows = tables.map((row) => {
      const about = `${namesOf(row.seats).join(', ')} · ${when(row.finished)}`;
      return el(
        'li',
        {},
        el('span', {}, this.title(row.game), ' ', el('small', {}, about)),
        el('a', { class: 'tool', href: `#/replay/${row.table}` }, t('replay')),
      );
    });
    section.append(el('h2', {}, t('recent')), el('ul', {}, rows));
  }
}

/** @param {number | null} seconds */
function when(seconds) {
  if (!seconds) return '';
  const style = /** @type {const} */ ({ dateStyle: 'short', timeStyle: 'short' });
  return new Date(seconds * 1000).toLocaleString(settings.language, style);
}
