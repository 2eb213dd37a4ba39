// gram and gramAsync: the Gram matrix of rows; and the checks of a matrix that the caller passes as one.

import { finish, type Pausing } from '../async/pausing.js';
import { drive, firstTurn, inTurns, SliceClock } from '../async/turns.js';
import { type ArenaRows, badAt, firstBad } from '../data/arenarows.js';
import { DenseMatrix } from '../data/dense.js';
import { arrivalOf, copyIn, type Rows } from '../data/rows.js';
import type { Values } from '../data/views.js';
import type { BoundEngine, Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, expectSignal, grouped, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { get } from '../own.js';
import { ALONE, type Resources, Threads } from '../worker/threads.js';
import { pairsOf } from './densepairs.js';
import { checkKernel, type Kernel, kernelFor, LINEAR } from './kernel.js';
import { type Pairs, pairOverflow } from './pairs.js';

/** Options of `gram`. */
export interface GramOptions {
  /** Default 'linear'. */
  kernel?: Kernel;
  /** Default 'auto': the fastest that works here. Results are bit-identical on all engines. */
  engine?: Engine | 'auto' | EngineKind;
  /** The matrix to write to: float64, rows × rows, in the same memory. Default: a new matrix. */
  out?: DenseMatrix;
}

/**
 * K(x_i, x_j) for all pairs of rows. You can use it for many fits (`precomputed` of DualPerceptron.fit).
 * @throws RangeError if X has a value that is not finite, if the kernel function overflows, or if `out` has another shape
 *
 * @example
 * console.log(gram([[3, 3], [4, 3], [1, 1]]).row(0)); // → Float64Array(3) [ 18, 21, 6 ]
 */
export function gram(X: Rows, options: GramOptions = {}): DenseMatrix {
  options = expectOptions(options, GRAM_KEYS, 'gram');
  const engine = resolveEngine(options.engine);
  const rows = copyIn(X, engine.arena, 'X');
  try {
    return finish(gramOf(rows, options, engine, ALONE));
  } finally {
    rows.release();
  }
}

/** Options of `gramAsync`. */
export interface GramAsyncOptions extends GramOptions {
  /** Rejects with the signal's reason. An `out` of yours is then partly written. */
  signal?: AbortSignal | undefined;
  /** How many threads may work, as for fitAsync. Default 'auto'. */
  threads?: number | 'auto' | undefined;
  /** The URL of the workers' script (a copy of perceptron-wasm/worker.js), for pages whose policy forbids blob: workers. */
  workerUrl?: string | URL | undefined;
}

/**
 * As `gram`, on worker threads or in slices, so that timers, input and painting are not blocked. Do not change X until the
 * promise settles. If the call fails or is aborted, an `out` of yours is partly written.
 * @throws TypeError or RangeError naming the argument; RangeError if the memory is full; the signal's reason if it aborts
 *
 * @example
 * const K = await gramAsync([[1, 0], [1, 1]], { kernel: 'linear' });
 * console.log(K.row(1)); // → Float64Array(2) [ 1, 2 ]
 */
export async function gramAsync(X: Rows, options: GramAsyncOptions = {}): Promise<DenseMatrix> {
  options = expectOptions(options, [...GRAM_KEYS, 'signal', 'threads', 'workerUrl'], 'gramAsync');
  const { signal } = options;
  expectSignal(signal);
  const engine = resolveEngine(options.engine);
  const threads = new Threads(engine, options);
  signal?.throwIfAborted();
  const clock = new SliceClock(signal);
  const arrival = arrivalOf(X, engine.arena, 'X');
  let rows: ArenaRows | undefined;
  let work: Pausing<DenseMatrix> | undefined;
  try {
    await firstTurn();
    signal?.throwIfAborted();
    clock.begin();
    await inTurns(arrival.stage, clock, signal);
    rows = arrival.take();
    work = gramOf(rows, options, engine, { clock, threads });
    const end = await drive(work, clock, signal);
    if (!end) throw signal?.reason;
    return end.value;
  } finally {
    work?.return(undefined as never);
    (rows ?? arrival).release();
    threads.leave();
  }
}

const GRAM_KEYS = ['kernel', 'engine', 'out'] as const;

function* gramOf(
  rows: ArenaRows,
  options: GramOptions,
  engine: BoundEngine,
  resources: Resources,
): Pausing<DenseMatrix> {
  const choice = options.kernel === undefined ? LINEAR : checkKernel(options.kernel);
  const { arena } = engine;
  const n = rows.rows;
  const bytes = 8 * n * n;
  if (options.out === undefined && bytes > arena.maxBytes) {
    throw new RangeError(
      `the Gram matrix of ${n} rows takes ${grouped(bytes)} bytes, the memory holds at most ` +
        `${grouped(arena.maxBytes)}; DualPerceptron with gram: 'rows' keeps as many rows of it as fit`,
    );
  }
  const out = options.out === undefined ? DenseMatrix.unwritten(n, n, arena) : checkOut(options.out);
  let to: ArenaRows | undefined;
  let isDone = false;
  try {
    to = squareIn(out, n, arena, 'out', true);
    if (overlap(rows, to)) throw new RangeError('"out" must not be the memory of X');
    const pairs = pairsOf(engine, rows, kernelFor(choice, rows.cols));
    try {
      yield* pairs.matrix(to.offset, resources);
    } finally {
      pairs.release();
    }
    const bad = badAt(to.view());
    if (bad >= 0) {
      const value = to.view()[bad] as number;
      throw firstBad(rows) ?? pairOverflow(Math.floor(bad / n), bad % n, value, choice.type);
    }
    isDone = true;
    return out;
  } finally {
    to?.release();
    if (!isDone && options.out === undefined) out.dispose();
  }
}

const overlap = (a: ArenaRows, b: ArenaRows): boolean => a.offset < b.rowAt(b.rows) && b.offset < a.rowAt(a.rows);

/**
 * A matrix of the caller in the arena, float64 and n × n. The copy is checked, or what is used in its place: the caller's object may
 * answer differently the next time. @param isInPlace refuses a matrix in other memory. @throws TypeError or RangeError
 */
export function squareIn(matrix: DenseMatrix, n: number, arena: Arena, name: string, isInPlace = false): ArenaRows {
  if (typeof matrix !== 'object' || matrix === null || !ArrayBuffer.isView(get(matrix, 'data'))) {
    throw new TypeError(`"${name}" must be a DenseMatrix, got ${show(matrix)}`);
  }
  const arrival = arrivalOf(matrix, arena, name);
  try {
    const { rows, cols, stage } = arrival;
    if (rows !== n || cols !== n) {
      throw new RangeError(
        `"${name}" is ${rows} × ${cols}, expected ${n} × ${n}: a row and a column for each row of X`,
      );
    }
    if (stage && isInPlace) {
      throw new RangeError(
        `"${name}" lies in another memory; make it with DenseMatrix.allocate(${n}, ${n}, { engine })`,
      );
    }
    stage?.piece(0, n);
    const own = arrival.take();
    if (own.element !== 8) throw new RangeError(`"${name}" must be of dtype 'float64'`);
    return own;
  } catch (error) {
    arrival.release();
    throw error;
  }
}

/** Checks that the caller's matrix is a matrix. @throws TypeError */
function checkOut(out: DenseMatrix): DenseMatrix {
  if (typeof out?.dispose !== 'function') throw new TypeError(`"out" must be a DenseMatrix, got ${show(out)}`);
  return out;
}

/** Rows and columns compared at a time, so that both stay in the caches. */
const TILE = 32;

/** The largest relative difference between a given entry and the computed one: another program may round differently. */
const KERNEL_SLACK = 1e-6;

/** Checks that a matrix is symmetric and right on and beside its diagonal. @throws RangeError naming the entry */
export function* checkGram(
  matrix: ArenaRows,
  X: ArenaRows,
  pairs: Pairs,
  type: string,
  resources: Resources,
): Pausing<void> {
  const n = X.rows;
  const diagonal = yield* pairs.diagonal(resources);
  const bad = diagonal.findIndex((k) => !Number.isFinite(k));
  if (bad >= 0) throw firstBad(X) ?? pairOverflow(bad, bad, diagonal[bad] as number, type);
  const beside = pairs.neighbours();
  let g = matrix.view(); // not earlier: the calls above allocate, and growth may detach views
  for (let i0 = 0; i0 < n; i0 += TILE) {
    for (let j0 = 0; j0 <= i0; j0 += TILE) {
      for (let i = i0; i < Math.min(n, i0 + TILE); i++) {
        const end = Math.min(i + 1, j0 + TILE);
        for (let j = j0, at = i * n + j0, mirrored = j0 * n + i; j < end; j++, at++, mirrored += n) {
          // The difference is not 0 for NaN and infinities either.
          if ((g[at] as number) - (g[mirrored] as number) !== 0) throw notGram(g, n, i, j);
        }
      }
    }
    if (!resources.clock.due()) continue;
    yield;
    g = matrix.view();
  }
  const compare = (i: number, j: number, own: number) => {
    const given = g[i * n + j] as number;
    const size = Math.sqrt(Math.abs(diagonal[i] as number)) * Math.sqrt(Math.abs(diagonal[j] as number));
    if (Math.abs(given - own) > KERNEL_SLACK * Math.max(size, Math.abs(own))) {
      throw new RangeError(
        `precomputed[${i}][${j}] is ${given}, but this kernel gives ${own} for ${i === j ? `row ${i}` : `rows ${i} and ${j}`} of X; was it made from other rows, or with another kernel?`,
      );
    }
  };
  diagonal.forEach((own, i) => {
    compare(i, i, own);
  });
  beside.forEach((own, i) => {
    compare(i, i + 1, own);
  });
}

/** The error for entries (i, j) and (j, i) that differ or are not finite. */
function notGram(g: Values, n: number, i: number, j: number): RangeError {
  const [a, b] = [g[i * n + j] as number, g[j * n + i] as number];
  if (!Number.isFinite(a)) return new RangeError(`precomputed[${i}][${j}] is ${a}`);
  if (!Number.isFinite(b)) return new RangeError(`precomputed[${j}][${i}] is ${b}`);
  return new RangeError(
    `"precomputed" is not symmetric: [${i}][${j}] is ${a}, [${j}][${i}] is ${b}; a Gram matrix is, see gram()`,
  );
}
