// Sparse rows in the arena: a table with an entry for each row (assembly/layout.ts), which points to the row's values and
// columns: even columns first, then odd ones, each ascending. Values are float64, or float32 in rows whose values all are
// float32 numbers (counts, ones). Memory is allocated in pieces, so that nothing is copied when it grows.

import { NARROW, ROW_BYTES, ROW_COLUMNS, ROW_EVENS, ROW_ODDS, ROW_VALUES } from '../../assembly/layout.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { get } from '../own.js';
import { addRow, type Entries, RowBuffer, type See } from './entries.js';
import type { Floats } from './views.js';

/** The most columns of a matrix. */
export const MOST_COLS = 2 ** 31 - 1;

/** Room for values at first, if their number is not known; and the bytes of the largest piece. */
const FIRST_VALUES = 2 ** 10;
const LARGEST_PIECE = 2 ** 23;

/** Rows of the first table. */
const FIRST_ROWS = 64;

/** Sparse rows and their blocks. The last holder's `release` frees the blocks. */
export class SparseStore implements Entries {
  readonly arena: Arena;
  readonly rows: number;
  readonly cols: number;
  /** How many values are stored. */
  readonly nonZeros: number;
  /** The byte offset of the table. */
  readonly offset: number;
  readonly #blocks: readonly Block[];
  #holders = 1;

  constructor(arena: Arena, table: Block, pieces: readonly Block[], rows: number, cols: number, nonZeros: number) {
    this.arena = arena;
    this.rows = rows;
    this.cols = cols;
    this.nonZeros = nonZeros;
    this.offset = table.offset;
    this.#blocks = [table, ...pieces];
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders > 0) return;
    for (const block of this.#blocks) this.arena.release(block);
  }

  /** The byte offset of row i's entry. */
  entryOf(i: number): number {
    return this.offset + ROW_BYTES * i;
  }

  visit(i: number, see: See): void {
    visitEntry(this.arena, this.entryOf(i), see);
  }
}

/** The store of each SparseMatrix. */
export const storeOf = new WeakMap<object, SparseStore>();

/** How many values the row with this entry has. */
export function lengthOfRow(arena: Arena, entry: number): number {
  const counts = arena.u32(entry + ROW_EVENS, 2);
  return (counts[0] as number) + ((counts[1] as number) & ~NARROW);
}

/** The row with this entry as views, not to be kept: even columns, then odd ones. */
function rowAtEntry(arena: Arena, entry: number): { columns: Uint32Array; values: Floats; evens: number } {
  const fields = arena.u32(entry, ROW_BYTES / 4);
  const evens = fields[ROW_EVENS / 4] as number;
  const odds = fields[ROW_ODDS / 4] as number;
  const length = evens + (odds & ~NARROW);
  const at = fields[ROW_VALUES / 4] as number;
  return {
    columns: arena.u32(fields[ROW_COLUMNS / 4] as number, length),
    values: odds & NARROW ? arena.f32(at, length) : arena.f64(at, length),
    evens,
  };
}

/** Calls `see` with each stored column of the row with this entry, ascending, and its value. */
export function visitEntry(arena: Arena, entry: number, see: See): void {
  const { columns, values, evens } = rowAtEntry(arena, entry);
  const { length } = columns;
  for (let even = 0, odd = evens; even < evens || odd < length; ) {
    const isEven = odd === length || (even < evens && (columns[even] as number) < (columns[odd] as number));
    const at = isEven ? even++ : odd++;
    see(columns[at] as number, values[at] as number);
  }
}

/** A block and how much of it is used, in bytes. */
interface Piece {
  readonly block: Block;
  readonly capacity: number;
  /** The first row that it had room for. */
  readonly firstRow: number;
  used: number;
}

/** Memory that is allocated piece by piece. */
class Pieces {
  readonly #arena: Arena;
  readonly #first: number;
  readonly #list: Piece[] = [];
  // The latest piece as typed arrays.
  f64: Float64Array = new Float64Array();
  f32: Float32Array = new Float32Array();
  u32: Uint32Array = new Uint32Array();

  /** `first`: the bytes of the first piece. */
  constructor(arena: Arena, first: number) {
    this.#arena = arena;
    this.#first = 8 * Math.ceil(first / 8);
  }

  /** Makes room for `bytes` bytes of a row; sets f64, f32 and u32 to the row's piece. */
  room(bytes: number, row: number): Piece {
    let piece = this.#list.at(-1);
    if (!piece || piece.used + bytes > piece.capacity) {
      const next = piece ? Math.min(LARGEST_PIECE, 2 * piece.capacity) : this.#first;
      const least = 8 * Math.ceil(bytes / 8);
      piece = { ...this.#next(least, Math.max(least, next)), firstRow: row, used: 0 };
      this.#list.push(piece);
      this.f64 = new Float64Array();
    }
    // Growth detaches the arrays if the memory is not shared. Asking for its buffer each time would take longer than a short row.
    if (this.f64.byteLength < piece.capacity) {
      const { offset } = piece.block;
      this.f64 = this.#arena.f64(offset, piece.capacity / 8);
      this.f32 = this.#arena.f32(offset, piece.capacity / 4);
      this.u32 = this.#arena.u32(offset, piece.capacity / 4);
    }
    return piece;
  }

  /** A piece of `wanted` bytes; of fewer if memory is short, but of at least `least`. */
  #next(least: number, wanted: number): Pick<Piece, 'block' | 'capacity'> {
    for (let capacity = wanted; ; capacity = Math.max(least, 8 * Math.floor(capacity / 16))) {
      try {
        return { block: this.#arena.allocate(capacity, 'sparse rows', false), capacity };
      } catch (error) {
        if (capacity === least || !isNoRoom(error)) throw error;
      }
    }
  }

  /** Moves the latest piece to a smaller block if much of it is empty; `moved` gets its first row and the distance. */
  shrink(moved: (firstRow: number, by: number) => void): void {
    const piece = this.#list.at(-1);
    if (!piece || 4 * piece.used >= 3 * piece.capacity) return;
    const arena = this.#arena;
    const capacity = 8 * Math.ceil(piece.used / 8);
    let block: Block;
    try {
      block = arena.allocate(capacity, 'sparse rows', false);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      return;
    }
    const { offset } = piece.block;
    arena.u32(block.offset, piece.used / 4).set(arena.u32(offset, piece.used / 4));
    moved(piece.firstRow, block.offset - offset);
    arena.release(piece.block);
    this.#list[this.#list.length - 1] = { ...piece, block, capacity };
  }

  /** The blocks; the caller releases them. */
  take(): Block[] {
    const blocks = this.#list.map(({ block }) => block);
    this.#list.length = 0;
    return blocks;
  }

  dispose(): void {
    for (const block of this.take()) this.#arena.release(block);
    this.f64 = new Float64Array();
    this.f32 = new Float32Array();
    this.u32 = new Uint32Array();
  }
}

/** Memory for as many rows of X, whose number of values it guesses. */
export function piecesFor(X: Entries, arena: Arena, rows = X.rows): RowPieces {
  const nonZeros = get(X, 'nonZeros');
  const room = nonZeros === undefined ? undefined : Math.ceil((nonZeros / X.rows) * rows) + rows + 1;
  return new RowPieces(arena, room, rows);
}

/** A copy of the rows `list` (default: all) in an arena. */
export function storeOfRows(X: Entries, arena: Arena, list?: ArrayLike<number>): SparseStore {
  const rows = list?.length ?? X.rows;
  const pieces = piecesFor(X, arena, rows);
  try {
    pieces.copy(X, 0, rows, list);
    return pieces.finish(X.cols);
  } finally {
    pieces.dispose(); // after `finish` this releases nothing
  }
}

/**
 * Builds sparse rows one after the other. The caller checks them. Values and columns are stored apart: processors prefetch two
 * streams better than one that jumps (1.25 times the speed).
 */
export class RowPieces {
  readonly #arena: Arena;
  readonly #values: Pieces;
  readonly #columns: Pieces;
  /** The table, and how many rows it has room for. */
  #table: Block | undefined;
  #capacity = 0;
  readonly #firstRows: number;
  #entries: Uint32Array = new Uint32Array();
  #isOver = false;
  rows = 0;
  nonZeros = 0;
  /** The largest column so far. */
  largest = -1;

  /** `expected` values and `rows` rows: a hint. */
  constructor(arena: Arena, expected = FIRST_VALUES, rows = FIRST_ROWS) {
    this.#arena = arena;
    this.#firstRows = rows;
    this.#values = new Pieces(arena, 8 * expected);
    this.#columns = new Pieces(arena, 4 * expected);
  }

  /** Adds rows `from` … `end` − 1 of X, or of the rows of X that are listed. */
  copy(X: Entries, from: number, end: number, list?: ArrayLike<number>): void {
    const row = new RowBuffer();
    for (let r = from; r < end; r++) {
      row.length = 0;
      addRow(row, X, list ? (list[r] as number) : r);
      this.put(row);
    }
  }

  /** Adds a row, columns ascending, values finite. */
  put({ columns, values, length }: RowBuffer): void {
    if (this.#isOver) throw new Error('this SparseBuilder is finished or disposed');
    if (this.rows === this.#capacity) this.#extendTable();
    const isNarrow = isFloat32(values, length);
    // A multiple of 8 bytes, because the next row may be float64.
    const bytes = isNarrow ? 8 * Math.ceil(length / 2) : 8 * length;
    const valuePiece = this.#values.room(bytes, this.rows);
    const columnPiece = this.#columns.room(4 * length, this.rows);
    this.#values.room(bytes, this.rows); // again: making room for columns may detach its arrays
    const { f64, f32 } = this.#values;
    const { u32 } = this.#columns;
    const floats: Floats = isNarrow ? f32 : f64;
    const valuesAt = valuePiece.used / (isNarrow ? 4 : 8);
    const columnsAt = columnPiece.used / 4;
    let evens = length;
    for (let k = 0; k < length; k++) evens -= (columns[k] as number) & 1;
    // Entries of even columns, then those of odd ones. Without a branch: half of the guesses of a processor would be wrong, and a row
    // would take three times as long.
    for (let k = 0, odds = 0; k < length; k++) {
      const isOdd = (columns[k] as number) & 1;
      const place = k - odds + ((evens + 2 * odds - k) & -isOdd);
      floats[valuesAt + place] = values[k] as number;
      u32[columnsAt + place] = columns[k] as number;
      odds += isOdd;
    }
    if (length > 0) this.largest = Math.max(this.largest, columns[length - 1] as number);
    const at = (ROW_BYTES / 4) * this.rows;
    const entries = this.#tableNow();
    entries[at + ROW_VALUES / 4] = valuePiece.block.offset + valuePiece.used;
    entries[at + ROW_COLUMNS / 4] = columnPiece.block.offset + columnPiece.used;
    entries[at + ROW_EVENS / 4] = evens;
    entries[at + ROW_ODDS / 4] = isNarrow ? (length - evens) | NARROW : length - evens;
    valuePiece.used += bytes;
    columnPiece.used += 4 * length;
    this.rows++;
    this.nonZeros += length;
  }

  /** The table as a view. */
  #tableNow(): Uint32Array {
    if (this.#entries.length === 0) {
      this.#entries = this.#arena.u32((this.#table as Block).offset, (ROW_BYTES / 4) * this.#capacity);
    }
    return this.#entries;
  }

  #extendTable(): void {
    const larger = Math.max(this.#firstRows, 2 * this.#capacity);
    try {
      this.#moveTable(larger);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      this.#moveTable(this.#capacity + FIRST_ROWS);
    }
  }

  /** Moves the table to a block for `capacity` rows. */
  #moveTable(capacity: number): void {
    const arena = this.#arena;
    const words = (ROW_BYTES / 4) * this.rows;
    const table = arena.allocate(ROW_BYTES * capacity, `a table of ${capacity} rows`, false);
    if (this.#table) {
      arena.u32(table.offset, words).set(arena.u32(this.#table.offset, words));
      arena.release(this.#table);
    }
    this.#table = table;
    this.#capacity = capacity;
    this.#entries = new Uint32Array();
  }

  /** The rows; the caller releases them. */
  finish(cols: number): SparseStore {
    if (this.#isOver) throw new Error('this SparseBuilder is finished or disposed');
    if (!this.#table) this.#extendTable();
    this.#shrink(this.#values, ROW_VALUES);
    this.#shrink(this.#columns, ROW_COLUMNS);
    this.#shrinkTable();
    const table = this.#table as Block;
    const blocks = [...this.#values.take(), ...this.#columns.take()];
    this.#table = undefined;
    this.dispose();
    return new SparseStore(this.#arena, table, blocks, this.rows, cols, this.nonZeros);
  }

  #shrinkTable(): void {
    if (4 * this.rows >= 3 * this.#capacity) return;
    try {
      this.#moveTable(this.rows);
    } catch (error) {
      if (!isNoRoom(error)) throw error; // no room: the table stays
    }
  }

  /** Releases empty memory, and updates `field` in the entries of the rows that moved. */
  #shrink(pieces: Pieces, field: number): void {
    pieces.shrink((firstRow, by) => {
      const entries = this.#arena.u32((this.#table as Block).offset, (ROW_BYTES / 4) * this.rows);
      for (let at = (ROW_BYTES * firstRow + field) / 4; at < entries.length; at += ROW_BYTES / 4) {
        entries[at] = (entries[at] as number) + by;
      }
    });
  }

  /** Releases the memory, unless `finish` has handed it on. Safe to call twice. */
  dispose(): void {
    this.#values.dispose();
    this.#columns.dispose();
    if (this.#table) this.#arena.release(this.#table);
    this.#table = undefined;
    this.#isOver = true;
    this.#entries = new Uint32Array();
  }
}

/** Whether the first `length` values all are float32 numbers. */
function isFloat32(values: Float64Array, length: number): boolean {
  for (let k = 0; k < length; k++) if (Math.fround(values[k] as number) !== values[k]) return false;
  return true;
}
