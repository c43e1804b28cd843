// The form of the lobby: variant, opponents, seats and rules of the game that is chosen.

/**
 * @import { NewTable, SeatWish } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 */

import { el } from '../draw/dom.js';
import { set, settings } from '../settings.js';
import { about, choiceText, levelName, optionWords, seatText, t, title, variantText } from '../words/i18n.js';

export class Setup {
  strength = 'regular';
  coach = true;
  /** @type {Record<string, string>} options that were changed */
  changed = {};
  /** @type {SeatWish[] | null} seats that were changed */
  seats = null;

  /**
   * @param {GameInfo} game
   * @param {(start?: boolean) => void} done called when the form must be drawn again, or the game begins
   */
  constructor(game, done) {
    this.game = game;
    this.done = done;
  }

  /**
   * Takes another game; strength and coach stay.
   * @param {GameInfo} game
   */
  choose(game) {
    this.game = game;
    this.changed = {};
    this.seats = null;
  }

  /** @returns {NewTable} */
  wish() {
    const numbers = new Set(this.game.options.filter((option) => !option.choices).map((option) => option.name));
    const options = Object.fromEntries(
      Object.entries(this.changed).map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]),
    );
    const name = settings.name || t('guest');
    return { game: this.game.name, options, seats: this.seatList(), name, coach: this.coach };
  }

  /**
   * @param {GameInfo[]} family the variants of the game
   * @param {(game: GameInfo) => void} chosen called with another variant
   * @param {Set<string>} opened the ids of boxes that are open
   */
  form(family, chosen, opened) {
    const { game } = this;
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.done(true);
    };
    return el(
      'form',
      { class: 'setup', onsubmit: submit },
      el('div', {}, el('h2', {}, title(game)), el('p', { class: 'about' }, about(game))),
      el(
        'fieldset',
        { class: 'variants' },
        el('legend', {}, t('variant')),
        family.map((one) => this.variantRow(one, chosen)),
      ),
      el('div', { class: 'row' }, this.strengthField(), this.nameField(), this.coachField()),
      el(
        'details',
        { open: opened.has('seats-box'), id: 'seats-box' },
        el('summary', {}, t('perSeat')),
        this.seatList().map((seat, i) => this.seatRow(seat, i)),
      ),
      game.options.length > 0 &&
        el(
          'details',
          { id: 'options-box', open: opened.has('options-box') },
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

  /**
   * @param {GameInfo} one
   * @param {(game: GameInfo) => void} chosen
   */
  variantRow(one, chosen) {
    const field = el('input', {
      type: 'radio',
      name: 'variant',
      value: one.name,
      id: `variant-${one.name}`,
      checked: one === this.game,
      onchange: () => chosen(one),
    });
    return el(
      'label',
      { class: 'variant' },
      field,
      el('span', {}, el('b', {}, one.variant), ' ', variantText(one)),
    );
  }

  strengthField() {
    const changed = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) => {
      this.strength = event.currentTarget.value;
      this.seats = null;
      this.done();
    };
    const options = this.game.levels.map((level) =>
      el('option', { value: level.level, selected: level.level === this.level() }, levelName(level.level)),
    );
    return el('label', {}, t('strength'), el('select', { id: 'strength', onchange: changed }, options));
  }

  nameField() {
    const field = el('input', {
      id: 'name',
      type: 'text',
      maxlength: 40,
      value: settings.name,
      placeholder: t('guest'),
      onchange: (event) => set('name', event.currentTarget.value.trim()),
    });
    return el('label', {}, t('yourName'), field);
  }

  coachField() {
    const field = el('input', {
      id: 'coach',
      type: 'checkbox',
      checked: this.coach,
      onchange: (event) => {
        this.coach = event.currentTarget.checked;
      },
    });
    return el('label', { class: 'check' }, field, t('coachAllowed'));
  }

  /** The chosen strength, or the weakest where the game does not offer it. */
  level() {
    const { levels } = this.game;
    return levels.some((level) => level.level === this.strength) ? this.strength : levels[0].level;
  }

  count() {
    const players = this.game.options.find((option) => option.name === 'players');
    return Number(this.changed.players ?? players?.value ?? this.game.seats);
  }

  /**
   * Who sits where: me at home, the rest by the chosen strength, unless changed.
   * @returns {SeatWish[]}
   */
  seatList() {
    const count = this.count();
    const home = Math.min(this.game.home_seat, count - 1);
    if (this.seats?.length === count) return this.seats;
    return Array.from({ length: count }, (_, i) =>
      i === home ? { kind: 'me' } : { kind: 'agent', level: this.level() },
    );
  }

  /**
   * Changes who sits at a seat; whoever makes the table sits at one seat only.
   * @param {number} i
   * @param {SeatWish} wish
   */
  changeSeat(i, wish) {
    const seats = this.seatList().map((one, j) => {
      if (j === i) return wish;
      return wish.kind === 'me' && one.kind === 'me' ? otherSeat(this.level()) : one;
    });
    this.seats = seats;
    this.done();
  }

  /**
   * @param {SeatWish} seat
   * @param {number} i
   */
  seatRow(seat, i) {
    const { levels } = this.game;
    const named = typeof seat.agent === 'string';
    const value = seat.kind === 'agent' ? (named ? 'named' : `level:${seat.level}`) : seat.kind;
    const changed = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) => {
      const [kind, level] = event.currentTarget.value.split(':');
      if (kind === 'me' || kind === 'open') this.changeSeat(i, { kind });
      else
        this.changeSeat(i, kind === 'level' ? otherSeat(level) : { kind: 'agent', agent: levels.at(-1)?.agent });
    };
    /**
     * @param {string} key
     * @param {string} text
     */
    const option = (key, text) => el('option', { value: key, selected: key === value }, text);
    const options = [
      option('me', t('me')),
      option('open', t('openSeat')),
      ...levels.map((level) => option(`level:${level.level}`, levelName(level.level))),
      option('named', t('ownAgent')),
    ];
    return el(
      'div',
      { class: 'row seat-row' },
      el('label', {}, seatText(this.game, i), el('select', { id: `seat-${i}`, onchange: changed }, options)),
      named && this.agentField(seat),
    );
  }

  /** @param {SeatWish} seat */
  agentField(seat) {
    const field = el('input', {
      type: 'text',
      maxlength: 200,
      list: 'agents',
      value: seat.agent,
      onchange: (event) => {
        seat.agent = event.currentTarget.value;
      },
    });
    const known = this.game.agents.map((agent) => el('option', { value: agent.name }, agent.doc));
    return el(
      'label',
      {},
      t('agentSpec', { example: 'ismcts(i=2000)' }),
      field,
      el('datalist', { id: 'agents' }, known),
    );
  }

  /** @param {GameInfo['options'][number]} option */
  optionRow(option) {
    const value = this.changed[option.name] ?? String(option.value);
    const changed = (/** @type {{ currentTarget: HTMLSelectElement | HTMLInputElement }} */ event) => {
      this.changed[option.name] = event.currentTarget.value;
      if (option.name === 'players') this.seats = null;
      this.done();
    };
    const id = `option-${option.name}`;
    const words = optionWords(this.game, option.name);
    const field = option.choices
      ? el(
          'select',
          { id, onchange: changed },
          option.choices.map((choice) =>
            el('option', { value: choice, selected: choice === value }, choiceText(this.game, choice)),
          ),
        )
      : el('input', { id, type: 'number', min: option.low, max: option.high, value, onchange: changed });
    return el('label', { class: 'option' }, el('b', {}, words.name), field, el('small', {}, words.doc));
  }
}

/**
 * @param {string} level
 * @returns {SeatWish}
 */
function otherSeat(level) {
  return { kind: 'agent', level };
}
