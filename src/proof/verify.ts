// verifyProof: replays a proof that a plane separates two classes, or that none does. Exact, and imports nothing but types.

import type { Label, Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';

/** Plain data, for `verifyProof`. Rows with the label `positive` are +1, all others −1; the constant feature, if any, is 1. */
export type SeparabilityProof<L extends Label = Label> =
  | {
      /** y·(w·x + b) > 0 for every row. */
      separable: 'yes';
      positive: L;
      /** Whether planes have a bias. Separability does not depend on `interceptScaling`. */
      intercept: boolean;
      weights: number[];
      /** 0 without an intercept. */
      bias: number;
    }
  | {
      /** Σ λ_i y_i x_i = 0, and with an intercept Σ λ_i y_i = 0: so no plane has y·(w·x + b) > 0 for every row. */
      separable: 'no';
      positive: L;
      intercept: boolean;
      /** Row numbers. */
      samples: number[];
      /** λ_i of each of these rows: integers ≥ 0 in decimal digits, not all zero. */
      multipliers: string[];
    };

const bits = new DataView(new ArrayBuffer(8));

/** x · 2¹⁰⁷⁴: an integer for every double. @throws RangeError if x is not a finite number */
export function exact(x: number): bigint {
  if (!Number.isFinite(x)) throw new RangeError(`a proof is about finite numbers, got ${String(x)}`);
  bits.setFloat64(0, Math.abs(x));
  const exponent = BigInt(bits.getUint16(0) >> 4);
  const fraction = bits.getBigUint64(0) & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return x < 0 ? -size : size;
}

/** Whether sign·(w·x + b) > 0, exactly: in doubles where their rounding cannot change the sign, else in integers. */
export function isRight(values: ArrayLike<number>, weights: ArrayLike<number>, bias: number, sign: number): boolean {
  let [score, size] = [bias, Math.abs(bias)];
  for (let k = 0; k < values.length; k++) {
    const product = (values[k] as number) * (weights[k] as number);
    score += product;
    size += Math.abs(product);
  }
  const error = (values.length + 2) * (Number.EPSILON * size + Number.MIN_VALUE);
  if (Math.abs(score) > error && size < Infinity) return score * sign > 0;
  let sum = exact(bias) << 1074n;
  for (let k = 0; k < values.length; k++) sum += exact(values[k] as number) * exact(weights[k] as number);
  return sign > 0 ? sum > 0n : sum < 0n;
}

/** Row i of X in any form: its values, and their columns if they are not all. */
function rowOf(X: Rows, i: number): { indices?: ArrayLike<number>; values: ArrayLike<number> } {
  if ('data' in X) return { values: X.data.subarray(i * X.cols, (i + 1) * X.cols) };
  if ('row' in X) return X.row(i);
  if (!('indptr' in X)) {
    if (typeof X[i] !== 'object') throw new TypeError(`X row ${i} must be an array of numbers`);
    return { values: X[i] };
  }
  const part = (list: ArrayLike<number>) => Array.prototype.slice.call(list, X.indptr[i], X.indptr[i + 1]);
  return { indices: part(X.indices), values: part(X.values) };
}

/** A copy of a list, or nothing if it is none: proofs may come from anywhere. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from(value) : []);

/** The most digits of λ. */
const MOST_DIGITS = 100_000;
const isDigits = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= MOST_DIGITS && /^\d+$/.test(text);

/**
 * Whether a proof of `diagnose(X, y, { prove: true })` holds for X and y, in exact arithmetic. A proof from elsewhere is safe to
 * check: one that is not in order is false. @throws TypeError or RangeError if X and y are not rows and their labels
 */
export function verifyProof(X: Rows, y: Labels, proof: unknown): boolean {
  if (typeof X !== 'object' || X === null) throw new TypeError('verifyProof needs X, the rows of the proof');
  if (typeof y?.length !== 'number') throw new TypeError('verifyProof needs y, a label for each row of X');
  const rows = 'rows' in X ? X.rows : 'indptr' in X ? X.indptr.length - 1 : X.length;
  if (y.length !== rows) throw new RangeError(`y has ${y.length} labels, X has ${rows} rows`);
  const { separable, positive, intercept, ...rest } = Object(proof) as Record<string, unknown>;
  const signOf = (i: number) => (y[i] === positive ? 1 : -1);
  if (typeof intercept !== 'boolean' || !Array.from(y).includes(positive as Label)) return false;
  if (separable === 'yes') {
    const [bias, weights] = [rest.bias as number, listOf(rest.weights) as number[]];
    if (![bias, ...weights].every(Number.isFinite) || (bias !== 0 && !intercept)) return false;
    for (let i = 0; i < rows; i++) {
      const { indices, values } = rowOf(X, i);
      const own = indices ? Array.from(indices, (k) => weights[k]) : weights;
      if (own.length !== values.length || own.includes(undefined)) return false;
      if (!isRight(values, own as number[], bias, signOf(i))) return false;
    }
    return true;
  }
  const [samples, multipliers] = [listOf(rest.samples) as number[], listOf(rest.multipliers)];
  if (separable !== 'no' || samples.length !== multipliers.length || samples.length > rows) return false;
  if (!samples.every((i) => Number.isInteger(i) && i >= 0 && i < rows) || !multipliers.every(isDigits)) return false;
  const lambdas = multipliers.map(BigInt);
  if (new Set(samples).size < samples.length || lambdas.every((lambda) => lambda === 0n)) return false;
  const sums = new Map<number, bigint>();
  samples.forEach((i, s) => {
    const { indices, values } = rowOf(X, i);
    const add = (k: number, x: number) =>
      sums.set(k, (sums.get(k) ?? 0n) + (lambdas[s] as bigint) * exact(signOf(i) * x));
    for (let k = 0; k < values.length; k++) add(indices ? (indices[k] as number) : k, values[k] as number);
    if (intercept) add(-1, 1);
  });
  return [...sums.values()].every((sum) => sum === 0n);
}
