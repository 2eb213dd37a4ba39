// Gzip, decompressed by the platform: node:zlib in Node, DecompressionStream elsewhere. Reads all members and checks their sums.

import type { Gunzip } from 'node:zlib';
import { DataError } from './errors.js';
import { MemberStream } from './members.js';
import { type ByteSource, builtin, reasonOf } from './source.js';

/** Bytes of one decompressed chunk. */
const OUT_BYTES = 2 ** 18;

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** The decompressed bytes of a gzip file. `next` throws a DataError if the file is cut off or broken. */
export function gunzip(packed: ByteSource, name: string): ByteSource {
  const zlib = builtin('node:zlib');
  return zlib ? inNode(packed, name, zlib.createGunzip({ chunkSize: OUT_BYTES })) : byStream(packed, name);
}

function broken(cause: unknown, source: string): DataError {
  const reason = reasonOf(cause);
  const isCut = /unexpected end|truncated/i.test(reason);
  const what = isCut ? 'this gzip file is cut off: it ends too early' : `this gzip file is broken (${reason})`;
  return new DataError(what, { source, cause });
}

function inNode(packed: ByteSource, name: string, stream: Gunzip): ByteSource {
  let failure: { error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    try {
      for (let chunk = await packed.next(); chunk && !stream.destroyed; chunk = await packed.next()) {
        const bytes = chunk;
        await new Promise<void>((resolve) => stream.write(bytes, () => resolve()));
      }
      stream.end();
    } catch (error) {
      failure = { error };
      stream.destroy();
    }
  };
  stream.on('error', () => {}); // the iterator reports it
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  let isFed = false;
  return {
    size: undefined,
    announced: undefined,
    next: async () => {
      if (!isFed) void feed();
      isFed = true;
      try {
        const { done, value } = await chunks.next();
        return done ? undefined : value;
      } catch (error) {
        throw failure ? failure.error : broken(error, name);
      }
    },
    close: async () => {
      stream.destroy();
      await packed.close();
    },
  };
}

/** With DecompressionStream. */
export function byStream(
  packed: ByteSource,
  name: string,
  inflater = (): GenericTransformStream => new DecompressionStream('gzip'),
): ByteSource {
  let failure: { error: unknown } | undefined;
  const guarded: ByteSource = {
    size: undefined,
    announced: undefined,
    next: () =>
      packed.next().catch((error: unknown) => {
        failure = { error };
        throw error;
      }),
    close: () => packed.close(),
  };
  const members = new MemberStream(guarded, inflater);
  return {
    size: undefined,
    announced: undefined,
    next: async () => {
      try {
        return await members.next();
      } catch (error) {
        throw failure ? failure.error : broken(error, name);
      }
    },
    close: () => members.close(),
  };
}
