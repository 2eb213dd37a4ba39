// The memory behind an arena: a WebAssembly.Memory, shared with threads if the platform allows it (docs/adr/0001), or a
// plain resizable buffer if there is no WebAssembly, or too little address space for its memory.

import { get } from '../own.js';

export const PAGE_BYTES = 65536;
export const MAX_PAGES = 65536;

export interface Backing {
  /** Set if the bytes belong to a wasm memory. */
  readonly memory: WebAssembly.Memory | undefined;
  /** Why there is no wasm memory. */
  readonly reason: string | undefined;
  readonly shared: boolean;
  readonly maxPages: number;
  /** The current buffer: growth may replace it. */
  readonly buffer: ArrayBufferLike;
  /** Grows to at least `pages` pages. @throws the platform's RangeError */
  grow(pages: number): void;
}

/** @throws the platform's error if it refuses so large a maximum, or shared memory */
function wasmBacking(maxPages: number, shared: boolean): Backing {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages, shared });
  return {
    memory,
    reason: undefined,
    shared,
    maxPages,
    get buffer() {
      return memory.buffer;
    },
    grow(pages) {
      memory.grow(pages - memory.buffer.byteLength / PAGE_BYTES);
    },
  };
}

/** ArrayBuffer of ES2024; the published types need ES2022 only. */
interface ResizableBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}
type ResizableBufferConstructor = new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

function plainBacking(maxPages: number, reason: string): Backing {
  const Resizable = ArrayBuffer as unknown as ResizableBufferConstructor;
  const buffer = new Resizable(PAGE_BYTES, { maxByteLength: maxPages * PAGE_BYTES });
  return {
    memory: undefined,
    shared: false,
    maxPages,
    reason,
    buffer,
    grow: (pages) => buffer.resize(pages * PAGE_BYTES),
  };
}

let sharing = true;

/** For platforms whose kernels are compiled for memory that is not shared (src/edge.ts). */
export function neverShare(): void {
  sharing = false;
}

/** Whether memory made here can be shared with threads. A page needs cross-origin isolation. */
function canShare(): boolean {
  const isIsolated = get(globalThis as { crossOriginIsolated?: boolean }, 'crossOriginIsolated');
  return sharing && typeof SharedArrayBuffer === 'function' && isIsolated !== false;
}

/** Tries smaller maxima, down to 64 MiB: some platforms reserve the maximum at once and refuse a large one. */
function withLess<T>(maxPages: number, make: (pages: number) => T): T {
  for (let pages = maxPages; ; pages = pages >> 1) {
    try {
      return make(pages);
    } catch (error) {
      if (pages <= 1024) throw error;
    }
  }
}

/** Makes one page of memory that may grow to `maxPages`. */
export function createBacking(maxPages: number, shared: boolean): Backing {
  const plain = (reason: string) => withLess(maxPages, (pages) => plainBacking(pages, reason));
  const memory = (share: boolean) => withLess(maxPages, (pages) => wasmBacking(pages, share));
  if (typeof WebAssembly !== 'object') return plain('this platform has no WebAssembly');
  // The host writes records in its own byte order, WebAssembly reads them little-endian.
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) return plain('this machine is big-endian');
  if (shared && canShare()) {
    try {
      return memory(true);
    } catch {
      // Shared memory is not available: threads are not either, everything else works.
    }
  }
  try {
    return memory(false);
  } catch (error) {
    // V8 reserves some 10 GB of address space for any wasm memory, so that hardware checks its bounds.
    const why = error instanceof Error ? error.message : String(error);
    return plain(`${why}; with little address space (ulimit -v), start node with --disable-wasm-trap-handler`);
  }
}
