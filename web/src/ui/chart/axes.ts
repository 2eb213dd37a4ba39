// Axes: scales, ticks that never run into each other, a light grid. Titles lie flat, where they are read.

import { ticks } from 'd3-array';
import { svg } from '../dom.js';
import { number } from '../numbers.js';

/** Around (0, 0), in px: circle, square, triangle, diamond, a triangle on its head, a cross. */
export const MARKERS = ['m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', 'm-3.2 -3.2h6.4v6.4h-6.4z', 'm0 -4.2l4 7h-8z', 'm0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z', 'm0 4.2l4 -7h-8z', 'm-4.2 -1.4h2.8v-2.8h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8z']; // biome-ignore format: a list of shapes

/** From a value to a place in px. */
export type Scale = (value: number) => number;

/** px with one digit behind the point, and never NaN: what has no place stands at 0. */
export const px = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 : 0);

export type Range = readonly [low: number, high: number];

export const linear =
  ([low, high]: Range, [from, to]: Range): Scale =>
  (value) =>
    // Halves, as the difference of two large numbers may be infinite.
    from + ((value / 2 - low / 2) / (high / 2 - low / 2)) * (to - from);

/** The range of the finite ones of some numbers; one that has no width gets some; none at all: 0 to 1. */
export function rangeOf(values: Iterable<number>): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  return low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
}

/** The size of the axes' text in px; chart.css has it too. */
const FONT_PX = 12;
const measured = new Map<string, number>();
let ruler: CanvasRenderingContext2D | null | undefined;

/** How wide a text will be, in px. */
export function widthOf(text: string): number {
  let width = measured.get(text);
  if (width === undefined) {
    if (ruler === undefined) {
      ruler = document.createElement('canvas').getContext('2d');
      if (ruler) ruler.font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`;
    }
    width = ruler?.measureText(text).width ?? text.length * 0.6 * FONT_PX;
    if (measured.size > 2000) measured.clear(); // numbers that run by
    measured.set(text, width);
  }
  return width;
}

/** No text of a chart has room for more characters: names from files may be of any length. */
const MOST_CHARACTERS = 200;

/** Cut to a width, with an ellipsis. */
export function fitting(text: string, width: number): string {
  const short = text.slice(0, MOST_CHARACTERS);
  if (short === text && widthOf(text) <= width) return text;
  const cut = (kept: number): string => `${short.slice(0, kept).trimEnd()}…`;
  let [fits, fails] = [0, short.length + 1];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (widthOf(cut(middle)) <= width) fits = middle;
    else fails = middle;
  }
  return cut(fits);
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Writing a number costs as much as drawing it, and the same ticks come back at every frame. */
const written = new Map<number, string>();

function tickText(value: number): string {
  let words = written.get(value);
  if (words === undefined) {
    words = number(value, 6);
    if (written.size > 2000) written.clear();
    written.set(value, words);
  }
  return words;
}

/** About `count` round numbers in the range. */
export function ticksOf([low, high]: Range, count: number, isWhole = false): Tick[] {
  const values = ticks(low, high, Math.max(1, count));
  return values
    .filter((value) => Number.isFinite(value) && (!isWhole || Number.isInteger(value)))
    .map((value) => ({ value, text: tickText(value) }));
}

/** As many ticks as have room side by side on `room` px. */
export function ticksAcross(range: Range, room: number, isWhole = false): Tick[] {
  const most = Math.max(2, Math.floor(room / 56));
  for (let count = most; count > 1; count--) {
    const found = ticksOf(range, count, isWhole);
    const widest = Math.max(0, ...found.map(({ text }) => widthOf(text)));
    const [one, two] = found;
    const gap = one && two ? Math.abs(linear(range, [0, room])(two.value) - linear(range, [0, room])(one.value)) : room;
    if (gap >= widest + 12) return found;
  }
  return ticksOf(range, 1, isWhole).slice(0, 1);
}

export const text = (
  words: string,
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end' = 'start',
  class_?: string,
): SVGElement => svg('text', { x: px(x), y: px(y), 'text-anchor': anchor, class: class_ }, words);

export const rule = (x1: number, y1: number, x2: number, y2: number, class_: string): SVGElement =>
  svg('line', { x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2), class: class_ });

/** Where the picture itself lies within the SVG. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Ticks below the plot, and the title at the right under them. */
export function xAxis(plot: Plot, scale: Scale, found: readonly Tick[], title: string, width: number): SVGElement[] {
  const nodes: SVGElement[] = [rule(plot.left, plot.bottom, plot.right, plot.bottom, 'chart-axis')];
  for (const { value, text: words } of found) {
    const x = scale(value);
    nodes.push(rule(x, plot.bottom, x, plot.bottom + 4, 'chart-axis'));
    // The outermost ones stay within the picture.
    const half = widthOf(words) / 2;
    nodes.push(text(words, Math.min(Math.max(x, half), width - half), plot.bottom + 17, 'middle'));
  }
  nodes.push(text(fitting(title, width), plot.right, plot.bottom + 34, 'end', 'chart-axis-title'));
  return nodes;
}

/** Ticks beside the plot, with lines across it for those at the left. */
export function yAxis(plot: Plot, scale: Scale, found: readonly Tick[], side: 'left' | 'right'): SVGElement[] {
  return found.flatMap(({ value, text: words }) => {
    const y = scale(value);
    return side === 'left'
      ? [rule(plot.left, y, plot.right, y, 'chart-grid'), text(words, plot.left - 8, y + 4, 'end')]
      : [text(words, plot.right + 8, y + 4, 'start')];
  });
}

/** The room that the texts of a vertical axis need, in px. */
export const roomFor = (found: readonly Tick[]): number =>
  Math.ceil(Math.max(0, ...found.map(({ text: words }) => widthOf(words)))) + 10;
