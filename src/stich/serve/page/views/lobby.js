// The lobby: every game, variant and agent that the server offers, the own tables, games to look at.

import { card } from '../draw/cards.js';
import { el, toast } from '../draw/dom.js';
import { namesOf } from '../draw/felt.js';
import { aboutTable, createTable, finishedTables, gameOf, joinTable } from '../net/api.js';
import { dropSeat, keepSeat, seatsHeld, set, settings } from '../settings.js';
import { said, t } from '../words/i18n.js';

const ME = 'me';
const OPEN = 'open';
const OWN = 'own';

/** Families of variants in the server's order. */
function families(games) {
  const found = new Map();
  for (const game of games.values()) found.set(game.family, [...(found.get(game.family) ?? []), game]);
  return [...found.values()].sort(
    (a, b) => Number(Object.keys(b[0].cards).length > 10) - Number(Object.keys(a[0].cards).length > 10),
  );
}

export class Lobby {
  constructor(main, games, go) {
    Object.assign(this, { main, games, go, families: families(games) });
    const kept = games.get(localStorage.getItem('stich.game'));
    this.choose(kept ?? this.families[0][0]);
  }

  end() {}

  choose(game) {
    this.game = game;
    this.changed = {};
    this.seats = null;
    this.strength ??= 'regular';
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.id;
    this.opened = new Set([...this.main.querySelectorAll('details[open]')].map((box) => box.id));
    this.main.replaceChildren(
      el(
        'section',
        { class: 'lobby' },
        el('p', { class: 'tagline' }, t('tagline')),
        el(
          'div',
          { class: 'games', role: 'radiogroup', 'aria-label': t('chooseGame') },
          this.families.map((family) => this.tile(family)),
        ),
        this.form(),
        this.lists(),
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  tile([first, ...others]) {
    const chosen = this.game.family === first.family;
    const faces = Object.values(first.cards);
    const shown = [0.12, 0.5, 0.97].map((part) => faces[Math.floor(part * (faces.length - 1))]);
    return el(
      'button',
      {
        type: 'button',
        role: 'radio',
        id: `game-${first.family}`,
        'data-game': first.family,
        class: `tile ${chosen ? 'chosen' : ''}`,
        'aria-checked': String(chosen),
        onclick: () =>
          this.choose(
            [first, ...others].find((one) => one.name === localStorage.getItem(`stich.variant.${first.family}`)) ??
              first,
          ),
      },
      el(
        'span',
        { class: 'fan', 'aria-hidden': 'true' },
        shown.map((face) => card(face, first.pack, { class: 'small' })),
      ),
      el('b', {}, said(first.title)),
      el('small', {}, said(first.about)),
    );
  }

  form() {
    const { game } = this;
    const family = this.families.find(([first]) => first.family === game.family);
    return el(
      'form',
      {
        class: 'setup',
        onsubmit: (event) => {
          event.preventDefault();
          this.start();
        },
      },
      el('div', {}, el('h2', {}, said(game.title)), el('p', { class: 'about' }, said(game.about))),
      el(
        'fieldset',
        { class: 'variants' },
        el('legend', {}, t('variant')),
        family.map((one) =>
          el(
            'label',
            { class: 'variant' },
            el('input', {
              type: 'radio',
              name: 'variant',
              value: one.name,
              id: `variant-${one.name}`,
              checked: one === game,
              onchange: () => {
                localStorage.setItem(`stich.variant.${one.family}`, one.name);
                this.choose(one);
              },
            }),
            el('span', {}, el('b', {}, one.variant), ' ', said(one.doc)),
          ),
        ),
      ),
      el(
        'div',
        { class: 'row' },
        el(
          'label',
          {},
          t('strength'),
          el(
            'select',
            {
              id: 'strength',
              onchange: (event) => {
                this.strength = event.target.value;
                this.seats = null;
                this.draw();
              },
            },
            game.levels.map((level) =>
              el(
                'option',
                { value: level.level, selected: level.level === this.level() },
                level[settings.language],
              ),
            ),
          ),
        ),
        el(
          'label',
          {},
          t('yourName'),
          el('input', {
            id: 'name',
            type: 'text',
            maxlength: 40,
            value: settings.name,
            placeholder: t('guest'),
            onchange: (event) => set('name', event.target.value.trim()),
          }),
        ),
        el(
          'label',
          { class: 'check' },
          el('input', {
            id: 'coach',
            type: 'checkbox',
            checked: this.coach ?? true,
            onchange: (event) => {
              this.coach = event.target.checked;
            },
          }),
          t('coachAllowed'),
        ),
      ),
      el(
        'details',
        { open: this.opened.has('seats-box'), id: 'seats-box' },
        el('summary', {}, t('perSeat')),
        this.seatList().map((seat, i) => this.seatRow(seat, i)),
      ),
      game.options.length > 0 &&
        el(
          'details',
          { id: 'options-box', open: this.opened.has('options-box') },
          el('summary', {}, t('options')),
          el(
            'div',
            { class: 'options' },
            game.options.map((option) => this.optionRow(option)),
          ),
        ),
      el('button', { class: 'start main', type: 'submit' }, t('start')),
    );
  }

  level() {
    return this.game.levels.some((level) => level.level === this.strength)
      ? this.strength
      : this.game.levels[0].level;
  }

  count() {
    return Number(
      this.changed.players ??
        this.game.options.find((option) => option.name === 'players')?.value ??
        this.game.seats,
    );
  }

  /** Who sits where: me at home, the rest by the chosen strength, unless changed. */
  seatList() {
    const count = this.count();
    const home = Math.min(this.game.home_seat, count - 1);
    if (this.seats?.length !== count)
      this.drawn = Array.from({ length: count }, (_, i) =>
        i === home ? { kind: ME } : { kind: 'level', level: this.level() },
      );
    return this.seats?.length === count ? this.seats : this.drawn;
  }

  seatRow(seat, i) {
    const change = (wish) => {
      const seats = this.seatList().map((one, j) =>
        wish.kind === ME && one.kind === ME && j !== i ? { kind: 'level', level: this.level() } : one,
      );
      seats[i] = wish;
      this.seats = seats;
      this.draw();
    };
    const value = seat.kind === 'level' ? `level:${seat.level}` : seat.kind;
    const name = this.game.seat_names[i] ?? `Seat ${i}`;
    const option = (key, text) => el('option', { value: key, selected: key === value }, text);
    return el(
      'div',
      { class: 'row seat-row' },
      el(
        'label',
        {},
        /^Seat/.test(name) ? `${t('seat')} ${i + 1}` : said(name),
        el(
          'select',
          {
            id: `seat-${i}`,
            onchange: (event) => {
              const [kind, level] = event.target.value.split(':');
              change(
                kind === 'level'
                  ? { kind, level }
                  : kind === OWN
                    ? { kind, agent: this.game.levels.at(-1).agent }
                    : { kind },
              );
            },
          },
          option(ME, t('me')),
          option(OPEN, t('openSeat')),
          this.game.levels.map((level) => option(`level:${level.level}`, level[settings.language])),
          option(OWN, t('ownAgent')),
        ),
      ),
      seat.kind === OWN &&
        el(
          'label',
          {},
          t('agentSpec', { example: 'ismcts(i=2000)' }),
          el('input', {
            type: 'text',
            maxlength: 200,
            list: 'agents',
            value: seat.agent,
            onchange: (event) => {
              seat.agent = event.target.value;
            },
          }),
          el(
            'datalist',
            { id: 'agents' },
            this.game.agents.map((agent) => el('option', { value: agent.name }, agent.doc)),
          ),
        ),
    );
  }

  optionRow(option) {
    const value = String(this.changed[option.name] ?? option.value);
    const change = (event) => {
      this.changed[option.name] = event.target.value;
      if (option.name === 'players') this.seats = null;
      this.draw();
    };
    const id = `option-${option.name}`;
    const field = option.choices
      ? el(
          'select',
          { id, onchange: change },
          option.choices.map((choice) =>
            el('option', { value: choice, selected: String(choice) === value }, said(String(choice))),
          ),
        )
      : el('input', { id, type: 'number', min: option.low, max: option.high, value, onchange: change });
    return el(
      'label',
      { class: 'option' },
      el('b', {}, said(option.name).replaceAll('_', ' ')),
      field,
      el('small', {}, said(option.doc)),
    );
  }

  wish() {
    const numbers = new Set(this.game.options.filter((option) => !option.choices).map((option) => option.name));
    const options = Object.fromEntries(
      Object.entries(this.changed).map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]),
    );
    const seats = this.seatList().map((seat) =>
      seat.kind === 'level'
        ? { kind: 'agent', level: seat.level }
        : seat.kind === OWN
          ? { kind: 'agent', agent: seat.agent }
          : { kind: seat.kind },
    );
    return { game: this.game.name, options, seats, name: settings.name || t('guest'), coach: this.coach ?? true };
  }

  start() {
    localStorage.setItem('stich.game', this.game.name);
    this.go('again', this.wish());
  }

  lists() {
    const own = el('section', { class: 'list' });
    const recent = el('section', { class: 'list' });
    this.fillOwn(own);
    this.fillRecent(recent);
    return el('div', { class: 'lists' }, own, recent);
  }

  fillOwn(section) {
    const held = seatsHeld()
      .filter((one) => !one.over)
      .slice(0, 8);
    if (!held.length) return;
    const forget = (table) => {
      dropSeat(table);
      this.draw();
    };
    section.append(
      el('h2', {}, t('myTables')),
      el(
        'ul',
        {},
        held.map((one) =>
          el(
            'li',
            {},
            el(
              'span',
              {},
              said(gameOf(this.games, one.game)?.title ?? one.game),
              ' ',
              el('small', {}, when(one.at / 1000)),
            ),
            el('a', { class: 'tool', href: `#/table/${one.table}` }, t('goOn')),
            el('button', { type: 'button', class: 'tool', onclick: () => forget(one.table) }, t('forget')),
          ),
        ),
      ),
    );
  }

  async fillRecent(section) {
    const rows = await finishedTables(8).catch(() => []);
    if (!rows.length) return;
    section.append(
      el('h2', {}, t('recent')),
      el(
        'ul',
        {},
        rows.map((row) =>
          el(
            'li',
            {},
            el(
              'span',
              {},
              said(gameOf(this.games, row.game)?.title ?? row.game),
              ' ',
              el('small', {}, `${namesOf(row.seats).join(', ')} · ${when(row.finished)}`),
            ),
            el('a', { class: 'tool', href: `#/replay/${row.table}` }, t('replay')),
          ),
        ),
      ),
    );
  }
}

function when(seconds) {
  return seconds
    ? new Date(seconds * 1000).toLocaleString(settings.language, { dateStyle: 'short', timeStyle: 'short' })
    : '';
}

/** Makes a table, with cards being shuffled meanwhile; goes there when it is ready. */
export async function makeTable(main, wish, go) {
  main.replaceChildren(
    el(
      'div',
      { class: 'shuffle', role: 'status' },
      el(
        'div',
        { class: 'shuffled', 'aria-hidden': 'true' },
        [0, 1, 2, 3, 4].map(() => card(null)),
      ),
      el('h2', {}, t('shuffling')),
      el('p', {}, t('shufflingLong')),
    ),
  );
  try {
    const made = await createTable(wish);
    if (made.token)
      keepSeat(made.table, {
        token: made.token,
        seat: made.seat,
        invite: made.invite,
        game: wish.game,
        wish,
        at: Date.now(),
      });
    go(`table/${made.table}`);
  } catch (error) {
    toast(t('error', { what: error.message }), 'bad');
    go('');
  }
}

/** The page behind an invitation: who sits there, one's name, and a seat. */
export async function joinPage(main, table, invite, games, go) {
  let about;
  try {
    about = await aboutTable(table);
  } catch {
    toast(t('gone'), 'bad');
    return go('');
  }
  const names = namesOf(about.seats);
  const name = el('input', {
    id: 'name',
    type: 'text',
    maxlength: 40,
    value: settings.name,
    placeholder: t('guest'),
  });
  const sit = async (event) => {
    event.preventDefault();
    set('name', name.value.trim());
    try {
      const joined = await joinTable(table, { invite, name: settings.name || t('guest') });
      keepSeat(table, {
        token: joined.token,
        seat: joined.seat,
        game: about.game,
        wish: {
          game: gameOf(games, about.game).name,
          options: {},
          seats: [],
          name: settings.name || t('guest'),
          coach: about.coach,
        },
        at: Date.now(),
      });
      go(`table/${table}`);
    } catch (error) {
      toast(t('error', { what: error.message }), 'bad');
    }
  };
  return main.replaceChildren(
    el(
      'section',
      { class: 'lobby join' },
      el('h1', {}, t('joinTitle')),
      el('p', {}, said(gameOf(games, about.game)?.title ?? about.game)),
      el(
        'ul',
        {},
        about.seats.map((seat, i) => el('li', { class: seat.kind }, names[i])),
      ),
      el(
        'form',
        { class: 'setup', onsubmit: sit },
        el('label', {}, t('yourName'), name),
        el('button', { class: 'start main', type: 'submit' }, t('join')),
      ),
    ),
  );
}
