// A position drawn: seats around the felt, the trick in the middle, the own hand below. Knows nothing of connections.

import { actionLabel, cardName, number, question, said, t } from '../words/i18n.js';
import { card, parsed, suitSign } from './cards.js';
import { el } from './dom.js';

// Where the others sit, in percent of the felt, from the left around; at 0 and 100 they touch the edge. Then the same for narrow screens.
const PLACES = {
  1: [[50, 2]],
  2: [
    [6, 6],
    [94, 6],
  ],
  3: [
    [1.5, 34],
    [50, 2],
    [98.5, 34],
  ],
  4: [
    [1.5, 40],
    [24, 2],
    [76, 2],
    [98.5, 40],
  ],
  5: [
    [1.5, 44],
    [14, 6],
    [50, 2],
    [86, 6],
    [98.5, 44],
  ],
};
const NARROW = {
  1: [[50, 1]],
  2: [
    [3, 1],
    [97, 1],
  ],
  3: [
    [1, 17],
    [50, 0.5],
    [99, 17],
  ],
  4: [
    [1, 20],
    [16, 0.5],
    [84, 0.5],
    [99, 20],
  ],
  5: [
    [1, 26],
    [2, 0.5],
    [50, 0.5],
    [98, 0.5],
    [99, 26],
  ],
};
const ORDER = ['trump', 'spade', 'heart', 'club', 'diamond', 'rest'];
export const AGENTS = ['Vreni', 'Hannes', 'Resi', 'Kurt', 'Olga', 'Emil'];

/** Where a seat sits, seen from the own one: 0 below, then clockwise from the left. */
function away(seat, me, seats) {
  return (seat - me + seats) % seats;
}

/** The way from the middle to a seat, for its card in the trick. */
function direction(seat, me, seats) {
  const steps = away(seat, me, seats);
  if (steps === 0) return [0, 1];
  if (seats === 2) return [0, -1];
  const [x, y] = PLACES[seats - 1][steps - 1];
  if (seats === 4)
    return [
      [-1, 0],
      [0, -1],
      [1, 0],
    ][steps - 1];
  return [(x - 50) / 45, Math.min(0.25, (y - 32) / 32)];
}

/** What everybody is called: persons by name, agents by names of ours; `own` is the player's. */
export function namesOf(seats, me) {
  const names = seats.map((seat, i) =>
    seat.kind === 'agent' && !seat.name.endsWith('(left)')
      ? AGENTS[i % AGENTS.length]
      : seat.kind === 'open'
        ? t('free')
        : said(seat.name),
  );
  if (me !== null && me !== undefined) names.own = names[me];
  return names;
}

/** The words for a seat's player: the level's name where it has one, else the agent's spec. */
export function agentText(seat, game, language) {
  if (seat.kind !== 'agent') return '';
  const level = game?.levels.find((one) => one.level === seat.name || one.agent === seat.name);
  return level ? level[language] : seat.agent.replace(/\(.*/, '');
}

/** Cards by suit, in the order in which the server names them; colours alternate. */
export function sorted(cards, faces, pack) {
  const place = (code) => {
    const { suit, rank } = parsed(faces[code]?.text ?? code);
    if (suit) return ORDER.indexOf(suit);
    return pack === 'tarock' || rank.startsWith('W') ? 0 : 5;
  };
  return cards
    .map((code, i) => [code, place(code), i])
    .sort((a, b) => a[1] - b[1] || a[2] - b[2])
    .map(([code]) => code);
}

/**
 * Draws a position into `root`. What is in `scene`:
 * view, seats (who sits there), me (the seat below), faces, game, language; optional: open (all hands shown), play
 * (called with a legal action), values (the coach's, by action), said (what a seat said last), shown (a trick instead of
 * the view's), thinking, marked (an action that was played), busy.
 */
export function drawFelt(root, scene) {
  const { view } = scene;
  const full = {
    ...scene,
    names: namesOf(scene.seats, scene.me),
    pack: scene.game.pack,
    shades: shadesOf(scene.values),
  };
  const narrow = matchMedia('(max-width: 700px)').matches;
  const felt = el(
    'div',
    { class: 'felt', 'data-seats': scene.seats.length },
    signs(full),
    others(full, narrow),
    el('div', { class: 'middle' }, middle(full)),
    prompt(full),
  );
  const parts = [felt, own(full, narrow)];
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  root.replaceChildren(...parts);
  if (focused) root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function face(scene, code) {
  return code ? (scene.faces[code] ?? { text: code, colour: '' }) : null;
}

function draw(scene, code, attributes) {
  return card(face(scene, code), scene.pack, { 'data-card': code, ...attributes });
}

/** Trump or contract, and what lies open beside the trick: talon, turned card, exposed card. */
function signs(scene) {
  const { view } = scene;
  const trump =
    view.trump &&
    el(
      'div',
      { class: 'sign', title: t('trump') },
      suitSign(view.trump),
      el('span', { class: suitSign(view.trump) ? 'unseen' : '' }, said(view.trump)),
    );
  const rows = view.rows ?? [];
  const long = rows.filter((row) => row.cards.length > 4);
  return [
    el(
      'div',
      { class: 'signs' },
      trump,
      rows.filter((row) => !long.includes(row)).map((row) => rowOf(scene, row)),
    ),
    long.length > 0 &&
      el(
        'div',
        { class: 'signs low' },
        long.map((row) => rowOf(scene, row)),
      ),
  ];
}

function rowOf(scene, row) {
  const closed = row.count !== undefined ? row.count - row.cards.length : 0;
  return el(
    'figure',
    { class: 'pile' },
    el(
      'div',
      { class: 'stack' },
      row.cards.map((code) => cardButton(scene, code, { class: 'small' })),
      closed > 0 && card(null, scene.pack, { class: 'small', 'aria-hidden': 'true' }),
    ),
    el('figcaption', {}, said(row.label), row.count !== undefined && el('b', {}, ` ${row.count}`)),
  );
}

/** The other seats around the felt. */
function others(scene, narrow) {
  const count = scene.seats.length;
  const places = (narrow ? NARROW : PLACES)[count - 1] ?? [];
  return scene.seats.map((seat, number) => {
    const steps = away(number, scene.me, count);
    if (steps === 0) return null;
    const [x, y] = places[steps - 1] ?? [(100 * steps) / count, 2];
    return seatOf(scene, number, { vars: { '--x': `${x}%`, '--y': `${y}%` } });
  });
}

function seatOf(scene, number, attributes = {}) {
  const { view } = scene;
  const seat = scene.seats[number];
  const hand = view.hands.find((one) => one.seat === number);
  const score = view.scores.find((one) => one.seats?.length === 1 && one.seats[0] === number);
  const turn = view.player === number;
  const count = hand?.count ?? hand?.cards.length ?? 0;
  const known = number !== scene.me && hand?.cards.length ? sorted(hand.cards, scene.faces, scene.pack) : [];
  return el(
    'div',
    { class: `seat ${turn ? 'turn' : ''} ${seat.kind}`, 'data-seat': number, ...attributes },
    el(
      'div',
      { class: 'chip' },
      el('span', { class: 'face', 'aria-hidden': 'true' }, (scene.names[number] ?? '?').slice(0, 1).toUpperCase()),
      el(
        'span',
        { class: 'who' },
        el('b', {}, scene.names[number]),
        el(
          'small',
          {},
          [
            number === scene.me && scene.names[number] !== t('you') ? t('you') : '',
            agentText(seat, scene.game, scene.language),
            seat.kind === 'person' && seat.here === false && number !== scene.me ? t('away') : '',
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      el(
        'span',
        { class: 'tags' },
        number !== scene.me &&
          el(
            'span',
            { class: 'count', 'aria-label': count === 1 ? t('card1') : t('cards', { n: count }) },
            String(count),
          ),
        view.dealer === number &&
          el('span', { class: 'tag', title: t('dealer') }, t('dealer').slice(0, 1).toUpperCase()),
        view.defender === number && !view.over && el('span', { class: 'tag wide' }, t('defender')),
        score?.note && el('span', { class: 'tag wide' }, said(score.note)),
      ),
    ),
    scene.thinking === number &&
      el(
        'span',
        { class: 'dots', role: 'img', 'aria-label': t('thinking', { name: scene.names[number] }) },
        el('i'),
        el('i'),
        el('i'),
      ),
    scene.said?.[number] && el('div', { class: 'bubble' }, scene.said[number]),
    known.length > 0 &&
      el(
        'div',
        { class: `known ${scene.open ? 'open' : ''}` },
        known.map((code) => el('span', { class: 'slot' }, draw(scene, code))),
      ),
  );
}

function middle(scene) {
  const { view } = scene;
  if (view.pairs) return pairsOf(scene);
  const trick = scene.shown ?? view.trick;
  if (trick.length) return trickOf(scene, trick);
  if (!view.scores.length && !scene.pack) return el('pre', { class: 'plain' }, view.text);
  return el('div', { class: 'trick empty' });
}

/** A trick with each card before its player. */
export function trickOf(scene, trick, taker) {
  const count = scene.seats.length;
  return el(
    'div',
    {
      class: 'trick',
      role: 'img',
      'aria-label': trick
        .map((one) =>
          t('playedBy', { name: scene.names[one.seat], what: cardName(face(scene, one.card).text, scene.pack) }),
        )
        .join(', '),
    },
    trick.map((one, i) => {
      const [x, y] = direction(one.seat, scene.me, count);
      return el(
        'div',
        {
          class: `lying ${(taker ?? scene.taker) === one.seat ? 'taker' : ''}`,
          'data-seat': one.seat,
          'data-card': one.card,
          vars: { '--dx': x, '--dy': y, '--turn': `${((one.seat * 37 + i * 11) % 9) - 4}deg` },
        },
        draw(scene, one.card),
      );
    }),
  );
}

/** Durak: each attack card with what beats it; open ones may be the target of a chosen card. */
function pairsOf(scene) {
  return el(
    'div',
    { class: 'pairs' },
    scene.view.pairs.map((pair) =>
      el(
        'div',
        { class: `pair ${pair.answer ? 'beaten' : ''}` },
        pair.answer || scene.view.chosen === null
          ? draw(scene, pair.attack)
          : cardButton(scene, pair.attack, {}, true),
        pair.answer && draw(scene, pair.answer, { class: 'answer' }),
      ),
    ),
  );
}

/** The legal actions that a card stands for; with a chosen card those of the table, else those of the hand. */
function actionsOf(scene, code, onTable = false) {
  if (!scene.play) return [];
  if (Boolean(scene.view.chosen) !== onTable && scene.view.pairs) return [];
  return scene.view.legal.filter((action) => action.card === code);
}

/** A card that can be played if it is legal now. */
function cardButton(scene, code, attributes = {}, onTable = false, tabindex = '0') {
  const actions = actionsOf(scene, code, onTable);
  const drawn = draw(scene, code, { ...attributes, 'aria-hidden': 'true' });
  const name = cardName(face(scene, code).text, scene.pack);
  const rated = best(scene, actions);
  const legal = actions.length > 0;
  const worth = rated ? `, ${t('value')} ${digits(rated.value, scene)}` : '';
  return el(
    'button',
    {
      type: 'button',
      tabindex,
      class: `place ${legal ? 'legal' : ''} ${scene.marked?.card === code ? 'marked' : ''} ${scene.best?.card === code ? 'best' : ''}`,
      'data-key': `card-${code}`,
      'data-card': code,
      'aria-disabled': String(!legal || Boolean(scene.busy)),
      'aria-label': `${name}, ${legal ? t('playable') : t('notPlayable')}${worth}`,
      onclick: (event) => legal && !scene.busy && scene.play(actions, event.currentTarget),
      vars: rated ? { '--shade': scene.shades.get(rated.action) } : {},
    },
    drawn,
    rated && el('span', { class: 'rating', 'aria-hidden': 'true' }, digits(rated.value, scene)),
  );
}

function best(scene, actions) {
  if (!scene.values) return null;
  const rated = actions.map((action) => scene.values.get(action.action)).filter(Boolean);
  return rated.sort((a, b) => b.value - a.value)[0] ?? null;
}

/** Values with enough digits to be told apart. */
export function digits(value, { values }) {
  const all = [...(values?.values() ?? [])].map((one) => one.value);
  const range = Math.max(...all) - Math.min(...all);
  return number(value, range < 0.1 ? 3 : range < 3 ? 2 : 1);
}

/** A colour for each value: the best green (120), the worst red (0); differences within the intervals stay green. */
export function shadesOf(values) {
  if (!values) return null;
  const all = [...values.values()];
  const best = Math.max(...all.map((one) => one.value));
  const worst = Math.min(...all.map((one) => one.value));
  const noise = Math.max(
    ...all.map((one) => (one.low === null || one.high === null ? 0 : (one.high - one.low) / 2)),
  );
  const scale = Math.max(best - worst, noise) || 1;
  return new Map(all.map((one) => [one.action, Math.round(120 * (1 - (best - one.value) / scale))]));
}

/** Actions that are no plain card: bids, trump, melds, passing, marriages, pushes. */
function prompt(scene) {
  const { view } = scene;
  if (!scene.play || !view.legal.length) return null;
  const buttons = view.legal.filter((action) => action.card === null || action.name !== action.card);
  const stray = view.legal.filter(
    (action) => action.card !== null && action.name === action.card && !visible(view, action.card),
  );
  if (!buttons.length && !stray.length) return null;
  return el(
    'div',
    { class: `prompt ${buttons.length > 8 ? 'many' : ''}`, role: 'dialog', 'aria-label': question(view) },
    el('h2', {}, question(view)),
    el(
      'div',
      { class: 'choices' },
      stray.map((action) => cardButton(scene, action.card, { class: 'small' })),
      buttons.map((action) => promptButton(scene, action)),
    ),
  );
}

function visible(view, code) {
  return (
    view.hands.some((hand) => hand.seat === view.seat && hand.cards.includes(code)) ||
    (view.pairs ?? []).some((pair) => pair.attack === code) ||
    (view.rows ?? []).some((row) => row.cards.includes(code))
  );
}

function promptButton(scene, action) {
  const inner = /^[A-Z] \((.+)\)$/.exec(action.label)?.[1];
  const label = actionLabel(action, scene.faces, scene.pack);
  const bid = /^bid (\d+)$/.exec(action.label)?.[1];
  const rated = scene.values?.get(action.action);
  return el(
    'button',
    {
      type: 'button',
      class: `choice ${scene.marked?.action === action.action ? 'marked' : ''} ${scene.best?.action === action.action ? 'best' : ''}`,
      'data-key': `action-${action.name}`,
      'data-action': action.name,
      'aria-disabled': String(Boolean(scene.busy)),
      'aria-label': label + (rated ? `, ${t('value')} ${digits(rated.value, scene)}` : ''),
      onclick: (event) => !scene.busy && scene.play([action], event.currentTarget),
      vars: rated ? { '--shade': scene.shades.get(action.action) } : {},
    },
    inner && suitSign(inner),
    el('span', {}, bid ?? label),
    rated && el('span', { class: 'rating', 'aria-hidden': 'true' }, digits(rated.value, scene)),
  );
}

/** The own seat and hand. */
function own(scene, narrow) {
  const { view, me } = scene;
  const hand = view.hands.find((one) => one.seat === me);
  const cards = sorted(hand?.cards ?? [], scene.faces, scene.pack);
  const rows = narrow && cards.length > 12 ? 2 : 1;
  const perRow = Math.ceil(cards.length / rows) || 1;
  const first = cards.findIndex((code) => actionsOf(scene, code).length);
  return el(
    'div',
    { class: 'own' },
    seatOf(scene, me),
    el(
      'div',
      { class: `hand rows-${rows}`, role: 'group', 'aria-label': t('cards', { n: cards.length }) },
      Array.from({ length: rows }, (_, row) =>
        el(
          'div',
          { class: 'row', vars: { '--cards': perRow } },
          cards
            .slice(row * perRow, (row + 1) * perRow)
            .map((code, i) =>
              cardButton(scene, code, {}, false, row * perRow + i === Math.max(first, 0) ? '0' : '-1'),
            ),
        ),
      ),
    ),
  );
}

/** What an event says, in the player's language; `cards` names the card in full. */
export function eventText(event, scene) {
  const name = scene.names[event.seat];
  if (event.name === null) return t('hidden', { name });
  const code = event.name.split(':').at(-1);
  if (scene.faces[event.name]) return t('playedBy', { name, what: cardName(scene.faces[code].text, scene.pack) });
  return t('saidBy', { name, what: actionLabel(event, scene.faces, scene.pack) });
}

/** The scores as rows: names for seats, "we" and "they" for sides. */
export function scoreRows(scene) {
  return scene.view.scores.map((score) => ({
    ...score,
    name:
      score.seats?.length === 1
        ? scene.names[score.seats[0]]
        : score.seats?.includes(scene.me)
          ? t('we')
          : t('they'),
    own: score.seats?.includes(scene.me),
    note: said(score.note ?? ''),
  }));
}
