// The crossover map: who is faster, by epochs and columns in terms of the rows.

import * as Plot from '@observablehq/plot';
import type { Cell, Limits } from '../../harness/results.js';
import { CLAMP, mapColour } from '../colours.js';
import { CONDITION, type CrossoverSummary, groupBy, groupsOf, isRight, isWithin, lead, placeOf } from '../derive.js';
import { type Html, html, table } from '../html.js';
import { count, counted, duration, percent, plain, times, twoDigits } from '../words.js';
import type { Figure } from './figure.js';
import { draw, log, POINTS, xAxis, yAxis } from './plot.js';

const WIDTH = 330;
const HEIGHT = 290;
const MARGIN = { marginLeft: 38, marginRight: 14, marginTop: 48, marginBottom: 44 };
/** Half the width of a tile where there is no other beside it. */
const ALONE = 1.6;

interface Tile {
  cell: Cell;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A stretch of a boundary: in the band of one shape. */
interface Stretch {
  x: number;
  y1: number;
  y2: number;
}

export function mapFigure(cells: readonly Cell[], summary: CrossoverSummary, limits: Limits | undefined): Figure {
  const { right, cells: all, factor, factorOf } = summary;
  return {
    id: 'map',
    title: 'Where the dual wins',
    aid: `Blue: the dual form is faster. Orange: the primal. White: a tie. Tiles are of rows where ${CONDITION}. If the border stands upright, the epochs it takes depend on the rows alone, whatever the columns.`,
    legend: [
      { mark: 'map-line', colour: 'var(--ink)', text: 'measured crossing' },
      { mark: 'map-dashed', colour: 'var(--ink)', text: 'chooseForm’s; ◂ ▸ beyond the edge' },
      { mark: 'map-ring', colour: 'var(--ink)', text: 'a fit that stopped by itself, beside the nearest N' },
    ],
    scale: scaleLegend(),
    panels: mapPanels(cells),
    note: html`<code>chooseForm</code>, told the epochs, takes the faster form in ${percent(right / all)} of ${counted(all, 'measurement')}${
      factor !== undefined &&
      `; its crossing is off by a factor of ${twoDigits(factor)} (median of ${counted(factorOf, 'shape')})`
    }.`,
    table: numbers(cells, limits),
  };
}

/** One panel for each number of rows that has tiles; all have the same axes. Fits are in the panel of the nearest. */
export function mapPanels(cells: readonly Cell[], width = WIDTH): Html[] {
  const tiles = tilesOf(cells.filter(({ data }) => data === 'endless'));
  const fits = cells.filter(({ data }) => data === 'separable');
  const x = rangeOf([
    ...tiles.flatMap(({ x1, x2 }) => [x1, x2]),
    ...fits.flatMap(({ epochs, rows }) => around(epochs / rows)),
  ]);
  const y = rangeOf([
    ...tiles.flatMap(({ y1, y2 }) => [y1, y2]),
    ...fits.flatMap(({ cols, rows }) => around(cols / rows)),
  ]);
  const numbers = [...groupBy(tiles, ({ cell }) => cell.rows).keys()];
  const nearest = ({ rows }: Cell): number => {
    const distance = (other: number): number => Math.abs(Math.log(other / rows));
    return numbers.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  };
  return numbers.map((rows) =>
    panel(rows, {
      width,
      x,
      y,
      tiles: tiles.filter(({ cell }) => cell.rows === rows),
      fits: fits.filter((cell) => nearest(cell) === rows),
    }),
  );
}

/** Room for a ring. */
const around = (x: number): number[] => [x / 1.25, x * 1.25];

const rangeOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];

/** A tile reaches half of the way to its neighbours. */
function tilesOf(cells: readonly Cell[]): Tile[] {
  const bands = groupBy(groupsOf(cells), ({ rows }) => rows);
  return [...bands.values()].flatMap((groups) => {
    const heights = edges(groups.map(({ rows, cols }) => cols / rows));
    return groups.flatMap((group, band) => {
      const widths = edges(group.cells.map(({ epochs, rows }) => epochs / rows));
      return group.cells.map((cell, i): Tile => {
        const [[x1, x2], [y1, y2]] = [widths[i], heights[band]] as [[number, number], [number, number]];
        return { cell, x1, x2, y1, y2 };
      });
    });
  });
}

/** Halfway between neighbours, logarithmically. */
function edges(values: readonly number[]): [number, number][] {
  const between = (i: number): number | undefined =>
    values[i] === undefined || values[i + 1] === undefined
      ? undefined
      : Math.sqrt((values[i] as number) * (values[i + 1] as number));
  return values.map((value, i) => {
    const [left, right] = [between(i - 1), between(i)];
    const [before, after] = [
      left ?? (right ? (value * value) / right : value / ALONE),
      right ?? (left ? (value * value) / left : value * ALONE),
    ];
    return [before, after];
  });
}

interface Panel {
  width: number;
  x: [number, number];
  y: [number, number];
  tiles: Tile[];
  fits: Cell[];
}

const colourOf = (cell: Cell): string => mapColour(Math.log2(lead(cell)));

function panel(rows: number, { width, x, y, tiles, fits }: Panel): Html {
  const bands = groupBy(tiles, ({ cell }) => cell.cols);
  const stretches = (crossing: (cell: Cell) => number | null | undefined): Stretch[][] =>
    runs(
      [...bands.values()].map((band) => {
        const { cell, y1, y2 } = band[0] as Tile;
        const epochs = crossing(cell);
        return epochs === null || epochs === undefined || epochs / rows < x[0] || epochs / rows > x[1]
          ? undefined
          : { x: epochs / rows, y1, y2 };
      }),
    );
  const measured = new Map(groupsOf(tiles.map(({ cell }) => cell)).map(({ cols, crossing }) => [cols, crossing]));
  // Where chooseForm's crossing is beyond the edge, an arrow at the edge says on which side.
  const beyond = [...bands.values()].flatMap((band) => {
    const { cell, y1, y2 } = band[0] as Tile;
    const at = cell.chosen === null ? Infinity : cell.chosen / rows;
    const isLeft = at < x[0];
    return isLeft || at > x[1] ? [{ x: isLeft ? x[0] : x[1], y: Math.sqrt(y1 * y2), isLeft, cell }] : [];
  });
  const found = stretches(({ cols }) => {
    const crossing = measured.get(cols);
    return crossing && isWithin(crossing) ? crossing.epochs : undefined;
  });
  return draw(`N = ${count(rows)} rows: which form is faster, by epochs and columns`, {
    width,
    height: HEIGHT,
    ...MARGIN,
    x: log(x),
    y: log(y),
    marks: [
      Plot.frame({ fill: 'var(--raised)', stroke: 'none' }),
      Plot.rect(tiles, {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        fill: ({ cell }: Tile) => colourOf(cell),
        shapeRendering: 'crispEdges',
        title: ({ cell }: Tile) => describe(cell),
        className: POINTS,
      }),
      // Ties at the edge are as white as the page.
      Plot.frame({ stroke: 'var(--grid)' }),
      found.map((stretch) => boundary(stretch)),
      stretches(({ chosen }) => chosen).map((stretch) => boundary(stretch, '5 4')),
      [true, false].map((isLeft) =>
        Plot.text(
          beyond.filter((arrow) => arrow.isLeft === isLeft),
          {
            x: 'x',
            y: 'y',
            text: () => (isLeft ? '◂' : '▸'),
            textAnchor: isLeft ? 'start' : 'end',
            dx: isLeft ? 1 : -1,
            fontSize: 13,
            fill: 'var(--ink)',
            stroke: 'var(--halo)',
            strokeWidth: 3,
            title: ({ cell }: { cell: Cell }) =>
              `chooseForm’s crossing: ${cell.chosen === null ? 'never' : `${plain(cell.chosen)} epochs`}`,
          },
        ),
      ),
      Plot.dot(fits, {
        x: (cell: Cell) => cell.epochs / cell.rows,
        y: (cell: Cell) => cell.cols / cell.rows,
        r: 5.5,
        fill: colourOf,
        stroke: 'var(--ink)',
        strokeWidth: 1.4,
        title: describe,
        className: POINTS,
      }),
      withoutGrid(xAxis({ domain: x, ticks: 5, format: plain }, 'epochs / N →')),
      withoutGrid(yAxis({ domain: y, ...bandTicks(tiles), format: plain }, '↑ d / N', MARGIN.marginLeft)),
      Plot.text([`N = ${count(rows)}`], {
        frameAnchor: 'top-left',
        dx: -MARGIN.marginLeft + 2,
        dy: -40,
        fill: 'var(--text)',
        fontWeight: 600,
        fontSize: 13,
      }),
    ],
  });
}

/** The shapes themselves, if they are few. */
function bandTicks(tiles: readonly Tile[]): { values?: number[] } {
  const values = [...new Set(tiles.map(({ cell }) => cell.cols / cell.rows))];
  return values.length > 0 && values.length <= 8 ? { values } : {};
}

/** Tiles cover the grid. */
const withoutGrid = <T>(marks: readonly T[]): T[] => marks.slice(1);

/** Bands that follow each other, without those that have nothing. */
function runs(bands: readonly (Stretch | undefined)[]): Stretch[][] {
  const found: Stretch[][] = [[]];
  for (const band of bands) {
    if (band) found.at(-1)?.push(band);
    else found.push([]);
  }
  return found.filter((run) => run.length > 0);
}

/** Upright in each band, with a step to the next; a pale line below it keeps it visible on dark tiles. */
function boundary(stretches: readonly Stretch[], dash?: string) {
  const corners = stretches.flatMap(({ x, y1, y2 }) => [
    { x, y: y1 },
    { x, y: y2 },
  ]);
  const line = (options: Plot.LineOptions) => Plot.line(corners, { x: 'x', y: 'y', strokeLinecap: 'butt', ...options });
  return [
    line({ stroke: 'var(--halo)', strokeWidth: 4, strokeOpacity: 0.75 }),
    line({ stroke: 'var(--ink)', strokeWidth: 1.9, ...(dash && { strokeDasharray: dash }) }),
  ];
}

const describe = (cell: Cell): string =>
  `${count(cell.rows)} × ${count(cell.cols)}, ${count(cell.epochs)} epochs: primal ${duration(cell.primal.ms)}, dual ${duration(cell.dual.ms)}`;

const LEGEND_WIDTH = 330;
const LEGEND_HEIGHT = 62;

/** What the colours mean. */
export function scaleLegend(): Html {
  const step = 0.5;
  const swatches = Array.from({ length: (2 * CLAMP) / step + 1 }, (_, i) => ({ x: -CLAMP + i * step }));
  const labels = [-CLAMP, -CLAMP / 2, 0, CLAMP / 2, CLAMP];
  return draw(
    'Colours: from primal 16 times faster or more, through white for a tie, to dual 16 times faster or more',
    {
      width: LEGEND_WIDTH,
      height: LEGEND_HEIGHT,
      marginLeft: 14,
      marginRight: 26,
      marginTop: 22,
      marginBottom: 22,
      x: { domain: [-CLAMP - step / 2, CLAMP + step / 2] },
      marks: [
        Plot.rectX(swatches, {
          x1: ({ x }: { x: number }) => x - step / 2,
          x2: ({ x }: { x: number }) => x + step / 2,
          fill: ({ x }: { x: number }) => mapColour(x),
        }),
        Plot.frame({ stroke: 'var(--rule)', strokeWidth: 0.75 }),
        Plot.axisX(labels, {
          tickSize: 0,
          tickPadding: 6,
          label: null,
          color: 'var(--muted)',
          tickFormat: (x: number) => (x === 0 ? 'tie' : `${Math.abs(x) === CLAMP ? '≥ ' : ''}${2 ** Math.abs(x)}×`),
        }),
        Plot.text(['← primal faster'], { frameAnchor: 'top-left', dy: -14, fill: 'var(--text)' }),
        Plot.text(['dual faster →'], { frameAnchor: 'top-right', dy: -14, fill: 'var(--text)' }),
      ],
    },
  );
}

const numbers = (cells: readonly Cell[], limits: Limits | undefined): Html =>
  table(
    'Both forms everywhere they were measured',
    [
      { name: 'N', value: ({ rows }) => count(rows), isNumber: true },
      { name: 'd', value: ({ cols }) => count(cols), isNumber: true },
      {
        name: 'rows',
        value: ({ data, margin }) =>
          data === 'endless' ? 'contradictory' : `separable${margin === undefined ? '' : `, margin ${plain(margin)}`}`,
      },
      { name: 'epochs', value: ({ epochs }) => count(epochs), isNumber: true },
      { name: 'mistakes', value: ({ mistakes }) => count(mistakes), isNumber: true },
      { name: 'primal', value: ({ primal }) => duration(primal.ms), isNumber: true },
      { name: 'dual', value: ({ dual }) => duration(dual.ms), isNumber: true },
      { name: 'primal / dual', value: (cell) => times(lead(cell)), isNumber: true },
      { name: 'primal, of its limit', value: ({ primal }) => percent(placeOf(primal, limits)?.share), isNumber: true },
      { name: 'dual, of its limit', value: ({ dual }) => percent(placeOf(dual, limits)?.share), isNumber: true },
      {
        name: 'chooseForm’s crossing',
        value: ({ chosen }) => (chosen === null ? 'never' : plain(chosen)),
        isNumber: true,
      },
      { name: 'chooseForm is', value: (cell) => (isRight(cell) ? 'right' : 'wrong') },
    ],
    cells,
  );
