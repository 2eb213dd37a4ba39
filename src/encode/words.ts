// WordTable: different words, numbered in the order in which they came, in one block of UTF-8. It finds a word among the bytes of
// a text without making a string of it: a hash table with open addressing.

import { withRoom } from '../data/entries.js';
import { murmur } from './murmur.js';
import { utf8Of } from './utf8.js';

export class WordTable {
  /** How many words there are. */
  length = 0;
  /** All words, one after the other. */
  bytes = new Uint8Array(256);
  /** Where each word begins; it ends where the next begins. */
  starts = new Uint32Array(17);
  #hashes = new Int32Array(16);
  /** Numbers of words plus 1 by hash; 0: free. A power of two, at least twice the number of words. */
  #slots = new Uint32Array(32);

  /** The words of a list, numbered as there; a word that came before is left out. */
  static of(list: Iterable<string>): WordTable {
    const table = new WordTable();
    for (const word of list) {
      const bytes = utf8Of(word);
      table.add(bytes, 0, bytes.length);
    }
    return table;
  }

  /** The number of the word in bytes from … to − 1; −1: it is not here. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return (this.#slots[this.#slotOf(murmur(bytes, from, to), bytes, from, to)] as number) - 1;
  }

  /** The number of the word in bytes from … to − 1, which is added if it is not here. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const hash = murmur(bytes, from, to);
    const slot = this.#slotOf(hash, bytes, from, to);
    const found = this.#slots[slot] as number;
    if (found > 0) return found - 1;
    const k = this.length;
    let at = this.starts[k] as number;
    this.bytes = withRoom(this.bytes, at + to - from);
    this.starts = withRoom(this.starts, k + 2);
    this.#hashes = withRoom(this.#hashes, k + 1);
    // Words are short: a fit to pairs of words takes 1.1 times as long with set(subarray(from, to)).
    while (from < to) this.bytes[at++] = bytes[from++] as number;
    this.starts[k + 1] = at;
    this.#hashes[k] = hash;
    this.length = k + 1;
    if (2 * this.length > this.#slots.length) this.#rehash();
    else this.#slots[slot] = k + 1;
    return k;
  }

  /** The slot of a word, or the free slot where it belongs. */
  #slotOf(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const k = (slots[slot] as number) - 1;
      if (k < 0 || (this.#hashes[k] === hash && this.#is(k, bytes, from, to))) return slot;
    }
  }

  #is(k: number, bytes: Uint8Array, from: number, to: number): boolean {
    const own = this.bytes;
    let at = this.starts[k] as number;
    if ((this.starts[k + 1] as number) - at !== to - from) return false;
    while (from < to) if (own[at++] !== bytes[from++]) return false;
    return true;
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const last = slots.length - 1;
    for (let k = 0; k < this.length; k++) {
      let slot = (this.#hashes[k] as number) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = k + 1;
    }
    this.#slots = slots;
  }
}
