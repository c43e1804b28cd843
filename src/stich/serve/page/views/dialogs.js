// Help and settings.

/**
 * @import { Settings } from '../settings.js'
 * @import { TextKey } from '../net/types.js'
 */

import { dialog, el } from '../draw/dom.js';
import { set, settings } from '../settings.js';
import { languages, t } from '../words/i18n.js';

/** @type {[string, TextKey][]} */
const KEYS = [
  ['← →', 'keyArrows'],
  ['1 … 9, 0', 'keyNumbers'],
  ['Enter', 'keyEnter'],
  ['C', 'keyC'],
  ['L', 'keyL'],
  ['?', 'keyHelp'],
  ['Esc', 'keyEsc'],
];

export function help() {
  const rows = KEYS.map(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, t(text))]);
  const content = el(
    'div',
    {},
    el('p', {}, t('helpText')),
    el('h3', {}, t('keys')),
    el('dl', { class: 'keys' }, rows),
  );
  return dialog(t('help'), content, [['', t('close')]], { class: 'help' });
}

/**
 * The settings beside the language, with their names and choices.
 * @type {{ name: keyof Settings, title: TextKey, choices: [string, TextKey][] }[]}
 */
const CHOICES = [
  {
    name: 'theme',
    title: 'theme',
    choices: [
      ['auto', 'auto'],
      ['light', 'light'],
      ['dark', 'dark'],
    ],
  },
  {
    name: 'motion',
    title: 'motion',
    choices: [
      ['auto', 'auto'],
      ['on', 'on'],
      ['off', 'off'],
    ],
  },
  {
    name: 'colours',
    title: 'suits',
    choices: [
      ['two', 'two'],
      ['four', 'four'],
    ],
  },
  {
    name: 'tap',
    title: 'tap',
    choices: [
      ['once', 'once'],
      ['twice', 'twice'],
    ],
  },
  {
    name: 'pause',
    title: 'pause',
    choices: [
      ['0', 'none'],
      ['1200', 'short'],
      ['2600', 'long'],
    ],
  },
];

/**
 * @param {keyof Settings} name
 * @param {TextKey} title
 * @param {[string, string][]} choices value and text of each
 */
function field(name, title, choices) {
  const options = choices.map(([value, text]) =>
    el('option', { value, selected: settings[name] === value }, text),
  );
  const changed = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) =>
    set(name, event.currentTarget.value);
  return el(
    'label',
    { class: 'option' },
    t(title),
    el('select', { id: `set-${name}`, onchange: changed }, options),
  );
}

/** Lets the player choose; resolves when the dialog is closed. A language is called by its own name. */
export function choose() {
  const fields = CHOICES.map(({ name, title, choices }) =>
    field(
      name,
      title,
      choices.map(([value, text]) => [value, t(text)]),
    ),
  );
  const language = field('language', 'language', Object.entries(languages()));
  return dialog(t('settings'), el('div', { class: 'options' }, language, fields), [['', t('close')]], {
    class: 'settings',
  });
}
