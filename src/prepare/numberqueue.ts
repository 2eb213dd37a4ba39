// A queue of unsigned 32-bit integers for much that is kept and then read once: no list that doubles, no piece longer than needed.

/** Numbers in a piece. */
const PIECE = 2 ** 14;

export class NumberQueue {
  readonly #pieces: Uint32Array[] = [];
  /** The piece that is filled, up to `end`, and the one that is read, from `start` on; `read` pieces were begun to be read. */
  #last: Uint32Array = new Uint32Array();
  #end = 0;
  #first: Uint32Array = new Uint32Array();
  #start = 0;
  #read = 0;

  push(number: number): void {
    if (this.#end === this.#last.length) {
      this.#last = new Uint32Array(PIECE);
      this.#pieces.push(this.#last);
      this.#end = 0;
    }
    this.#last[this.#end++] = number;
  }

  /** The next number, in the order of the pushes; the caller knows that there is one. */
  take(): number {
    if (this.#start === this.#first.length) {
      this.#first = this.#pieces[this.#read] as Uint32Array;
      this.#pieces[this.#read++] = new Uint32Array(); // the collector may have what was read
      this.#start = 0;
    }
    return this.#first[this.#start++] as number;
  }
}
