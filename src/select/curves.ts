// Curves of scores against the truth: ROC, precision and recall, reliability. Rows with equal scores are one point, as in
// scikit-learn; weights count wherever rows are counted.

/** The weight of the positive and of the negative rows at each different score, scores descending. */
export interface Levels {
  readonly scores: Float64Array;
  readonly positive: Float64Array;
  readonly negative: Float64Array;
}

/** Gathers rows by score: sorted numbers and a binary search for each row need no order of rows. Rows of weight 0 do not count. */
export function levelsOf(scores: Float64Array, isPositive: (row: number) => boolean, weights: Float64Array): Levels {
  const ascending = scores.filter((_, i) => (weights[i] as number) > 0).sort();
  let count = 0;
  for (let i = 0; i < ascending.length; i++) {
    // −0 and 0 are one score.
    if (i === 0 || ascending[i] !== ascending[count - 1]) ascending[count++] = (ascending[i] as number) + 0;
  }
  const different = ascending.subarray(0, count);
  const positive = new Float64Array(count);
  const negative = new Float64Array(count);
  for (let i = 0; i < scores.length; i++) {
    const weight = weights[i] as number;
    if (weight === 0) continue;
    const sums = isPositive(i) ? positive : negative;
    const at = count - 1 - lastNotAbove(different, scores[i] as number);
    sums[at] = (sums[at] as number) + weight;
  }
  return { scores: different.slice().reverse(), positive, negative };
}

/** The last index of an ascending list whose value is ≤ x; −1 if there is none. */
function lastNotAbove(ascending: ArrayLike<number>, x: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** The area under the ROC curve by trapezoids: the chance that a positive row scores higher, ties as half. Undefined: one class. */
export function rocAucOf({ positive, negative }: Levels): number | undefined {
  const all = total(positive) * total(negative);
  if (!(all > 0)) return undefined;
  let [area, above] = [0, 0];
  for (let k = 0; k < positive.length; k++) {
    const hits = positive[k] as number;
    area += (negative[k] as number) * (above + hits / 2);
    above += hits;
  }
  return area / all;
}

/** Σ (recall step) × precision; 0 if no row is positive. */
export function averagePrecisionOf({ positive, negative }: Levels): number {
  const all = total(positive);
  let [sum, hits, counted] = [0, 0, 0];
  for (let k = 0; k < positive.length; k++) {
    hits += positive[k] as number;
    counted += (positive[k] as number) + (negative[k] as number);
    sum += (positive[k] as number) * (hits / counted);
  }
  return all > 0 ? sum / all : 0;
}

/** A point of both curves: what happens if scores from `threshold` on count as positive. */
export interface CurvePoint {
  /** Infinity: no row counts as positive. */
  threshold: number;
  /** The share of the negative rows that count as positive. */
  falsePositiveRate: number;
  /** The share of the positive rows that count as positive; also called recall. */
  truePositiveRate: number;
  /** The share of the rows counted as positive that are; 1 for none, as scikit-learn has it. */
  precision: number;
}

/**
 * The points of the ROC curve and of the precision-recall curve, thresholds descending; no more than `most`, evenly chosen, with
 * the first and the last. Empty if all rows are of one class.
 */
export function curvePoints({ scores, positive, negative }: Levels, most = Infinity): CurvePoint[] {
  const [allPositive, allNegative] = [total(positive), total(negative)];
  if (!(allPositive > 0 && allNegative > 0)) return [];
  const points: CurvePoint[] = [{ threshold: Infinity, falsePositiveRate: 0, truePositiveRate: 0, precision: 1 }];
  const count = scores.length;
  const step = Math.max(1, count / Math.max(1, most - 1));
  let [hits, alarms, next] = [0, 0, step];
  for (let k = 0; k < count; k++) {
    hits += positive[k] as number;
    alarms += negative[k] as number;
    if (k + 1 < Math.floor(next) && k < count - 1) continue;
    next += step;
    points.push({
      threshold: scores[k] as number,
      falsePositiveRate: alarms / allNegative,
      truePositiveRate: hits / allPositive,
      precision: hits / (hits + alarms),
    });
  }
  return points;
}

/** Rows whose probability is in one of equally wide bins. */
export interface ReliabilityBin {
  /** The bin is from `from` to below `to`; the last one has 1, too. */
  from: number;
  to: number;
  /** The mean probability; 0 in an empty bin. */
  meanPredicted: number;
  /** The share of the rows that are of the class; 0 in an empty bin. */
  sharePositive: number;
  /** The rows, or the sum of their weights. */
  rows: number;
}

/** How often what is predicted with some probability is true, by bins of the probability. */
export function reliabilityOf(
  probabilities: Float64Array,
  isPositive: (row: number) => boolean,
  weights: Float64Array,
  bins = 10,
): ReliabilityBin[] {
  const [rows, predicted, positive] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i] as number;
    const weight = weights[i] as number;
    const bin = Math.min(bins - 1, Math.floor(p * bins));
    rows[bin] = (rows[bin] as number) + weight;
    predicted[bin] = (predicted[bin] as number) + weight * p;
    if (isPositive(i)) positive[bin] = (positive[bin] as number) + weight;
  }
  return Array.from(rows, (count, k) => ({
    from: k / bins,
    to: (k + 1) / bins,
    meanPredicted: count > 0 ? (predicted[k] as number) / count : 0,
    sharePositive: count > 0 ? (positive[k] as number) / count : 0,
    rows: count,
  }));
}
