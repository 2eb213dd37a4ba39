// The Gram matrix of dual training: computed before training, or each row when training first needs it.

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { type ArenaRows, DenseRows } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import type { BoundEngine } from '../engine/contract.js';
import { grouped } from '../errors.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { own } from '../own.js';
import type { Resources } from '../worker/threads.js';
import { pairsOf } from './densepairs.js';
import { checkGram, squareIn } from './gram.js';
import { type KernelChoice, kernelFor } from './kernel.js';
import { type Pairs, pairOverflow } from './pairs.js';
import { isTrusted } from './trusted.js';

/** 'full': the whole Gram matrix; 'rows': rows of it when they are needed. Results are bit-identical. */
export type GramMode = 'full' | 'rows' | 'auto';

/** The mode, and how many bytes it may use. */
export interface GramPlan {
  /** 'blocks': without a Gram matrix (kernelblocks.ts). */
  readonly mode: 'full' | 'rows' | 'blocks';
  readonly bytes: number;
  /** The plan to use instead if the memory has no room for this one. */
  readonly otherwise?: GramPlan;
  /** The caller's matrix. */
  readonly precomputed?: DenseMatrix;
}

/** The part of a training record that has the tick. */
interface Ticks {
  f64(field: number): number;
  setF64(field: number, value: number): void;
}

/**
 * Plans by N and `maxGramBytes`. Results are bit-identical in all modes, so 'auto' may change the mode if memory is short.
 * @throws RangeError naming the bytes and the other mode, before anything is allocated
 */
export function planGram(
  { gram: mode, maxGramBytes }: { readonly gram: GramMode | 'blocks'; readonly maxGramBytes: number },
  n: number,
  arena: Arena,
  precomputed: DenseMatrix | undefined,
): GramPlan {
  const full = 8 * n * n;
  if (precomputed !== undefined) return { mode: 'full', bytes: full, precomputed };
  if (mode === 'blocks') return { mode, bytes: 0 };
  const row = 8 * n;
  const room = Math.min(maxGramBytes, arena.maxBytes);
  const limit = maxGramBytes <= arena.maxBytes ? '"maxGramBytes"' : 'the memory';
  if (mode === 'full') {
    if (full <= room) return { mode, bytes: full };
    throw new RangeError(
      `gram: 'full' needs ${grouped(full)} bytes for the ${n} × ${n} Gram matrix, ${limit} allows ${grouped(room)}; ` +
        "use gram: 'rows', which keeps as many rows as fit",
    );
  }
  if (row > room) {
    throw new RangeError(
      `gram: 'rows' needs ${grouped(row)} bytes for a single row of the ${n} × ${n} Gram matrix, ${limit} allows ${grouped(room)}`,
    );
  }
  const rows = { mode: 'rows', bytes: Math.min(full, Math.floor(room / row) * row) } as const;
  return mode === 'auto' && full <= room ? { mode: 'full', bytes: full, otherwise: rows } : rows;
}

/**
 * The Gram matrix of X for dual training: the whole matrix, or rows of it when they are needed. All learners on X share it.
 * Construct it before the learners and open it after them: the matrix may take all the memory that they leave.
 */
export class Gram {
  /** Byte offset of u32[n]: the byte offset of each row; 0: not in memory. */
  readonly table: number;
  readonly pairs: Pairs;
  readonly engine: BoundEngine;
  readonly rows: number;
  mode: 'full' | 'rows' = 'full';
  /** Byte offset of f64[n]: the tick of each row's latest use; 0 in mode 'full'. */
  stamps = 0;
  /** Bytes of the whole matrix in mode 'full'; else 0. */
  readonly wholeBytes: number;
  /** Milliseconds spent on computing it so far. */
  ms = 0;
  readonly #arena: Arena;
  readonly #X: ArenaRows;
  readonly #type: string;
  readonly #plan: GramPlan;
  readonly #block: Block;
  readonly #stamps: number;
  #matrix: ArenaRows | undefined;
  #cache: RowCache | undefined;
  #isOpen = false;
  /** A tick later than all uses so far. */
  #latest = 0;

  constructor(engine: BoundEngine, X: ArenaRows, choice: KernelChoice, plan: GramPlan) {
    const { arena } = engine;
    const n = X.rows;
    this.engine = engine;
    this.rows = n;
    this.#arena = arena;
    this.#X = X;
    this.#type = choice.type;
    this.#plan = plan;
    this.wholeBytes = plan.mode === 'full' ? plan.bytes : 0;
    this.pairs = pairsOf(engine, X, kernelFor(choice, X.cols));
    const needsStamps = plan.mode === 'rows' || plan.otherwise !== undefined;
    try {
      this.#block = arena.allocate(aligned(4 * n) + (needsStamps ? 8 * n : 0), `a table of ${n} rows`);
    } catch (error) {
      this.pairs.release();
      throw error;
    }
    this.table = this.#block.offset;
    this.#stamps = needsStamps ? this.table + aligned(4 * n) : 0;
  }

  /** Allocates and fills the matrix; in mode 'rows' only prepares. */
  *open(resources: Resources): Pausing<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { rows: n } = this.#X;
    const { mode, bytes, precomputed, otherwise } = own(this.#plan);
    const started = performance.now();
    if (precomputed !== undefined) {
      const matrix = squareIn(precomputed, n, this.#arena, 'precomputed');
      this.#matrix = matrix;
      if (!isTrusted(precomputed)) yield* checkGram(matrix, this.#X, this.pairs, this.#type, resources);
    } else {
      let block: Block | undefined;
      try {
        if (mode === 'full') block = this.#arena.allocate(bytes, `the ${n} × ${n} Gram matrix`, false);
      } catch (error) {
        if (!otherwise && error instanceof RangeError) error.message += "; or use gram: 'rows'";
        if (!otherwise) throw error;
      }
      if (!block) {
        this.mode = 'rows';
        this.stamps = this.#stamps;
        const most = otherwise?.bytes ?? bytes;
        this.#cache = new RowCache(this.#arena, n, most, this.pairs, this.table, this.#stamps);
        return;
      }
      this.#matrix = new DenseRows(this.#arena, { rows: n, cols: n }, block.offset, 8, block);
      yield* this.pairs.matrix(block.offset, resources);
      if (this.#X.store) this.pairs.releaseColumns();
    }
    const table = this.#arena.u32(this.table, n);
    for (let i = 0; i < n; i++) table[i] = this.#matrix.offset + 8 * n * i;
    this.ms += performance.now() - started;
  }

  /** Computes a row if it is not in memory; `record` has the tick of its learner's latest use of a row. */
  *ensureRow(sample: number, record: Ticks, resources: Resources): Pausing<void> {
    const started = performance.now();
    this.#latest = Math.max(this.#latest, record.f64(at.TICK)) + 1;
    record.setF64(at.TICK, this.#latest);
    if (this.#cache) {
      yield* this.#cache.ensureRow(sample, resources);
      this.#arena.f64(this.#stamps + 8 * sample, 1)[0] = this.#latest;
    }
    this.ms += performance.now() - started;
  }

  /** The byte offset of a row; 0: not in memory. */
  rowAt(sample: number): number {
    return this.#arena.u32(this.table, this.rows)[sample] as number;
  }

  /** The error for a score of row `index` that is not finite, if a kernel value in it is not. */
  overflowAt(index: number): RangeError | undefined {
    const row = this.rowAt(index);
    // The row of this sample may not be in memory; those of the support vectors make up its score.
    for (let j = 0; j < this.rows; j++) {
      const other = row ? 0 : this.rowAt(j);
      if (!row && !other) continue;
      const value = this.#arena.f64(row ? row + 8 * j : other + 8 * index, 1)[0] as number;
      if (!Number.isFinite(value)) return pairOverflow(Math.min(index, j), Math.max(index, j), value, this.#type);
    }
    return undefined;
  }

  release(): void {
    this.#cache?.release();
    this.#matrix?.release();
    this.#arena.release(this.#block);
    this.pairs.release();
  }
}

/** The cache allocates memory for rows in pieces of about this size. */
const PIECE_BYTES = 8 * 2 ** 20;

/** Rows of the Gram matrix, computed when they are first needed; a full cache replaces the least recently used row. */
class RowCache {
  readonly #arena: Arena;
  readonly #n: number;
  readonly #pairs: Pairs;
  readonly #table: number;
  readonly #stamps: number;
  /** The most rows it may hold. */
  #capacity: number;
  readonly #pieces: Block[] = [];
  readonly #free: number[] = [];
  readonly #held = new Set<number>();
  #slots = 0;

  constructor(arena: Arena, n: number, bytes: number, pairs: Pairs, table: number, stamps: number) {
    this.#arena = arena;
    this.#n = n;
    this.#pairs = pairs;
    this.#table = table;
    this.#stamps = stamps;
    this.#capacity = Math.floor(bytes / (8 * n));
  }

  *ensureRow(sample: number, resources: Resources): Pausing<void> {
    if (this.#held.has(sample)) return;
    if (this.#free.length === 0) this.#extend();
    const offset = this.#free.pop() ?? this.#evict();
    yield* this.#pairs.row(sample, offset, resources);
    this.#arena.u32(this.#table, this.#n)[sample] = offset;
    this.#held.add(sample);
  }

  /** Allocates more memory within the capacity: a piece, or half of it, down to a single row. */
  #extend(): void {
    const row = 8 * this.#n;
    let more = Math.min(this.#capacity - this.#slots, Math.max(1, Math.floor(PIECE_BYTES / row)));
    while (more > 0) {
      try {
        const piece = this.#arena.allocate(more * row, `${more} rows of the Gram matrix`, false);
        this.#pieces.push(piece);
        this.#slots += more;
        for (let k = more - 1; k >= 0; k--) this.#free.push(piece.offset + k * row);
        return;
      } catch (error) {
        more >>= 1;
        if (more === 0 && this.#slots === 0) throw error;
      }
    }
    this.#capacity = this.#slots; // the memory is full: keep the rows there are
  }

  /** Removes the least recently used row; returns its slot. */
  #evict(): number {
    const stamps = this.#arena.f64(this.#stamps, this.#n);
    let oldest = -1;
    for (const sample of this.#held) {
      if (oldest < 0 || (stamps[sample] as number) < (stamps[oldest] as number)) oldest = sample;
    }
    this.#held.delete(oldest);
    const table = this.#arena.u32(this.#table, this.#n);
    const offset = table[oldest] as number;
    table[oldest] = 0;
    return offset;
  }

  release(): void {
    for (const piece of this.#pieces) this.#arena.release(piece);
  }
}
