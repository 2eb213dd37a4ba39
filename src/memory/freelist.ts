// The free list: which bytes of a memory are allocated. Takes the best fitting hole, else bytes from the top; merges neighbours.
// It is kept in JavaScript, so that no write to the memory can break it.

/** Blocks start and end on this boundary, so that a v128 load never straddles two blocks. */
export const ALIGNMENT = 16;

/** A length, rounded up to the boundary. */
export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

interface Hole {
  offset: number;
  bytes: number;
}

export class FreeList {
  /** Holes below the top, ascending, never adjacent to each other or to the top. */
  readonly #holes: Hole[] = [];
  /** The first byte above all allocated ones. */
  top: number;

  constructor(base: number) {
    this.top = base;
  }

  /** Allocates `bytes` bytes (a multiple of ALIGNMENT); returns their offset, or −1 if they would end above `limit`. */
  take(bytes: number, limit: number): number {
    let best = -1;
    for (let i = 0; i < this.#holes.length; i++) {
      const size = (this.#holes[i] as Hole).bytes;
      if (size >= bytes && (best < 0 || size < (this.#holes[best] as Hole).bytes)) best = i;
    }
    if (best >= 0) {
      const hole = this.#holes[best] as Hole;
      const { offset } = hole;
      hole.offset += bytes;
      hole.bytes -= bytes;
      if (hole.bytes === 0) this.#holes.splice(best, 1);
      return offset;
    }
    if (this.top + bytes > limit) return -1;
    const offset = this.top;
    this.top += bytes;
    return offset;
  }

  /** Frees what `take` allocated. */
  give(offset: number, bytes: number): void {
    const holes = this.#holes;
    if (offset + bytes === this.top) {
      this.top = offset;
      const last = holes.at(-1);
      if (last && last.offset + last.bytes === offset) {
        this.top = last.offset;
        holes.pop();
      }
      return;
    }
    let at = 0;
    while (at < holes.length && (holes[at] as Hole).offset < offset) at++;
    holes.splice(at, 0, { offset, bytes });
    this.#merge(at);
    this.#merge(at - 1);
  }

  /** Merges hole i with its right neighbour, if they touch. */
  #merge(i: number): void {
    const left = this.#holes[i];
    const right = this.#holes[i + 1];
    if (!left || !right || left.offset + left.bytes !== right.offset) return;
    left.bytes += right.bytes;
    this.#holes.splice(i + 1, 1);
  }
}
