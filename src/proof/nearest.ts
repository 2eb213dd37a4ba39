// The point of a convex hull that is nearest to the origin (Wolfe 1976, "Finding the nearest point in a polytope").
// Of the points y·x̃ it is the plane of the largest margin, or zero if no plane separates them.

export interface Nearest {
  readonly point: Float64Array;
  /** The points whose hull it is in, the one with the largest part in it first: at most one more than columns. */
  readonly support: number[];
}

/** Less than this is nothing: rounding errors of points of length 1. */
const NOTHING = 1e-13;

/** Points of Q (n, m) that are affinely independent, and their parts λ: λ ≥ 0, Σ λ = 1. */
class Corral {
  readonly points: number[] = [];
  parts: number[] = [];
  /** Multiplications so far. */
  work = 0;
  readonly #Q: Float64Array;
  readonly #m: number;
  /** L·Lᵀ = 1 + p·q for all pairs of points. */
  readonly #L: number[][] = [];

  constructor(Q: Float64Array, m: number) {
    this.#Q = Q;
    this.#m = m;
  }

  /** v·q of point i of Q; v starts at `at`. */
  dot(v: Float64Array, at: number, i: number): number {
    const [Q, m] = [this.#Q, this.#m];
    let sum = 0;
    for (let k = 0, j = i * m; k < m; k++, j++) sum += (v[at + k] as number) * (Q[j] as number);
    return sum;
  }

  /** Computes L from row `from` on; returns whether the points are independent beyond rounding. */
  #factor(from: number): boolean {
    const L = this.#L;
    for (let i = from; i < this.points.length; i++) {
      const row: number[] = [];
      for (let j = 0; j <= i; j++) {
        const other = j < i ? (L[j] as number[]) : row;
        let sum = 1 + this.dot(this.#Q, (this.points[i] as number) * this.#m, this.points[j] as number);
        for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number);
        if (i === j && sum < NOTHING) return false;
        row.push(i === j ? Math.sqrt(sum) : sum / (other[j] as number));
      }
      L[i] = row;
      this.work += i * (i + this.#m);
    }
    return true;
  }

  /** Adds a point with no part yet; returns false, and does not add it, if it depends on the others. */
  add(i: number): boolean {
    this.points.push(i);
    this.parts.push(this.points.length === 1 ? 1 : 0);
    if (this.#factor(this.points.length - 1)) return true;
    this.points.pop();
    this.parts.pop();
    return false;
  }

  /** The parts of the point nearest to the origin in the plane through all points; some may be negative. */
  #solve(): number[] {
    const L = this.#L;
    const v: number[] = this.points.map(() => 1);
    for (let i = 0; i < v.length; i++) {
      for (let j = 0; j < i; j++) v[i] = (v[i] as number) - (L[i]?.[j] as number) * (v[j] as number);
      v[i] = (v[i] as number) / (L[i]?.[i] as number);
    }
    for (let i = v.length - 1; i >= 0; i--) {
      for (let j = i + 1; j < v.length; j++) v[i] = (v[i] as number) - (L[j]?.[i] as number) * (v[j] as number);
      v[i] = (v[i] as number) / (L[i]?.[i] as number);
    }
    const total = v.reduce((a, b) => a + b, 0);
    return v.map((part) => part / total);
  }

  /** Moves to the nearest point of the hull of some of the points; drops those that have no part in it. */
  settle(): void {
    for (;;) {
      const next = this.#solve();
      let theta = 1;
      next.forEach((v, s) => {
        const now = this.parts[s] as number;
        if (v < NOTHING && now > v) theta = Math.min(theta, now / (now - v));
      });
      this.parts = this.parts.map((now, s) => now + theta * ((next[s] as number) - now));
      const r = next.some((v) => v < NOTHING) ? this.parts.findIndex((part) => part < NOTHING) : -1;
      if (r < 0) return;
      this.points.splice(r, 1);
      this.parts.splice(r, 1);
      this.#factor(r);
    }
  }

  /** Σ λ p. */
  sum(point: Float64Array): void {
    const m = this.#m;
    point.fill(0);
    this.points.forEach((i, s) => {
      const part = this.parts[s] as number;
      for (let k = 0; k < m; k++) point[k] = (point[k] as number) + part * (this.#Q[i * m + k] as number);
    });
  }
}

/** The nearest point, or how near `effort` multiplications came. Q (n, m) row-major: points of length 1. */
export function nearestPoint(Q: Float64Array, n: number, m: number, effort: number): Nearest {
  const corral = new Corral(Q, m);
  const point = new Float64Array(m);
  corral.add(0);
  for (let steps = 1; steps * n * m + corral.work < effort; steps++) {
    corral.sum(point);
    let [best, least] = [0, Infinity];
    for (let i = 0; i < n; i++) {
      const product = corral.dot(point, 0, i);
      if (product < least) [best, least] = [i, product];
    }
    const squares = point.reduce((sum, v) => sum + v * v, 0);
    if (squares < NOTHING ** 2 || least > squares - NOTHING || corral.points.includes(best) || !corral.add(best)) break;
    corral.settle();
  }
  const order = corral.points
    .map((_, s) => s)
    .sort((a, b) => (corral.parts[b] as number) - (corral.parts[a] as number));
  return { point, support: order.map((s) => corral.points[s] as number) };
}
