// Grams: the n-grams of a text as columns and how often each occurs.

import { withRoom } from '../data/entries.js';
import type { TextSettings } from './settings.js';
import { Tokens } from './tokens.js';

/** Twice the column of a token or n-gram, plus 1 if it counts as −1; below 0: it has none. */
export type KeyOf = (bytes: Uint8Array, from: number, to: number) => number;

/** Up to here a list is sorted by insertion: calling the runtime takes longer. */
const SHORT = 40;

/** Keys that a buffer is kept for. */
const KEPT = 2 ** 20;

/** Columns, ascending, and how often each occurs. */
export interface Counts {
  readonly columns: Uint32Array;
  readonly counts: Float64Array;
  readonly length: number;
}

export class Grams implements Counts {
  /** The columns, ascending. */
  columns = new Uint32Array(64);
  /** How often each occurs; those of different sign are subtracted. */
  counts = new Float64Array(64);
  /** How many columns there are. */
  length = 0;
  readonly tokens: Tokens;
  readonly #ngrams: readonly [number, number];
  readonly #keyOf: KeyOf;
  #keys = new Uint32Array(64);

  constructor(settings: TextSettings, keyOf: KeyOf) {
    this.tokens = new Tokens(settings);
    this.#ngrams = settings.ngrams;
    this.#keyOf = keyOf;
  }

  /** Replaces the columns by those of a text. */
  read(text: string): void {
    this.tokens.read(text);
    const found = this.#find();
    sort(this.#keys, found);
    this.#count(found);
    this.tokens.trim();
    if (this.#keys.length > KEPT) this.#keys = new Uint32Array(64);
  }

  /** Calls back with the range of every n-gram. */
  #find(): number {
    const { bytes, starts, count, gap } = this.tokens;
    const [least, most] = this.#ngrams;
    const keyOf = this.#keyOf;
    let found = 0;
    for (let n = least; n <= most && n <= count; n++) {
      const keys = withRoom(this.#keys, found + count);
      this.#keys = keys;
      for (let i = 0; i + n <= count; i++) {
        const key = keyOf(bytes, starts[i] as number, (starts[i + n] as number) - gap);
        if (key >= 0) keys[found++] = key;
      }
    }
    return found;
  }

  /** Columns and counts of sorted keys. */
  #count(found: number): void {
    if (this.columns.length < found || this.columns.length > KEPT) {
      this.columns = new Uint32Array(2 * found);
      this.counts = new Float64Array(2 * found);
    }
    const { columns, counts } = this;
    const keys = this.#keys;
    let length = 0;
    for (let k = 0; k < found; ) {
      const column = (keys[k] as number) >>> 1;
      let count = 0;
      for (; k < found && (keys[k] as number) >>> 1 === column; k++) count += 1 - 2 * ((keys[k] as number) & 1);
      columns[length] = column;
      counts[length++] = count;
    }
    this.length = length;
  }
}

/** Sorts the first `length` keys. */
export function sort(keys: Uint32Array, length: number): void {
  if (length > SHORT) {
    keys.subarray(0, length).sort();
    return;
  }
  for (let k = 1; k < length; k++) {
    const key = keys[k] as number;
    let at = k;
    for (; at > 0 && (keys[at - 1] as number) > key; at--) keys[at] = keys[at - 1] as number;
    keys[at] = key;
  }
}
