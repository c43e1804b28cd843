// The page: which view is shown, the head line, help and settings.

import { dialog, el, toast } from './draw/dom.js';
import { allGames, gameOf } from './net/api.js';
import { apply, seatAt, set, settings } from './settings.js';
import { joinPage, Lobby, makeTable } from './views/lobby.js';
import { Replay } from './views/replay.js';
import { LiveTable } from './views/table.js';
import { t } from './words/i18n.js';

const main = document.getElementById('main');
let shown = null;

/** Goes to a view; `again` makes a new table of a wish. */
function go(where, wish) {
  if (where === 'again') {
    shown?.end();
    shown = null;
    makeTable(main, wish, go);
  } else if (location.hash === `#/${where}`) route();
  else location.hash = `#/${where}`;
}

async function route() {
  shown?.end();
  shown = null;
  document.title = 'Stich';
  const asked = location.hash;
  const [view, ...rest] = asked.replace(/^#\//, '').split('/');
  let games;
  try {
    main.replaceChildren(el('p', { class: 'shuffle' }, t('shuffling')));
    games = await allGames();
  } catch (error) {
    main.replaceChildren(
      el(
        'p',
        { class: 'empty' },
        t('error', { what: error.message }),
        ' ',
        el('button', { type: 'button', onclick: route }, t('goOn')),
      ),
    );
    return;
  }
  if (asked !== location.hash) return;
  if (view === 'table' && rest[0]) openTable(rest[0], games);
  else if (view === 'join' && rest[1]) {
    if (seatAt(rest[0])) go(`table/${rest[0]}`);
    else joinPage(main, rest[0], rest[1], games, go);
  } else if (view === 'replay' && rest[0]) shown = new Replay(main, rest[0], rest[1], games);
  else shown = new Lobby(main, games, go);
}

function openTable(table, games) {
  const held = seatAt(table);
  const game = held && gameOf(games, held.game);
  if (!game) {
    toast(t('noSeat'), 'bad');
    go(`replay/${table}`);
    return;
  }
  shown = new LiveTable(main, table, held, game, go);
}

function head() {
  const button = (key, text, run) =>
    el('button', { type: 'button', class: 'tool', 'data-tool': key, onclick: run }, t(text));
  document.getElementById('head').replaceChildren(
    el(
      'a',
      { class: 'brand', href: '#/' },
      el('img', { src: 'page/icon.svg', alt: '', width: 26, height: 26 }),
      'Stich',
    ),
    el(
      'nav',
      {},
      el(
        'button',
        {
          type: 'button',
          class: 'tool',
          'data-tool': 'language',
          lang: settings.language === 'de' ? 'en' : 'de',
          onclick: () => change('language', settings.language === 'de' ? 'en' : 'de'),
        },
        settings.language === 'de' ? 'English' : 'Deutsch',
      ),
      button('help', 'help', help),
      button('settings', 'settings', choose),
    ),
  );
}

/** Changes a setting; all is drawn again. */
function change(name, value) {
  set(name, value);
  head();
  route();
}

function help() {
  const rows = [
    ['← →', 'keyArrows'],
    ['1 … 9, 0', 'keyNumbers'],
    ['Enter', 'keyEnter'],
    ['C', 'keyC'],
    ['L', 'keyL'],
    ['?', 'keyHelp'],
    ['Esc', 'keyEsc'],
  ];
  return dialog(
    t('help'),
    el(
      'div',
      {},
      el('p', {}, t('helpText')),
      el('h3', {}, t('keys')),
      el(
        'dl',
        { class: 'keys' },
        rows.map(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, t(text))]),
      ),
    ),
    [['', t('close')]],
    { class: 'help' },
  );
}

const CHOICES = {
  language: [
    ['de', 'Deutsch'],
    ['en', 'English'],
  ],
  theme: [
    ['auto', 'auto'],
    ['light', 'light'],
    ['dark', 'dark'],
  ],
  motion: [
    ['auto', 'auto'],
    ['on', 'on'],
    ['off', 'off'],
  ],
  colours: [
    ['two', 'two'],
    ['four', 'four'],
  ],
  tap: [
    ['once', 'once'],
    ['twice', 'twice'],
  ],
  pause: [
    ['0', 'none'],
    ['1200', 'short'],
    ['2600', 'long'],
  ],
};
const TITLES = { colours: 'suits' };

async function choose() {
  const fields = Object.entries(CHOICES).map(([name, choices]) =>
    el(
      'label',
      { class: 'option' },
      t(TITLES[name] ?? name),
      el(
        'select',
        {
          id: `set-${name}`,
          onchange: (event) => {
            set(name, event.target.value);
            if (name === 'language') head();
          },
        },
        choices.map(([value, text]) =>
          el('option', { value, selected: settings[name] === value }, name === 'language' ? text : t(text)),
        ),
      ),
    ),
  );
  const language = settings.language;
  await dialog(t('settings'), el('div', { class: 'options' }, fields), [['', t('close')]], { class: 'settings' });
  if (language !== settings.language) route();
}

addEventListener('hashchange', route);
addEventListener('keydown', (event) => {
  if (
    event.key === '?' &&
    !document.querySelector('dialog[open]') &&
    !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)
  )
    help();
});
apply();
matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', apply);
head();
route();
