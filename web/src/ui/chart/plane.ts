// Two columns: rows as points of a shape and a colour for each class, and behind them whose answer each place gets. Where the best
// two scores are equal is the border, found on a grid by marching squares.

import { svg } from '../dom.js';
import { number } from '../numbers.js';
import {
  fitting,
  linear,
  MARKERS,
  px,
  roomFor,
  rule,
  type Scale,
  text,
  ticksAcross,
  ticksOf,
  xAxis,
  yAxis,
} from './axes.js';
import { type Chart, chart, type Kind } from './figure.js';

interface PlaneAxis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

export interface PlaneOptions {
  readonly label: string;
  readonly x: PlaneAxis;
  readonly y: PlaneAxis;
  readonly classes: readonly string[];
  /** Corners in a row; rows come from the bottom, with one score a corner (that of the second of two classes), or one for each class. */
  readonly size: number;
  readonly scores: ArrayLike<number>;
  /** x, y, x, y … */
  readonly points: ArrayLike<number>;
  /** Of each point its class, by number. */
  readonly of: ArrayLike<number>;
}

type Place = readonly [x: number, y: number];

const AXIS_PX = 42;
const TOP_PX = 6;
const TWO = ['minus', 'plus'];
const MORE = ['accent', 'minus', 'plus', 'good', 'bad', 'faint'];
/** Told apart without colours too. */
const markerOf = (k: number): string => MARKERS[k % MARKERS.length] as string;
const colourOf = (classes: readonly string[], k: number): string => (classes.length === 2 ? TWO : MORE)[k] ?? 'faint';

/** By how much a class leads over the best other one, at every corner. */
function leadsOf({ scores, classes, size }: PlaneOptions, k: number): Float64Array {
  const cols = classes.length === 2 ? 1 : classes.length;
  return Float64Array.from({ length: size * size }, (_, i) => {
    if (cols === 1) return (k === 1 ? 1 : -1) * (scores[i] as number);
    let other = -Infinity;
    for (let j = 0; j < cols; j++) if (j !== k) other = Math.max(other, scores[i * cols + j] as number);
    return (scores[i * cols + k] as number) - other;
  });
}

/** Where a class leads, as areas of cells, and the line around them. */
function regionOf(leads: Float64Array, size: number, at: (column: number, row: number) => Place) {
  const areas: string[] = [];
  const border: string[] = [];
  const leadAt = ([column, row]: Place): number => leads[row * size + column] as number;
  const written = (places: readonly Place[]): string =>
    `M${places.map(([column, row]) => at(column, row).map(px).join(' ')).join('L')}`;
  for (let row = 0; row + 1 < size; row++) {
    let start: number | undefined;
    const endRun = (column: number): void => {
      if (start !== undefined) areas.push(`${written([[start, row], [column, row], [column, row + 1], [start, row + 1]])}z`); // biome-ignore format: around
      start = undefined;
    };
    for (let column = 0; column + 1 < size; column++) {
      const corners: Place[] = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]]; // biome-ignore format: around
      const inside = corners.filter((corner) => leadAt(corner) > 0).length;
      if (inside === 4) {
        start ??= column;
        continue;
      }
      endRun(column);
      if (inside === 0) continue;
      const around: Place[] = [];
      const crossings: Place[] = [];
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % 4] as Place;
        const [a, b] = [leadAt(from), leadAt(to)];
        if (a > 0) around.push(from);
        if (a > 0 === b > 0) return;
        const share = a / (a - b);
        const crossing: Place = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
        around.push(crossing);
        crossings.push(crossing);
      });
      areas.push(`${written(around)}z`);
      for (let i = 0; i + 1 < crossings.length; i += 2) border.push(written(crossings.slice(i, i + 2)));
    }
    endRun(size - 1);
  }
  return { area: areas.join(''), border: border.join('') };
}

/** The points of a class as one path: thousands of elements are slow. */
function pointsOf({ points, of }: PlaneOptions, k: number, x: Scale, y: Scale): string {
  const shape = markerOf(k);
  let path = '';
  for (let i = 0; i < of.length; i++) {
    if (of[i] === k) path += `M${px(x(points[2 * i] as number))} ${px(y(points[2 * i + 1] as number))}${shape}z`;
  }
  return path;
}

const kind: Kind<PlaneOptions> = {
  describe: ({ x, y, classes, of }) =>
    `${of.length} rows by ${x.name} and ${y.name}; behind them the answer at every place: ${classes.join(', ')}.`,
  legend: ({ classes }) =>
    classes.map((name, k) => ({
      name,
      class: colourOf(classes, k),
      swatch: () => [svg('path', { class: 'chart-marker', d: `M10 6${markerOf(k)}` })],
    })),

  draw(options, width) {
    const { x: across, y: up, classes, size } = options;
    const height = Math.round(Math.min(460, Math.max(260, width * 0.62)));
    const upTicks = ticksOf([up.low, up.high], 6);
    const plot = { left: roomFor(upTicks), right: width - 4, top: TOP_PX + 16, bottom: height - AXIS_PX };
    const x = linear([across.low, across.high], [plot.left, plot.right]);
    const y = linear([up.low, up.high], [plot.bottom, plot.top]);
    const at = (column: number, row: number): Place => [
      plot.left + ((plot.right - plot.left) * column) / (size - 1),
      plot.bottom + ((plot.top - plot.bottom) * row) / (size - 1),
    ];
    const regions = classes.map((_, k) => regionOf(leadsOf(options, k), size, at));
    const grouped = (k: number, ...nodes: SVGElement[]) => svg('g', { class: colourOf(classes, k) }, ...nodes);
    return {
      height,
      nodes: [
        ...regions.map(({ area }, k) => grouped(k, svg('path', { class: 'chart-region', d: area }))),
        svg('path', { class: 'chart-border', d: regions.map(({ border }) => border).join('') }),
        ...xAxis(plot, x, ticksAcross([across.low, across.high], plot.right - plot.left), across.name, width),
        ...yAxis(plot, y, upTicks, 'left').filter((node) => node.tagName === 'text'),
        rule(plot.left, plot.top, plot.left, plot.bottom, 'chart-axis'),
        text(fitting(up.name, width), 0, TOP_PX + 4, 'start', 'chart-axis-title'),
        ...classes.map((_, k) => grouped(k, svg('path', { class: 'chart-point', d: pointsOf(options, k, x, y) }))),
      ],
    };
  },

  numbers: ({ x, y, classes, points, of }) => ({
    head: [x.name, y.name, 'class'],
    rows: Array.from(of, (k, i) => [
      number(points[2 * i] as number),
      number(points[2 * i + 1] as number),
      classes[k] as string,
    ]),
  }),
};

/** Points and the border between them. */
export const planeChart = (options: PlaneOptions): Chart<PlaneOptions> => chart(kind, options);
