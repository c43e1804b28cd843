// A live table: takes what the server sends in order, lets a full trick lie for a moment, and sends the player's moves.

/**
 * @import { Action, CoachMessage, Event, Seat, ServerMessage, StateMessage, View } from '../net/types.js'
 * @import { GameInfo } from '../net/api.js'
 * @import { Connection } from '../net/socket.js'
 * @import { Scene, Values } from '../draw/scene.js'
 * @import { Held } from '../settings.js'
 * @import { TextKey } from '../net/types.js'
 * @import { Go } from './lobby.js'
 */

import { dialog, el, isWriting, reasonOf, tell, toast } from '../draw/dom.js';
import { drawFelt, trickOf } from '../draw/felt.js';
import { fly, sweep } from '../draw/motion.js';
import { namesOf, sceneOf } from '../draw/scene.js';
import { leaveTable } from '../net/api.js';
import { TableSocket } from '../net/socket.js';
import { dropSeat, keepSeat, moving, settings } from '../settings.js';
import { actionText, cardShort, refusal, t, title } from '../words/i18n.js';
import { coachPanel, openReview, raters } from './coach.js';
import { History } from './history.js';
import { moveFocus } from './keys.js';
import { dealOver, finalPanel, scoreBoard } from './results.js';

/**
 * A button above the board.
 * @param {string} key
 * @param {TextKey} text
 * @param {() => void} run
 * @param {string} [shortcut]
 */
function tool(key, text, run, shortcut) {
  return el(
    'button',
    { type: 'button', class: 'tool', 'data-tool': key, onclick: run, 'aria-keyshortcuts': shortcut },
    t(text),
  );
}

export class LiveTable {
  history = new History();
  /** @type {StateMessage[]} states that are still to be shown */
  queue = [];
  pumping = false;
  /** @type {StateMessage | null} */
  state = null;
  /** @type {View | null} the position that is shown */
  view = null;
  /** @type {Seat[]} */
  seats = [];
  /** @type {Values | null} */
  values = null;
  hasCoach = false;
  asking = false;
  busy = false;
  ended = false;
  /** @type {(() => void) | null} ends a pause */
  skip = null;

  /**
   * @param {Element} main
   * @param {string} table
   * @param {Held} held
   * @param {GameInfo} game
   * @param {Go} go
   */
  constructor(main, table, held, game, go) {
    this.main = main;
    this.table = table;
    this.held = held;
    this.game = game;
    this.go = go;
    this.me = held.seat;
    this.dealStart = held.dealStart ?? 0;
    this.level = raters(game).at(-2)?.level ?? raters(game)[0]?.level;
    this.status = el('span', { class: 'connection', role: 'status' });
    this.turn = el('span', { class: 'turn-text' });
    this.coachTool = tool('coach', 'coach', () => this.askCoach(), 'c');
    this.lastTool = tool('last', 'lastTrick', () => this.showLast(), 'l');
    this.board = el('div', { class: 'board', onclick: () => this.skip?.() });
    this.scores = el('div', { class: 'scores' });
    this.coachBox = el('div', { class: 'coach-box' });
    this.build();
    /** @param {KeyboardEvent} event */
    this.keys = (event) => this.key(event);
    addEventListener('keydown', this.keys);
    this.resized = () => this.draw();
    addEventListener('resize', this.resized);
    this.socket = new TableSocket(
      table,
      held.token,
      (message) => this.heard(message),
      (state, code) => this.connection(state, code),
    );
  }

  build() {
    const tools = el(
      'div',
      { class: 'tools' },
      this.coachTool,
      this.lastTool,
      this.held.invite && tool('share', 'share', () => this.share()),
      tool('leave', 'leave', () => this.leave()),
    );
    this.main.replaceChildren(
      el(
        'section',
        { class: 'play' },
        el('div', { class: 'bar' }, el('h1', {}, title(this.game)), this.turn, this.status, tools),
        this.board,
        el(
          'aside',
          { class: 'side' },
          this.scores,
          this.coachBox,
          el('details', { class: 'history', open: true }, el('summary', {}, t('log')), this.history.list),
        ),
      ),
    );
    this.board.append(el('p', { class: 'shuffle' }, t('shuffling')));
  }

  end() {
    this.ended = true;
    removeEventListener('keydown', this.keys);
    removeEventListener('resize', this.resized);
    this.socket.end();
    this.skip?.();
  }

  /**
   * @param {Connection} state
   * @param {number} [code]
   */
  connection(state, code) {
    this.status.textContent = t(state);
    this.status.dataset.state = state;
    if (state === 'lost') {
      dropSeat(this.table);
      toast(t(code === 4404 ? 'gone' : 'noSeat'), 'bad');
      this.go('');
    }
  }

  /** @param {ServerMessage} message */
  heard(message) {
    if (message.type === 'refused') {
      this.setBusy(false);
      this.asking = false;
      this.drawCoach();
      toast(t('error', { what: refusal(message.error, message.reason) }), 'bad');
    } else if (message.type === 'seats') {
      this.seats = message.seats;
      if (this.view) this.draw();
      else if (this.state) this.waiting();
    } else if (message.type === 'coach') this.coached(message);
    else if (message.type === 'welcome') this.hasCoach = message.coach;
    else if (message.type === 'state') {
      this.queue.push(message);
      this.pump();
    }
  }

  /** Shows one state after the other; each may take its time. */
  async pump() {
    if (this.pumping) return;
    this.pumping = true;
    for (let state = this.queue.shift(); state && !this.ended; state = this.queue.shift())
      await this.advance(state);
    this.pumping = false;
  }

  /** @param {StateMessage} state */
  async advance(state) {
    const before = this.view;
    const known = this.state?.number ?? 0;
    const { view } = state;
    this.setBusy(false);
    this.state = state;
    this.seats = state.seats;
    if (!view) {
      this.waiting();
      return;
    }
    const [event] = before && state.number === known + 1 && state.events.length === 1 ? state.events : [];
    this.values = null;
    this.history.note(state.events, before, this.scene(view));
    if (before && event) await this.showMove(event, before, view);
    if (this.ended) return;
    this.view = view;
    this.draw();
    const newest = view.trick.at(-1);
    if (before && event && newest && view.trick.length > before.trick.length && event.seat !== this.me)
      fly(this.board, newest);
    if (before?.stage !== view.stage) this.board.classList.add('dealt');
    if (before && before.stage !== view.stage && !view.over) await this.endDeal(view, state.number);
    if (!this.ended && view.player === this.me && view.legal.length) tell(t('yourTurn'));
  }

  /**
   * A move that ends a trick: the full trick lies for a moment, then goes to its taker.
   * @param {Event} event
   * @param {View} before
   * @param {View} view
   */
  async showMove(event, before, view) {
    const gone = before.trick.length > 0 && view.trick.length === 0;
    const cleared = (before.pairs ?? []).length > 0 && view.pairs?.length === 0;
    if (gone && event.name !== null && this.game.cards[event.name]) {
      const last = { seat: event.seat, card: event.name };
      const taker = view.taken_by ?? null;
      const still = this.scene({ ...before, player: null, legal: [], hands: view.hands });
      drawFelt(this.board, { ...still, shown: [...before.trick, last], taker });
      if (event.seat !== this.me) fly(this.board, last);
      await this.wait(Number(settings.pause));
      if (taker !== null) await sweep(this.board, taker);
    } else if (cleared) await this.wait(Number(settings.pause) / 2);
  }

  /**
   * Waits, unless the player is in a hurry: a click on the table or a key ends it.
   * @param {number} milliseconds
   * @returns {Promise<void>}
   */
  wait(milliseconds) {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.skip = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.skip = done;
    });
  }

  /**
   * @param {View} view
   * @returns {Scene}
   */
  scene(view) {
    return { ...sceneOf(view, this.seats, this.me, this.game), spoken: this.history.spoken };
  }

  draw() {
    const { view, state } = this;
    if (!view || !state) return;
    const mine = view.player === this.me;
    this.board.classList.remove('dealt');
    this.board.dataset.number = String(state.number);
    const scene = {
      ...this.scene(view),
      play: this.play.bind(this),
      values: this.values,
      thinking: !mine && state.status === 'running' ? view.player : null,
      busy: this.busy,
    };
    drawFelt(this.board, scene);
    if (view.over) this.drawEnd(scene);
    this.turn.textContent = this.turnText(view, scene.names);
    this.turn.classList.toggle('mine', mine);
    document.title = `${mine ? '● ' : ''}${title(this.game)} – Stich`;
    this.scores.replaceChildren(...scoreBoard(scene));
    this.drawCoach();
    this.history.draw();
    this.lastTool.disabled = !view.last_trick.length;
    this.lastTool.hidden = Boolean(view.pairs);
  }

  /**
   * @param {View} view
   * @param {string[]} names
   */
  turnText(view, names) {
    if (view.player === null) return t('gameOver');
    return view.player === this.me ? t('yourTurn') : t('turnOf', { name: names[view.player] });
  }

  /** @param {Scene} scene */
  drawEnd(scene) {
    const panel = finalPanel(scene, {
      again: () => this.go('again', this.held.wish),
      review: () => this.review(),
      replay: () => this.go(`replay/${this.table}`),
      lobby: () => this.go(''),
    });
    this.board.querySelector('.felt')?.append(panel);
    keepSeat(this.table, { ...this.held, over: true });
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.board.classList.toggle('busy', busy);
  }

  /**
   * Plays a card or says something; a card that can be played in two ways asks which.
   * @param {Action[]} actions
   * @param {HTMLElement} button
   */
  async play(actions, button) {
    const { state, view } = this;
    if (!state || !view) return;
    if (settings.tap === 'twice' && !button.classList.contains('picked')) {
      for (const one of this.board.querySelectorAll('.picked')) one.classList.remove('picked');
      button.classList.add('picked');
      return;
    }
    const action = actions.length > 1 ? await this.which(actions, view) : actions[0];
    if (!action || this.busy || this.state?.number !== state.number) return;
    if (!this.socket.send({ type: 'play', number: state.number, action: action.action })) {
      toast(t('offline'), 'bad');
      return;
    }
    this.setBusy(true);
    if (moving() && button.isConnected) button.classList.add('leaving');
  }

  /**
   * Asks which of the actions of one card is meant.
   * @param {Action[]} actions
   * @param {View} view
   */
  async which(actions, view) {
    const scene = this.scene(view);
    const buttons = actions.map((one) => [
      one.name,
      one.says.fact === 'play' ? t('playIt', { what: actionText(one.says, scene) }) : actionText(one.says, scene),
    ]);
    const asked = t('withCard', { card: cardShort(this.game, actions[0].card ?? '') });
    const chosen = await dialog(asked, null, [...buttons, ['', t('cancel')]], { class: 'choice-box' });
    return actions.find((one) => one.name === chosen);
  }

  askCoach() {
    if (!this.hasCoach) toast(t('coachOff'));
    else if (this.values) {
      this.values = null;
      this.draw();
    } else if (this.view?.player !== this.me || !this.view.legal.length) toast(t('coachWait'));
    else if (this.view.legal.length === 1) toast(t('onlyMove'));
    else {
      this.asking = this.socket.send({ type: 'coach', level: this.level });
      this.drawCoach();
    }
  }

  /** @param {CoachMessage} message */
  coached(message) {
    this.asking = false;
    if (message.number !== this.state?.number || this.queue.length) return;
    this.values = new Map(message.values.map((one) => [one.action, one]));
    this.draw();
    this.board.scrollIntoView({ block: 'nearest' });
  }

  drawCoach() {
    this.coachTool.setAttribute('aria-pressed', String(Boolean(this.values)));
    if (this.asking) this.coachBox.replaceChildren(el('p', { class: 'thinks', role: 'status' }, t('coachThinks')));
    else if (this.values && this.view) {
      const changed = (/** @type {string} */ level) => {
        this.level = level;
        this.values = null;
        this.askCoach();
      };
      this.coachBox.replaceChildren(coachPanel(this.scene(this.view), this.values, this.level, changed));
    } else this.coachBox.replaceChildren();
  }

  showLast() {
    const { view } = this;
    if (!view?.last_trick.length) {
      toast(t('noLastTrick'));
      return;
    }
    const scene = this.scene(view);
    const taker = view.taken_by ?? null;
    const note = taker === null ? '' : t('takenBy', { name: scene.names[taker] });
    const content = el('div', { class: 'last' }, trickOf(scene, view.last_trick, taker), el('p', {}, note));
    dialog(t('lastTrick'), content, [['ok', t('close')]]);
  }

  /**
   * @param {View} view
   * @param {number} at the number of moves when the deal ended
   */
  async endDeal(view, at) {
    const first = this.dealStart;
    this.dealStart = at;
    keepSeat(this.table, { ...this.held, dealStart: at });
    if (await dealOver(this.scene(view), this.history.news, this.hasCoach)) await this.review(first, at);
  }

  /**
   * @param {number} [first]
   * @param {number} [end]
   */
  review(first = 0, end = Infinity) {
    const { table, held, game, level, seats } = this;
    return openReview({ table, held, game, level, seats, first, end, finished: Boolean(this.view?.over) });
  }

  waiting() {
    const names = namesOf(this.seats);
    this.board.replaceChildren(
      el(
        'div',
        { class: 'felt waiting' },
        el('h2', {}, t('waiting')),
        el(
          'ul',
          {},
          this.seats.map((seat, i) =>
            el('li', { class: seat.kind }, names[i], i === this.me ? ` (${t('you')})` : ''),
          ),
        ),
        this.held.invite &&
          el('button', { type: 'button', class: 'choice main', onclick: () => this.share() }, t('share')),
      ),
    );
  }

  async share() {
    const link = `${location.href.split('#')[0]}#/join/${this.table}/${this.held.invite}`;
    const field = el('input', {
      type: 'text',
      readonly: true,
      value: link,
      'aria-label': t('share'),
      onfocus: (event) => event.currentTarget.select(),
    });
    const content = el('div', {}, el('p', {}, t('shareText')), field);
    const buttons = [
      ['copy', t('copy')],
      ['', t('close')],
    ];
    if ((await dialog(t('share'), content, buttons)) !== 'copy') return;
    await navigator.clipboard?.writeText(link).then(
      () => toast(t('copied')),
      () => {},
    );
  }

  async leave() {
    if (this.view && !this.view.over) {
      const buttons = [
        ['', t('stay')],
        ['leave', t('leave')],
      ];
      if ((await dialog(t('leave'), el('p', {}, t('leaveAsk')), buttons)) !== 'leave') return;
      await leaveTable(this.table, this.held.token).catch((error) =>
        toast(t('error', { what: reasonOf(error) }), 'bad'),
      );
      dropSeat(this.table);
    }
    this.go('');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (isWriting(event, 'input, select, textarea')) return;
    const letter = event.key.toLowerCase();
    if (letter === 'c' || letter === 'l') {
      event.preventDefault();
      if (letter === 'c') this.askCoach();
      else this.showLast();
    } else if (this.skip && (event.key === 'Enter' || event.key === ' ')) this.skip();
    else moveFocus(this.board, event);
  }
}
