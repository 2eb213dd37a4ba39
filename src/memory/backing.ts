// Where an arena's bytes come from: a WebAssembly.Memory, shared with future threads where the platform
// lets us (docs/adr/0001), or a plain resizable buffer where there is no WebAssembly at all.

export const PAGE_BYTES = 65536;
export const MAX_PAGES = 65536;

export interface Backing {
  /** The wasm memory the bytes belong to, if that is what they belong to. */
  readonly memory?: WebAssembly.Memory;
  readonly shared: boolean;
  readonly maxPages: number;
  /** The bytes as they are now: growth may put another object here. */
  readonly buffer: ArrayBufferLike;
  /** Grows to at least `pages` pages; throws a RangeError of the platform's if it will not. */
  grow(pages: number): void;
}

class WasmBacking implements Backing {
  constructor(
    readonly memory: WebAssembly.Memory,
    readonly maxPages: number,
    readonly shared: boolean,
  ) {}
  get buffer(): ArrayBufferLike {
    return this.memory.buffer;
  }
  grow(pages: number): void {
    this.memory.grow(pages - this.memory.buffer.byteLength / PAGE_BYTES);
  }
}

/** ArrayBuffer as ES2024 has it; the published types stay with ES2022. */
interface ResizableBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}
type ResizableBufferConstructor = new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

class PlainBacking implements Backing {
  readonly shared = false;
  readonly buffer: ResizableBuffer;
  constructor(readonly maxPages: number) {
    const Resizable = ArrayBuffer as unknown as ResizableBufferConstructor;
    this.buffer = new Resizable(PAGE_BYTES, { maxByteLength: maxPages * PAGE_BYTES });
  }
  grow(pages: number): void {
    this.buffer.resize(pages * PAGE_BYTES);
  }
}

let sharing = true;

/** For platforms whose kernels came compiled for memory that is not shared (src/edge.ts). */
export function neverShare(): void {
  sharing = false;
}

/** Whether memory made here can be handed to threads. A page needs cross-origin isolation for that. */
function canShare(): boolean {
  const scope = globalThis as { crossOriginIsolated?: boolean };
  return sharing && typeof SharedArrayBuffer === 'function' && scope.crossOriginIsolated !== false;
}

/** Some platforms reserve the maximum at once and refuse a large one: ask for less, down to 64 MiB. */
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
  const memory = (share: boolean) =>
    withLess(maxPages, (maximum) => {
      const made = new WebAssembly.Memory({ initial: 1, maximum, shared: share });
      return new WasmBacking(made, maximum, share);
    });
  if (typeof WebAssembly !== 'object') return withLess(maxPages, (pages) => new PlainBacking(pages));
  if (shared && canShare()) {
    try {
      return memory(true);
    } catch {
      // No shared memory to be had: threads will not be either, everything else works without.
    }
  }
  return memory(false);
}
