// How often values fall into equal intervals, for one group or several over each other: told apart by colour and outline.

import { nice, ticks } from 'd3-array';
import { line } from 'd3-shape';
import { svg } from '../dom.js';
import { counted, number } from '../numbers.js';
import { fitting, linear, px, rangeOf, roomFor, rule, text, ticksAcross, ticksOf, xAxis, yAxis } from './axes.js';
import { type Chart, chart, type Kind } from './figure.js';

export interface ValueGroup {
  readonly name: string;
  readonly values: ArrayLike<number>;
  /** A colour: plus, minus, accent, good, bad or faint; default by its place in the list. */
  readonly class?: string;
}

export interface HistogramOptions {
  readonly label: string;
  /** The title of the axis. */
  readonly x: string;
  readonly groups: readonly ValueGroup[];
  /** About how many intervals; default 30. Their borders are round numbers. */
  readonly bins?: number;
  /** A vertical line at this x. */
  readonly mark?: number;
  /** In px; default 220. */
  readonly height?: number;
}

interface Counts {
  /** Borders of the intervals: one more than there are intervals. */
  readonly edges: readonly number[];
  /** For each group, how many fall into each interval; the last interval has its upper border too. */
  readonly counts: readonly Uint32Array[];
  /** Neither here nor there: NaN and infinite. */
  readonly others: number;
}

/** A million values are counted in some milliseconds; charts are drawn again at every width, so they are counted once. */
const known = new WeakMap<HistogramOptions, Counts>();

function* valuesOf(groups: readonly ValueGroup[]): Generator<number> {
  for (const { values } of groups) for (let i = 0; i < values.length; i++) yield values[i] as number;
}

function countsOf(options: HistogramOptions): Counts {
  const before = known.get(options);
  if (before) return before;
  const { groups, bins = 30, mark } = options;
  let [low, high] = rangeOf(valuesOf(groups));
  if (mark !== undefined && Number.isFinite(mark)) [low, high] = [Math.min(low, mark), Math.max(high, mark)];
  const [from, to] = nice(low, high, bins);
  const edges = ticks(from, to, bins);
  const intervals = Math.max(1, edges.length - 1);
  let others = 0;
  const counts = groups.map(({ values }) => {
    const found = new Uint32Array(intervals);
    for (let i = 0; i < values.length; i++) {
      const place = ((values[i] as number) / (to - from) - from / (to - from)) * intervals;
      if (place >= 0 && place <= intervals) {
        const k = Math.min(intervals - 1, Math.floor(place));
        found[k] = (found[k] as number) + 1;
      } else others++;
    }
    return found;
  });
  const made = { edges: edges.length > 1 ? edges : [low, high], counts, others };
  known.set(options, made);
  return made;
}

const classOf = (group: ValueGroup, k: number): string =>
  `chart-area ${group.class ?? `chart-${(k % 4) + 1}`}${k % 2 === 1 ? ' chart-dashed' : ''}`;

const kind: Kind<HistogramOptions> = {
  describe(options) {
    const { others } = countsOf(options);
    const groups = options.groups.map((group) => {
      const [low, high] = rangeOf(valuesOf([group]));
      return group.values.length === 0
        ? `${group.name}: none.`
        : `${group.name}: ${counted(group.values.length, 'value')} from ${number(low)} to ${number(high)}.`;
    });
    return [...groups, ...(others > 0 ? [`${counted(others, 'value')} not finite.`] : [])].join(' ');
  },

  legend: ({ groups }) =>
    groups.length < 2
      ? []
      : groups.map((group, k) => ({
          name: group.name,
          class: classOf(group, k),
          swatch: () => [svg('rect', { x: 1, y: 1, width: 18, height: 10 })],
        })),

  draw(options, width) {
    const { groups, height = 220, mark } = options;
    const { edges, counts } = countsOf(options);
    const most = counts.reduce((high, found) => found.reduce((a, b) => Math.max(a, b), high), 1);
    const lines = Math.max(2, Math.floor((height - 80) / 34));
    const range = nice(0, most, lines);
    const found = ticksOf(range, lines, true);
    const plot = { left: roomFor(found), right: width - 8, top: 26, bottom: height - 42 };
    const span = [edges[0] as number, edges.at(-1) as number] as const;
    const x = linear(span, [plot.left, plot.right]);
    const y = linear(range, [plot.bottom, plot.top]);
    // Steps, from the axis up and back to it.
    const steps = counts.map((group): [number, number][] => [
      [span[0], 0],
      ...[...group].flatMap((count, k): [number, number][] => [
        [edges[k] as number, count],
        [edges[k + 1] as number, count],
      ]),
      [span[1], 0],
    ]);
    const shape = line<[number, number]>(
      ([at]) => px(x(at)),
      ([, count]) => px(y(count)),
    );
    return {
      height,
      nodes: [
        ...yAxis(plot, y, found, 'left'),
        text(fitting('how many', width), 0, 12, 'start', 'chart-axis-title'),
        ...steps.map((points, k) =>
          svg('path', { class: classOf(groups[k] as ValueGroup, k), d: shape(points) ?? '' }),
        ),
        ...xAxis(plot, x, ticksAcross(span, plot.right - plot.left), options.x, width),
        ...(mark === undefined || !Number.isFinite(mark)
          ? []
          : [rule(x(mark), plot.top, x(mark), plot.bottom, 'chart-mark')]),
      ],
    };
  },

  numbers(options) {
    const { edges, counts, others } = countsOf(options);
    const rows: (string | number)[][] = Array.from(counts[0] ?? [], (_, k) => [
      `${number(edges[k] as number)} to ${number(edges[k + 1] as number)}`,
      ...counts.map((group) => group[k] as number),
    ]);
    if (others > 0) rows.push(['not finite', others]);
    return { head: [options.x, ...options.groups.map(({ name }) => name)], rows };
  },
};

/** How values are spread. */
export const histogram = (options: HistogramOptions): Chart<HistogramOptions> => chart(kind, options);
