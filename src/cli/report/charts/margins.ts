// Histograms of margins, one below the other for the classes: one scale across, each to its own height.

import { bar, chart, fitting, linear, rule, text, ticks, WIDTH, widthOf, xAxis } from '../axes.js';
import type { Html } from '../html.js';
import type { Counts } from '../margins.js';

export interface MarginClass {
  /** Above its histogram: on the left, cut if it is long, and on the right. */
  readonly name: string;
  readonly counts: string;
  /** Its place in `counts`. */
  readonly at: number;
}

const TITLE = 17;

export function marginsChart(
  id: string,
  { step, first, counts, isFar }: Counts,
  shown: readonly MarginClass[],
  axis: string,
  title: string,
  description: string,
): Html {
  const height = shown.length <= 2 ? 70 : shown.length <= 4 ? 46 : 26;
  const row = TITLE + height + 7;
  const intervals = counts[0]?.length ?? 1;
  const [low, high] = [first * step, (first + intervals) * step];
  const plot = { left: 4, right: WIDTH - 4, top: 0, bottom: shown.length * row };
  const x = linear(low, high, plot.left, plot.right);
  const isBeyond = (i: number): boolean => (i === 0 && isFar[0]) || (i === intervals - 1 && isFar[1]);
  const histograms = shown.map(({ name, counts: told, at }, k) => {
    const found = counts[at] ?? new Uint32Array();
    const most = found.reduce((a, b) => Math.max(a, b), 1);
    const bottom = k * row + TITLE + height;
    return [
      text(fitting(name, WIDTH - widthOf(told) - 12), 0, k * row + 12, 'start', 'name'),
      text(told, WIDTH - 4, k * row + 12, 'end'),
      ...Array.from(found, (n, i) => {
        if (n === 0) return false;
        // A single row among many stays visible.
        const size = Math.max(1.2, (n / most) * height);
        const [from, to] = [x((first + i) * step), x((first + i + 1) * step)];
        return bar(
          from + 0.4,
          bottom - size,
          Math.max(0.8, to - from - 0.8),
          size,
          `${first + i < 0 ? 'wrong' : 'right'}${isBeyond(i) ? ' far' : ''}`,
        );
      }),
      rule(plot.left, bottom, plot.right, bottom, 'axis'),
      rule(x(0), bottom - height, x(0), bottom, 'zero'),
    ];
  });
  return chart(id, plot.bottom + 36, title, description, [histograms, xAxis(plot, x, ticks(low, high, 6), axis)]);
}
