// What can be done in a position: cards that are clicked, and buttons for all that is no card.

/**
 * @import { Action, View } from '../net/types.js'
 * @import { Plain } from './dom.js'
 * @import { Scene } from './scene.js'
 */

import { actionText, cardName, question, t } from '../words/i18n.js';
import { card, suitSign } from './cards.js';
import { el } from './dom.js';
import { face } from './scene.js';
import { bestOf, digits, shadesOf } from './values.js';

/**
 * A card of the scene.
 * @param {Scene} scene
 * @param {string} code
 * @param {Record<string, Plain>} [attributes]
 */
export function draw(scene, code, attributes) {
  return card(face(scene, code), scene.game.pack, { 'data-card': code, ...attributes });
}

/**
 * The legal actions that a card stands for; with a chosen card those of the table, else those of the hand.
 * @param {Scene} scene
 * @param {string} code
 * @param {boolean} [onTable]
 */
export function actionsOf(scene, code, onTable = false) {
  if (!scene.play) return [];
  if (Boolean(scene.view.chosen) !== onTable && scene.view.pairs) return [];
  return scene.view.legal.filter((action) => action.card === code);
}

/**
 * What the coach thinks of the best of some actions, as text and colour; null where it says nothing.
 * @param {Scene} scene
 * @param {Action[]} actions
 */
function rating({ values }, actions) {
  const found = bestOf(values, actions);
  if (!values || !found) return null;
  return { text: digits(found.value, values), shade: shadesOf(values).get(found.action) };
}

/**
 * A card that can be played if it is legal now.
 * @param {Scene} scene
 * @param {string} code
 * @param {Record<string, Plain>} [attributes]
 * @param {boolean} [onTable]
 * @param {string} [tabindex]
 */
export function cardButton(scene, code, attributes = {}, onTable = false, tabindex = '0') {
  const actions = actionsOf(scene, code, onTable);
  const drawn = draw(scene, code, { ...attributes, 'aria-hidden': 'true' });
  const name = cardName(scene.game, code);
  const rated = rating(scene, actions);
  const legal = actions.length > 0;
  const worth = rated ? `, ${t('value')} ${rated.text}` : '';
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
      onclick: (event) => legal && !scene.busy && scene.play?.(actions, event.currentTarget),
      vars: rated ? { '--shade': rated.shade } : {},
    },
    drawn,
    rated && el('span', { class: 'rating', 'aria-hidden': 'true' }, rated.text),
  );
}

/**
 * Actions that are no plain card: bids, trump, melds, passing, marriages, pushes.
 * @param {Scene} scene
 */
export function prompt(scene) {
  const { view } = scene;
  if (!scene.play || !view.legal.length) return null;
  const buttons = view.legal.filter((action) => action.card === null || action.name !== action.card);
  const stray = view.legal.flatMap(({ name, card }) =>
    card !== null && name === card && !visible(view, card) ? [card] : [],
  );
  if (!buttons.length && !stray.length) return null;
  return el(
    'div',
    {
      class: `prompt ${buttons.length > 8 ? 'many' : ''}`,
      role: 'dialog',
      'aria-label': question(scene.game, view),
    },
    el('h2', {}, question(scene.game, view)),
    el(
      'div',
      { class: 'choices' },
      stray.map((card) => cardButton(scene, card, { class: 'small' })),
      buttons.map((action) => promptButton(scene, action)),
    ),
  );
}

/**
 * @param {View} view
 * @param {string} code
 */
function visible(view, code) {
  return (
    view.hands.some((hand) => hand.seat === view.seat && hand.cards.includes(code)) ||
    (view.pairs ?? []).some((pair) => pair.attack === code) ||
    view.rows.some((row) => row.cards.includes(code))
  );
}

/**
 * @param {Scene} scene
 * @param {Action} action
 */
function promptButton(scene, action) {
  const label = actionText(action.says, scene);
  const { fact: _, ...values } = action.says;
  const bare = Object.keys(values).join() === 'count'; // a button with a number alone: a bid
  const rated = rating(scene, [action]);
  return el(
    'button',
    {
      type: 'button',
      class: `choice ${scene.marked?.action === action.action ? 'marked' : ''} ${scene.best?.action === action.action ? 'best' : ''}`,
      'data-key': `action-${action.name}`,
      'data-action': action.name,
      'aria-disabled': String(Boolean(scene.busy)),
      'aria-label': label + (rated ? `, ${t('value')} ${rated.text}` : ''),
      onclick: (event) => !scene.busy && scene.play?.([action], event.currentTarget),
      vars: rated ? { '--shade': rated.shade } : {},
    },
    action.card === null && suitSign(action.says),
    el('span', {}, bare ? String(values.count) : label),
    rated && el('span', { class: 'rating', 'aria-hidden': 'true' }, rated.text),
  );
}
