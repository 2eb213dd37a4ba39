// What all charts have in common: Observable Plot without a browser, logarithmic axes, and one look. Colours are
// custom properties (../style.ts), so that one picture serves light and dark.

import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { escaped, Html } from '../html.js';

const { document } = parseHTML('<!doctype html><html><body></body></html>');

export const FONT_SIZE = 11.5;
/** Of a letter, on average, for wide fonts: where labels have room is decided here, not by a browser. */
export const LETTER = 6.9;

/** Half the gap that keeps a mark from its label. */
export const GAP = 8;

/** The class of the groups of marks that stand for a row of a chart's table each. */
export const POINTS = 'points';

/** A chart as SVG, with the title that screen readers say. */
export function draw(title: string, options: Plot.PlotOptions): Html {
  const chart = Plot.plot({ document, axis: null, color: { type: 'identity' }, ...options });
  chart.querySelector('style')?.remove();
  chart.setAttribute('class', 'chart');
  chart.setAttribute('role', 'img');
  chart.setAttribute('font-size', String(FONT_SIZE));
  // linkedom leaves < in attributes as it is, which is no XML.
  const { outerHTML } = chart;
  const inside = outerHTML.indexOf('>') + 1;
  const opening = outerHTML
    .slice(0, inside)
    .replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" aria-label="${escaped(title)}" `);
  return new Html(`${opening}<title>${escaped(title)}</title>${rounded(outerHTML.slice(inside))}`);
}

/** Positions to a hundredth of a pixel; the rest is noise that a file would carry. */
const rounded = (svg: string): string =>
  svg.replace(/<[^>]+>/g, (tag) => tag.replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))));

/** The values of an axis, with some room on both sides. */
export function domainOf(values: readonly number[], room = 1.15): [number, number] {
  const known = values.filter((x) => x > 0 && Number.isFinite(x));
  if (known.length === 0) return [1, 10];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return low === high ? [low / 3, high * 3] : [low / room, high * room];
}

/** Powers of ten, or 1, 2, 5, 10 … where there are too few of those, or 1, 1.5, 2, 3 …; never more than `most`. */
function ticksOf([low, high]: readonly [number, number], most = 6): number[] {
  const ladder = (steps: readonly number[]): number[] => {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const step of steps) ticks.push(Number(`${step}e${power}`));
    }
    return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  };
  const choices = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]].map(ladder);
  const fitting = choices.find((ticks) => ticks.length <= most);
  if (fitting && fitting.length > 1) return fitting;
  const decades = choices[2] as number[];
  const every = Math.max(1, Math.ceil(decades.length / most));
  return decades.filter((_, i) => i % every === 0);
}

interface Axis {
  domain: readonly [number, number];
  /** How many numbers at most, unless they are given. */
  ticks?: number;
  values?: readonly number[];
  format: (x: number) => string;
}

const MUTED = 'var(--muted)';
const GRID = { stroke: 'var(--grid)', strokeOpacity: 1 };
const look = { tickSize: 0, label: null, color: MUTED, fontVariant: 'tabular-nums' } as const;

// Numbers as the `text` of their axis: a `tickFormat` would lose those that d3 finds too many on a logarithmic one.

/** Grid lines, the numbers below them, and what they are in words at the right end. */
export const xAxis = (
  { domain, ticks = 6, values = ticksOf(domain, ticks), format }: Axis,
  label: string,
  anchor: 'bottom' | 'top' = 'bottom',
) => {
  return [
    Plot.gridX(values, GRID),
    Plot.axisX(values, { ...look, anchor, text: format, tickPadding: 6 }),
    Plot.text([label], {
      frameAnchor: anchor === 'bottom' ? 'bottom-right' : 'top-right',
      textAnchor: 'end',
      dy: anchor === 'bottom' ? 34 : -34,
      fill: MUTED,
    }),
  ];
};

/** The same of an upright axis; its words stand above it. */
export const yAxis = (
  { domain, ticks = 6, values = ticksOf(domain, ticks), format }: Axis,
  label: string,
  marginLeft: number,
) => {
  return [
    Plot.gridY(values, GRID),
    Plot.axisY(values, { ...look, text: format, tickPadding: 6 }),
    Plot.text([label], { frameAnchor: 'top-left', textAnchor: 'start', dx: -marginLeft + 2, dy: -20, fill: MUTED }),
  ];
};

export const log = (domain: readonly [number, number]) => ({ type: 'log', domain: [...domain] }) as const;

/** Moves what is nearer than `room` apart, as little as need be, and keeps it between `low` and `high`. */
export function apart(positions: readonly number[], room: number, low: number, high: number): number[] {
  const order = positions.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at);
  const placed = order.map(({ at }) => at);
  for (let i = 0; i < placed.length; i++) {
    placed[i] = Math.max(placed[i] as number, i === 0 ? low : (placed[i - 1] as number) + room);
  }
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i] = Math.min(placed[i] as number, i === placed.length - 1 ? high : (placed[i + 1] as number) - room);
  }
  const result: number[] = [];
  order.forEach(({ i }, k) => {
    result[i] = placed[k] as number;
  });
  return result;
}

/** Where a value stands on a logarithmic axis of so many pixels. */
export const pixel = (x: number, [low, high]: readonly [number, number], from: number, to: number): number =>
  from + ((to - from) * Math.log(x / low)) / Math.log(high / low);
/** And what stands at a pixel. */
export const valueAt = (at: number, [low, high]: readonly [number, number], from: number, to: number): number =>
  low * (high / low) ** ((at - from) / (to - from));
