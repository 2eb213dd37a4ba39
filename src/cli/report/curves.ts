// ROC curves and reliability as they are drawn: the points of src/select, but few even of a million rows, and without rows that have
// no score.

import { type Levels, levelsOf, type ReliabilityBin, reliabilityOf, rocAucOf } from '../../select/curves.js';

export interface Roc {
  /** From (0, 0) to (1, 1): share of the others, share of the class, with a score at or above a threshold. */
  readonly points: readonly (readonly [others: number, own: number])[];
  /** The area below all points, not only those kept. */
  readonly area: number;
}

/** The distance of points that are drawn: a third of a px. */
const APART = 1 / 900;

/**
 * The curve of a class against the rest; undefined if one of them has no rows. `own` tells by row: 1 the class, 0 another one, −1
 * not to be counted.
 */
export function rocOf(scores: Float64Array, own: Int8Array): Roc | undefined {
  const weights = scores.map((score, row) => ((own[row] as number) < 0 || Number.isNaN(score) ? 0 : 1));
  const levels = levelsOf(scores, (row) => own[row] === 1, weights);
  const area = rocAucOf(levels);
  if (area === undefined) return undefined;
  return { points: withoutMiddles(pointsOf(levels)), area };
}

/** The points that are apart, with the first and the last: `curvePoints` of a million scores makes an object of each (measured: 0.2 s). */
function pointsOf({ positive, negative }: Levels): Roc['points'] {
  const [allOwn, allOthers] = [sum(positive), sum(negative)];
  const points: [number, number][] = [[0, 0]];
  let [own, others, keptX, keptY] = [0, 0, 0, 0];
  for (let k = 0; k < positive.length; k++) {
    own += positive[k] as number;
    others += negative[k] as number;
    const [x, y] = [others / allOthers, own / allOwn];
    if (x - keptX + y - keptY < APART && k < positive.length - 1) continue;
    points.push([x, y]);
    [keptX, keptY] = [x, y];
  }
  return points;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Points within a straight step up or across say nothing. */
function withoutMiddles(points: Roc['points']): Roc['points'] {
  const isMiddle = (k: number, axis: 0 | 1): boolean =>
    points[k - 1]?.[axis] === points[k]?.[axis] && points[k]?.[axis] === points[k + 1]?.[axis];
  return points.filter((_, k) => !isMiddle(k, 0) && !isMiddle(k, 1));
}

/** Ten intervals of probabilities and how often they came true; empty intervals and what is no probability are left out. */
export function binsOf(probabilities: Float64Array, isTrue: (row: number) => boolean): ReliabilityBin[] {
  const weights = probabilities.map((p) => (p >= 0 && p <= 1 ? 1 : 0));
  const known = probabilities.map((p, row) => (weights[row] === 1 ? p : 0));
  return reliabilityOf(known, isTrue, weights).filter(({ rows }) => rows > 0);
}

/** Wilson's interval of a share, at 95 %. */
export function intervalOf({ sharePositive: share, rows }: Pick<ReliabilityBin, 'sharePositive' | 'rows'>) {
  const z = 1.96;
  const middle = share + (z * z) / (2 * rows);
  const half = z * Math.sqrt((share * (1 - share)) / rows + (z * z) / (4 * rows * rows));
  const whole = 1 + (z * z) / rows;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)] as const;
}
