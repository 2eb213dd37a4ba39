// The Gram matrix of dual training, shared by all that train on the same rows: all of it computed before, or each row when
// it is first needed.

import type { Pace, Sliced } from '../async/sliced.js';
import type { ArenaRows } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import { checkGram, checkSquare } from '../data/gram.js';
import { type KernelChoice, kernelFor } from '../data/kernel.js';
import type { Pairs } from '../data/pairs.js';
import { bringIn } from '../data/rows.js';
import { pairsOf } from '../data/sparsepairs.js';
import type { BoundEngine } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { GramMode } from './options.js';

/** Which way, and with how many bytes. */
export interface GramPlan {
  /** 'blocks': there is none (kernelblocks.ts). */
  readonly mode: 'full' | 'rows' | 'blocks';
  readonly bytes: number;
  /** What to do where the memory has no room for that. */
  readonly otherwise?: GramPlan;
  /** The caller's own matrix. */
  readonly precomputed?: DenseMatrix;
}

const grouped = (bytes: number) => bytes.toLocaleString('en');

/**
 * Decides by N and `maxGramBytes`. All modes give the same bits, so 'auto' may take the other way where memory is short.
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

/** Where rows come from. */
interface Source {
  /** Fills the table with what there is from the start. */
  prepare(pace: Pace): Sliced<void>;
  /** Sees to it that a row is at hand. */
  bring(sample: number, pace: Pace): Sliced<void>;
  release(): void;
}

/** The table of rows the kernels read, u32[n], and when each was last used, f64[n]; views of this moment. */
interface RowTable {
  rows(): Uint32Array;
  stamps(): Float64Array;
}

/**
 * Rows of the Gram matrix, for all who train on the same rows of X. Made first and opened last: the matrix may take what
 * memory the others leave.
 */
export class Gram {
  /** Byte offset of u32[n]: where each row lies, 0 for those not at hand. */
  readonly table: number;
  readonly pairs: Pairs;
  /** Bytes of the whole matrix, if it is to be had; else 0. */
  readonly wholeBytes: number;
  /** Milliseconds spent on it so far. */
  ms = 0;
  readonly #arena: Arena;
  readonly #block: Block;
  readonly #stamps: number;
  readonly #source: (pace: Pace) => Sliced<Source>;
  #opened: Source | undefined;
  #matrix: { offset: number; release(): void } | undefined;
  #isPrepared = false;
  /** A time later than all uses so far. */
  #latest = 0;

  constructor(engine: BoundEngine, X: ArenaRows, choice: KernelChoice, plan: GramPlan) {
    const { arena } = engine;
    const n = X.rows;
    this.#arena = arena;
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
    const table: RowTable = { rows: () => arena.u32(this.table, n), stamps: () => arena.f64(this.#stamps, n) };
    this.#source = (pace) => this.#open(engine, X, choice.type, plan, table, pace);
  }

  /** Takes memory for the matrix, or for rows of it. */
  *open(pace: Pace): Sliced<void> {
    yield* this.pairs.prepare(pace);
    this.#opened = yield* this.#source(pace);
  }

  get mode(): 'full' | 'rows' {
    return this.#matrix ? 'full' : 'rows';
  }

  /** Byte offset of f64[n]: when each row was last used; 0 where nobody asks. */
  get stamps(): number {
    return this.#matrix ? 0 : this.#stamps;
  }

  *#open(
    { arena }: BoundEngine,
    X: ArenaRows,
    type: string,
    plan: GramPlan,
    table: RowTable,
    pace: Pace,
  ): Sliced<Source> {
    const n = X.rows;
    const { pairs } = this;
    if (plan.precomputed !== undefined) {
      checkSquare(plan.precomputed, n, 'precomputed');
      const matrix = yield* bringIn(plan.precomputed, arena, 'precomputed', pace);
      this.#matrix = matrix;
      yield* checkGram(matrix, X, pairs, type, pace);
      return fullGram(n, matrix.offset, table, nothing);
    }
    const block = plan.mode === 'full' ? takeMatrix(arena, n, plan) : undefined;
    if (!block) return cachedRows(arena, n, (plan.otherwise ?? plan).bytes, pairs, table);
    this.#matrix = { offset: block.offset, release: () => arena.release(block) };
    return fullGram(n, block.offset, table, (pace) => pairs.matrix(block.offset, pace));
  }

  /** What there is to do before training, once. */
  *prepare(pace: Pace): Sliced<void> {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    const started = performance.now();
    yield* (this.#opened as Source).prepare(pace);
    this.ms += performance.now() - started;
  }

  /** Sees to it that a row is at hand. `tick` is when the one who asks last used one; answers the time to go on from. */
  *bring(sample: number, tick: number, pace: Pace): Sliced<number> {
    const started = performance.now();
    this.#latest = Math.max(this.#latest, tick) + 1;
    yield* (this.#opened as Source).bring(sample, pace);
    if (this.stamps) this.#arena.f64(this.stamps + 8 * sample, 1)[0] = this.#latest;
    this.ms += performance.now() - started;
    return this.#latest;
  }

  release(): void {
    this.#opened?.release();
    this.#matrix?.release();
    this.#arena.release(this.#block);
    this.pairs.release();
  }
}

/** Room for the whole matrix; none if the plan knows another way. */
function takeMatrix(arena: Arena, n: number, { bytes, otherwise }: GramPlan): Block | undefined {
  try {
    return arena.allocate(bytes, `the ${n} × ${n} Gram matrix`, false);
  } catch (error) {
    if (otherwise) return undefined;
    throw orRows(error);
  }
}

/** The error for too little room, with what else to try. */
function orRows(error: unknown): unknown {
  if (error instanceof RangeError) error.message += "; or use gram: 'rows'";
  return error;
}

/** A crew that shares a Gram matrix, which is opened when all are hired: it may take the memory they leave. */
export function* crewWith<C extends { readonly members: readonly { readonly learner: { release(): void } }[] }>(
  gram: Gram,
  hire: () => Sliced<C>,
  pace: Pace,
) {
  let crew: C | undefined;
  let isOpen = false;
  try {
    crew = yield* hire();
    yield* gram.open(pace);
    isOpen = true;
  } finally {
    if (!isOpen) {
      for (const { learner } of crew?.members ?? []) learner.release();
      gram.release();
    }
  }
  return { ...crew, gramMode: gram.mode, gramMs: () => gram.ms, release: () => gram.release() };
}

function* nothing(): Sliced<void> {}

/** All rows, in the matrix at `offset`. */
function fullGram(n: number, offset: number, table: RowTable, fill: (pace: Pace) => Sliced<void>): Source {
  return {
    *prepare(pace) {
      yield* fill(pace);
      const rows = table.rows();
      for (let i = 0; i < n; i++) rows[i] = offset + 8 * n * i;
    },
    *bring() {},
    release() {},
  };
}

/** Memory for rows is taken in pieces of about this size, as it is needed. */
const PIECE_BYTES = 8 * 2 ** 20;

/** Rows as they are needed, the least recently used making room when `bytes` are full. */
function cachedRows(arena: Arena, n: number, bytes: number, pairs: Pairs, table: RowTable): Source {
  const row = 8 * n;
  let capacity = Math.floor(bytes / row);
  const pieces: Block[] = [];
  const free: number[] = [];
  const held = new Set<number>();
  let slots = 0;

  /** More room, if there is to be any: a piece, or half of it, down to a single row. */
  const extend = (): void => {
    let more = Math.min(capacity - slots, Math.max(1, Math.floor(PIECE_BYTES / row)));
    while (more > 0) {
      try {
        const piece = arena.allocate(more * row, `${more} rows of the Gram matrix`, false);
        pieces.push(piece);
        slots += more;
        for (let k = more - 1; k >= 0; k--) free.push(piece.offset + k * row);
        return;
      } catch (error) {
        more >>= 1;
        if (more === 0 && slots === 0) throw error;
      }
    }
    capacity = slots; // the memory is full: the rows that are there must do
  };

  /** Takes the place of the row whose latest use is longest ago. */
  const evict = (): number => {
    const stamps = table.stamps();
    let oldest = -1;
    for (const sample of held) {
      if (oldest < 0 || (stamps[sample] as number) < (stamps[oldest] as number)) oldest = sample;
    }
    held.delete(oldest);
    const rows = table.rows();
    const offset = rows[oldest] as number;
    rows[oldest] = 0;
    return offset;
  };

  return {
    *prepare() {},
    *bring(sample, pace) {
      if (held.has(sample)) return;
      if (free.length === 0) extend();
      const offset = free.pop() ?? evict();
      yield* pairs.row(sample, offset, pace);
      table.rows()[sample] = offset;
      held.add(sample);
    },
    release() {
      for (const piece of pieces) arena.release(piece);
    },
  };
}
