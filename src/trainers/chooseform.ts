// chooseForm: primal or dual? A cost model with fixed constants, so that the answer is the same on every machine (SPEC §12).
//
//   primal   E · a·N·d                        an epoch reads every row
//   dual     g·N²·d/2 + E · (c·N + u·m·N)     the Gram matrix once; then an epoch reads a score a row, and a Gram row a
//                                             mistake (SPEC §7)
//
// a, g, c and u are nanoseconds on one core (Ice Lake, Node 20, wasm-simd), from bench/questions/crossover.ts and dual.ts, which
// check the answers; only their ratios matter. The dual form wins from about 0.2·N epochs on if rows come from memory, and from
// 0.33·N if the caches hold them, whatever d is, unless N is so large that mistakes cost more than rows.

import { copyIn, isSparse, type Rows, type SparseRows, sourceOf } from '../data/rows.js';
import { defaultArena } from '../engine/engine.js';
import { expectOptions, grouped } from '../errors.js';
import { count } from '../train/checks.js';
import { MAX_GRAM_BYTES } from '../train/settings.js';

/** Nanoseconds a value of X in a primal epoch, mistakes included: from the caches, and from memory. */
const SCAN_CACHED = 0.25;
const SCAN = 0.4;
/** The most bytes of X that the caches are assumed to hold. */
const CACHE_BYTES = 32 * 2 ** 20;
/** Nanoseconds a multiply-add of the Gram matrix. */
const GRAM = 0.165;
/** The same for sparse rows: a stored value in a primal epoch, and a pair of values in one column in the Gram matrix. */
const SPARSE_SCAN = 1.8;
const SPARSE_GRAM = 2;
/** Nanoseconds a row to check a cached score. */
const CHECK = 0.6;
/** Nanoseconds an element of a Gram row that is added to the scores. */
const ADD = 0.45;
/** Mistakes in an epoch as a share of the rows: the average of longer fits. */
const MISTAKES = 0.05;
/** The default of `epochs`. */
const EPOCHS = 100;

/** Options of `chooseForm`. */
export interface ChooseFormOptions {
  /** How many epochs training is expected to take. Default 100. */
  epochs?: number;
}

/** The answer of `chooseForm`. */
export interface FormChoice {
  form: 'primal' | 'dual';
  /** The reason, with the estimated times. */
  reason: string;
  /** The number of epochs from which on the dual form is expected to be faster; Infinity: never. */
  crossover: number;
}

const time = (ns: number) => {
  const [value, unit] = ns >= 1e9 ? [ns / 1e9, 's'] : ns >= 1e6 ? [ns / 1e6, 'ms'] : [ns / 1e3, 'µs'];
  return `${Number(value.toPrecision(2))} ${unit}`;
};

/** Values of X; nanoseconds of the Gram matrix, and of a primal epoch. */
interface Costs {
  values: number;
  once: number;
  primal: number;
}

function denseCosts(rows: number, cols: number): Costs {
  const values = rows * cols;
  const scan = 8 * values <= CACHE_BYTES ? SCAN_CACHED : SCAN;
  return { values, once: (GRAM * rows * values) / 2, primal: scan * values };
}

/** Counts the stored values of sparse rows, and the pairs of values in one column. */
function sparseCosts(X: SparseRows): Costs {
  const rows = copyIn(X, defaultArena, 'X');
  const counts = new Uint32Array(rows.cols);
  for (let i = 0; i < rows.rows; i++) {
    rows.visit(i, (column) => {
      counts[column] = (counts[column] as number) + 1;
    });
  }
  rows.release();
  let values = 0;
  let pairs = 0;
  for (const count of counts) {
    values += count;
    pairs += count * count;
  }
  return { values, once: SPARSE_GRAM * pairs, primal: SPARSE_SCAN * values };
}

/**
 * Whether `Perceptron` or `DualPerceptron` (linear kernel) will be faster on X. Both find the same plane.
 * @throws TypeError or RangeError if X is not rows, or `epochs` is not a positive integer
 *
 * @example
 * console.log(chooseForm(DenseMatrix.allocate(40, 7000), { epochs: 50 }).form); // → dual
 */
export function chooseForm(X: Rows, options: ChooseFormOptions = {}): FormChoice {
  options = expectOptions(options, ['epochs'], 'chooseForm');
  const epochs = options.epochs === undefined ? EPOCHS : count(options.epochs, 'epochs');
  const { rows, cols } = sourceOf(X, 'X');
  const { values, once, primal } = isSparse(X) ? sparseCosts(X) : denseCosts(rows, cols);
  const dual = CHECK * rows + ADD * MISTAKES * rows * rows;
  const fits = 8 * rows * rows <= MAX_GRAM_BYTES; // beyond it Gram rows are computed repeatedly, which this model leaves out
  const crossover = primal > dual && fits ? once / (primal - dual) : Infinity;
  const form = epochs >= crossover ? 'dual' : 'primal';
  const stored = isSparse(X) ? ` with ${grouped(values)} values` : '';
  const shape = `${grouped(rows)} rows × ${grouped(cols)} columns${stored}`;
  const costs = `an epoch costs about ${time(primal)} in primal form and ${time(dual)} in dual form`;
  const reason = !fits
    ? `${shape}: the Gram matrix would take ${grouped(8 * rows * rows)} bytes, more than 1 GiB`
    : crossover === Infinity
      ? `${shape}: ${costs}, so that a Gram matrix never pays off`
      : `${shape}: ${costs}, the Gram matrix about ${time(once)} once; it pays off after ${grouped(Math.ceil(crossover))} epochs, and ${grouped(epochs)} are expected`;
  return { form, reason, crossover };
}
