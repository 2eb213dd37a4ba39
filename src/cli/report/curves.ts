// ROC curves and reliability: the points to draw, few even of a million rows. Counts are exact.

export interface Roc {
  /** From (0, 0) to (1, 1): share of the others, share of the class, with a score at or above a threshold. */
  readonly points: readonly (readonly [others: number, own: number])[];
  /** The area below all points, not only those kept. */
  readonly area: number;
}

/** The distance of points that are drawn: a third of a px. */
const APART = 1 / 900;

/**
 * The curve of the scores of a class (`own`) and of all other rows; NaN if one of them is empty. Equal scores are one step. Each
 * side is sorted as a typed array and both are merged: a million rows take about 0.2 s.
 */
export function rocOf(own: Float64Array, others: Float64Array): Roc {
  const [a, b] = [own.slice().sort(), others.slice().sort()];
  const points: [number, number][] = [[0, 0]];
  let [i, j, twice] = [a.length, b.length, 0];
  let [keptX, keptY] = [0, 0];
  while (i > 0 || j > 0) {
    const threshold = Math.max(i > 0 ? (a[i - 1] as number) : -Infinity, j > 0 ? (b[j - 1] as number) : -Infinity);
    const [before, beforeOthers] = [a.length - i, b.length - j];
    while (i > 0 && !((a[i - 1] as number) < threshold)) i--;
    while (j > 0 && !((b[j - 1] as number) < threshold)) j--;
    twice += (b.length - j - beforeOthers) * (a.length - i + before);
    const [x, y] = [(b.length - j) / b.length, (a.length - i) / a.length];
    if (Math.abs(x - keptX) + Math.abs(y - keptY) < APART && i + j > 0) continue;
    points.push([x, y]);
    [keptX, keptY] = [x, y];
  }
  return { points: withoutMiddles(points), area: twice / 2 / a.length / b.length };
}

/** Points within a straight step up or across say nothing. */
function withoutMiddles(points: readonly (readonly [number, number])[]): [number, number][] {
  const isMiddle = (k: number, axis: 0 | 1): boolean =>
    points[k - 1]?.[axis] === points[k]?.[axis] && points[k]?.[axis] === points[k + 1]?.[axis];
  return points.filter((_, k) => !isMiddle(k, 0) && !isMiddle(k, 1)).map(([x, y]) => [x, y]);
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** The mean probability, and how many came true. */
  readonly mean: number;
  readonly hits: number;
}

export const BINS = 10;

/** Probabilities in ten equal intervals, and how often they came true; empty intervals are left out. */
export function reliabilityOf(probabilities: ArrayLike<number>, isTrue: (row: number) => boolean): Bin[] {
  const [rows, sums, hits] = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)];
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i] as number;
    if (!(p >= 0 && p <= 1)) continue;
    const k = Math.min(BINS - 1, Math.floor(p * BINS));
    rows[k] = (rows[k] as number) + 1;
    sums[k] = (sums[k] as number) + p;
    if (isTrue(i)) hits[k] = (hits[k] as number) + 1;
  }
  return Array.from(rows, (n, k) => ({
    from: k / BINS,
    to: (k + 1) / BINS,
    rows: n,
    mean: (sums[k] as number) / n,
    hits: hits[k] as number,
  })).filter((bin) => bin.rows > 0);
}

/** Wilson's interval of a share, at 95 %. */
export function intervalOf({ hits, rows }: Pick<Bin, 'hits' | 'rows'>): readonly [low: number, high: number] {
  const z = 1.96;
  const share = hits / rows;
  const middle = share + (z * z) / (2 * rows);
  const half = z * Math.sqrt((share * (1 - share)) / rows + (z * z) / (4 * rows * rows));
  const whole = 1 + (z * z) / rows;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)];
}
