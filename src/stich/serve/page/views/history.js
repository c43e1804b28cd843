// What happened at a live table: the log, what each seat said last, and messages at the edge.

/**
 * @import { Event, View } from '../net/types.js'
 * @import { Scene } from '../draw/scene.js'
 */

import { el, show, tell } from '../draw/dom.js';
import { actionText, eventText, factText } from '../words/i18n.js';

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
    if (event.says?.fact === 'play') this.spoken = {};
    else if (event.says && !('card' in event.says)) this.spoken[event.seat] = actionText(event.says, scene);
    const move = eventText(event, scene);
    this.news = event.news.map((fact) => factText(fact, scene));
    this.lines.push({ text: move, news: false }, ...this.news.map((text) => ({ text, news: true })));
    if (told) for (const text of [move, ...this.news]) tell(text);
    if (loud) for (const [i, text] of this.news.entries()) if (event.news[i].fact !== 'trick') show(text);
  }

  draw() {
    this.list.replaceChildren(...this.lines.map((one) => el('li', { class: one.news ? 'news' : '' }, one.text)));
    this.list.scrollTop = this.list.scrollHeight;
  }
}
