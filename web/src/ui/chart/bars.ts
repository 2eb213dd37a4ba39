// Horizontal bars, names at the left and values at their ends. On a logarithmic axis they are ratios: bars start at 1 and
// grow to the right for more, to the left for less, twice and half being as long.

import { svg } from '../dom.js';
import { number } from '../numbers.js';
import {
  fitting,
  linear,
  px,
  type Range,
  rangeOf,
  rule,
  type Tick,
  text,
  ticksAcross,
  widthOf,
  xAxis,
} from './axes.js';
import { type Chart, chart, type Kind } from './figure.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** A colour: plus, minus, accent, good, bad or faint. */
  readonly class?: string;
  /** At its end; default the value. */
  readonly text?: string;
  /** Between what the value lies: a thin line. */
  readonly range?: readonly [low: number, high: number];
}

export interface BarChartOptions {
  readonly label: string;
  /** What the bars count: the title of the axis. */
  readonly value: string;
  readonly bars: readonly Bar[];
  readonly isLog?: boolean;
  /** In px; by default it goes with the number of bars. */
  readonly height?: number;
}

const AXIS_PX = 42;

const textOf = ({ text: words, value }: Bar): string => words ?? number(value, 3);

/** The ticks of a decade, and the smallest ratio of two that are neighbours. */
const LOG_STEPS = [
  [[1, 2, 5], 2],
  [[1, 3], 3],
  [[1], 10],
] as const;

/** 1, 2, 5, 10 …, also 0.5, 0.2 …; fewer where there is no room for them. */
function logTicks([low, high]: Range, room: number): Tick[] {
  const found: Tick[] = [];
  const decades = Math.log10(high / low);
  for (const [steps, least] of LOG_STEPS) {
    found.length = 0;
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const step of steps) {
        // A quotient, as 0.2 is nearer to 2 / 10 than to 2 × 0.1.
        const value = power < 0 ? step / 10 ** -power : step * 10 ** power;
        if (value >= low && value <= high) found.push({ value, text: `${number(value)}×` });
      }
    }
    const widest = Math.max(0, ...found.map(({ text: words }) => widthOf(words)));
    if ((room / decades) * Math.log10(least) >= widest + 10) return found;
  }
  const apart = Math.max(1, Math.ceil((decades * 70) / room));
  return found.filter(({ value }) => Math.round(Math.log10(value)) % apart === 0);
}

/** As far to the right of 1 as to the left, so that 1 stands in the middle: as far as the most uneven ratio. */
function logRange(values: readonly number[]): Range {
  const usable = values.filter((value) => value > 0 && Number.isFinite(value));
  // By their logarithms: a ratio may be so small that its inverse is infinite.
  const most = Math.exp(
    Math.min(
      700,
      usable.reduce((far, value) => Math.max(far, Math.abs(Math.log(value))), Math.LN2),
    ),
  );
  return [1 / most, most];
}

const kind: Kind<BarChartOptions> = {
  describe: ({ bars }) => bars.map((bar) => `${bar.name}: ${textOf(bar)}.`).join(' '),
  legend: () => [],

  draw({ bars, isLog = false, value: title, height: asked }, width) {
    const values = bars.flatMap(({ value, range = [] }) => [value, ...range]);
    const names = Math.max(0, ...bars.map(({ name }) => widthOf(name))) + 12;
    // Long names stand above their bars where the bars would have too little room beside them.
    const isStacked = names > 0.4 * width;
    const least = isStacked ? 48 : 30;
    const height = asked ?? least * bars.length + AXIS_PX;
    const step = (height - AXIS_PX) / Math.max(1, bars.length);
    const thickness = Math.max(2, Math.min(18, isStacked ? step - 24 : step - 10));

    const left = isStacked ? 0 : names;
    const right = Math.max(left + 20, width - Math.max(0, ...bars.map((bar) => widthOf(textOf(bar)))) - 10);
    const plot = { left, right, top: 0, bottom: height - AXIS_PX };
    const range = isLog ? logRange(values) : rangeOf([0, ...values]);
    const along = isLog
      ? linear([Math.log(range[0]), Math.log(range[1])], [left, right])
      : linear(range, [left, right]);
    const x = (value: number) => along(isLog ? Math.log(value) : value);
    const start = x(isLog ? 1 : 0);
    const ticks = isLog ? logTicks(range, right - left) : ticksAcross(range, right - left);

    const nodes = xAxis(plot, x, ticks, title, width);
    const zero = (top: number, bottom: number) => rule(start, top, start, bottom, 'chart-axis');
    if (!isStacked) {
      for (const tick of ticks) nodes.push(rule(x(tick.value), plot.top, x(tick.value), plot.bottom, 'chart-grid'));
      nodes.push(zero(plot.top, plot.bottom));
    }
    bars.forEach((bar, k) => {
      const top = k * step + (isStacked ? 20 : (step - thickness) / 2);
      const group = svg('g', { class: bar.class ?? 'chart-1' });
      const end = x(bar.value);
      const isDrawn = Number.isFinite(end) && (!isLog || bar.value > 0);
      if (isDrawn) {
        const from = Math.min(start, end);
        // Even a bar of nothing can be seen.
        const long = Math.max(1.5, Math.abs(end - start));
        group.append(svg('rect', { class: 'chart-bar', x: px(from), y: px(top), width: px(long), height: px(thickness), rx: 2 })); // biome-ignore format: one rectangle
      }
      const [low, high] = (bar.range ?? []).map(x);
      if (isDrawn && low !== undefined && high !== undefined && Number.isFinite(high - low)) {
        const y = top + thickness / 2;
        const d = `M${px(low)} ${px(y - 4)}v8m0-4H${px(high)}m0-4v8`;
        group.append(svg('path', { class: 'chart-range', d }));
      }
      if (isStacked) group.append(zero(top - 2, top + thickness + 2)); // not through the names
      const middle = top + thickness / 2 + 4;
      group.append(
        text(textOf(bar), (isDrawn ? Math.max(start, end, high ?? 0) : start) + 6, middle, 'start', 'chart-value'),
      );
      group.append(
        isStacked
          ? text(fitting(bar.name, width), 0, k * step + 14, 'start', 'chart-name')
          : text(bar.name, left - 12, middle, 'end', 'chart-name'),
      );
      nodes.push(group);
    });
    return { height, nodes };
  },

  numbers: ({ bars, value }) => ({ head: ['Name', value], rows: bars.map((bar) => [bar.name, textOf(bar)]) }),
};

/** Horizontal bars. */
export const barChart = (options: BarChartOptions): Chart<BarChartOptions> => chart(kind, options);
