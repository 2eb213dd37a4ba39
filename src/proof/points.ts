// The points y·x̃ of a proof: as they are, in doubles of one size for the search, and in integers.

import { bitsOf, type Columns } from './simplex.js';
import { exact, isRight } from './verify.js';

/** Rows as the prover reads them. */
export interface ProverRows {
  readonly rows: number;
  readonly cols: number;
  visit(i: number, see: (column: number, value: number) => void): void;
}

/** The points y·(x, 1), or y·x without an intercept, of every `step`-th row. */
export class Points {
  readonly #X: ProverRows;
  readonly #signs: Int8Array;
  readonly #intercept: boolean;
  readonly #step: number;
  readonly count: number;
  /** Columns, with the constant feature. */
  readonly size: number;

  constructor(X: ProverRows, signs: Int8Array, intercept: boolean, step: number) {
    this.#X = X;
    this.#signs = signs;
    this.#intercept = intercept;
    this.#step = step;
    this.count = Math.floor((X.rows - 1) / step) + 1;
    this.size = X.cols + (intercept ? 1 : 0);
  }

  /** Calls `see` with each column of point i that is stored, and its value. */
  visit(i: number, see: (column: number, value: number) => void): void {
    const row = i * this.#step;
    const sign = this.#signs[row] as number;
    this.#X.visit(row, (k, value) => see(k, sign * value));
    if (this.#intercept) see(this.#X.cols, sign);
  }

  /** Whether w·p > 0 for every point, exactly. */
  areRightOf(w: ArrayLike<number>): boolean {
    for (let i = 0; i < this.count; i++) {
      const [values, weights]: [number[], number[]] = [[], []];
      this.visit(i, (k, value) => {
        values.push(value);
        weights.push(w[k] as number);
      });
      if (!isRight(values, weights, 0, 1)) return false;
    }
    return true;
  }
}

/** The points in doubles, with columns of mean 0 and of one size where that is possible, and of length 1; and the way back. */
export function normalised(points: Points, intercept: boolean) {
  const { count, size } = points;
  const Q = new Float64Array(count * size);
  for (let i = 0; i < count; i++) points.visit(i, (k, value) => (Q[i * size + k] = value));
  const signOf = (i: number) => (intercept ? (Q[i * size + size - 1] as number) : 1);
  const [means, scales] = [new Float64Array(size), new Float64Array(size).fill(1)];
  for (let k = 0; k < size - (intercept ? 1 : 0); k++) {
    let [mean, most, squares] = [0, 0, 0];
    for (let i = 0; intercept && i < count; i++) mean += ((Q[i * size + k] as number) * signOf(i)) / count;
    for (let i = 0; i < count; i++) {
      const at = i * size + k;
      Q[at] = (Q[at] as number) - signOf(i) * mean;
      most = Math.max(most, Math.abs(Q[at]));
    }
    if (most === 0) continue;
    for (let i = 0; i < count; i++) squares += ((Q[i * size + k] as number) / most) ** 2 / count;
    means[k] = mean;
    scales[k] = 1 / most / Math.sqrt(squares);
    for (let i = 0; i < count; i++) {
      const at = i * size + k;
      Q[at] = (Q[at] as number) / most / Math.sqrt(squares);
    }
  }
  for (let i = 0; i < count; i++) {
    const row = Q.subarray(i * size, (i + 1) * size);
    const length = Math.sqrt(row.reduce((sum, v) => sum + v * v, 0));
    if (length > 0) row.set(row.map((v) => v / length));
  }
  /** w of the points themselves. */
  const back = (w: Float64Array): Float64Array => {
    const own = w.map((v, k) => v * (scales[k] as number));
    if (intercept)
      own[size - 1] = own.reduce((b, v, k) => (k < size - 1 ? b - v * (means[k] as number) : b), w[size - 1] as number);
    return own;
  };
  return { Q, back };
}

/** v_k · 2^−shift_k in doubles, the largest near 1; undefined if their sizes differ too much for that. */
export function inDoubles(row: readonly bigint[], shifts: readonly number[]): Float64Array | undefined {
  const sizes = row.map((v, k) => (v === 0n ? undefined : bitsOf(v) - (shifts[k] as number)));
  const known = sizes.filter((size) => size !== undefined);
  const top = Math.max(...known);
  if (top - Math.min(...known) > 900) return undefined;
  return Float64Array.from(row, (v, k) => {
    const cut = Math.max(0, bitsOf(v) - 64);
    return v === 0n ? 0 : Number(v >> BigInt(cut)) * 2 ** (cut - (shifts[k] as number) - top);
  });
}

/** The points as integers: each column is divided by its largest power of two, which changes no λ. */
export function integerColumns(points: Points): Columns & { readonly shifts: readonly number[] } {
  const { count, size } = points;
  const all = new Array<bigint>(size).fill(0n);
  for (let i = 0; i < count; i++) points.visit(i, (k, value) => (all[k] = (all[k] as bigint) | exact(value)));
  const shifts = all.map((v) => (v === 0n ? 0 : (v & -v).toString(2).length - 1));
  const column = (j: number) => {
    const a = new Array<bigint>(size + 1).fill(0n);
    a[size] = 1n;
    points.visit(j, (k, value) => (a[k] = exact(value) >> BigInt(shifts[k] as number)));
    return a;
  };
  const find = (row: readonly bigint[], sign: number): number => {
    const w = inDoubles(row, [...shifts.map((s) => s - 1074), 0]);
    const doubtful: number[] = [];
    for (let i = 0; i < count; i++) {
      let [sum, total] = [w?.[size] ?? NaN, Math.abs(w?.[size] ?? NaN)];
      points.visit(i, (k, value) => {
        const product = value * (w?.[k] as number);
        sum += product;
        total += Math.abs(product);
      });
      const error = (size + 8) * (4 * Number.EPSILON * total + Number.MIN_VALUE);
      if (sum * sign > error) return i;
      if (!(sum * sign < -error)) doubtful.push(i);
    }
    return (
      doubtful.find((i) => {
        const sum = column(i).reduce((s, v, k) => s + v * (row[k] as bigint), 0n);
        return sign > 0 ? sum > 0n : sum < 0n;
      }) ?? -1
    );
  };
  return { count, size: size + 1, column, find, shifts };
}
