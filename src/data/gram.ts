// The Gram matrix of rows, K(x_i, x_j) for every pair, and single rows of it. In order P both have the same bits
// (docs/adr/0003): whoever holds a row need not know how it was made.

import * as at from '../../assembly/layout.js';
import type { BoundEngine, Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, show } from '../errors.js';
import type { Block } from '../memory/arena.js';
import { DenseMatrix } from './dense.js';
import { checkKernel, type Kernel, type KernelFunction, kernelFor, LINEAR } from './kernel.js';
import { type ArenaRows, allFinite, bringIn, notFinite, type Rows } from './rows.js';

/** Whether to let others have their turn. */
type Due = () => boolean;

/** Values of X that one call of a kernel goes through, at most: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** Pairs with rows X under a kernel: whole Gram matrices, or one row against all. Holds scratch until released. */
export class Pairs {
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  readonly #kernel: KernelFunction;
  readonly #scratch: Block;
  readonly #norms: number;
  readonly #row: number;

  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction) {
    this.#engine = engine;
    this.#X = X;
    this.#kernel = kernel;
    const aligned = (bytes: number) => Math.ceil(bytes / 16) * 16;
    const rowBytes = aligned(8 * X.cols);
    const normBytes = kernel.kind === at.RBF ? 8 * X.rows : 0;
    this.#scratch = engine.arena.allocate(
      at.GRAM_SCRATCH_BYTES + rowBytes + normBytes,
      `the norms of ${X.rows} rows`,
      false,
    );
    this.#row = this.#scratch.offset + at.GRAM_SCRATCH_BYTES;
    this.#norms = normBytes > 0 ? this.#row + rowBytes : 0;
    if (this.#norms) engine.kernels().squaredNorms(X.element, X.offset, X.rows, X.cols, this.#norms);
  }

  /** K(x_i, x_i) for all rows. */
  diagonal(): Float64Array {
    const { arena } = this.#engine;
    const { rows, cols, element, offset } = this.#X;
    const block = arena.allocate(8 * rows, `norms of ${rows} rows`, false);
    try {
      const kernels = this.#engine.kernels();
      kernels.squaredNorms(element, offset, rows, cols, block.offset);
      for (let i = 0; i < rows; i++) this.#transform(block.offset + 8 * i, 1, i, i);
      return arena.f64(block.offset, rows).slice();
    } finally {
      arena.release(block);
    }
  }

  /** Dot products of row i with `count` rows from j on become kernels. */
  #transform(values: number, count: number, i: number, j: number): void {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return;
    const norm = this.#norms ? (this.#engine.arena.f64(this.#norms + 8 * i, 1)[0] as number) : 0;
    const norms = this.#norms ? this.#norms + 8 * j : 0;
    this.#engine.kernels().transform(kind, gamma, coef0, degree, values, count, norm, norms);
  }

  /** Fills `out`, f64[rows · rows], block by block: each pair once, then mirrored. */
  *matrix(out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const kernels = this.#engine.kernels();
    const blocks = Math.ceil(n / at.GRAM_BLOCK);
    const size = Math.min(at.GRAM_BLOCK, 4 * Math.ceil(n / blocks / 4)); // evenly, in whole tiles
    for (let j = 0; j < n; j += size) {
      const nj = Math.min(size, n - j);
      for (let i = j; i < n; i += size) {
        const ni = Math.min(size, n - i);
        for (let k = 0; k < d; k += at.PANEL) {
          kernels.gramPanel(element, offset, n, d, k, i, ni, j, nj, out, this.#scratch.offset);
          if (due()) yield;
        }
        for (let p = i; p < i + ni; p++) this.#transform(out + 8 * (p * n + j), Math.min(nj, p - j + 1), p, j);
        kernels.mirror(out, n, i, ni, j, nj);
      }
    }
  }

  /** out[j] = K(x_i, x_j) for all rows j: row i of the matrix. */
  *row(i: number, out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const { arena } = this.#engine;
    let z = offset + 8 * i * d;
    if (element === 4) {
      z = this.#row;
      arena.f64(z, d).set(arena.f32(offset + 4 * i * d, d));
    }
    yield* this.#against(z, out, due);
    this.#transform(out, n, i, 0);
  }

  /** out[j] = K(z, x_j) for all rows j, z being row `r` of other rows. */
  other(others: OtherRows, r: number, out: number): void {
    const { kind, gamma, coef0, degree } = this.#kernel;
    for (const _ of this.#against(others.offset + 8 * r * this.#X.cols, out, never));
    if (kind === at.LINEAR) return;
    this.#engine.kernels().transform(kind, gamma, coef0, degree, out, this.#X.rows, others.norms[r] ?? 0, this.#norms);
  }

  /** out[j] = z · x_j for all rows j. */
  *#against(z: number, out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const kernels = this.#engine.kernels();
    const together = Math.max(12, Math.floor(CALL_VALUES / d));
    for (let j = 0; j < n; j += together) {
      const count = Math.min(together, n - j);
      kernels.pairRow(element, offset + element * j * d, count, d, z, out + 8 * j, this.#scratch.offset);
      if (due()) yield;
    }
  }

  release(): void {
    this.#engine.arena.release(this.#scratch);
  }
}

const never: Due = () => false;

/** Rows from elsewhere, brought into the arena as float64 for as long as they are needed, with their norms. */
export interface OtherRows {
  readonly offset: number;
  readonly norms: Float64Array;
  release(): void;
}

export function bringOthers(data: Float64Array | Float32Array, cols: number, engine: BoundEngine): OtherRows {
  const { arena } = engine;
  const rows = data.length / cols;
  const block = arena.allocate(8 * (data.length + rows), `${rows} × ${cols} values`, false);
  arena.f64(block.offset, data.length).set(data);
  const norms = block.offset + 8 * data.length;
  engine.kernels().squaredNorms(8, block.offset, rows, cols, norms);
  return {
    offset: block.offset,
    norms: arena.f64(norms, rows).slice(),
    release: () => arena.release(block),
  };
}

export interface GramOptions {
  /** Default 'linear'. */
  kernel?: Kernel;
  /** Default 'auto': the fastest that works here. All give the same bits. */
  engine?: Engine | 'auto' | EngineKind;
  /** Where to put it: a float64 matrix of rows × rows in the same memory. Default: a new one. */
  out?: DenseMatrix;
}

/**
 * K(x_i, x_j) for all pairs of rows, to be used over many fits (`precomputed` of DualPerceptron.fit).
 * @throws RangeError if X has a value that is not finite, if a kernel overflows, or if `out` has another shape
 *
 * @example
 * console.log(gram([[3, 3], [4, 3], [1, 1]]).row(0)); // → Float64Array(3) [ 18, 21, 6 ]
 */
export function gram(X: Rows, options: GramOptions = {}): DenseMatrix {
  expectOptions(options, ['kernel', 'engine', 'out'], 'gram');
  const choice = options.kernel === undefined ? LINEAR : checkKernel(options.kernel);
  const engine = resolveEngine(options.engine);
  const rows = bringIn(X, engine.arena, 'X');
  try {
    const kernel = kernelFor(choice, rows.cols);
    const n = rows.rows;
    const out = options.out === undefined ? DenseMatrix.allocate(n, n, { engine }) : options.out;
    const to = openSquare(out, n, 'out', engine);
    try {
      if (overlap(rows, to)) throw new RangeError('"out" must not be the memory of X');
      const pairs = new Pairs(engine, rows, kernel);
      try {
        for (const _ of pairs.matrix(to.offset, never));
      } finally {
        pairs.release();
      }
      const values = to.view();
      if (!allFinite(values)) throw notFinite(rows.view(), rows.cols, 'X') ?? kernelOverflow(values, n, choice.type);
    } catch (error) {
      if (out !== options.out) out.dispose();
      throw error;
    } finally {
      to.release();
    }
    return out;
  } finally {
    rows.release();
  }
}

const overlap = (a: ArenaRows, b: ArenaRows): boolean =>
  a.offset < b.offset + b.rows * b.cols * b.element && b.offset < a.offset + a.rows * a.cols * a.element;

/** A float64 matrix of n × n in the engine's memory, held until released; copied there unless it is an `out`. */
export function openSquare(matrix: DenseMatrix, n: number, name: string, engine: BoundEngine): ArenaRows {
  if (typeof matrix !== 'object' || matrix === null || !('data' in matrix) || !ArrayBuffer.isView(matrix.data)) {
    throw new TypeError(`"${name}" must be a DenseMatrix, got ${show(matrix)}`);
  }
  if (matrix.rows !== n || matrix.cols !== n) {
    throw new RangeError(
      `"${name}" is ${matrix.rows} × ${matrix.cols}, expected ${n} × ${n}: a row and a column for each row of X`,
    );
  }
  if (matrix.data.BYTES_PER_ELEMENT !== 8) throw new RangeError(`"${name}" must be of dtype 'float64'`);
  if (name === 'out' && matrix.data.buffer !== engine.arena.buffer) {
    throw new RangeError(`"${name}" lies in another memory; make it with DenseMatrix.allocate(${n}, ${n}, { engine })`);
  }
  return bringIn(matrix, engine.arena, name);
}

/** The error for the first kernel value that is not finite. */
function kernelOverflow(values: Float64Array | Float32Array, n: number, type: string): RangeError {
  const bad = values.findIndex((value) => !Number.isFinite(value));
  return pairOverflow(Math.floor(bad / n), bad % n, values[bad] as number, type);
}

export function pairOverflow(i: number, j: number, value: number, type: string): RangeError {
  const remedy = type === 'polynomial' ? 'scale X down, or use a smaller gamma, coef0 or degree' : 'scale X down';
  return new RangeError(`the ${type} kernel of X rows ${i} and ${j} overflows to ${value}: ${remedy}`);
}

/** Rows and columns compared at a time: both stay in the caches. */
const TILE = 32;

/** How far a given diagonal may be from the one computed, relatively: a kernel's rounding, by whatever program. */
const DIAGONAL_SLACK = 1e-6;

/** Refuses what cannot be the Gram matrix of these rows. */
export function checkGram(g: Float64Array, n: number, diagonal: Float64Array): void {
  for (let i0 = 0; i0 < n; i0 += TILE) {
    for (let j0 = 0; j0 <= i0; j0 += TILE) {
      for (let i = i0; i < Math.min(n, i0 + TILE); i++) {
        for (let j = j0; j < Math.min(i + 1, j0 + TILE); j++) {
          const [a, b] = [g[i * n + j] as number, g[j * n + i] as number];
          if (a - a !== 0) throw new RangeError(`precomputed[${i}][${j}] is ${a}`);
          if (a !== b) {
            throw new RangeError(
              `"precomputed" is not symmetric: [${i}][${j}] is ${a}, [${j}][${i}] is ${b}; a Gram matrix is, see gram()`,
            );
          }
        }
      }
    }
  }
  for (let i = 0; i < n; i++) {
    const [given, own] = [g[i * n + i] as number, diagonal[i] as number];
    if (Math.abs(given - own) > DIAGONAL_SLACK * Math.max(Math.abs(given), Math.abs(own))) {
      throw new RangeError(
        `precomputed[${i}][${i}] is ${given}, but this kernel gives ${own} for row ${i} of X; was it made from other rows, or with another kernel?`,
      );
    }
  }
}
