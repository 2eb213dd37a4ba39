// Time against epochs, primal and dual, one panel for each number of rows.

import * as Plot from '@observablehq/plot';
import type { Cell } from '../../harness/results.js';
import { type Group, groupBy, groupsOf, isWithin, lead } from '../derive.js';
import { type Html, table } from '../html.js';
import { count, duration, plain, times } from '../words.js';
import type { Figure } from './figure.js';
import { apart, domainOf, draw, log, POINTS, pixel, valueAt, xAxis, yAxis } from './plot.js';

const WIDTH = 330;
const HEIGHT = 300;
const MARGIN = { marginLeft: 50, marginRight: 70, marginTop: 48, marginBottom: 44 };
const FORMS = [
  { form: 'primal', colour: 'var(--primal)' },
  { form: 'dual', colour: 'var(--dual)' },
] as const;
/** More shapes than this make a panel a thicket. */
const SHAPES = 3;

export function epochsFigure(cells: readonly Cell[]): Figure {
  const byRows = groupBy(groupsOf(cells), ({ rows }) => rows);
  const shown = [...byRows.values()].map(some);
  return {
    id: 'epochs',
    title: 'Each epoch is cheap for the dual, once it has paid for its Gram matrix',
    aid: 'Time of a whole fit against epochs, both logarithmic. The primal pays for every epoch alike; the dual pays first and little afterwards. A ring marks where they cross, by a straight line through the times of each.',
    legend: [
      { mark: 'line', colour: 'var(--primal)', text: 'primal' },
      { mark: 'line', colour: 'var(--dual)', text: 'dual, Gram matrix included' },
      { mark: 'ring', colour: 'var(--text)', text: 'they take the same time' },
    ],
    panels: shown.map((groups) => panel(groups)),
    table: numbers(shown.flat()),
  };
}

/** The narrowest, the widest and one between. */
const some = (groups: readonly Group[]): Group[] =>
  groups.length <= SHAPES
    ? [...groups]
    : Array.from({ length: SHAPES }, (_, i) => groups[Math.round((i * (groups.length - 1)) / (SHAPES - 1))] as Group);

function panel(groups: readonly Group[]): Html {
  const rows = (groups[0] as Group).rows;
  const cells = groups.flatMap((group) => group.cells);
  const x = domainOf(cells.map(({ epochs }) => epochs));
  const y = domainOf(
    cells.flatMap(({ primal, dual }) => [primal.ms, dual.ms]),
    1.5,
  );
  const crossings = groups.flatMap(({ crossing }) => (isWithin(crossing) ? [crossing] : []));
  return draw(`N = ${count(rows)} rows: time of a fit against epochs, primal and dual`, {
    width: WIDTH,
    height: HEIGHT,
    ...MARGIN,
    x: log(x),
    y: log(y),
    marks: [
      xAxis({ domain: x, ticks: 5, format: count }, 'epochs →'),
      yAxis({ domain: y, ticks: 5, format: duration }, '↑ time of a whole fit', MARGIN.marginLeft),
      Plot.text([`N = ${count(rows)}`], {
        frameAnchor: 'top-left',
        dx: -MARGIN.marginLeft + 2,
        dy: -40,
        fill: 'var(--text)',
        fontWeight: 600,
        fontSize: 13,
      }),
      FORMS.map(({ form, colour }) => [
        Plot.line(cells, {
          x: 'epochs',
          y: (cell: Cell) => cell[form].ms,
          z: 'cols',
          stroke: colour,
          strokeWidth: 1.75,
        }),
        Plot.dot(cells, {
          x: 'epochs',
          y: (cell: Cell) => cell[form].ms,
          r: 2.2,
          fill: colour,
          title: (cell: Cell) =>
            `${form}, ${count(cell.rows)} × ${count(cell.cols)}, ${count(cell.epochs)} epochs: ${duration(cell[form].ms)}`,
          className: POINTS,
        }),
      ]),
      Plot.dot(crossings, {
        x: 'epochs',
        y: 'ms',
        r: 5.5,
        fill: 'var(--surface)',
        stroke: 'var(--text)',
        strokeWidth: 1.75,
      }),
      labels(groups, x, y),
    ],
  });
}

/** 'd = 1000' beside the ends of the lines. */
function labels(groups: readonly Group[], x: readonly [number, number], y: readonly [number, number]) {
  const ends = groups.flatMap(({ cells, cols }) =>
    FORMS.map(({ form, colour }) => ({ cols, colour, ms: (cells.at(-1) as Cell)[form].ms })),
  );
  const [bottom, top] = [HEIGHT - MARGIN.marginBottom, MARGIN.marginTop];
  const wanted = ends.map(({ ms }) => pixel(ms, y, bottom, top));
  const placed = apart(wanted, 13, top, bottom).map((at) => valueAt(at, y, bottom, top));
  return Plot.text(ends, {
    x: () => x[1],
    y: (_: unknown, i: number) => placed[i],
    text: ({ cols }: { cols: number }) => `d = ${count(cols)}`,
    fill: 'colour',
    textAnchor: 'start',
    dx: 3,
    fontSize: 10.5,
  });
}

const numbers = (groups: readonly Group[]): Html =>
  table(
    'Time of a whole fit by epochs; all shapes are in the next table',
    [
      { name: 'N', value: ({ rows }) => count(rows), isNumber: true },
      { name: 'd', value: ({ cols }) => count(cols), isNumber: true },
      { name: 'epochs', value: ({ epochs }) => count(epochs), isNumber: true },
      { name: 'primal', value: ({ primal }) => duration(primal.ms), isNumber: true },
      { name: 'dual', value: ({ dual }) => duration(dual.ms), isNumber: true },
      { name: 'primal / dual', value: (cell) => times(lead(cell)), isNumber: true },
      {
        name: 'they cross at',
        value: ({ crossing }) =>
          isWithin(crossing) ? `${plain(crossing.epochs)} epochs` : crossing === 'before' ? 'before' : 'later',
        isNumber: true,
      },
    ],
    groups.flatMap(({ cells, crossing }) => cells.map((cell) => ({ ...cell, crossing }))),
  );
