// Dense rows whose number is not known in advance: collected in pieces, then moved into a matrix one piece at a time; each piece is
// freed when it was moved. So the peak is little more than the matrix, and the arena is not used before the end.

import { DenseMatrix, type Dtype } from '../index.js';

/** Bytes of the first piece, unless a row has more; a piece has four times those of the one before, up to the last number. */
const FIRST_BYTES = 2 ** 15;
const PIECE_BYTES = 2 ** 22;

/** ArrayBuffer of ES2024. Older platforms leave the pieces to the garbage collector. */
interface ResizableBuffer extends ArrayBuffer {
  resize?(bytes: number): void;
}
type BufferConstructor = new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

/** The typed array of each storage type. */
const ARRAYS = {
  float64: Float64Array,
  float32: Float32Array,
  uint8: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
} as const;

/** Values as a matrix stores them. */
export type Values = DenseMatrix<Dtype>['data'];

export class DensePieces {
  readonly #cols: number;
  readonly #dtype: Dtype;
  /** How many values the latest piece has room for, and the bytes to make the next one of. */
  #capacity = 0;
  #nextBytes = FIRST_BYTES;
  readonly #pieces: { buffer: ResizableBuffer; values: Values }[] = [];
  /** How many values of the latest piece are used. */
  #used = 0;
  #count = 0;

  constructor(cols: number, dtype: Dtype) {
    this.#cols = cols;
    this.#dtype = dtype;
  }

  /** The number of values so far. */
  get count(): number {
    return this.#count;
  }

  /** Adds values in row order: whole rows, or parts of them. */
  add(values: Values): void {
    for (let at = 0; at < values.length; ) {
      if (this.#used === this.#capacity) this.#begin();
      const part = values.subarray(at, at + this.#capacity - this.#used);
      this.#pieces.at(-1)?.values.set(part, this.#used);
      this.#used += part.length;
      this.#count += part.length;
      at += part.length;
    }
  }

  #begin(): void {
    const Values = ARRAYS[this.#dtype];
    const rowBytes = this.#cols * Values.BYTES_PER_ELEMENT;
    const bytes = Math.max(1, Math.floor(this.#nextBytes / rowBytes)) * rowBytes;
    this.#nextBytes = Math.min(PIECE_BYTES, 4 * this.#nextBytes);
    this.#capacity = bytes / Values.BYTES_PER_ELEMENT;
    const buffer = new (ArrayBuffer as BufferConstructor)(bytes, { maxByteLength: bytes });
    this.#pieces.push({ buffer, values: new Values(buffer, 0, this.#capacity) });
    this.#used = 0;
  }

  /** The matrix of all rows. @throws RangeError if the arena has no room for it */
  finish(): DenseMatrix<Dtype> {
    const matrix = DenseMatrix.allocate(this.#count / this.#cols, this.#cols, { dtype: this.#dtype });
    const { data } = matrix;
    this.drain((values, at) => data.set(values, at));
    return matrix;
  }

  /** Passes all values to `take`, a piece at a time with the number of values before it, and frees each before the next. */
  drain(take: (values: Values, at: number) => void): void {
    let at = 0;
    let before: ResizableBuffer | undefined;
    for (const { buffer, values } of this.#pieces) {
      before?.resize?.(0);
      before = buffer; // the last is left to the collector: the platform would touch every page of it, used or not
      const part = values.subarray(0, this.#count - at);
      take(part, at);
      at += part.length;
    }
  }
}
