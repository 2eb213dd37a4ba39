// The arena: allocates blocks of the one memory that JavaScript and the kernels share.
//
// - Blocks are 16-byte aligned and zero-filled: a caller never sees another caller's rows.
// - Growth may detach views (it does if the memory is not shared): take a view when you need it, do not keep it.
// - A wasm memory cannot shrink. When the last block of a large memory is released, the arena keeps only a WeakRef to
//   the memory, so that the collector may free it. A fit before that uses the same memory again, so that a loop of
//   large fits does not pile up memories.

import { type Backing, createBacking, MAX_PAGES, PAGE_BYTES } from './backing.js';
import { ALIGNMENT, aligned, FreeList } from './freelist.js';

/** The first byte offset of a block: offset 0 means "none" to the kernels. */
const BASE = 1024;

/**
 * Bytes after every block that kernels may read, whatever they hold: they read scores in whole blocks (assembly/dual.ts).
 * They also compute the end of a row by addition, so no block may end where 32 bits wrap to 0.
 */
const READ_BEHIND = 128;

/** The arena drops an empty memory of at least this size. */
const LARGE_BYTES = 16 * 2 ** 20;

/** A range of bytes in the arena. Alive while `holders` > 0. */
export interface Block {
  readonly offset: number;
  readonly bytes: number;
  holders: number;
}

/** The errors of arenas without room. */
const noRoom = new WeakSet<object>();

/** Whether an error says that an arena has no room: a caller may then ask for less. */
export const isNoRoom = (error: unknown): boolean => noRoom.has(error as object);

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toLocaleString('en', { maximumFractionDigits: 1 });

export class Arena {
  readonly #maxPages: number;
  readonly #shared: boolean;
  readonly #free = new FreeList(BASE);
  readonly #blocks = new Map<number, Block>();
  #backing: Backing | undefined;
  /** The buffer of the memory. Asking a WebAssembly.Memory for it each time takes longer than making a view. */
  #buffer: ArrayBufferLike | undefined;
  #letGo: WeakRef<Backing> | undefined;
  /** Bytes from here up were never allocated and are still zero. */
  #untouched = BASE;

  /** @param maxBytes the most this arena may grow to; shared: whether threads may use it, if the platform allows that */
  constructor(maxBytes = MAX_PAGES * PAGE_BYTES, shared = true) {
    this.#maxPages = Math.min(MAX_PAGES, Math.max(1, Math.floor(maxBytes / PAGE_BYTES)));
    this.#shared = shared;
  }

  /** The memory; made if there is none. */
  get backing(): Backing {
    if (!this.#backing) {
      this.#backing = this.#letGo?.deref();
      this.#letGo = undefined;
      if (!this.#backing) {
        this.#backing = createBacking(this.#maxPages, this.#shared);
        this.#untouched = BASE;
      }
    }
    return this.#backing;
  }

  /** The most bytes this arena may hold. */
  get maxBytes(): number {
    return (this.#backing?.maxPages ?? this.#maxPages) * PAGE_BYTES;
  }

  /** The current buffer: growth may replace it. */
  get buffer(): ArrayBufferLike {
    this.#buffer ??= this.backing.buffer;
    return this.#buffer;
  }

  /** Bytes of the memory, bytes in live blocks, and the number of live blocks. */
  get usage(): { byteLength: number; liveBytes: number; blocks: number } {
    let liveBytes = 0;
    for (const block of this.#blocks.values()) liveBytes += block.bytes;
    return { byteLength: this.#backing?.buffer.byteLength ?? 0, liveBytes, blocks: this.#blocks.size };
  }

  /**
   * Allocates at least `bytes` bytes with one holder. Pass zeroed = false only if you write all of the block.
   * @throws RangeError naming the bytes and a remedy if they are not available; the arena stays usable
   */
  allocate(bytes: number, what: string, zeroed = true): Block {
    // NaN would pass every comparison below, and put blocks on top of each other.
    if (!(bytes >= 0)) throw new RangeError(`${what}: cannot allocate ${bytes} bytes`);
    const size = Math.max(ALIGNMENT, aligned(bytes));
    const { backing } = this;
    const offset = this.#free.take(size, backing.maxPages * PAGE_BYTES - READ_BEHIND);
    if (offset < 0) throw this.#outOfMemory(bytes, what);
    const needed = this.#free.top + READ_BEHIND;
    if (needed > this.buffer.byteLength) {
      const hasGrown = grow(backing, needed);
      this.#buffer = undefined;
      if (!hasGrown) {
        this.#free.give(offset, size);
        throw this.#outOfMemory(bytes, what);
      }
    }
    const used = Math.min(offset + size, this.#untouched) - offset;
    // Filled as doubles: V8 fills a shared Uint8Array byte by byte, at a quarter of the speed.
    if (zeroed && used > 0) this.f64(offset, used / 8).fill(0);
    this.#untouched = Math.max(this.#untouched, offset + size);
    const block = { offset, bytes: size, holders: 1 };
    this.#blocks.set(offset, block);
    return block;
  }

  /** The live block that contains a byte offset, if any. */
  blockAt(offset: number): Block | undefined {
    const exact = this.#blocks.get(offset);
    if (exact) return exact;
    for (const block of this.#blocks.values()) {
      if (offset >= block.offset && offset < block.offset + block.bytes) return block;
    }
    return undefined;
  }

  /** Removes one holder; without holders the block is free. */
  release(block: Block): void {
    if (--block.holders > 0) return;
    this.#blocks.delete(block.offset);
    this.#free.give(block.offset, block.bytes);
    if (this.#blocks.size === 0 && this.#backing && this.buffer.byteLength >= LARGE_BYTES) {
      this.#letGo = typeof WeakRef === 'function' ? new WeakRef(this.#backing) : undefined;
      this.#backing = undefined;
      this.#buffer = undefined;
    }
  }

  f64(offset: number, length: number): Float64Array {
    return new Float64Array(this.buffer, offset, length);
  }
  f32(offset: number, length: number): Float32Array {
    return new Float32Array(this.buffer, offset, length);
  }
  u32(offset: number, length: number): Uint32Array {
    return new Uint32Array(this.buffer, offset, length);
  }
  i8(offset: number, length: number): Int8Array {
    return new Int8Array(this.buffer, offset, length);
  }

  #outOfMemory(bytes: number, what: string): RangeError {
    const error = new RangeError(
      `no room for ${what}: ${bytes} bytes (${mebibytes(bytes)} MiB) asked for, ${mebibytes(this.usage.liveBytes)} MiB ` +
        `in use of at most ${mebibytes(this.maxBytes)} MiB; dispose() matrices no longer needed, use dtype 'float32', or ` +
        'train block by block with partialFit',
    );
    noRoom.add(error);
    return error;
  }
}

/** Grows to at least `bytes`, by half of the present size so that growth stays rare; by just enough if that fails. */
function grow(backing: Backing, bytes: number): boolean {
  const needed = Math.ceil(bytes / PAGE_BYTES);
  const now = backing.buffer.byteLength / PAGE_BYTES;
  for (const pages of [Math.min(backing.maxPages, Math.max(needed, now + (now >> 1))), needed]) {
    try {
      backing.grow(pages);
      return true;
    } catch {
      // Refused: try the smaller size; the caller reports a failure with its own message.
    }
  }
  return false;
}
