// Gzip as browsers unpack it. Node's DecompressionStream takes several members at once; those of browsers, as the standard has
// it, fail at the second. So both are tried: Node's own, and one as strict as the standard.

import { gzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byStream } from '../../src/io/gzip.js';
import { DataError } from '../../src/io/index.js';
import { open, type Source } from '../../src/io/source.js';
import { bytesOf, inChunks } from './helpers.js';

const HEADER = 10;
const TRAILER = 8;

/** One member and nothing behind it, as https://compression.spec.whatwg.org has it. */
function strictInflater(): TransformStream<Uint8Array, Uint8Array> {
  let packed = Buffer.alloc(0);
  let isOver = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (isOver) throw new TypeError('Junk found after end of compressed data.');
      packed = Buffer.concat([packed, chunk]);
      const end = endOf(packed);
      if (end < 0) return;
      if (end < packed.length) throw new TypeError('Junk found after end of compressed data.');
      isOver = true;
      const content = inflateRawSync(packed.subarray(HEADER));
      // In several chunks, as large ones come.
      for (let at = 0; at < content.length; at += 100)
        controller.enqueue(new Uint8Array(content.subarray(at, at + 100)));
    },
    flush() {
      if (!isOver) throw new TypeError('Compressed input was truncated.');
    },
  });
}

/** Where a member ends; −1 if that is not there yet. */
function endOf(packed: Buffer): number {
  try {
    // The types know nothing of `info`.
    const { engine } = inflateRawSync(packed.subarray(HEADER), { info: true }) as unknown as {
      engine: { bytesWritten: number };
    };
    const end = HEADER + engine.bytesWritten + TRAILER;
    return end <= packed.length ? end : -1;
  } catch {
    return -1;
  }
}

const inflaters = [
  ['Node’s own stream', () => new DecompressionStream('gzip')],
  ['a stream that takes one member', strictInflater],
] as const;

describe.each(inflaters)('with %s', (_, inflater) => {
  const unpack = async (source: Source): Promise<string> => {
    const bytes = byStream(await open(source, 'x.gz', undefined), 'x.gz', inflater);
    const chunks: Uint8Array[] = [];
    try {
      for (let chunk = await bytes.next(); chunk; chunk = await bytes.next()) chunks.push(chunk);
    } finally {
      await bytes.close();
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  };

  test('one member and several are unpacked, wherever chunks end', async () => {
    const texts = ['one', '', 'two '.repeat(1000), 'three'];
    const packed = Buffer.concat(texts.map((text) => gzipSync(text)));
    for (const length of [1, 2, 3, 10, 1000]) expect(await unpack(inChunks(packed, length))).toBe(texts.join(''));
    expect(await unpack(gzipSync('alone'))).toBe('alone');
    expect(await unpack(gzipSync(''))).toBe('');
  });

  test('bytes that look like a member inside one are no member', async () => {
    const magic = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    const content = Buffer.concat([Buffer.from('a'), magic, Buffer.from('b'), magic]);
    const stored = gzipSync(content, { level: 0 }); // as it is, so that the magic is there in the packed bytes
    expect(stored.includes(magic.subarray(0, 3), 11)).toBe(true);
    for (const length of [1, 7, 100]) {
      const expected = new TextDecoder().decode(Buffer.concat([content, content]));
      expect(await unpack(inChunks(Buffer.concat([stored, stored]), length))).toBe(expected);
    }
  });

  test('what is cut off or broken is refused', async () => {
    const packed = gzipSync('some text, some more text');
    for (const wrong of [
      packed.subarray(0, 5),
      packed.subarray(0, -1),
      Buffer.concat([packed, packed.subarray(0, 15)]),
      Buffer.concat([packed, Buffer.from('junk')]),
    ]) {
      await expect(unpack(wrong)).rejects.toThrow(DataError);
    }
    await expect(unpack(packed.subarray(0, -1))).rejects.toThrow('x.gz: this gzip file is cut off: it ends too early');
  });

  test('a source that fails is not taken for broken gzip', async () => {
    async function* failing() {
      yield gzipSync('some text').subarray(0, 12);
      throw new RangeError('gone');
    }
    await expect(unpack(failing())).rejects.toThrow(new RangeError('gone'));
  });

  test('any texts in any chunks come back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.nat(40), async (texts, length) => {
        const packed = Buffer.concat(texts.map((text) => gzipSync(text)));
        expect(await unpack(inChunks(packed, length + 1))).toBe(texts.join(''));
      }),
      { numRuns: 50 },
    );
  });

  test('it can be left before its end', async () => {
    const bytes = byStream(await open(bytesOf(''), 'x', undefined), 'x', inflater);
    await bytes.close();
    const more = byStream(await open(gzipSync('x'.repeat(100_000)), 'x', undefined), 'x', inflater);
    expect((await more.next())?.length).toBeGreaterThan(0);
    await more.close();
  });
});
