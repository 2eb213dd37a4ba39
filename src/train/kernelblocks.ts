// One-vs-rest with a kernel, dense rows and no Gram matrix: multiplies a block of samples with all support vectors as one matrix
// product, then trains on the samples of the block one by one. Memory grows with the number of support vectors only.
//
// Every epoch computes the scores afresh: first with the coefficients at its beginning, support vectors in ascending order, then
// with its own updates in their order. So scores do not drift, an epoch without a mistake needs no confirmation, and training that
// continues from a file is bit-identical. The size of a block changes the time only.

import * as at from '../../assembly/layout.js';
import { finish, type Pausing } from '../async/pausing.js';
import { type ArenaRows, bytesOf, DenseRows } from '../data/arenarows.js';
import { denseRow } from '../data/kept.js';
import { squaredNormsOf } from '../data/products.js';
import { dtypeOf, STORAGE, type Values } from '../data/views.js';
import type { BoundEngine } from '../engine/contract.js';
import { axpyF64 } from '../engine/js/dots.js';
import { isRight, marginOf } from '../engine/js/mistake.js';
import { type Form, type RecordCounters, recordCounters } from '../engine/js/train.js';
import { DensePairs } from '../gram/densepairs.js';
import { type KernelChoice, type KernelFunction, kernelFor } from '../gram/kernel.js';
import type { OtherRows, Pairs } from '../gram/pairs.js';
import { aligned } from '../memory/freelist.js';
import { at8, MemoryViews } from '../memory/views.js';
import type { SupportRows } from '../model/state.js';
import type { Random } from '../random.js';
import { ALONE, type Resources } from '../worker/threads.js';
import { type InStep, SharedOrder, sampleAt } from './instep.js';
import type { Learner } from './learner.js';
import type { Hooks } from './loop.js';

/** The most samples in a block. */
const BLOCK_ROWS = 256;

/** Support vectors multiplied with a block at a time. */
const CHUNK = 192;

/** Support vectors in one piece of memory. */
const PIECE_ROWS = 960;

/** The coefficient of a support vector in the scores of one class. */
interface Share {
  readonly learner: Learner;
  readonly by: number;
}

/** Support vectors of earlier blocks that are not among the present rows: they never change. */
export interface EarlierSupports {
  readonly rows: SupportRows;
  /** α·y of each support vector, for each class. */
  readonly coefficients: readonly Float64Array[];
}

export class KernelBlocks implements InStep {
  readonly gram = { mode: 'blocks' as const, ms: 0 };
  readonly #engine: BoundEngine;
  readonly #memory: MemoryViews;
  readonly #counters: RecordCounters;
  readonly #X: ArenaRows;
  readonly #codes: Uint32Array;
  readonly #kernel: KernelFunction;
  readonly #earlier: EarlierSupports | undefined;
  readonly #order: SharedOrder | undefined;
  #supports: SupportList;

  /** @param codes the class number of each row; learner k is that of class k */
  constructor(
    engine: BoundEngine,
    X: ArenaRows,
    codes: Uint32Array,
    choice: KernelChoice,
    earlier: EarlierSupports | undefined,
    random: Random | undefined,
  ) {
    this.#engine = engine;
    this.#memory = new MemoryViews(engine.arena);
    this.#counters = recordCounters(this.#memory);
    this.#X = X;
    this.#codes = codes;
    this.#kernel = kernelFor(choice, X.cols);
    this.#earlier = earlier;
    this.#supports = new SupportList(engine, this.#kernel);
    this.#order = random && new SharedOrder(engine.arena, X.rows, random);
  }

  *epoch(active: readonly Learner[], hooks: Hooks): Pausing<void> {
    this.#order?.begin(active);
    yield* this.#listSupports(active, hooks);
    const n = (active[0] as Learner).samples;
    for (let from = 0; from < n; from += BLOCK_ROWS) {
      const to = Math.min(n, from + BLOCK_ROWS);
      yield* this.#advance(active, from, to, hooks);
      for (const { record } of active) record.setU32(at.CURSOR, to);
    }
    this.#memory.refresh();
    for (const { record } of active) {
      record.setU32(at.PASSES, 0);
      this.#counters.closeEpoch(record.offset);
    }
  }

  /** Lists the support vectors at the beginning of an epoch, in ascending order. */
  *#listSupports(active: readonly Learner[], { clock }: Hooks): Pausing<void> {
    this.#supports.release();
    this.#supports = new SupportList(this.#engine, this.#kernel);
    const memory = this.#memory;
    const earlier = this.#earlier;
    for (let s = 0; earlier && s < earlier.rows.indices.length; s++) {
      const row = new Float64Array(this.#X.cols);
      denseRow(earlier.rows.data, s, row);
      const shares = active.map((learner) => ({
        learner,
        by: earlier.coefficients[learner.positive]?.[s] as number,
      }));
      this.#supports.add(
        row,
        shares.filter(({ by }) => by !== 0),
      );
      if (clock.due()) yield;
    }
    memory.refresh();
    for (let i = 0; i < this.#X.rows; i++) {
      const shares: Share[] = [];
      for (const learner of active) {
        const alpha = memory.f64[at8(learner.record.u32(at.ALPHAS)) + i] as number;
        if (alpha !== 0) shares.push({ learner, by: this.#codes[i] === learner.positive ? alpha : -alpha });
      }
      if (shares.length > 0) {
        this.#supports.add(this.#rowAt(i), shares);
        if (clock.due()) yield;
        memory.refresh();
      }
    }
  }

  #rowAt(i: number): Values {
    const { cols } = this.#X;
    return this.#X.view().subarray(i * cols, (i + 1) * cols);
  }

  /** Trains on the samples at places `from` to `to` − 1. */
  *#advance(active: readonly Learner[], from: number, to: number, hooks: Hooks): Pausing<void> {
    const { cols, element } = this.#X;
    const { arena } = this.#engine;
    const n = to - from;
    const started = performance.now();
    // The rows of the block, their kernel values with a chunk of support vectors, and their scores.
    const rowBytes = aligned(bytesOf(element) * n * cols);
    const block = arena.allocate(rowBytes + 8 * n * (CHUNK + active.length + 1), `a block of ${n} rows`, false);
    let pairs: Pairs | undefined;
    try {
      const rows = this.#gather(active[0] as Learner, block.offset, from, n);
      pairs = new DensePairs(this.#engine, rows, this.#kernel);
      const kernels = block.offset + rowBytes;
      const scores = active.map((_, k) => kernels + 8 * n * (CHUNK + k));
      arena.f64(kernels + 8 * n * CHUNK, n * active.length).fill(0);
      const scoresOf = (learner: Learner) => scores[active.indexOf(learner)];
      yield* this.#supports.addTo(pairs, n, kernels, scoresOf, hooks);
      this.gram.ms += performance.now() - started;
      yield* this.#visit(active, pairs, from, n, scores, kernels + 8 * n * (CHUNK + active.length), hooks);
    } finally {
      pairs?.release();
      arena.release(block);
    }
  }

  #gather(first: Learner, offset: number, from: number, n: number): ArenaRows {
    const { cols, element } = this.#X;
    const { arena } = this.#engine;
    const rows = new DenseRows(arena, { rows: n, cols }, offset, element as DenseRows['element']);
    const to = rows.view();
    for (let k = 0; k < n; k++) to.set(this.#rowAt(sampleAt(first, arena, from + k)), k * cols);
    return rows;
  }

  /** Trains on the samples of a block one by one. */
  *#visit(
    active: readonly Learner[],
    pairs: Pairs,
    from: number,
    n: number,
    scores: readonly number[],
    row: number,
    { clock, onUpdate }: Hooks,
  ): Pausing<void> {
    const memory = this.#memory;
    const { arena } = this.#engine;
    memory.refresh();
    const [first] = active as readonly [Learner];
    const mu = first.record.f64(at.MU);
    for (let k = 0; k < n; k++) {
      const sample = sampleAt(first, arena, from + k);
      let shares: Share[] | undefined;
      for (let a = 0; a < active.length; a++) {
        const learner = active[a] as Learner;
        const { offset } = learner.record;
        const own = at8(scores[a] as number);
        const s = (memory.f64[own + k] as number) + memory.float(offset, at.BIAS);
        const m = marginOf(s, this.#codes[sample] === learner.positive ? 1 : -1);
        if (isRight(m, mu) || this.#counters.isIdle(offset, sample)) continue;
        if (!Number.isFinite(m)) throw learner.overflowAt(sample);
        if (!shares) {
          const started = performance.now();
          finish(pairs.row(k, row, ALONE));
          this.gram.ms += performance.now() - started;
          shares = [];
        }
        const place = memory.float(offset, at.SEEN) + from + k;
        this.#counters.correct(this.#formOf(learner, shares, own, at8(row), n), offset, sample, m, place);
        if (onUpdate) {
          onUpdate(learner.updateAt(sample));
          memory.refresh(); // the callback may have grown the memory
        }
      }
      if (shares) {
        this.#supports.add(this.#rowAt(sample), shares);
        memory.refresh();
      }
      if (!clock.due()) continue;
      // An abort here leaves records that say how many samples were seen.
      for (const { record } of active) record.setU32(at.CURSOR, from + k + 1);
      yield;
      memory.refresh();
    }
  }

  /** The update of one class: of its coefficients, and of its scores of the block. */
  #formOf(learner: Learner, shares: Share[], scores: number, row: number, n: number): Form {
    const memory = this.#memory;
    const alphas = at8(learner.record.u32(at.ALPHAS));
    const sums = at8(learner.record.u32(at.ALPHA_SUMS));
    return {
      marginOf: () => NaN, // #visit has the scores
      stepOf: undefined,
      isReady: () => true,
      update(sample, step, before) {
        const size = Math.abs(step);
        const { f64 } = memory;
        f64[alphas + sample] = (f64[alphas + sample] as number) + size;
        if (sums) f64[sums + sample] = (f64[sums + sample] as number) + before * size;
        axpyF64(f64, scores, f64, row, step, n);
        shares.push({ learner, by: step });
      },
    };
  }

  release(): void {
    this.#supports.release();
    this.#order?.release();
  }
}

/** Room for PIECE_ROWS support vectors of one storage. */
interface Piece extends OtherRows {
  readonly rows: DenseRows;
  used: number;
}

/** A list of support vectors, in pieces of memory, and their coefficients in the scores of each class. */
class SupportList {
  readonly #engine: BoundEngine;
  readonly #pieces: Piece[] = [];
  readonly #needsNorms: boolean;
  readonly #shares: Share[][] = [];

  constructor(engine: BoundEngine, { kind }: KernelFunction) {
    this.#engine = engine;
    this.#needsNorms = kind === at.RBF;
  }

  get length(): number {
    return this.#shares.length;
  }

  add(row: Values, shares: Share[]): void {
    const { arena } = this.#engine;
    const held = row.slice(); // allocating may detach `row`
    const cols = row.length;
    const { element } = STORAGE[dtypeOf(row)];
    let piece = this.#pieces.at(-1);
    if (piece?.rows.element !== element || piece.used === PIECE_ROWS) {
      const bytes = bytesOf(element) * PIECE_ROWS * cols;
      const block = arena.allocate(bytes, `${PIECE_ROWS} support vectors`, false);
      const rows = new DenseRows(arena, { rows: PIECE_ROWS, cols }, block.offset, element, block);
      piece = { rows, norms: new Float64Array(PIECE_ROWS), used: 0 };
      this.#pieces.push(piece);
    }
    const { rows, norms, used } = piece;
    rows.view().set(held, used * cols);
    if (this.#needsNorms) norms[used] = squaredNormsOf(rows.part(used, 1), this.#engine)[0] as number;
    piece.used++;
    this.#shares.push(shares);
  }

  /** Adds the parts of all support vectors to the scores of n rows; `kernels` has room for CHUNK · n kernel values. */
  *addTo(
    pairs: Pairs,
    n: number,
    kernels: number,
    scoresOf: (learner: Learner) => number | undefined,
    resources: Resources,
  ): Pausing<void> {
    const { axpy } = this.#engine.kernels();
    let support = 0;
    for (const piece of this.#pieces) {
      for (let from = 0; from < piece.used; from += CHUNK) {
        const count = Math.min(CHUNK, piece.used - from);
        yield* pairs.block(piece, from, count, kernels, resources);
        for (let k = 0; k < count; k++, support++) {
          for (const { learner, by } of this.#shares[support] as Share[]) {
            const scores = scoresOf(learner);
            if (scores !== undefined) axpy(8, scores, kernels + 8 * n * k, by, n);
          }
        }
      }
    }
  }

  release(): void {
    for (const { rows } of this.#pieces) rows.release();
  }
}
