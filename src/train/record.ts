// The training record (assembly/layout.ts) as JavaScript reads and writes it, a field at a time.

import * as at from '../../assembly/layout.js';
import type { Arena } from '../memory/arena.js';

export class TrainingRecord {
  readonly #arena: Arena;
  readonly offset: number;
  #buffer: ArrayBufferLike | undefined;
  #u32: Uint32Array = new Uint32Array();
  #f64: Float64Array = new Float64Array();

  constructor(arena: Arena, offset: number) {
    this.#arena = arena;
    this.offset = offset;
  }

  #look(): void {
    const { buffer } = this.#arena;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#u32 = new Uint32Array(buffer, this.offset, at.RECORD_BYTES / 4);
    this.#f64 = new Float64Array(buffer, this.offset, at.RECORD_BYTES / 8);
  }

  /** Field `field`, or entry `entry` of the list that starts there. */
  u32(field: number, entry = 0): number {
    this.#look();
    return this.#u32[field / 4 + entry] as number;
  }

  f64(field: number, entry = 0): number {
    this.#look();
    return this.#f64[field / 8 + entry] as number;
  }

  setU32(field: number, value: number): void {
    this.#look();
    this.#u32[field / 4] = value;
  }

  setF64(field: number, value: number): void {
    this.#look();
    this.#f64[field / 8] = value;
  }
}
