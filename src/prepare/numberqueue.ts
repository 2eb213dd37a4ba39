// A queue of unsigned 32-bit integers for much that is kept and then read once: no list that doubles, no piece longer than needed.

/** Numbers in a piece. */
const PIECE = 2 ** 14;

export class NumberQueue {
  readonly #pieces: (Uint32Array | undefined)[] = [];
  #pushed = 0;
  #taken = 0;

  push(number: number): void {
    const at = this.#pushed++ % PIECE;
    if (at === 0) this.#pieces.push(new Uint32Array(PIECE));
    (this.#pieces[this.#pieces.length - 1] as Uint32Array)[at] = number;
  }

  /** The next number, in the order of the pushes; the caller knows that there is one. */
  take(): number {
    const at = this.#taken++ % PIECE;
    const piece = Math.floor((this.#taken - 1) / PIECE);
    if (at === 0) this.#pieces[piece - 1] = undefined; // the collector may have what was read
    return (this.#pieces[piece] as Uint32Array)[at] as number;
  }
}
