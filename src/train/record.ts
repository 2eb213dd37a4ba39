// The training record (assembly/layout.ts) for JavaScript: reads and writes its fields.

import * as at from '../../assembly/layout.js';
import type { Arena } from '../memory/arena.js';

export class TrainingRecord {
  readonly #arena: Arena;
  readonly offset: number;
  #buffer: ArrayBufferLike | undefined;
  #u32!: Uint32Array;
  #f64!: Float64Array;

  constructor(arena: Arena, offset: number) {
    this.#arena = arena;
    this.offset = offset;
  }

  #refresh(): void {
    const { buffer } = this.#arena;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#u32 = new Uint32Array(buffer, this.offset, at.RECORD_BYTES / 4);
    this.#f64 = new Float64Array(buffer, this.offset, at.RECORD_BYTES / 8);
  }

  u32(field: number): number {
    this.#refresh();
    return this.#u32[field / 4] as number;
  }

  f64(field: number): number {
    this.#refresh();
    return this.#f64[field / 8] as number;
  }

  /** Copies all fields of another record. */
  copyFrom(other: TrainingRecord): void {
    this.#refresh();
    other.#refresh();
    this.#f64.set(other.#f64);
  }

  setU32(field: number, value: number): void {
    this.#refresh();
    this.#u32[field / 4] = value;
  }

  setF64(field: number, value: number): void {
    this.#refresh();
    this.#f64[field / 8] = value;
  }
}
