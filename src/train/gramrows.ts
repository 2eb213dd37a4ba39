// Where the rows of the Gram matrix come from in dual training: all computed before, or each when it is first needed.

import type { Due, Pairs } from '../data/pairs.js';
import type { Arena, Block } from '../memory/arena.js';
import type { GramMode } from './options.js';

/** Which way, and with how many bytes. */
export interface GramPlan {
  readonly mode: 'full' | 'rows';
  readonly bytes: number;
  /** What to do where the memory has no room for that. */
  readonly otherwise?: GramPlan;
}

const grouped = (bytes: number) => bytes.toLocaleString('en');

/**
 * Decides by N and `maxGramBytes`. All modes give the same bits, so 'auto' may take the other way where memory is short.
 * @throws RangeError naming the bytes and the other mode, before anything is allocated
 */
export function planGram(mode: GramMode, maxGramBytes: number, n: number, arena: Arena): GramPlan {
  const full = 8 * n * n;
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

export interface GramRows {
  /** Fills the table with what there is from the start. */
  prepare(due: Due): Generator<void>;
  /** Sees to it that a row is at hand. */
  bring(sample: number, due: Due): Generator<void>;
  release(): void;
}

/** The table of rows the kernels read, u32[n], and when each was last used, f64[n]; views of this moment. */
export interface RowTable {
  rows(): Uint32Array;
  stamps(): Float64Array;
  /** A time later than all uses so far. */
  now(): number;
}

/** All rows, in the matrix at `offset`. */
export function fullGram(n: number, offset: number, table: RowTable, fill: (due: Due) => Generator<void>): GramRows {
  return {
    *prepare(due) {
      yield* fill(due);
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
export function cachedRows(arena: Arena, n: number, bytes: number, pairs: Pairs, table: RowTable): GramRows {
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
    *bring(sample, due) {
      if (held.has(sample)) return;
      if (free.length === 0) extend();
      const offset = free.pop() ?? evict();
      yield* pairs.row(sample, offset, due);
      table.rows()[sample] = offset;
      table.stamps()[sample] = table.now();
      held.add(sample);
    },
    release() {
      for (const piece of pieces) arena.release(piece);
    },
  };
}
