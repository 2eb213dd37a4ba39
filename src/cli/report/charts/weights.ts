// The heaviest weights as bars to both sides of zero, each with its name before it.

import { bar, chart, fitting, linear, rule, text, WIDTH, widthOf } from '../axes.js';
import type { Html } from '../html.js';
import { figures } from '../words.js';

export interface Weight {
  readonly name: string;
  readonly weight: number;
}

/** The `most` largest |w|, the largest first; the first among equals. Zeros and what is not finite are left out. */
export function heaviest(weights: ArrayLike<number>, most: number): { index: number; weight: number }[] {
  const kept: { index: number; weight: number }[] = [];
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] as number;
    const size = Math.abs(weight);
    if (!(size > 0 && size < Infinity)) continue;
    if (kept.length === most && size <= Math.abs(kept.at(-1)?.weight ?? 0)) continue;
    const at = kept.findIndex((other) => Math.abs(other.weight) < size);
    kept.splice(at < 0 ? kept.length : at, 0, { index, weight });
    if (kept.length > most) kept.pop();
  }
  return kept;
}

const ROW = 20;
/** At most, for the names. */
const NAMES = 180;
/** Letters here have 12 px: `.panels` of the style. */
const wide = (text: string): number => (widthOf(text) * 12) / 11;

export function weightsChart(id: string, weights: readonly Weight[], title: string, description: string): Html {
  const largest = weights.reduce((high, { weight }) => Math.max(high, Math.abs(weight)), 0);
  const lows = Math.max(0, ...weights.map(({ weight }) => -weight));
  const highs = Math.max(0, ...weights.map(({ weight }) => weight));
  const room = Math.max(...weights.map(({ weight }) => wide(figures(weight)))) + 8;
  const names = Math.min(NAMES, Math.max(...weights.map(({ name }) => wide(name))) + 8);
  const left = names + (lows > 0 ? room : 4);
  const right = WIDTH - (highs > 0 ? room : 4);
  const x = linear(-lows / largest, highs / largest, left, right);
  const height = weights.length * ROW + 6;
  const rows = weights.map(({ name, weight }, k) => {
    const [from, to] = [x(Math.min(0, weight / largest)), x(Math.max(0, weight / largest))];
    const middle = k * ROW + 3 + ROW / 2;
    return [
      text(fitting(name, ((names - 8) * 11) / 12), 0, middle + 4, 'start', 'name'),
      bar(from, middle - 6, Math.max(0.8, to - from), 12, weight < 0 ? 'minus' : 'plus'),
      weight < 0 ? text(figures(weight), from - 4, middle + 4, 'end') : text(figures(weight), to + 4, middle + 4),
    ];
  });
  return chart(id, height, title, description, [rows, rule(x(0), 2, x(0), height - 2, 'axis')]);
}
