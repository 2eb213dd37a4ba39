// Collects the cells of a table row by row, in blocks of rows: a float64 and a mark (cells.ts) for each cell.

import { CANONICAL, MISSING, numberIn, WORD } from './cells.js';
import type { Problems } from './problems.js';
import type { ByteWindow } from './window.js';
import { Words } from './words.js';

/** Rows of the first block, and cells of the largest one unless a row has more: half a megabyte stays in the caches. */
const FIRST_ROWS = 16;
const BLOCK_CELLS = 2 ** 16;

/** Cells that a file may have beyond so many for each of its bytes: most cells of a larger table would be missing. */
const FREE_CELLS = 2 ** 24;
const CELLS_A_BYTE = 64;

export interface Block {
  readonly rows: number;
  /** Columns of the block; a table of records may get more columns later. */
  readonly width: number;
  /** Cell (i, j) is at i·width + j. */
  readonly values: Float64Array;
  readonly marks: Uint8Array;
}

export class TableBuilder {
  readonly blocks: Block[] = [];
  readonly names: string[] = [];
  readonly problems: Problems;
  readonly #window: ByteWindow;
  readonly #words: (Words | undefined)[] = [];
  /** The cells of the current block; a row begins at `base`. */
  values = new Float64Array();
  marks = new Uint8Array();
  base = 0;
  #width = 0;
  #cells = 0;

  constructor(window: ByteWindow, problems: Problems) {
    this.#window = window;
    this.problems = problems;
  }

  /** Adds a column; cells of earlier rows are missing. @throws DataError beyond "maxCols" */
  addColumn(name: string): number {
    const { maxCols } = this.#window.settings;
    if (this.names.length === maxCols) {
      throw this.#window.fault(`it has more than ${maxCols} columns, and "maxCols" allows no more`);
    }
    this.names.push(name);
    this.#words.push(undefined);
    return this.names.length - 1;
  }

  /** The texts of a column; undefined if it has none. */
  wordsOf(column: number): Words | undefined {
    return this.#words[column];
  }

  /** Makes room for a row. @throws DataError if nearly all cells of the table would be missing */
  beginRow(): void {
    if (this.#width === this.names.length && this.base < this.values.length) return;
    this.#endBlock();
    const width = this.names.length;
    const before = this.blocks.at(-1)?.rows ?? FIRST_ROWS / 2;
    const rows = Math.max(1, Math.min(Math.max(2 * before, FIRST_ROWS), Math.floor(BLOCK_CELLS / width)));
    this.#cells += rows * width;
    const { end, settings } = this.#window;
    if (this.#cells > FREE_CELLS + CELLS_A_BYTE * this.#window.offset(end)) {
      throw this.#window.fault(
        `its ${this.#window.rows} rows and ${width} columns have far more cells than it has values: leave columns out, or lower "maxCols" (${settings.maxCols})`,
      );
    }
    this.values = new Float64Array(rows * width);
    this.marks = new Uint8Array(rows * width);
    this.#width = width;
    this.base = 0;
  }

  /** Ends a row that may have cells. @throws DataError if there are too many rows */
  endRow(): void {
    this.base += this.#width;
    this.#window.endRow();
  }

  #endBlock(): void {
    if (this.base === 0) return;
    const { values, marks, base } = this;
    const isFull = base === values.length;
    this.blocks.push({
      rows: base / this.#width,
      width: this.#width,
      values: isFull ? values : values.slice(0, base),
      marks: isFull ? marks : marks.slice(0, base),
    });
    this.#cells -= values.length - base;
    this.values = new Float64Array();
    this.marks = new Uint8Array();
    this.base = 0;
  }

  /** Ends the last block. */
  finish(): void {
    this.#endBlock();
  }

  /** Sets a cell of the current row to a number with the text that JavaScript writes. */
  setNumber(column: number, value: number): void {
    this.values[this.base + column] = value;
    this.marks[this.base + column] = CANONICAL;
  }

  /** Sets a cell of the current row to a text that is no number; returns its code. */
  setWord(column: number, text: string, line: number, place: number): number {
    let words = this.#words[column];
    if (!words) {
      words = new Words();
      this.#words[column] = words;
    }
    const code = words.code(text);
    this.setCode(column, code, line, place);
    return code;
  }

  /** Sets a cell of the current row to a text of the column. */
  setCode(column: number, code: number, line: number, place: number): void {
    const words = this.#words[column] as Words;
    if (words.wantsPlace(code)) words.places.push([line, place, code]);
    this.values[this.base + column] = code;
    this.marks[this.base + column] = WORD;
  }

  /** Sets a cell of the current row to a text: a number if it is one, missing if it is empty. */
  setText(column: number, text: string, line: number, place: number): void {
    const number = numberIn(text);
    if (number) {
      this.values[this.base + column] = number.value;
      this.marks[this.base + column] = number.mark;
    } else if (text !== '') {
      this.setWord(column, text, line, place);
    } else {
      this.marks[this.base + column] = MISSING;
    }
  }
}
