// What happened at a live table: the log, what each seat said last, and messages at the edge.

/**
 * @import { Event, View } from '../net/types.js'
 * @import { Scene } from '../draw/scene.js'
 */

import { el, show, tell } from '../draw/dom.js';
import { eventText, newsText } from '../draw/scene.js';
import { actionLabel } from '../words/i18n.js';

const MOST = 60;

export class History {
  list = el('ol', { class: 'log' });
  /** @type {{ text: string, news: boolean }[]} */
  lines = [];
  /** @type {Record<number, string>} */
  spoken = {};
  /** @type {string[]} what the last move led to */
  news = [];

  /**
   * Notes moves; `before` is the position that was shown before them, where there was one.
   * @param {Event[]} events
   * @param {View | null} before
   * @param {Scene} scene
   */
  note(events, before, scene) {
    const { view } = scene;
    const loud = before?.stage === view.stage && !view.over && events.length === 1;
    for (const event of events) this.noteMove(event, scene, before !== null, loud);
    this.lines = this.lines.slice(-MOST);
    const cleared = before?.pairs?.length && !view.pairs?.length;
    if (before && (before.stage !== view.stage || cleared)) this.spoken = {};
  }

  /**
   * @param {Event} event
   * @param {Scene} scene
   * @param {boolean} told whether screen readers are told
   * @param {boolean} loud whether news are shown at the edge
   */
  noteMove(event, scene, told, loud) {
    const { cards, pack } = scene.game;
    if (event.name !== null && cards[event.name]) this.spoken = {};
    else if (event.name !== null && event.label)
      this.spoken[event.seat] = actionLabel({ name: event.name, label: event.label }, cards, pack);
    const move = eventText(event, scene);
    this.news = event.news.map((line) => newsText(line, scene));
    this.lines.push({ text: move, news: false }, ...this.news.map((text) => ({ text, news: true })));
    if (told) for (const text of [move, ...this.news]) tell(text);
    if (loud) for (const [i, text] of this.news.entries()) if (!isTrick(event.news[i])) show(text);
  }

  draw() {
    this.list.replaceChildren(...this.lines.map((one) => el('li', { class: one.news ? 'news' : '' }, one.text)));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/**
 * Whether a line says who took a trick: everybody sees that.
 * @param {string} line
 */
function isTrick(line) {
  return /takes? the trick$/.test(line);
}
