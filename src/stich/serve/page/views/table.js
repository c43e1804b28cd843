// A live table: takes what the server sends in order, lets a full trick lie for a moment, and sends the player's moves.

import { dialog, el, show, tell, toast } from '../draw/dom.js';
import { drawFelt, eventText, namesOf, scoreRows, trickOf } from '../draw/felt.js';
import { fly, sweep } from '../draw/motion.js';
import { leaveTable } from '../net/api.js';
import { TableSocket } from '../net/socket.js';
import { dropSeat, keepSeat, moving, settings } from '../settings.js';
import { actionLabel, number, said, shortCards, t, withNames } from '../words/i18n.js';
import { coachPanel, openReview, raters } from './coach.js';

const LOG = 60;

export class LiveTable {
  /** `held` is the seat kept in this browser: token, seat, invite, game, wish. */
  constructor(main, table, held, game, go) {
    Object.assign(this, {
      main,
      table,
      held,
      game,
      go,
      queue: [],
      log: [],
      spoken: {},
      values: null,
      dealStart: held.dealStart ?? 0,
    });
    this.me = held.seat;
    this.level = raters(game).at(-2)?.level ?? raters(game)[0]?.level;
    this.build();
    this.keys = (event) => this.key(event);
    addEventListener('keydown', this.keys);
    this.resized = () => this.view && this.draw();
    addEventListener('resize', this.resized);
    this.socket = new TableSocket(
      table,
      held.token,
      (message) => this.heard(message),
      (...state) => this.connection(...state),
    );
  }

  build() {
    this.status = el('span', { class: 'connection', role: 'status' });
    this.turn = el('span', { class: 'turn-text' });
    const tool = (key, text, run, more = {}) =>
      el('button', { type: 'button', class: 'tool', 'data-tool': key, onclick: run, ...more }, t(text));
    this.tools = el(
      'div',
      { class: 'tools' },
      tool('coach', 'coach', () => this.askCoach(), { 'aria-keyshortcuts': 'c' }),
      tool('last', 'lastTrick', () => this.showLast(), { 'aria-keyshortcuts': 'l' }),
      this.held.invite && tool('share', 'share', () => this.share()),
      tool('leave', 'leave', () => this.leave()),
    );
    this.board = el('div', { class: 'board', onclick: () => this.skip?.() });
    this.scores = el('div', { class: 'scores' });
    this.coachBox = el('div', { class: 'coach-box' });
    this.logList = el('ol', { class: 'log' });
    this.main.replaceChildren(
      el(
        'section',
        { class: 'play' },
        el('div', { class: 'bar' }, el('h1', {}, said(this.game.title)), this.turn, this.status, this.tools),
        this.board,
        el(
          'aside',
          { class: 'side' },
          this.scores,
          this.coachBox,
          el('details', { class: 'history', open: true }, el('summary', {}, t('log')), this.logList),
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

  connection(state, code) {
    this.status.textContent = t(state);
    this.status.dataset.state = state;
    if (state === 'lost') {
      dropSeat(this.table);
      toast(t(code === 4404 ? 'gone' : 'noSeat'), 'bad');
      this.go('');
    }
  }

  heard(message) {
    if (message.type === 'refused') {
      this.setBusy(false);
      this.asking = false;
      this.drawCoach();
      toast(t('error', { what: message.reason }), 'bad');
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
    while (this.queue.length && !this.ended) await this.advance(this.queue.shift());
    this.pumping = false;
  }

  async advance(state) {
    const before = this.view;
    const known = this.state?.number ?? 0;
    this.setBusy(false);
    this.state = state;
    this.seats = state.seats;
    if (!state.view) return this.waiting();
    const single = before && state.number === known + 1 && state.events.length === 1;
    const event = single ? state.events[0] : null;
    this.values = null;
    this.note(state.events, before, state.view);
    if (event) await this.showMove(event, before, state.view);
    if (this.ended) return undefined;
    this.view = state.view;
    this.draw();
    if (event && this.view.trick.length > before.trick.length && !this.own(event))
      this.flyTo(this.view.trick.at(-1));
    if (!before || before.stage !== this.view.stage) this.board.classList.add('dealt');
    if (before && before.stage !== this.view.stage && !this.view.over) await this.dealOver(state);
    if (!this.ended && this.view.player === this.me && this.view.legal.length) tell(t('yourTurn'));
    return undefined;
  }

  own(event) {
    return event.seat === this.me;
  }

  /** Writes the log, the bubbles and the live region. */
  note(events, before, view) {
    const scene = this.scene(view);
    for (const event of events) {
      const isCard = event.name !== null && scene.faces[event.name];
      if (isCard) this.spoken = {};
      else if (event.label) this.spoken[event.seat] = actionLabel(event, scene.faces, scene.pack);
      const lines = [eventText(event, scene), ...event.news.map((line) => this.news(line, scene))];
      this.log.push(...lines.map((text, i) => ({ text, news: i > 0 })));
      if (before) lines.forEach(tell);
      event.lines = lines.slice(1);
      const loud = before && before.stage === view.stage && !view.over && events.length === 1;
      if (loud) event.lines.forEach((line, i) => /takes? the trick$/.test(event.news[i]) || show(line));
    }
    this.log = this.log.slice(-LOG);
    if (before && (before.stage !== view.stage || (before.pairs?.length && !view.pairs.length))) this.spoken = {};
  }

  news(line, scene) {
    return said(shortCards(withNames(line, scene.names, this.game.seat_names), scene.pack));
  }

  /** A move that ends a trick: the full trick lies for a moment, then goes to its taker. */
  async showMove(event, before, view) {
    const gone = before.trick.length > 0 && view.trick.length === 0;
    const cleared = before.pairs?.length > 0 && view.pairs?.length === 0;
    if (gone && this.game.cards[event.name]) {
      const trick = [...before.trick, { seat: event.seat, card: event.name }];
      const scene = this.scene(before);
      const taker = view.taken_by ?? null;
      drawFelt(this.board, {
        ...scene,
        view: { ...before, player: null, legal: [], hands: view.hands },
        play: null,
        shown: trick,
        taker,
      });
      if (!this.own(event)) this.flyTo(trick.at(-1));
      await this.wait(Number(settings.pause));
      if (taker !== null) await sweep(this.board, taker);
    } else if (cleared) await this.wait(Number(settings.pause) / 2);
  }

  flyTo(one) {
    fly(this.board, one);
  }

  /** Waits, unless the player is in a hurry: a click on the table or a key ends it. */
  wait(milliseconds) {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.skip = () => {
        clearTimeout(timer);
        this.skip = null;
        resolve();
      };
      const timer = setTimeout(this.skip, milliseconds);
    });
  }

  scene(view = this.view) {
    return {
      view,
      seats: this.seats,
      me: this.me,
      faces: this.game.cards,
      game: this.game,
      language: settings.language,
      names: namesOf(this.seats, this.me),
      pack: this.game.pack,
      said: this.spoken,
    };
  }

  draw() {
    const { view } = this;
    const mine = view.player === this.me;
    const waits = !view.over && !mine && this.state.status === 'running' ? view.player : null;
    this.board.classList.remove('dealt');
    this.board.dataset.number = this.state.number;
    const scene = {
      ...this.scene(),
      play: (actions, button) => this.play(actions, button),
      values: this.values,
      thinking: waits,
      busy: this.busy,
    };
    drawFelt(this.board, scene);
    if (view.over) {
      this.board.querySelector('.felt').append(this.finalPanel(scene));
      keepSeat(this.table, { ...this.held, over: true });
    }
    this.turn.textContent = view.over
      ? t('gameOver')
      : mine
        ? t('yourTurn')
        : t('turnOf', { name: scene.names[view.player] });
    this.turn.classList.toggle('mine', mine);
    document.title = `${mine ? '● ' : ''}${said(this.game.title)} – Stich`;
    this.drawScores(scene);
    this.drawCoach();
    this.logList.replaceChildren(...this.log.map((one) => el('li', { class: one.news ? 'news' : '' }, one.text)));
    this.logList.scrollTop = this.logList.scrollHeight;
    const last = this.main.querySelector('[data-tool=last]');
    last.disabled = !view.last_trick.length;
    last.hidden = Boolean(view.pairs);
  }

  drawScores(scene) {
    const rows = scoreRows(scene);
    this.scores.replaceChildren(
      ...(rows.length
        ? [
            el('h2', {}, t('scores')),
            el(
              'table',
              {},
              rows.map((row) =>
                el(
                  'tr',
                  { class: row.own ? 'own-row' : '' },
                  el('th', { scope: 'row' }, row.name),
                  el('td', { class: 'note' }, row.note),
                  el('td', { class: 'value' }, String(row.value)),
                ),
              ),
            ),
          ]
        : [el('p', {}, said(scene.view.head))]),
    );
  }

  setBusy(busy) {
    this.busy = busy;
    this.board.classList.toggle('busy', busy);
  }

  /** Plays a card or says something; a card that can be played in two ways asks which. */
  async play(actions, button) {
    if (settings.tap === 'twice' && !button.classList.contains('picked')) {
      this.board.querySelectorAll('.picked').forEach((one) => one.classList.remove('picked'));
      button.classList.add('picked');
      return;
    }
    const { number: at } = this.state;
    let [action] = actions;
    if (actions.length > 1) {
      const scene = this.scene();
      const buttons = actions.map((one) => [
        one.name,
        one.name === one.card
          ? t('playedBy', { name: '', what: shortCards(one.label, scene.pack) }).trim()
          : actionLabel(one, scene.faces, scene.pack),
      ]);
      const chosen = await dialog(
        t('withCard', { card: shortCards(scene.faces[action.card].text, scene.pack) }),
        null,
        [...buttons, ['', t('cancel')]],
        { class: 'choice-box' },
      );
      action = actions.find((one) => one.name === chosen);
      if (!action) return;
    }
    if (this.busy || this.state.number !== at) return;
    if (!this.socket.send({ type: 'play', number: at, action: action.action })) {
      toast(t('offline'), 'bad');
      return;
    }
    this.setBusy(true);
    if (moving() && button.isConnected) button.classList.add('leaving');
  }

  askCoach() {
    if (!this.hasCoach) return toast(t('coachOff'));
    if (this.values) {
      this.values = null;
      return this.draw();
    }
    if (this.view?.player !== this.me || !this.view.legal.length) return toast(t('coachWait'));
    if (this.view.legal.length === 1) return toast(t('onlyMove'));
    this.asking = this.socket.send({ type: 'coach', level: this.level });
    return this.drawCoach();
  }

  coached(message) {
    this.asking = false;
    if (message.number !== this.state?.number || this.queue.length) return;
    this.values = new Map(message.values.map((one) => [one.action, one]));
    this.draw();
    this.board.scrollIntoView({ block: 'nearest' });
  }

  drawCoach() {
    this.main.querySelector('[data-tool=coach]')?.setAttribute('aria-pressed', String(Boolean(this.values)));
    if (this.asking) this.coachBox.replaceChildren(el('p', { class: 'thinks', role: 'status' }, t('coachThinks')));
    else if (this.values && this.view) {
      this.coachBox.replaceChildren(
        coachPanel(this.scene(), this.values, this.game, this.level, (level) => {
          this.level = level;
          this.values = null;
          this.askCoach();
        }),
      );
    } else this.coachBox.replaceChildren();
  }

  showLast() {
    const { view } = this;
    if (!view?.last_trick.length) return toast(t('noLastTrick'));
    const scene = this.scene();
    const note = view.taken_by === null ? '' : t('takenBy', { name: scene.names[view.taken_by] });
    return dialog(
      t('lastTrick'),
      el('div', { class: 'last' }, trickOf(scene, view.last_trick, view.taken_by), el('p', {}, note)),
      [['ok', t('close')]],
    );
  }

  async dealOver(state) {
    const scene = this.scene();
    const lines = state.events.at(-1)?.lines ?? [];
    const first = this.dealStart;
    this.dealStart = state.number;
    keepSeat(this.table, { ...this.held, dealStart: state.number });
    const content = el(
      'div',
      { class: 'deal-over' },
      lines.map((line) => el('p', {}, line)),
      el(
        'table',
        {},
        scoreRows(scene).map((row) =>
          el(
            'tr',
            { class: row.own ? 'own-row' : '' },
            el('th', {}, row.name),
            el('td', { class: 'value' }, String(row.value)),
          ),
        ),
      ),
    );
    const buttons = [['next', t('next')]];
    if (this.hasCoach) buttons.push(['review', t('reviewDeal')]);
    const chosen = await dialog(t('dealOver'), content, buttons, { class: 'deal-box' });
    if (chosen === 'review') await this.review(first, state.number);
  }

  review(first = 0, end = Infinity) {
    return openReview({
      table: this.table,
      held: this.held,
      game: this.game,
      level: this.level,
      seats: this.seats,
      first,
      end,
      finished: this.view.over,
      go: this.go,
    });
  }

  finalPanel(scene) {
    const { returns } = this.view;
    const order = returns.map((value, seat) => [value, seat]).sort((a, b) => b[0] - a[0]);
    return el(
      'div',
      { class: 'prompt final', role: 'dialog', 'aria-label': t('gameOver') },
      el('h2', {}, verdict(returns, this.me, this.game.teams)),
      el(
        'table',
        {},
        order.map(([value, seat]) =>
          el(
            'tr',
            { class: seat === this.me ? 'own-row' : '' },
            el('th', {}, scene.names[seat]),
            el('td', { class: 'value' }, number(value, Number.isInteger(value) ? 0 : 1)),
          ),
        ),
      ),
      el(
        'div',
        { class: 'choices' },
        el(
          'button',
          {
            type: 'button',
            class: 'choice main',
            'data-do': 'again',
            onclick: () => this.go('again', this.held.wish),
          },
          t('again'),
        ),
        el(
          'button',
          { type: 'button', class: 'choice', 'data-do': 'review', onclick: () => this.review() },
          t('review'),
        ),
        el(
          'button',
          { type: 'button', class: 'choice', 'data-do': 'replay', onclick: () => this.go(`replay/${this.table}`) },
          t('replay'),
        ),
        el(
          'button',
          { type: 'button', class: 'choice', 'data-do': 'lobby', onclick: () => this.go('') },
          t('lobby'),
        ),
      ),
    );
  }

  waiting() {
    const names = namesOf(this.seats, this.me);
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
      onfocus: (event) => event.target.select(),
    });
    if (
      (await dialog(t('share'), el('div', {}, el('p', {}, t('shareText')), field), [
        ['copy', t('copy')],
        ['', t('close')],
      ])) === 'copy'
    ) {
      await navigator.clipboard?.writeText(link).then(
        () => toast(t('copied')),
        () => {},
      );
    }
  }

  async leave() {
    if (!this.view || this.view.over) return this.go('');
    if (
      (await dialog(t('leave'), el('p', {}, t('leaveAsk')), [
        ['', t('stay')],
        ['leave', t('leave')],
      ])) !== 'leave'
    )
      return undefined;
    await leaveTable(this.table, this.held.token).catch((error) =>
      toast(t('error', { what: error.message }), 'bad'),
    );
    dropSeat(this.table);
    return this.go('');
  }

  key(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector('dialog[open]') ||
      /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
    )
      return;
    const shortcut = { c: () => this.askCoach(), l: () => this.showLast() }[event.key.toLowerCase()];
    if (shortcut) {
      event.preventDefault();
      shortcut();
      return;
    }
    const moves = [...this.board.querySelectorAll('.place.legal, .choice')];
    const cards = [...this.board.querySelectorAll('.hand .place')];
    if (this.skip && (event.key === 'Enter' || event.key === ' ')) this.skip();
    else if (/^[0-9]$/.test(event.key)) moves[(Number(event.key) + 9) % 10]?.focus();
    else if (/^Arrow/.test(event.key)) {
      event.preventDefault();
      const around =
        cards.includes(document.activeElement) && !moves.length ? cards : moves.length ? moves : cards;
      const at = around.indexOf(document.activeElement);
      const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : -1;
      around[at < 0 ? 0 : (at + step + around.length) % around.length]?.focus();
    }
  }
}

/** Who has won, where the results say so: unequal sides (one against three) count differently. */
function verdict(returns, me, teams) {
  const sizes = teams ? [0, 1].map((side) => teams.filter((team) => team === side).length) : [1, 1];
  const bare = returns.every((value) => value === 0 || Math.abs(value) === 1);
  if (sizes[0] !== sizes[1] && !bare) return t('result');
  const rivals = returns.filter((_, seat) => (teams ? teams[seat] !== teams[me] : seat !== me));
  const most = Math.max(...rivals);
  if (returns[me] === most && returns.every((value) => value === most)) return t('draw');
  return returns[me] >= most ? t('youWin') : t('youLose');
}
