// Where the dual form overtakes the primal, and whether chooseForm knew.

import { type Crossing, crossingAt, factorBetween } from '../../harness/crossing.js';
import { median } from '../../harness/measure.js';
import type { Cell } from '../../harness/results.js';
import { groupBy } from './collect.js';

/** What the crossing depends on beside the shape: a mistake costs the dual form N additions (questions/crossover.ts). */
export const CONDITION = 'about one sample in ten is a mistake';

/** All that was measured of one shape on rows that keep both forms busy, by passes. */
export interface Group {
  rows: number;
  cols: number;
  cells: Cell[];
  /** By chooseForm, in passes; null: never. */
  chosen: number | null;
  crossing: Crossing;
}

export function groupsOf(cells: readonly Cell[]): Group[] {
  const endless = cells.filter(({ data }) => data === 'endless');
  const shapes = groupBy(endless, ({ rows, cols }) => `${rows} ${cols}`);
  const groups = [...shapes.values()].map((members): Group => {
    const sorted = members.sort((a, b) => a.epochs - b.epochs);
    const { rows, cols, chosen } = sorted[0] as Cell;
    return { rows, cols, cells: sorted, chosen, crossing: crossingOf(sorted) };
  });
  return groups.sort((a, b) => a.rows - b.rows || a.cols - b.cols);
}

/** How many times the primal form takes the dual's time; above 1 the dual is faster. */
export const lead = ({ primal, dual }: Cell): number => primal.ms / dual.ms;

/** As the question finds it. */
const crossingOf = (cells: readonly Cell[]): Crossing =>
  crossingAt(cells.map(({ epochs, primal, dual }) => ({ epochs, primalMs: primal.ms, dualMs: dual.ms })));

export const isWithin = (crossing: Crossing): crossing is Exclude<Crossing, string> => typeof crossing === 'object';

export interface CrossoverSummary {
  /** Median of crossing / N; undefined where nothing crossed. */
  perRow?: number;
  /** The smallest and the largest of them. */
  low?: number;
  high?: number;
  /** Shapes measured, and those of them that did not cross within the passes tried. */
  groups: number;
  without: number;
  /** How far chooseForm's crossing is from the measured one: a factor of 1 or more, the median. */
  factor?: number;
  /** Of so many shapes: those that crossed, and chooseForm says that they do. */
  factorOf: number;
  /** Of all measurements: in how many chooseForm's form was the faster one. */
  right: number;
  cells: number;
}

export function summaryOf(cells: readonly Cell[]): CrossoverSummary | undefined {
  const groups = groupsOf(cells);
  if (groups.length === 0) return undefined;
  const crossed = groups.flatMap(({ rows, chosen, crossing }) =>
    isWithin(crossing) ? [{ perRow: crossing.epochs / rows, epochs: crossing.epochs, chosen }] : [],
  );
  const perRow = crossed.map((one) => one.perRow);
  const factors = crossed.flatMap(({ epochs, chosen }) => (chosen === null ? [] : [factorBetween(epochs, chosen)]));
  return {
    ...(perRow.length > 0 && { perRow: median(perRow), low: Math.min(...perRow), high: Math.max(...perRow) }),
    groups: groups.length,
    without: groups.length - crossed.length,
    ...(factors.length > 0 && { factor: median(factors) }),
    factorOf: factors.length,
    right: cells.filter(isRight).length,
    cells: cells.length,
  };
}

/** Whether chooseForm, told the number of passes, takes the form that was faster. */
export const isRight = (cell: Cell): boolean => cell.epochs >= (cell.chosen ?? Infinity) === lead(cell) > 1;
