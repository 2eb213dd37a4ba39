// Scales, round numbers and axes of charts that are drawn without a browser. A chart is drawn for a narrow window and grows by a
// third on a wide one, so one drawing serves both.

import { type Html, html, type Piece } from './html.js';
import { figures } from './words.js';

/** In px at the narrowest. */
export const WIDTH = 360;

/** Of a letter at 11 px, on average, in a wide font. */
const LETTER = 6.3;

export type Scale = (value: number) => number;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** One digit behind the point; the rest is noise that a file would carry. */
export const px = (value: number): number => Math.round(value * 10) / 10;

export const linear =
  (low: number, high: number, from: number, to: number): Scale =>
  (value) =>
    // Halves: the difference of two large numbers may be infinite.
    from + ((value / 2 - low / 2) / (high / 2 - low / 2)) * (to - from);

/** The smallest of 1, 2, 5, 10, 20 … (times a power of ten) that is no less than `least`. */
export function roundStep(least: number): number {
  if (!(least > 0) || least > 1e307) return 1e307;
  const exponent = Number(least.toExponential().split('e')[1]);
  const unit = [1, 2, 5].find((one) => Number(`${one}e${exponent}`) >= least);
  return unit === undefined ? Number(`1e${exponent + 1}`) : Number(`${unit}e${exponent}`);
}

/** At most about `most` round numbers from `low` to `high`. */
export function ticks(low: number, high: number, most: number, least = 0): number[] {
  const step = Math.max(least, roundStep(high / most - low / most));
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

const isWide = (character: string): boolean => (character.codePointAt(0) as number) >= 0x1100;

export const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (isWide(character) ? 2 * LETTER : LETTER), 0);

/** Cut to a width, with an ellipsis. */
export function fitting(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && widthOf(characters.join('')) > width - LETTER) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

type Anchor = 'start' | 'middle' | 'end';

export const text = (words: string, x: number, y: number, anchor: Anchor = 'start', kind?: string): Html =>
  html`<text x="${px(x)}" y="${px(y)}"${anchor !== 'start' && html` text-anchor="${anchor}"`}${kind !== undefined && html` class="${kind}"`}>${words}</text>`;

export const rule = (x1: number, y1: number, x2: number, y2: number, kind: string): Html =>
  html`<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${kind}"/>`;

export const bar = (x: number, y: number, width: number, height: number, kind: string): Html =>
  html`<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" class="${kind}"/>`;

export const points = (places: readonly (readonly [number, number])[]): string =>
  places.map(([x, y]) => `${px(x)},${px(y)}`).join(' ');

export type Written = (value: number) => string;

/** Lines across the plot, with their numbers on the left, and the title above. */
export const yAxis = (
  plot: Box,
  y: Scale,
  values: readonly number[],
  title: string,
  written: Written = figures,
): Html =>
  html`${values.map((value) => [
    rule(plot.left, y(value), plot.right, y(value), 'grid'),
    text(written(value), plot.left - 6, y(value) + 4, 'end'),
  ])}${text(title, 0, 11)}`;

/** Numbers below the plot, and the title below them on the right. */
export function xAxis(plot: Box, x: Scale, values: readonly number[], title: string, written: Written = figures): Html {
  const place = (value: number): number => Math.min(x(value), WIDTH - widthOf(written(value)) / 2);
  return html`${rule(plot.left, plot.bottom, plot.right, plot.bottom, 'axis')}${values.map((value) => [
    rule(x(value), plot.bottom, x(value), plot.bottom + 4, 'axis'),
    text(written(value), place(value), plot.bottom + 16, 'middle'),
  ])}${text(title, plot.right, plot.bottom + 32, 'end')}`;
}

/** A chart, with a title and a description for those who do not see it. `id` is the only one of its kind on the page. */
export const chart = (id: string, height: number, title: string, description: string, body: Piece): Html =>
  html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${px(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${body}
</svg>`;
