// One-vs-rest with a kernel and no Gram matrix, of dense rows: blocks of samples against all supports as one matrix product, then the
// samples of the block one after the other. Nothing is kept but the supports, so memory grows with their number alone.
//
// Scores are made anew for every pass: what the coefficients give that the pass began with, supports in ascending order,
// and then the corrections of the pass as they happened. So nothing drifts, a clean pass needs no second look, and
// training that goes on from a file has the same bits. How many samples are in a block changes nothing but the time.

import * as at from '../../assembly/layout.js';
import { finish, inOneGo, type Pace, type Sliced } from '../async/sliced.js';
import { type ArenaRows, rowsLying } from '../data/arenarows.js';
import { DensePairs } from '../data/densepairs.js';
import { denseRow } from '../data/kept.js';
import { type KernelChoice, type KernelFunction, kernelFor } from '../data/kernel.js';
import { type OtherRows, type Pairs, squaredNormsOf } from '../data/pairs.js';
import type { BoundEngine } from '../engine/contract.js';
import { axpyF64 } from '../engine/js/dots.js';
import { at8 } from '../engine/js/memory.js';
import type { Form } from '../engine/js/train.js';
import type { Block } from '../memory/arena.js';
import type { SupportRows } from '../model/state.js';
import type { Threads } from '../worker/threads.js';
import { type InStep, Lockstep, type SharedOrder } from './lockstep.js';
import type { Elsewhere } from './loop.js';

/** Samples in a block, at most. */
const BLOCK_ROWS = 256;

/** Supports multiplied with a block at a time. */
const CHUNK = 192;

/** Supports that lie together in memory. */
const PIECE_ROWS = 960;

/** What a support adds to the scores of one of those in step. */
interface Share {
  readonly member: InStep;
  readonly by: number;
}

/** Supports of earlier rows that are not among these: they never change. */
export interface EarlierSupports {
  readonly rows: SupportRows;
  /** α·y of each, for each class. */
  readonly coefficients: readonly Float64Array[];
}

export class KernelLockstep extends Lockstep {
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  readonly #kernel: KernelFunction;
  readonly #earlier: EarlierSupports | undefined;
  #supports: SupportList;
  /** Those that may take part, once they are wanted. */
  #threads: Threads | undefined;
  /** Milliseconds spent on kernels. */
  ms = 0;

  constructor(
    engine: BoundEngine,
    X: ArenaRows,
    choice: KernelChoice,
    earlier: EarlierSupports | undefined,
    shared: SharedOrder,
  ) {
    super(engine, shared);
    this.#engine = engine;
    this.#X = X;
    this.#kernel = kernelFor(choice, X.cols);
    this.#earlier = earlier;
    this.#supports = new SupportList(engine, X.cols, this.#kernel);
  }

  protected override stretch(): number {
    return BLOCK_ROWS;
  }

  /** The supports there are when a pass begins, in ascending order. */
  protected override *beginPass(): Sliced<void> {
    this.#supports.release();
    this.#supports = new SupportList(this.#engine, this.#X.cols, this.#kernel);
    const { memory, codes, pace } = this;
    const earlier = this.#earlier;
    for (let s = 0; earlier && s < earlier.rows.indices.length; s++) {
      const row = new Float64Array(this.#X.cols);
      denseRow(earlier.rows.data, s, row);
      const shares = this.active.map((member) => ({
        member,
        by: earlier.coefficients[member.positive]?.[s] as number,
      }));
      this.#supports.add(
        row,
        shares.filter(({ by }) => by !== 0),
      );
      if (pace.due()) yield;
    }
    memory.look();
    for (let i = 0; i < this.#X.rows; i++) {
      const shares: Share[] = [];
      for (const member of this.active) {
        const alpha = memory.f64[at8(memory.uint(member.record, at.ALPHAS)) + i] as number;
        if (alpha !== 0) shares.push({ member, by: codes[i] === member.positive ? alpha : -alpha });
      }
      if (shares.length > 0) {
        this.#supports.add(this.#rowAt(i), shares);
        if (pace.due()) yield;
        memory.look();
      }
    }
  }

  #rowAt(i: number): Float64Array | Float32Array {
    const { cols } = this.#X;
    return this.#X.view().subarray(i * cols, (i + 1) * cols);
  }

  protected override elsewhereFor(own: InStep): Elsewhere {
    const { rows, cols } = this.#X;
    return {
      values: rows * cols * Math.min(rows, CHUNK), // or more, with more supports
      run: (threads, count) => {
        this.#threads = threads;
        return this.runWaiting(own, count);
      },
    };
  }

  protected override *advance(from: number, to: number): Sliced<number | undefined> {
    const { cols } = this.#X;
    const { arena } = this.#engine;
    const n = to - from;
    const started = performance.now();
    // The rows of the block, the kernels of a chunk of supports with them, and their scores.
    const block = arena.allocate(8 * n * (cols + CHUNK + this.active.length + 1), `a block of ${n} rows`, false);
    let pairs: Pairs | undefined;
    try {
      const rows = this.#gather(block.offset, from, n);
      pairs = new DensePairs(this.#engine, rows, this.#kernel);
      yield* pairs.prepare(this.pace);
      const kernels = block.offset + 8 * n * cols;
      const scores = this.active.map((_, k) => kernels + 8 * n * (CHUNK + k));
      arena.f64(kernels + 8 * n * CHUNK, n * this.active.length).fill(0);
      const scoresOf = (member: InStep) => scores[this.active.indexOf(member)];
      const pace = { due: () => this.pace.due(), threads: this.#threads };
      yield* this.#supports.addTo(pairs, n, kernels, scoresOf, pace);
      this.ms += performance.now() - started;
      return yield* this.#visit(pairs, from, n, scores, kernels + 8 * n * (CHUNK + this.active.length));
    } finally {
      pairs?.release();
      arena.release(block);
    }
  }

  #gather(offset: number, from: number, n: number): ArenaRows {
    const { cols } = this.#X;
    const { arena } = this.#engine;
    const values = this.#X.view();
    const to = arena.f64(offset, n * cols);
    for (let k = 0; k < n; k++) {
      const row = (this.order[from + k] as number) * cols;
      to.set(values.subarray(row, row + cols), k * cols);
    }
    return rowsLying(arena, offset, n, cols);
  }

  /** Looks at the samples of a block, one after the other; answers the row whose score is not finite. */
  *#visit(pairs: Pairs, from: number, n: number, scores: readonly number[], row: number): Sliced<number | undefined> {
    const { memory, active, codes, order, pace } = this;
    memory.look();
    const mu = memory.float((active[0] as InStep).record, at.MU);
    for (let k = 0; k < n; k++) {
      const sample = order[from + k] as number;
      let shares: Share[] | undefined;
      for (let a = 0; a < active.length; a++) {
        const member = active[a] as InStep;
        const own = at8(scores[a] as number);
        const s = (memory.f64[own + k] as number) + memory.float(member.record, at.BIAS);
        const m = codes[sample] === member.positive ? s : -s;
        if (m > mu && m < Infinity) continue;
        if (!Number.isFinite(m)) return sample;
        if (!shares) {
          const started = performance.now();
          finish(pairs.row(k, row, inOneGo));
          this.ms += performance.now() - started;
          shares = [];
        }
        const place = memory.float(member.record, at.SEEN) + from + k;
        this.books.correct(this.#formOf(member, shares, own, at8(row), n), member.record, sample, m, place);
        if (member.onUpdate) {
          member.onUpdate(sample);
          memory.look(); // it may have made the memory grow
        }
      }
      if (shares) {
        this.#supports.add(this.#rowAt(sample), shares);
        memory.look();
      }
      if (!pace.due()) continue;
      // Whoever breaks off here has seen so many.
      for (const { record } of active) memory.setUint(record, at.CURSOR, from + k + 1);
      yield;
      memory.look();
    }
    return undefined;
  }

  /** Corrects one class: its coefficients, and its scores of the block. */
  #formOf(member: InStep, shares: Share[], scores: number, row: number, n: number): Form {
    const { memory } = this;
    const { record } = member;
    const alphas = at8(memory.uint(record, at.ALPHAS));
    const sums = at8(memory.uint(record, at.ALPHA_SUMS));
    return {
      marginOf: () => NaN, // scores come by blocks
      isReady: () => true,
      update(sample, step, before) {
        const size = Math.abs(step);
        const { f64 } = memory;
        f64[alphas + sample] = (f64[alphas + sample] as number) + size;
        if (sums) f64[sums + sample] = (f64[sums + sample] as number) + before * size;
        axpyF64(f64, scores, f64, row, step, n);
        shares.push({ member, by: step });
      },
    };
  }

  override release(): void {
    super.release();
    this.#supports.release();
  }
}

/** Supports one after the other, as float64, in pieces of memory; and what each adds to which scores. */
class SupportList {
  readonly #engine: BoundEngine;
  readonly #cols: number;
  readonly #pieces: { readonly block: Block; readonly norms: Float64Array; rows: number }[] = [];
  readonly #needsNorms: boolean;
  readonly #shares: Share[][] = [];

  constructor(engine: BoundEngine, cols: number, { kind }: KernelFunction) {
    this.#engine = engine;
    this.#cols = cols;
    this.#needsNorms = kind === at.RBF;
  }

  get length(): number {
    return this.#shares.length;
  }

  add(row: Float64Array | Float32Array, shares: Share[]): void {
    const { arena } = this.#engine;
    const held = Float64Array.from(row); // making room may detach it
    let piece = this.#pieces.at(-1);
    if (!piece || piece.rows === PIECE_ROWS) {
      const block = arena.allocate(8 * PIECE_ROWS * this.#cols, `${PIECE_ROWS} supports`, false);
      piece = { block, norms: new Float64Array(PIECE_ROWS), rows: 0 };
      this.#pieces.push(piece);
    }
    const offset = piece.block.offset + 8 * piece.rows * this.#cols;
    arena.f64(offset, this.#cols).set(held);
    if (this.#needsNorms) {
      piece.norms[piece.rows] = squaredNormsOf(rowsLying(arena, offset, 1, this.#cols), this.#engine)[0] as number;
    }
    piece.rows++;
    this.#shares.push(shares);
  }

  /** Adds what all of them give to the scores of n rows; `kernels` is room for CHUNK · n of them. */
  *addTo(
    pairs: Pairs,
    n: number,
    kernels: number,
    scoresOf: (member: InStep) => number | undefined,
    pace: Pace,
  ): Sliced<void> {
    const { axpy } = this.#engine.kernels();
    let support = 0;
    for (const { block, rows, norms } of this.#pieces) {
      const others: OtherRows = { offset: block.offset, norms, release() {} };
      for (let from = 0; from < rows; from += CHUNK) {
        const count = Math.min(CHUNK, rows - from);
        yield* pairs.block(others, from, count, kernels, pace);
        for (let k = 0; k < count; k++, support++) {
          for (const { member, by } of this.#shares[support] as Share[]) {
            const scores = scoresOf(member);
            if (scores !== undefined) axpy(8, scores, kernels + 8 * n * k, by, n);
          }
        }
      }
    }
  }

  release(): void {
    for (const { block } of this.#pieces) this.#engine.arena.release(block);
  }
}
