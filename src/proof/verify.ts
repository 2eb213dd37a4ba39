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

/** The rows of X in any form; `rowOf` gives the values of a row, and their columns if they are not all. */
interface Table {
  readonly rows: number;
  readonly cols: number;
  rowOf(i: number): { indices: ArrayLike<number> | undefined; values: ArrayLike<number> };
}

const partOf = (list: ArrayLike<number>, from: number, to: number): number[] =>
  Array.prototype.slice.call(list, from, to);

/** Whether X or its class has a field; one of Object.prototype does not count. */
const has = <T extends object, K extends string>(X: T, key: K): X is Extract<T, { readonly [key in K]: unknown }> =>
  key in X && Reflect.get(X, key) !== Reflect.get(Object.prototype, key);

function tableOf(X: Rows): Table {
  if (typeof X !== 'object' || X === null) throw new TypeError('verifyProof needs X, the rows of the proof');
  if (Array.isArray(X)) return tableOfList(X); // first: an array has no fields, whatever Object.prototype has
  if (has(X, 'data')) {
    const { data, rows, cols } = X;
    if (data.length < rows * cols) throw new RangeError(`X.data has ${data.length} values, expected ${rows * cols}`);
    return { rows, cols, rowOf: (i) => ({ indices: undefined, values: data.subarray(i * cols, (i + 1) * cols) }) };
  }
  if (has(X, 'row')) return { rows: X.rows, cols: X.cols, rowOf: (i) => X.row(i) };
  if (has(X, 'indptr')) {
    const { indptr, indices, values, cols } = X;
    const rowOf = (i: number) => {
      const [from, to] = [indptr[i] as number, indptr[i + 1] as number];
      if (!(from >= 0 && to >= from && to <= Math.min(indices.length, values.length))) {
        throw new RangeError(`X row ${i} goes from ${from} to ${to}, beyond its indices and values`);
      }
      return { indices: partOf(indices, from, to), values: partOf(values, from, to) };
    };
    return { rows: indptr.length - 1, cols, rowOf };
  }
  return tableOfList(X);
}

function tableOfList(X: ArrayLike<ArrayLike<number>>): Table {
  const cols = X[0]?.length ?? 0;
  const rowOf = (i: number) => {
    if (typeof X[i] !== 'object' || X[i] === null) throw new TypeError(`X row ${i} must be an array of numbers`);
    if (X[i].length === cols) return { indices: undefined, values: X[i] as ArrayLike<number> };
    throw new RangeError(`X row ${i} has ${X[i].length} values, expected ${cols}`);
  };
  return { rows: X.length, cols, rowOf };
}

/** Row i of a table, its values checked. @throws TypeError if a value is not a number */
function checkedRow({ rowOf, cols }: Table, i: number): ReturnType<Table['rowOf']> {
  const row = rowOf(i);
  const isColumn = (k: number) => Number.isInteger(k) && k >= 0 && k < cols;
  if (row.indices && !Array.prototype.every.call(row.indices, isColumn))
    throw new RangeError(`X row ${i}: columns must be integers below ${cols}`);
  if (Array.prototype.every.call(row.values, (x: unknown) => typeof x === 'number')) return row;
  throw new TypeError(`X row ${i} must be an array of numbers`);
}

/** A copy of a list of at most so many entries; of anything else, nothing: proofs may come from anywhere. */
const listOf = (value: unknown, most: number): unknown[] =>
  Array.isArray(value) && value.length <= most ? Array.from({ length: value.length }, (_, k) => value[k]) : [];

/** The fields of a proof, each read once; undefined if they cannot be read. */
function opened(proof: unknown, { rows, cols }: Table) {
  try {
    // A copy without a prototype: only own fields count.
    const lists: Record<string, unknown> = Object.assign(Object.create(null), proof);
    const { separable, positive, intercept, bias } = lists;
    return {
      ...{ separable, positive, intercept, bias: bias as number },
      weights: listOf(lists.weights, cols) as number[],
      samples: listOf(lists.samples, rows) as number[],
      multipliers: listOf(lists.multipliers, rows),
    };
  } catch {
    return undefined;
  }
}

/** The most digits of one λ, and of all. */
const MOST_DIGITS = 100_000;
const MOST_DIGITS_IN_ALL = 1_000_000;

/** λ of each sample; undefined if they are not integers ≥ 0 in digits, or too long. */
function lambdasOf(texts: readonly unknown[]): bigint[] | undefined {
  let left = MOST_DIGITS_IN_ALL;
  const isDigits = (text: unknown) => {
    if (typeof text !== 'string' || text.length > MOST_DIGITS) return false;
    left -= text.length;
    return left >= 0 && /^\d+$/.test(text);
  };
  return texts.every(isDigits) ? texts.map((text) => BigInt(text as string)) : undefined;
}

/**
 * Whether a proof of `diagnose(X, y, { prove: true })` holds for X and y, in exact arithmetic. A proof from elsewhere is safe to
 * check: one that is not in order is false. @throws TypeError or RangeError if X and y are not rows and their labels
 *
 * @example
 * const [X, y] = [[[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]]; // XOR
 * const { separable, proof } = new Perceptron({ maxEpochs: 1 }).fit(X, y).diagnose(X, y, { prove: true });
 * console.log(separable, verifyProof(X, y, proof)); // → no true
 */
export function verifyProof(X: Rows, y: Labels, proof: unknown): boolean {
  const table = tableOf(X);
  const { rows } = table;
  if (typeof y?.length !== 'number') throw new TypeError('verifyProof needs y, a label for each row of X');
  if (y.length !== rows) throw new RangeError(`y has ${y.length} labels, X has ${rows} rows`);
  const fields = opened(proof, table);
  const hasLabel = fields && Array.prototype.some.call(y, (label: Label) => label === fields.positive);
  if (!hasLabel || typeof fields.intercept !== 'boolean') return false;
  const { separable, positive, intercept, bias, weights, samples, multipliers } = fields;
  const signOf = (i: number) => (y[i] === positive ? 1 : -1);
  if (separable === 'yes') {
    if (![bias, ...weights].every(Number.isFinite) || (bias !== 0 && !intercept)) return false;
    for (let i = 0; i < rows; i++) {
      const { indices, values } = checkedRow(table, i);
      const own = indices ? Array.from(indices, (k) => weights[k]) : weights;
      if (own.length !== values.length || own.includes(undefined)) return false;
      if (!isRight(values, own as number[], bias, signOf(i))) return false;
    }
    return true;
  }
  const lambdas = lambdasOf(multipliers);
  if (separable !== 'no' || !lambdas || samples.length !== lambdas.length) return false;
  if (!samples.every((i) => Number.isInteger(i) && i >= 0 && i < rows)) return false;
  if (new Set(samples).size < samples.length || lambdas.every((lambda) => lambda === 0n)) return false;
  const sums = new Map<number, bigint>();
  samples.forEach((i, s) => {
    const { indices, values } = checkedRow(table, i);
    const add = (k: number, x: number) =>
      sums.set(k, (sums.get(k) ?? 0n) + (lambdas[s] as bigint) * exact(signOf(i) * x));
    for (let k = 0; k < values.length; k++) add(indices ? (indices[k] as number) : k, values[k] as number);
    if (intercept) add(-1, 1);
  });
  return [...sums.values()].every((sum) => sum === 0n);
}
