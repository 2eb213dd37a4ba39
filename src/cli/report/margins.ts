// Margins by class, counted in equal intervals. The margin of a row is y·s/‖w‖ with two classes, and the score of its own class
// minus the best other score with more: positive if the row is predicted rightly.

import type { Label } from '../../index.js';
import { roundStep } from './axes.js';
import type { ReportScores } from './data.js';

/** The margins of each class, in class order; rows of unknown classes and scores that are not finite are left out. */
export function marginsOf(
  scores: ReportScores,
  labels: ArrayLike<Label>,
  classes: readonly Label[],
  length = 1,
): Float64Array[] {
  const codes = codesOf(labels, classes);
  const found = classes.map((_, k) => new Float64Array(codes.reduce((n, code) => (code === k ? n + 1 : n), 0)));
  const filled = new Uint32Array(classes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code < 0) continue;
    const margin =
      scores instanceof Float64Array
        ? ((code === 1 ? 1 : -1) * (scores[i] as number)) / length
        : ahead(scores, i, code);
    if (!Number.isFinite(margin)) continue;
    (found[code] as Float64Array)[filled[code] as number] = margin;
    filled[code] = (filled[code] as number) + 1;
  }
  return found.map((margins, k) => margins.subarray(0, filled[k]));
}

/** The place of each label among the classes; −1: nowhere. */
export function codesOf(labels: ArrayLike<Label>, classes: readonly Label[]): Int32Array {
  const places = new Map(classes.map((label, k) => [label, k]));
  const codes = new Int32Array(labels.length);
  for (let i = 0; i < codes.length; i++) codes[i] = places.get(labels[i] as Label) ?? -1;
  return codes;
}

/** The score of class `code` minus the best other score. */
function ahead({ data, cols }: Exclude<ReportScores, Float64Array>, row: number, code: number): number {
  let best = -Infinity;
  for (let k = 0; k < cols; k++) if (k !== code) best = Math.max(best, data[row * cols + k] as number);
  return (data[row * cols + code] as number) - best;
}

export interface Counts {
  readonly step: number;
  /** Interval k is from (first + k)·step; 0 is a border. */
  readonly first: number;
  /** By class: how many margins are in each interval. */
  readonly counts: readonly Uint32Array[];
  /** Whether the first and the last interval count all rows that lie beyond the others. */
  readonly isFar: readonly [first: boolean, last: boolean];
  /** How many rows these are. */
  readonly beyond: number;
}

const INTERVALS = 36;
/** The share of rows on each side that a few far rows may be, so that they do not flatten the rest. */
const FAR = 0.01;

export function countsOf(groups: readonly Float64Array[]): Counts {
  const [least, low, high, most] = coreOf(groups);
  const step = roundStep((high - low) / INTERVALS || 1 / INTERVALS);
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  const isFar = [least < from * step, most > to * step] as const;
  const first = isFar[0] ? from - 1 : from;
  const intervals = to - first + (isFar[1] ? 1 : 0);
  let beyond = 0;
  const counts = groups.map((margins) => {
    const found = new Uint32Array(intervals);
    for (const margin of margins) {
      if (margin < from * step || margin > to * step) beyond++;
      const place = Math.min(to - (margin > to * step ? 0 : 1), Math.max(first, Math.floor(margin / step)));
      found[place - first] = (found[place - first] as number) + 1;
    }
    return found;
  });
  return { step, first, counts, isFar, beyond };
}

/** The smallest margin, where all rows but the far ones lie (0 included), and the largest margin. */
function coreOf(groups: readonly Float64Array[]): readonly [number, number, number, number] {
  const all = new Float64Array(groups.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const margins of groups) {
    all.set(margins, at);
    at += margins.length;
  }
  all.sort();
  const skipped = Math.floor(all.length * FAR);
  const [low, high] = [all[skipped] ?? 0, all[all.length - 1 - skipped] ?? 0];
  return [all[0] ?? 0, Math.min(0, low), Math.max(0, high), all.at(-1) ?? 0];
}
