// Sparse rows in the arena: a table with an entry for each row (assembly/layout.ts), which points to the row's values and
// columns, even columns first, then odd ones, each ascending. Rows need not lie together: memory is taken in pieces, and
// nothing is copied when it grows.

import { ROW_BYTES, ROW_COLUMNS, ROW_EVENS, ROW_ODDS, ROW_VALUES } from '../../assembly/layout.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { placeOfView, readable } from './views.js';

/** Columns of a matrix, at most. */
export const MOST_COLS = 2 ** 31 - 1;

/** Values of the first piece, unless it is known how many there will be, and of the largest (12 MB). */
const FIRST_PIECE = 2 ** 10;
const LARGEST_PIECE = 2 ** 20;

/** Rows of the first table. */
const FIRST_ROWS = 64;

/** Bytes of a value and its column. */
const VALUE_BYTES = 12;

/** Sparse rows, and the blocks they lie in: given back when the last who needs them lets go. */
export class SparseStore {
  readonly arena: Arena;
  readonly rows: number;
  readonly cols: number;
  /** Values that are stored. */
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

  /** Rows `list` as CSR, columns ascending; all rows without a list. */
  parts(list?: Uint32Array): OwnParts {
    const { arena } = this;
    const rows = list?.length ?? this.rows;
    const indptr = new Uint32Array(rows + 1);
    for (let r = 0; r < rows; r++) {
      indptr[r + 1] = (indptr[r] as number) + lengthOfRow(arena, this.entryOf(list ? (list[r] as number) : r));
    }
    const total = indptr[rows] as number;
    const [indices, values] = [new Uint32Array(total), new Float64Array(total)];
    let at = 0;
    for (let r = 0; r < rows; r++) {
      visitEntry(arena, this.entryOf(list ? (list[r] as number) : r), (column, value) => {
        indices[at] = column;
        values[at++] = value;
      });
    }
    return { values, indices, indptr, cols: this.cols };
  }
}

/** CSR in arrays of our own. */
export interface OwnParts {
  readonly values: Float64Array;
  readonly indices: Uint32Array;
  readonly indptr: Uint32Array;
  readonly cols: number;
}

/** Where the rows of each SparseMatrix are. */
export const storeOf = new WeakMap<object, SparseStore>();

/** How many values the row with this entry has. */
export function lengthOfRow(arena: Arena, entry: number): number {
  const counts = arena.u32(entry + ROW_EVENS, 2);
  return (counts[0] as number) + (counts[1] as number);
}

/** The row with this entry, as typed arrays of this moment: even columns, then odd ones. */
export function rowAtEntry(arena: Arena, entry: number): { columns: Uint32Array; values: Float64Array; evens: number } {
  const fields = arena.u32(entry, ROW_BYTES / 4);
  const evens = fields[ROW_EVENS / 4] as number;
  const length = evens + (fields[ROW_ODDS / 4] as number);
  return {
    columns: arena.u32(fields[ROW_COLUMNS / 4] as number, length),
    values: arena.f64(fields[ROW_VALUES / 4] as number, length),
    evens,
  };
}

/** Hands the columns of the row with this entry, ascending, and their values to `see`. */
export function visitEntry(arena: Arena, entry: number, see: (column: number, value: number) => void): void {
  const { columns, values, evens } = rowAtEntry(arena, entry);
  const { length } = columns;
  for (let even = 0, odd = evens; even < evens || odd < length; ) {
    const isEven = odd === length || (even < evens && (columns[even] as number) < (columns[odd] as number));
    const at = isEven ? even++ : odd++;
    see(columns[at] as number, values[at] as number);
  }
}

/** A stretch of memory for rows: values first, then their columns. */
interface Piece {
  readonly block: Block;
  readonly capacity: number;
  used: number;
}

/** Rows that come one after the other, checked by whoever brings them. */
export class RowPieces {
  readonly #arena: Arena;
  readonly #expected: number;
  #pieces: Piece[] = [];
  /** The table so far, and how many rows it has room for: there is always room for it in the end. */
  #table: Block | undefined;
  #capacity = 0;
  #isOver = false;
  // The table and the latest piece as typed arrays.
  #hasViews = false;
  #values: Float64Array = new Float64Array();
  #columns: Uint32Array = new Uint32Array();
  #entries: Uint32Array = new Uint32Array();
  // The latest lists that came and are no views of ours: looking that up takes longer than copying a short row.
  #plainColumns: ArrayLike<number> | undefined;
  #plainValues: ArrayLike<number> | undefined;
  rows = 0;
  nonZeros = 0;
  /** The largest column so far. */
  largest = -1;

  /** `expected`: how many values there will be, if that is known. */
  constructor(arena: Arena, expected = 0) {
    this.#arena = arena;
    this.#expected = expected;
  }

  /** One more row: entries from … to − 1, columns ascending, values finite. */
  put(columns: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): void {
    if (this.#isOver) throw new Error('this SparseBuilder is finished or disposed');
    const length = to - from;
    if (this.rows === this.#capacity) this.#extendTable();
    const piece = this.#room(length);
    const [theirColumns, theirValues] = this.#readable(columns, values);
    if (theirColumns.length < to || theirValues.length < to) {
      throw new Error('columns or values are a part of a view that was detached when the memory grew');
    }
    const [ownColumns, ownValues] = [this.#columns, this.#values];
    let evens = 0;
    for (let k = from; k < to; k++) evens += 1 - ((theirColumns[k] as number) & 1);
    const start = piece.used;
    for (let k = from, even = start, odd = start + evens; k < to; k++) {
      const column = theirColumns[k] as number;
      const place = column & 1 ? odd++ : even++;
      ownColumns[place] = column;
      ownValues[place] = theirValues[k] as number;
    }
    piece.used += length;
    if (length > 0) this.largest = Math.max(this.largest, theirColumns[to - 1] as number);
    const at = (ROW_BYTES / 4) * this.rows;
    this.#entries[at + ROW_VALUES / 4] = piece.block.offset + 8 * start;
    this.#entries[at + ROW_COLUMNS / 4] = piece.block.offset + 8 * piece.capacity + 4 * start;
    this.#entries[at + ROW_EVENS / 4] = evens;
    this.#entries[at + ROW_ODDS / 4] = length - evens;
    this.rows++;
    this.nonZeros += length;
  }

  /** The caller's lists as they can be read now: they may be views into this memory, and making room may have detached them. */
  #readable(columns: ArrayLike<number>, values: ArrayLike<number>): [ArrayLike<number>, ArrayLike<number>] {
    if (columns === this.#plainColumns && values === this.#plainValues) return [columns, values];
    if (!placeOfView.has(columns) && !placeOfView.has(values)) {
      [this.#plainColumns, this.#plainValues] = [columns, values];
    }
    return [readable(columns, 'columns'), readable(values, 'values')];
  }

  /** The piece that has room for a row of this length; its typed arrays are at hand. */
  #room(length: number): Piece {
    let piece = this.#pieces.at(-1);
    if (!piece || piece.used + length > piece.capacity) {
      const next = Math.min(LARGEST_PIECE, piece ? 2 * piece.capacity : FIRST_PIECE);
      piece = this.#next(length, Math.max(length, this.#expected > 0 ? this.#expected - this.nonZeros : next));
      this.#pieces.push(piece);
      this.#hasViews = false;
    }
    // Growth detaches them, if the memory is not shared; asking for its buffer each time would take longer than a short row.
    if (!this.#hasViews || this.#values.length < piece.capacity) {
      this.#hasViews = true;
      this.#entries = this.#arena.u32((this.#table as Block).offset, (ROW_BYTES / 4) * this.#capacity);
      this.#values = this.#arena.f64(piece.block.offset, piece.capacity);
      this.#columns = this.#arena.u32(piece.block.offset + 8 * piece.capacity, piece.capacity);
    }
    return piece;
  }

  #extendTable(): void {
    const larger = Math.max(FIRST_ROWS, 2 * this.#capacity);
    try {
      this.#moveTable(larger);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      this.#moveTable(this.#capacity + FIRST_ROWS);
    }
  }

  /** Moves the table to where there is room for so many rows. */
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
    this.#hasViews = false;
  }

  /** A piece for `wanted` values, or for fewer where memory is short, but for a row of this length at least. */
  #next(length: number, wanted: number): Piece {
    for (let capacity = wanted; ; capacity = Math.max(length, capacity >> 1)) {
      try {
        return { block: this.#take(capacity), capacity, used: 0 };
      } catch (error) {
        if (capacity === length || !isNoRoom(error)) throw error;
      }
    }
  }

  #take(capacity: number): Block {
    return this.#arena.allocate(VALUE_BYTES * capacity, `${capacity} sparse values`, false);
  }

  /** The rows, which are the caller's from now on. */
  finish(cols: number): SparseStore {
    if (this.#isOver) throw new Error('this SparseBuilder is finished or disposed');
    if (!this.#table) this.#extendTable();
    for (const shrink of [() => this.#shrinkLast(), () => this.#shrinkTable()]) {
      try {
        shrink();
      } catch (error) {
        if (!isNoRoom(error)) throw error; // then it stays where it is
      }
    }
    const table = this.#table as Block;
    const blocks = this.#pieces.map(({ block }) => block);
    this.#table = undefined;
    this.#pieces = [];
    this.dispose();
    return new SparseStore(this.#arena, table, blocks, this.rows, cols, this.nonZeros);
  }

  #shrinkTable(): void {
    if (4 * this.rows < 3 * this.#capacity) this.#moveTable(this.rows);
  }

  /** Moves the rows of the latest piece to one that they fill, if much of it is empty. */
  #shrinkLast(): void {
    const piece = this.#pieces.at(-1);
    if (!piece || 4 * piece.used >= 3 * piece.capacity) return;
    const arena = this.#arena;
    const block = this.#take(piece.used);
    const from = piece.block.offset;
    const [values, columns] = [block.offset, block.offset + 8 * piece.used];
    arena.f64(values, piece.used).set(arena.f64(from, piece.used));
    arena.u32(columns, piece.used).set(arena.u32(from + 8 * piece.capacity, piece.used));
    const end = from + aligned(VALUE_BYTES * piece.capacity);
    const entries = arena.u32((this.#table as Block).offset, (ROW_BYTES / 4) * this.rows);
    for (let at = (ROW_BYTES / 4) * (this.rows - 1); at >= 0; at -= ROW_BYTES / 4) {
      const value = entries[at + ROW_VALUES / 4] as number;
      if (value < from || value >= end) break; // of an earlier piece
      const place = (value - from) / 8;
      entries[at + ROW_VALUES / 4] = values + 8 * place;
      entries[at + ROW_COLUMNS / 4] = columns + 4 * place;
    }
    arena.release(piece.block);
    this.#pieces[this.#pieces.length - 1] = { block, capacity: piece.used, used: piece.used };
  }

  /** Gives the memory back, unless it is somebody else's by now. Safe to call twice. */
  dispose(): void {
    for (const { block } of this.#pieces) this.#arena.release(block);
    if (this.#table) this.#arena.release(this.#table);
    this.#pieces = [];
    this.#table = undefined;
    this.#isOver = true;
    this.#hasViews = false;
    this.#values = new Float64Array();
    this.#columns = new Uint32Array();
    this.#entries = new Uint32Array();
    this.#plainColumns = undefined;
    this.#plainValues = undefined;
  }
}
