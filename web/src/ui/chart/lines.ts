// Lines over x, with a second axis at the right if asked. Told apart by colour, by dash and by marker.

import { nice } from 'd3-array';
import { line } from 'd3-shape';
import { svg } from '../dom.js';
import { number } from '../numbers.js';
import {
  fitting,
  linear,
  MARKERS,
  type Plot,
  px,
  type Range,
  rangeOf,
  roomFor,
  rule,
  type Scale,
  text,
  ticksAcross,
  ticksOf,
  widthOf,
  xAxis,
  yAxis,
} from './axes.js';
import { type Chart, chart, type Kind } from './figure.js';

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A colour: plus, minus, accent, good, bad or faint; default by its place in the list. */
  readonly class?: string;
  readonly isDashed?: boolean;
  /** The last point may still change: hollow, and the way to it dashed. */
  readonly isUnfinished?: boolean;
  readonly axis?: 'left' | 'right';
}

export interface LineChartOptions {
  readonly label: string;
  /** Titles of the axes. */
  readonly x: string;
  readonly y: string;
  readonly right?: string;
  readonly lines: readonly Line[];
  /** A vertical line at this x: now. */
  readonly mark?: number;
  /** In px; default 220. */
  readonly height?: number;
  /** x counts something: no ticks between whole numbers. */
  readonly xIsWhole?: boolean;
  /** The left axis counts something too. */
  readonly yIsWhole?: boolean;
}

/** Markers must stand this far apart, in px; closer points have one at their end only. */
const MARKER_GAP = 14;

const classOf = (one: Line, k: number): string =>
  `${one.class ?? `chart-${(k % 4) + 1}`}${one.isDashed ? ' chart-dashed' : ''}`;

const isPlace = ([x, y]: readonly [number, number]) => Number.isFinite(x) && Number.isFinite(y);

function lastPlace(points: Line['points']): readonly [number, number] | undefined {
  let k = points.length - 1;
  while (k >= 0 && !isPlace(points[k] as readonly [number, number])) k--;
  return points[k];
}

/** All x (0) or y (1) of some lines, and one value more. */
function coordinates(lines: readonly Line[], which: 0 | 1, more?: number): number[] {
  const found = more === undefined ? [] : [more];
  for (const { points } of lines) for (const point of points) found.push(point[which]);
  return found;
}

/** 0 belongs to a vertical axis; its ends are round numbers. */
function heights(lines: readonly Line[], count: number): Range {
  const [low, high] = rangeOf(coordinates(lines, 1, 0));
  return nice(low, high, count);
}

/** Two points a pixel, the lowest and the highest, draw the same picture as thousands do. */
function thinned(points: readonly (readonly [number, number])[], x: Scale, room: number) {
  if (points.length <= 2 * room) return points;
  const kept: (readonly [number, number])[] = [];
  let column = Number.NaN;
  let low: readonly [number, number] | undefined;
  let high: readonly [number, number] | undefined;
  const flush = () => {
    if (low && high) kept.push(...(low === high ? [low] : low[0] <= high[0] ? [low, high] : [high, low]));
    low = high = undefined;
  };
  for (const point of points) {
    if (!isPlace(point)) continue;
    const here = Math.floor(x(point[0]));
    if (here !== column) flush();
    column = here;
    if (!low || point[1] < low[1]) low = point;
    if (!high || point[1] >= high[1]) high = point;
  }
  flush();
  return kept;
}

function drawLine(one: Line, k: number, x: Scale, y: Scale, room: number): SVGElement {
  const points = thinned(one.points, x, room);
  const pathOf = line<readonly [number, number]>(
    (point) => px(x(point[0])),
    (point) => px(y(point[1])),
  ).defined(isPlace);
  const over = one.isUnfinished ? points.slice(0, -1) : points;
  const group = svg('g', { class: classOf(one, k) }, svg('path', { class: 'chart-line', d: pathOf(over) ?? '' }));
  if (one.isDashed) return group;
  const places = over.filter(isPlace);
  const marked = places.length * MARKER_GAP <= room ? places : places.slice(-1);
  const marker = ([px0, py0]: readonly [number, number]) =>
    `M${px(x(px0))} ${px(y(py0))}${MARKERS[k % MARKERS.length]}`;
  const now = points.at(-1);
  if (one.isUnfinished && now && isPlace(now)) {
    group.append(
      svg('path', { class: 'chart-line chart-unfinished', d: pathOf(points.slice(-2)) ?? '' }),
      svg('path', { class: 'chart-marker chart-unfinished', d: marker(now) }),
    );
  }
  if (marked.length > 0) group.append(svg('path', { class: 'chart-marker', d: marked.map(marker).join('') }));
  return group;
}

const kind: Kind<LineChartOptions> = {
  describe: ({ x, lines }) =>
    lines
      .map(({ name, points, isUnfinished }) => {
        const last = lastPlace(points);
        return last
          ? `${name}: ${number(last[1])}${isUnfinished ? ' so far' : ''} at ${x} ${number(last[0])}.`
          : `${name}: nothing yet.`;
      })
      .join(' '),

  legend: ({ lines }) =>
    lines.length < 2
      ? []
      : lines.map((one, k) => ({
          name: one.name,
          class: classOf(one, k),
          swatch: () => [
            rule(0, 6, 20, 6, 'chart-line'),
            ...(one.isDashed ? [] : [svg('path', { class: 'chart-marker', d: `M10 6${MARKERS[k % MARKERS.length]}` })]),
          ],
        })),

  draw(options, width) {
    const { lines, height = 220, mark, xIsWhole = false, yIsWhole = false } = options;
    const count = Math.max(2, Math.floor((height - 80) / 34));
    const leftRange = heights(lines.filter(({ axis }) => axis !== 'right'), count); // biome-ignore format: one idea
    const leftTicks = ticksOf(leftRange, count, yIsWhole);
    const isDouble = lines.some(({ axis }) => axis === 'right');
    const rightRange = heights(lines.filter(({ axis }) => axis === 'right'), count); // biome-ignore format: one idea
    const rightTicks = isDouble ? ticksOf(rightRange, count) : [];
    const right = isDouble ? (options.right ?? '') : '';
    const isCrowded = right !== '' && widthOf(options.y) + widthOf(right) + 24 > width;

    const plot: Plot = {
      left: roomFor(leftTicks),
      right: width - (isDouble ? roomFor(rightTicks) : 8),
      top: isCrowded ? 42 : 26,
      bottom: height - 42,
    };
    const room = Math.max(1, plot.right - plot.left);
    const range = rangeOf(coordinates(lines, 0, mark));
    const x = linear(range, [plot.left, plot.right]);
    const yLeft = linear(leftRange, [plot.bottom, plot.top]);
    const yRight = linear(rightRange, [plot.bottom, plot.top]);
    return {
      height,
      nodes: [
        ...yAxis(plot, yLeft, leftTicks, 'left'),
        ...yAxis(plot, yRight, rightTicks, 'right'),
        ...xAxis(plot, x, ticksAcross(range, room, xIsWhole), options.x, width),
        text(fitting(options.y, width), 0, 12, 'start', 'chart-axis-title'),
        ...(right === '' ? [] : [text(fitting(right, width), width, isCrowded ? 28 : 12, 'end', 'chart-axis-title')]),
        ...(mark === undefined || !Number.isFinite(mark)
          ? []
          : [rule(x(mark), plot.top, x(mark), plot.bottom, 'chart-mark')]),
        ...lines.map((one, k) => drawLine(one, k, x, one.axis === 'right' ? yRight : yLeft, room)),
      ],
    };
  },

  numbers({ x, lines }) {
    const byX = new Map<number, (number | string)[]>();
    lines.forEach(({ points }, k) => {
      for (const [at, y] of points) {
        const row = byX.get(at) ?? lines.map(() => '');
        row[k] = y;
        byX.set(at, row);
      }
    });
    const rows = [...byX].sort(([a], [b]) => a - b).map(([at, values]) => [at, ...values]);
    return { head: [x, ...lines.map(({ name }) => name)], rows };
  },
};

/** Lines over x. */
export const lineChart = (options: LineChartOptions): Chart<LineChartOptions> => chart(kind, options);
