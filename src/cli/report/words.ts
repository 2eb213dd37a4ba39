// Names and numbers as the page writes them.

import { quoted, visible } from '../../escape.js';
import type { Label } from '../../index.js';
import { type Html, html } from './html.js';

/** Names from files may be of any length. */
const MOST_CHARACTERS = 80;

const cut = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS));
  return characters.length < MOST_CHARACTERS ? text : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
};

/** A label or the name of a feature as plain text. Quotes show where blanks begin and end. */
export const named = (name: Label): string => {
  const text = cut(String(name));
  return text === '' || text !== text.trim() ? quoted(text) : visible(text);
};

/** The same in a page: letters that run from right to left do not move what follows. */
export const name = (value: Label): Html => html`<bdi>${named(value)}</bdi>`;

/** The file without its folders. */
export const fileName = (path: string): string => cut(path.split(/[/\\]/).at(-1) || path);

/** Four digits behind the point; rounding never gives 1 or 0 unless the value is 1 or 0. */
export function measure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(4);
  if (Number(text) === 1 && value < 1) return '0.9999';
  if (Number(text) === 0 && value !== 0) return value > 0 ? '0.0001' : '−0.0001';
  return text.replace('-', '−');
}

/** Some significant digits, with the sign that has the width of a plus. */
export const figures = (value: number, digits = 3): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(digits))).replace('-', '−') : '–';
