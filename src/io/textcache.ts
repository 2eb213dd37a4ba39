// Texts of a table that came lately, by their bytes: a text that comes again is neither decoded nor looked up as a string.

/** Texts that are remembered, and the most bytes of one; a power of two each. */
const SLOTS = 2 ** 12;
const ROOM = 32;

export class TextCache {
  /** For each slot its text behind its length, where 0 is an empty slot. */
  readonly #bytes = new Uint8Array(SLOTS * ROOM);
  readonly #columns = new Int32Array(SLOTS);
  readonly #codes = new Float64Array(SLOTS);
  #slot = -1;

  /** The code of a text of a column; undefined if it is not known here. */
  find(bytes: Uint8Array, from: number, to: number, column: number): number | undefined {
    const length = to - from;
    this.#slot = -1;
    if (length >= ROOM || length === 0) return undefined;
    // FNV-1a
    let hash = Math.imul(0x811c9dc5 ^ column, 0x01000193);
    for (let p = from; p < to; p++) hash = Math.imul(hash ^ (bytes[p] as number), 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    this.#slot = slot;
    const own = this.#bytes;
    let at = slot * ROOM;
    if (own[at] !== length || this.#columns[slot] !== column) return undefined;
    for (let p = from; p < to; p++) if (own[++at] !== bytes[p]) return undefined;
    return this.#codes[slot];
  }

  /** Remembers the code of the text that was not found. */
  keep(bytes: Uint8Array, from: number, to: number, column: number, code: number): void {
    const slot = this.#slot;
    if (slot < 0) return;
    const own = this.#bytes;
    let at = slot * ROOM;
    own[at] = to - from;
    for (let p = from; p < to; p++) own[++at] = bytes[p] as number; // fewer than a call of set is worth
    this.#columns[slot] = column;
    this.#codes[slot] = code;
  }
}
