// A finished game move by move with all hands open.

import { dialog, el, toast } from '../draw/dom.js';
import { drawFelt, eventText, namesOf, scoreRows } from '../draw/felt.js';
import { gameOf, reportMove, transcriptUrl, wholeReplay } from '../net/api.js';
import { seatAt, settings } from '../settings.js';
import { said, shortCards, t, withNames } from '../words/i18n.js';

const BEAT = 900;

export class Replay {
  constructor(main, table, at, games) {
    Object.assign(this, { main, table, at: Number(at) || 0 });
    this.load(games);
  }

  async load(games) {
    this.main.replaceChildren(el('p', { class: 'shuffle' }, t('shuffling')));
    try {
      this.replay = await wholeReplay(this.table);
    } catch (error) {
      this.main.replaceChildren(el('p', { class: 'empty' }, t('error', { what: error.message })));
      return;
    }
    if (this.ended) return;
    this.game = gameOf(games, this.replay.game);
    this.me = seatAt(this.table)?.seat ?? this.game.home_seat;
    this.positions = [...this.replay.steps.map((step) => step.view), this.replay.final];
    this.tricks = this.positions
      .map((view, i) => i)
      .filter((i) => i === 0 || (this.lying(i) === 0 && this.lying(i - 1) > 0));
    this.build();
    this.keys = (event) => this.key(event);
    addEventListener('keydown', this.keys);
    this.resized = () => this.draw();
    addEventListener('resize', this.resized);
    this.show(this.at);
  }

  lying(i) {
    return this.positions[i].trick.length + (this.positions[i].pairs?.length ?? 0);
  }

  end() {
    this.ended = true;
    clearInterval(this.playing);
    removeEventListener('keydown', this.keys);
    removeEventListener('resize', this.resized);
  }

  build() {
    const button = (key, text, run) =>
      el('button', { type: 'button', class: 'tool', 'data-do': key, onclick: run }, t(text));
    this.slider = el('input', {
      type: 'range',
      min: 0,
      max: this.replay.moves,
      value: 0,
      'aria-label': t('moveOf', { n: 0, all: this.replay.moves }),
      oninput: (event) => this.show(Number(event.target.value)),
    });
    this.where = el('span', { role: 'status' });
    this.what = el('p', { class: 'what' });
    this.board = el('div', { class: 'board still' });
    this.scores = el('div', { class: 'scores' });
    this.playButton = button('play', 'play', () => this.toggle());
    const controls = el(
      'div',
      { class: 'controls' },
      this.slider,
      this.where,
      el(
        'div',
        { class: 'steps' },
        button('first', 'first', () => this.show(0)),
        button('prev-trick', 'prevTrick', () => this.trick(-1)),
        button('prev', 'back', () => this.show(this.at - 1)),
        this.playButton,
        button('next', 'forward', () => this.show(this.at + 1)),
        button('next-trick', 'nextTrick', () => this.trick(1)),
        button('last', 'last', () => this.show(Infinity)),
      ),
    );
    this.main.replaceChildren(
      el(
        'section',
        { class: 'play replay' },
        el(
          'div',
          { class: 'bar' },
          el('h1', {}, `${said(this.game.title)} · ${t('replay')}`),
          el(
            'div',
            { class: 'tools' },
            button('report', 'report', () => this.report()),
            el(
              'a',
              {
                class: 'tool',
                'data-do': 'download',
                href: transcriptUrl(this.table),
                download: `stich-${this.table}.json`,
              },
              t('transcript'),
            ),
            el('a', { class: 'tool', href: '#/' }, t('lobby')),
          ),
        ),
        this.board,
        el('aside', { class: 'side' }, controls, this.what, this.scores),
      ),
    );
  }

  show(number) {
    this.at = Math.max(0, Math.min(this.replay.moves, number));
    if (this.at === this.replay.moves) this.stop();
    history.replaceState(null, '', `#/replay/${this.table}/${this.at}`);
    this.draw();
  }

  draw() {
    const view = this.positions[this.at];
    const event = this.replay.steps[this.at]?.event;
    const scene = {
      view,
      seats: this.replay.seats,
      me: this.me,
      faces: this.game.cards,
      game: this.game,
      language: settings.language,
      open: true,
      names: namesOf(this.replay.seats, this.me),
      pack: this.game.pack,
      marked: event && { card: event.name.split(':').at(-1), action: event.action },
    };
    drawFelt(this.board, scene);
    this.mark(event);
    this.slider.value = this.at;
    this.where.textContent =
      this.at === this.replay.moves ? t('atEnd') : t('moveOf', { n: this.at + 1, all: this.replay.moves });
    const before = this.replay.steps[this.at - 1]?.event;
    const lines = [
      ...(before?.news ?? []).map((line) =>
        said(shortCards(withNames(line, scene.names, this.game.seat_names), this.game.pack)),
      ),
      event ? eventText(event, scene) : t('gameOver'),
    ];
    this.what.replaceChildren(...lines.map((line) => el('span', {}, line)));
    this.scores.replaceChildren(
      el('h2', {}, t('scores')),
      el(
        'table',
        {},
        scoreRows(scene).map((row) =>
          el(
            'tr',
            { class: row.own ? 'own-row' : '' },
            el('th', {}, row.name),
            el('td', { class: 'note' }, row.note),
            el('td', { class: 'value' }, String(row.value)),
          ),
        ),
      ),
    );
  }

  /** Marks the card that is played next in whosever hand it is. */
  mark(event) {
    if (!event || event.seat === this.me) return;
    const names = this.game.cards[event.name.split(':').at(-1)];
    const hand = this.board.querySelectorAll(`.seat[data-seat="${event.seat}"] .known .card`);
    for (const card of hand)
      card.classList.toggle('marked', Boolean(names) && card.dataset.card === event.name.split(':').at(-1));
  }

  trick(step) {
    const next = step > 0 ? this.tricks.find((i) => i > this.at) : this.tricks.findLast((i) => i < this.at);
    this.show(next ?? (step > 0 ? Infinity : 0));
  }

  toggle() {
    if (this.playing) return this.stop();
    this.playing = setInterval(() => this.show(this.at + 1), BEAT);
    this.playButton.textContent = t('stop');
    return undefined;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    if (this.playButton) this.playButton.textContent = t('play');
  }

  async report() {
    const number = Math.min(this.at, this.replay.moves - 1);
    const field = el('textarea', { rows: 4, maxlength: 2000, 'aria-label': t('reportText') });
    const done = await dialog(
      t('report'),
      el(
        'div',
        {},
        el('p', {}, `${t('moveOf', { n: number + 1, all: this.replay.moves })}. ${t('reportText')}`),
        field,
      ),
      [
        ['send', t('report')],
        ['', t('cancel')],
      ],
    );
    if (done !== 'send' || !field.value.trim()) return;
    try {
      await reportMove(this.table, { number, text: field.value.trim() });
      toast(t('reported'));
    } catch (error) {
      toast(t('error', { what: error.message }), 'bad');
    }
  }

  key(event) {
    if (
      document.querySelector('dialog[open]') ||
      /^(TEXTAREA|SELECT)$/.test(event.target.tagName) ||
      event.target.type === 'text'
    )
      return;
    const run = {
      ArrowLeft: () => this.show(this.at - 1),
      ArrowRight: () => this.show(this.at + 1),
      PageUp: () => this.trick(-1),
      PageDown: () => this.trick(1),
      Home: () => this.show(0),
      End: () => this.show(Infinity),
    }[event.key];
    if (run) {
      event.preventDefault();
      run();
    }
  }
}
