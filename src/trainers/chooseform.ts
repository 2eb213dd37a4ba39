// Primal or dual? A cost model with fixed constants: the same answer on every machine (SPEC §12).
//
//   primal   E · a·N·d                        an epoch reads every row
//   dual     g·N²·d/2 + E · (c·N + u·m·N)     the Gram matrix once, then one read a row and a pass over a
//                                             Gram row a mistake (SPEC §7)
//
// a, g, c and u are nanoseconds on one core (Ice Lake, Node 20, wasm-simd), from bench/questions/crossover.ts and bench/questions/dual.ts, which
// check the answers; only their ratios matter. The dual form wins from about 0.2·N epochs on where rows come from memory and
// 0.33·N where caches hold them, whatever d is, unless N is so large that mistakes cost more than rows.

import { copyIn, isSparse, type Rows, type SparseRows, shapeOf } from '../data/rows.js';
import { defaultArena } from '../engine/engine.js';
import { expectOptions } from '../errors.js';
import { count } from '../train/checks.js';
import { MAX_GRAM_BYTES } from '../train/settings.js';

/** Nanoseconds a value of X in a primal epoch, mistakes included: from a cache, and from memory. */
const SCAN_CACHED = 0.25;
const SCAN = 0.4;
/** Bytes of X that caches are taken to hold. */
const CACHE_BYTES = 32 * 2 ** 20;
/** Nanoseconds a multiply-add of the Gram matrix. */
const GRAM = 0.165;
/** The same of sparse rows: a stored value in a primal epoch, and two that meet in the Gram matrix. */
const SPARSE_SCAN = 1.8;
const SPARSE_GRAM = 2;
/** Nanoseconds a row to check a cached score. */
const CHECK = 0.6;
/** Nanoseconds an element of a Gram row that is added to the scores. */
const ADD = 0.45;
/** Mistakes in an epoch, as a share of the rows: what fits of some length have on average. */
const MISTAKES = 0.05;
/** Epochs expected where nobody says. */
const EPOCHS = 100;

export interface ChooseFormOptions {
  /** How many epochs training is expected to take. Default 100. */
  epochs?: number;
}

export interface FormChoice {
  form: 'primal' | 'dual';
  /** Why, in words and numbers. */
  reason: string;
  /** The number of epochs from which on the dual form is expected to be faster; Infinity: never. */
  crossover: number;
}

const grouped = (n: number) => n.toLocaleString('en');
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

/** Of sparse rows the values that are stored, and of pairs of rows those that meet in a column. */
function sparseCosts(X: SparseRows, cols: number): Costs {
  const counts = new Uint32Array(cols);
  const rows = copyIn(X, defaultArena, 'X');
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
 * Whether `Perceptron` or `DualPerceptron` (linear kernel) will be faster on X; both find the same plane.
 *
 * @example
 * console.log(chooseForm(DenseMatrix.allocate(40, 7000), { epochs: 50 }).form); // → dual
 */
export function chooseForm(X: Rows, options: ChooseFormOptions = {}): FormChoice {
  expectOptions(options, ['epochs'], 'chooseForm');
  const epochs = options.epochs === undefined ? EPOCHS : count(options.epochs, 'epochs');
  const { rows, cols } = shapeOf(X, 'X');
  const { values, once, primal } = isSparse(X) ? sparseCosts(X, cols) : denseCosts(rows, cols);
  const dual = CHECK * rows + ADD * MISTAKES * rows * rows;
  const fits = 8 * rows * rows <= MAX_GRAM_BYTES; // beyond it rows are computed again and again, and the model does not hold
  const crossover = primal > dual && fits ? once / (primal - dual) : Infinity;
  const form = epochs >= crossover ? 'dual' : 'primal';
  const stored = isSparse(X) ? ` with ${grouped(values)} values` : '';
  const shape = `${grouped(rows)} rows × ${grouped(cols)} columns${stored}`;
  const costs = `an epoch costs about ${time(primal)} in primal form and ${time(dual)} in dual form`;
  const reason = !fits
    ? `${shape}: the Gram matrix would take ${grouped(8 * rows * rows)} bytes, more than 1 GiB`
    : crossover === Infinity
      ? `${shape}: ${costs}, which never pays for a Gram matrix`
      : `${shape}: ${costs}, the Gram matrix about ${time(once)} once; it pays off after ${grouped(Math.ceil(crossover))} epochs, and ${grouped(epochs)} are expected`;
  return { form, reason, crossover };
}
