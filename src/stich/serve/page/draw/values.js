// The coach's values as text and colours.

/**
 * @import { Action } from '../net/types.js'
 * @import { Values } from './scene.js'
 */

import { number } from '../words/i18n.js';

/**
 * The value of the best of some actions.
 * @param {Values | null | undefined} values
 * @param {Action[]} actions
 */
export function bestOf(values, actions) {
  const rated = actions.flatMap((action) => values?.get(action.action) ?? []);
  return rated.sort((a, b) => b.value - a.value)[0] ?? null;
}

/**
 * Values with enough digits to be told apart.
 * @param {number} value
 * @param {Values} values
 */
export function digits(value, values) {
  const all = [...values.values()].map((one) => one.value);
  const range = Math.max(...all) - Math.min(...all);
  return number(value, range < 0.1 ? 3 : range < 3 ? 2 : 1);
}

/**
 * A colour for each value: the best green (120), the worst red (0); differences within the intervals stay green.
 * @param {Values} values
 */
export function shadesOf(values) {
  const all = [...values.values()];
  const best = Math.max(...all.map((one) => one.value));
  const worst = Math.min(...all.map((one) => one.value));
  const noise = Math.max(
    ...all.map((one) => (one.low === null || one.high === null ? 0 : (one.high - one.low) / 2)),
  );
  const scale = Math.max(best - worst, noise) || 1;
  return new Map(all.map((one) => [one.action, Math.round(120 * (1 - (best - one.value) / scale))]));
}
