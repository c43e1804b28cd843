// A finished game move by move with all hands open.

/**
 * @import { Event, ReplayPage } from '../net/types.js'
 * @import { GameInfo, Games } from '../net/api.js'
 * @import { TextKey } from '../net/types.js'
 */

import { dialog, el, isWriting, reasonOf, toast } from '../draw/dom.js';
import { drawFelt } from '../draw/felt.js';
import { sceneOf } from '../draw/scene.js';
import { gameOf, reportMove, transcriptUrl, wholeReplay } from '../net/api.js';
import { seatAt } from '../settings.js';
import { eventText, factText, t, title } from '../words/i18n.js';
import { scoreBoard } from './results.js';

const BEAT = 900;

/** Loads a game, then shows it, unless another view was opened meanwhile. */
export class Replay {
  /** @type {Player | null} */
  player = null;
  ended = false;

  /**
   * @param {Element} main
   * @param {string} table
   * @param {string | undefined} at the move to begin with
   * @param {Games} games
   */
  constructor(main, table, at, games) {
    this.load(main, table, Number(at) || 0, games);
  }

  /**
   * @param {Element} main
   * @param {string} table
   * @param {number} at
   * @param {Games} games
   */
  async load(main, table, at, games) {
    main.replaceChildren(el('p', { class: 'shuffle' }, t('shuffling')));
    try {
      const replay = await wholeReplay(table);
      const game = gameOf(games, replay.game);
      if (!game) throw new Error(replay.game);
      if (!this.ended) this.player = new Player(main, replay, game, at);
    } catch (error) {
      main.replaceChildren(el('p', { class: 'empty' }, t('error', { what: reasonOf(error) })));
    }
  }

  end() {
    this.ended = true;
    this.player?.end();
  }
}

/**
 * @param {string} key
 * @param {TextKey} text
 * @param {() => void} run
 */
function button(key, text, run) {
  return el('button', { type: 'button', class: 'tool', 'data-do': key, onclick: run }, t(text));
}

/**
 * The code of the card that an event plays, also in a marriage or a push.
 * @param {Event} event
 */
function cardOf(event) {
  return event.name?.split(':').at(-1) ?? '';
}

class Player {
  /** @type {number | undefined} */
  playing;

  /**
   * @param {Element} main
   * @param {ReplayPage} replay
   * @param {GameInfo} game
   * @param {number} at
   */
  constructor(main, replay, game, at) {
    this.main = main;
    this.replay = replay;
    this.game = game;
    this.at = at;
    this.table = replay.table;
    this.me = seatAt(replay.table)?.seat ?? game.home_seat;
    this.positions = [...replay.steps.map((step) => step.view), replay.final];
    this.tricks = [...this.positions.keys()].filter(
      (i) => i === 0 || (this.lying(i) === 0 && this.lying(i - 1) > 0),
    );
    this.slider = el('input', {
      type: 'range',
      min: 0,
      max: replay.moves,
      value: 0,
      'aria-label': t('moveOf', { n: 0, all: replay.moves }),
      oninput: (event) => this.show(Number(event.currentTarget.value)),
    });
    this.where = el('span', { role: 'status' });
    this.what = el('p', { class: 'what' });
    this.board = el('div', { class: 'board still' });
    this.scores = el('div', { class: 'scores' });
    this.playButton = button('play', 'play', () => this.toggle());
    this.build();
    /** @param {KeyboardEvent} event */
    this.keys = (event) => this.key(event);
    addEventListener('keydown', this.keys);
    this.resized = () => this.draw();
    addEventListener('resize', this.resized);
    this.show(at);
  }

  /**
   * How many cards lie on the table.
   * @param {number} i the position
   */
  lying(i) {
    return this.positions[i].trick.length + (this.positions[i].pairs?.length ?? 0);
  }

  end() {
    clearInterval(this.playing);
    removeEventListener('keydown', this.keys);
    removeEventListener('resize', this.resized);
  }

  build() {
    const steps = el(
      'div',
      { class: 'steps' },
      button('first', 'first', () => this.show(0)),
      button('prev-trick', 'prevTrick', () => this.trick(-1)),
      button('prev', 'back', () => this.show(this.at - 1)),
      this.playButton,
      button('next', 'forward', () => this.show(this.at + 1)),
      button('next-trick', 'nextTrick', () => this.trick(1)),
      button('last', 'last', () => this.show(Infinity)),
    );
    const download = { href: transcriptUrl(this.table), download: `stich-${this.table}.json` };
    const tools = el(
      'div',
      { class: 'tools' },
      button('report', 'report', () => this.report()),
      el('a', { class: 'tool', 'data-do': 'download', ...download }, t('transcript')),
      el('a', { class: 'tool', href: '#/' }, t('lobby')),
    );
    this.main.replaceChildren(
      el(
        'section',
        { class: 'play replay' },
        el('div', { class: 'bar' }, el('h1', {}, `${title(this.game)} · ${t('replay')}`), tools),
        this.board,
        el(
          'aside',
          { class: 'side' },
          el('div', { class: 'controls' }, this.slider, this.where, steps),
          this.what,
          this.scores,
        ),
      ),
    );
  }

  /** @param {number} number */
  show(number) {
    this.at = Math.max(0, Math.min(this.replay.moves, number));
    if (this.at === this.replay.moves) this.stop();
    history.replaceState(null, '', `#/replay/${this.table}/${this.at}`);
    this.draw();
  }

  draw() {
    const { steps, moves, seats } = this.replay;
    const event = steps[this.at]?.event;
    const scene = {
      ...sceneOf(this.positions[this.at], seats, this.me, this.game),
      reader: null,
      open: true,
      marked: event && { card: cardOf(event), action: event.action },
    };
    drawFelt(this.board, scene);
    if (event) this.mark(event);
    this.slider.value = String(this.at);
    this.where.textContent = this.at === moves ? t('atEnd') : t('moveOf', { n: this.at + 1, all: moves });
    const news = steps[this.at - 1]?.event.news ?? [];
    const lines = [...news.map((line) => factText(line, scene)), event ? eventText(event, scene) : t('gameOver')];
    this.what.replaceChildren(...lines.map((line) => el('span', {}, line)));
    this.scores.replaceChildren(...scoreBoard(scene));
  }

  /**
   * Marks the card that is played next in whosever hand it is.
   * @param {Event} event
   */
  mark(event) {
    if (event.seat === this.me) return;
    const code = cardOf(event);
    /** @type {NodeListOf<SVGElement>} */
    const hand = this.board.querySelectorAll(`.seat[data-seat="${event.seat}"] .known .card`);
    for (const card of hand) card.classList.toggle('marked', card.dataset.card === code);
  }

  /** @param {1 | -1} step */
  trick(step) {
    const next = step > 0 ? this.tricks.find((i) => i > this.at) : this.tricks.findLast((i) => i < this.at);
    this.show(next ?? (step > 0 ? Infinity : 0));
  }

  toggle() {
    if (this.playing) {
      this.stop();
      return;
    }
    this.playing = setInterval(() => this.show(this.at + 1), BEAT);
    this.playButton.textContent = t('stop');
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.playButton.textContent = t('play');
  }

  async report() {
    const number = Math.min(this.at, this.replay.moves - 1);
    const field = el('textarea', { rows: 4, maxlength: 2000, 'aria-label': t('reportText') });
    const about = `${t('moveOf', { n: number + 1, all: this.replay.moves })}. ${t('reportText')}`;
    const done = await dialog(t('report'), el('div', {}, el('p', {}, about), field), [
      ['send', t('report')],
      ['', t('cancel')],
    ]);
    if (done !== 'send' || !field.value.trim()) return;
    try {
      await reportMove(this.table, { number, text: field.value.trim() });
      toast(t('reported'));
    } catch (error) {
      toast(t('error', { what: reasonOf(error) }), 'bad');
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (document.querySelector('dialog[open]') || isWriting(event, 'textarea, select, [type=text]')) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.show(this.at - 1),
      ArrowRight: () => this.show(this.at + 1),
      PageUp: () => this.trick(-1),
      PageDown: () => this.trick(1),
      Home: () => this.show(0),
      End: () => this.show(Infinity),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
}
