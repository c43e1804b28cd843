// Coming to a table: a new one, or one to which a friend invites.

/**
 * @import { NewTable } from '../net/types.js'
 * @import { Games } from '../net/api.js'
 * @import { Go } from './lobby.js'
 */

import { card } from '../draw/cards.js';
import { el, reasonOf, toast } from '../draw/dom.js';
import { namesOf } from '../draw/scene.js';
import { aboutTable, createTable, gameOf, joinTable } from '../net/api.js';
import { keepSeat, set, settings } from '../settings.js';
import { t, title } from '../words/i18n.js';

/**
 * Makes a table, with cards being shuffled meanwhile; goes there when it is ready.
 * @param {Element} main
 * @param {NewTable} wish
 * @param {Go} go
 */
export async function makeTable(main, wish, go) {
  const backs = [0, 1, 2, 3, 4].map(() => card(null, null));
  main.replaceChildren(
    el(
      'div',
      { class: 'shuffle', role: 'status' },
      el('div', { class: 'shuffled', 'aria-hidden': 'true' }, backs),
      el('h2', {}, t('shuffling')),
      el('p', {}, t('shufflingLong')),
    ),
  );
  try {
    const { table, token, seat, invite } = await createTable(wish);
    if (token !== null && seat !== null)
      keepSeat(table, { token, seat, invite, game: wish.game, wish, at: Date.now() });
    go(`table/${table}`);
  } catch (error) {
    toast(t('error', { what: reasonOf(error) }), 'bad');
    go('');
  }
}

/**
 * The page behind an invitation: who sits there, one's name, and a seat.
 * @param {Element} main
 * @param {string} table
 * @param {string} invite
 * @param {Games} games
 * @param {Go} go
 */
export async function joinPage(main, table, invite, games, go) {
  const about = await aboutTable(table).catch(() => null);
  const game = about && gameOf(games, about.game);
  if (!about || !game) {
    toast(t('gone'), 'bad');
    go('');
    return;
  }
  const names = namesOf(about.seats);
  const field = el('input', {
    id: 'name',
    type: 'text',
    maxlength: 40,
    value: settings.name,
    placeholder: t('guest'),
  });
  const sit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    set('name', field.value.trim());
    const name = settings.name || t('guest');
    const wish = { game: game.name, options: {}, seats: [], name, coach: about.coach };
    try {
      const { token, seat } = await joinTable(table, { invite, name });
      keepSeat(table, { token, seat, game: about.game, wish, at: Date.now() });
      go(`table/${table}`);
    } catch (error) {
      toast(t('error', { what: reasonOf(error) }), 'bad');
    }
  };
  main.replaceChildren(
    el(
      'section',
      { class: 'lobby join' },
      el('h1', {}, t('joinTitle')),
      el('p', {}, title(game)),
      el(
        'ul',
        {},
        about.seats.map((seat, i) => el('li', { class: seat.kind }, names[i])),
      ),
      el(
        'form',
        { class: 'setup', onsubmit: sit },
        el('label', {}, t('yourName'), field),
        el('button', { class: 'start main', type: 'submit' }, t('join')),
      ),
    ),
  );
}
