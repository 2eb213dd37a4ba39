// Decompresses the members of a gzip file, one after another, with DecompressionStreams.
//
// A DecompressionStream takes one member and fails at the bytes of the next one, without saying where that begins. So the bytes are
// split at every place that looks like the start of a member. If the stream fails at the bytes after such a place, and its output
// has the size that the four bytes before the place state, the member ended there, and a new stream continues. New bytes go to a
// stream only after its output was read, so the size of the output is known; a wrong checksum makes the stream fail earlier.

import type { ByteSource } from './source.js';

/** Compressed bytes up to the next place that looks like the start of a member. */
interface Piece {
  readonly bytes: Uint8Array;
  /** Whether they begin like a member. */
  readonly isStart: boolean;
  /** The four bytes before them as a number: the decompressed size of a member that ends there, modulo 2³². */
  readonly sizeBefore: number;
}

const MAGIC = [0x1f, 0x8b, 8] as const;

const looksLikeStart = (bytes: Uint8Array, at: number): boolean => MAGIC.every((byte, k) => bytes[at + k] === byte);

/** The first position from 1 on that looks like the start of a member, or −1. */
function findStart(bytes: Uint8Array): number {
  let at = bytes.indexOf(MAGIC[0], 1);
  while (at > 0 && !looksLikeStart(bytes, at)) at = bytes.indexOf(MAGIC[0], at + 1);
  return at;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Splits compressed bytes into pieces. */
class Pieces {
  readonly #source: ByteSource;
  #rest = new Uint8Array();
  #isOver = false;
  #sizeBefore = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async next(): Promise<Piece | undefined> {
    for (;;) {
      const start = findStart(this.#rest);
      if (start > 0) return this.#take(start);
      // The last two bytes may belong to the start of a member.
      const safe = this.#rest.length - (this.#isOver ? 0 : MAGIC.length - 1);
      if (safe > 0) return this.#take(safe);
      if (this.#isOver) return undefined;
      const chunk = await this.#source.next();
      if (chunk) this.#rest = join(this.#rest, chunk);
      else this.#isOver = true;
    }
  }

  #take(count: number): Piece {
    const bytes = this.#rest.subarray(0, count);
    const piece = { bytes, isStart: looksLikeStart(this.#rest, 0), sizeBefore: this.#sizeBefore };
    for (const byte of bytes.subarray(-4)) this.#sizeBefore = ((this.#sizeBefore >>> 8) | (byte << 24)) >>> 0;
    this.#rest = this.#rest.subarray(count);
    return piece;
  }
}

/** A member that is being decompressed. */
interface Member {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The piece at which the next member starts; undefined if this is the last member. */
  readonly fed: Promise<Piece | undefined>;
}

/** The decompressed bytes of all members. */
export class MemberStream implements ByteSource {
  readonly size = undefined;
  readonly announced = undefined;
  readonly #source: ByteSource;
  readonly #pieces: Pieces;
  readonly #inflater: () => GenericTransformStream;
  #member: Member | undefined;
  /** Decompressed bytes of the current member so far. */
  #given = 0;

  constructor(source: ByteSource, inflater: () => GenericTransformStream) {
    this.#source = source;
    this.#pieces = new Pieces(source);
    this.#inflater = inflater;
  }

  async next(): Promise<Uint8Array | undefined> {
    let piece = this.#member ? undefined : await this.#pieces.next();
    for (;;) {
      if (piece) this.#member = this.#begin(piece);
      if (!this.#member) return undefined;
      const { reader, fed } = this.#member;
      // A failed read also fails the write, which decides whether it is an error.
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      if (value) {
        this.#given += value.length;
        return value;
      }
      piece = await fed;
      if (!piece) return undefined;
    }
  }

  #begin(first: Piece): Member {
    const { readable, writable } = this.#inflater();
    this.#given = 0;
    const fed = this.#feed(writable.getWriter(), first);
    fed.catch(() => {}); // the reader gets the error
    return { reader: readable.getReader(), fed };
  }

  async #feed(writer: WritableStreamDefaultWriter<Uint8Array>, first: Piece): Promise<Piece | undefined> {
    let piece: Piece | undefined = first;
    writer.closed.catch(() => {}); // a failed write has the same error
    try {
      for (; piece; piece = await this.#pieces.next()) await writer.write(piece.bytes);
      await writer.close();
      return undefined;
    } catch (error) {
      if (piece && piece !== first && piece.isStart && piece.sizeBefore === this.#given % 2 ** 32) return piece;
      await writer.abort(error).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    void this.#member?.reader.cancel().catch(() => {});
    await this.#source.close();
  }
}
