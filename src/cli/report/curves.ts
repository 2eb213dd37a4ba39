// ROC curves and reliability as they are drawn: the points of src/select, but few even of a million rows, and without rows that have
// no score.

import { curvePoints, levelsOf, type ReliabilityBin, reliabilityOf, rocAucOf } from '../../select/curves.js';

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
  const weights = Float64Array.from(own, (kind, row) => (kind < 0 || Number.isNaN(scores[row]) ? 0 : 1));
  const levels = levelsOf(scores, (row) => own[row] === 1, weights);
  const area = rocAucOf(levels);
  if (area === undefined) return undefined;
  const all = curvePoints(levels).map((point) => [point.falsePositiveRate, point.truePositiveRate] as const);
  let kept: readonly [number, number] = [0, 0];
  const apart = all.filter((point, k) => {
    const isDrawn = k === 0 || k === all.length - 1 || point[0] - kept[0] + point[1] - kept[1] >= APART;
    if (isDrawn) kept = point;
    return isDrawn;
  });
  return { points: withoutMiddles(apart), area };
}

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
