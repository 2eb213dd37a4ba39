// Whatever bytes come, in whatever chunks: a dataset or a DataError, the same for all chunks, and nothing left in the arena.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DenseMatrix } from '../../src/index.js';
import { readCsvFrom } from '../../src/io/csv.js';
import { type Dataset, readCsv, readData, readLibsvm, readNpy } from '../../src/io/index.js';
import { readLibsvmFrom } from '../../src/io/libsvm.js';
import { resolveOptions } from '../../src/io/options.js';
import { reading } from '../../src/io/reading.js';
import type { Source } from '../../src/io/source.js';
import type { ByteWindow } from '../../src/io/window.js';
import { runs } from '../effort.js';
import { bytesOf, inChunks, withoutLeak } from './helpers.js';
import { csvText, libsvmText, longCsv, longLibsvm, outcome } from './texts.js';

/** With a window that gets so many bytes at once, so that every field is cut somewhere. */
const withStep = (source: Source, read: (window: ByteWindow) => Promise<Dataset>, step: number) =>
  reading(source, resolveOptions({}, 'a test'), read, step);

test('the check for leaks sees a matrix that stays', async () => {
  const X: { dispose(): void }[] = [];
  const leaking = withoutLeak(async () => X.push(DenseMatrix.allocate(2, 2)));
  await expect(leaking).rejects.toThrow('bytes: 32');
  X[0]?.dispose();
});

describe('any bytes give data or a DataError', () => {
  const readers = [
    ['readLibsvm', readLibsvm],
    ['readCsv', readCsv],
    ['readNpy', readNpy],
    ['readData', readData],
  ] as const;

  test.each(readers)('%s', async (_, read) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await outcome(() => read(bytes));
        await outcome(() => read(Uint8Array.from([0x1f, 0x8b, ...bytes])));
        await outcome(() => read(Uint8Array.from([0x93, ...bytesOf('NUMPY'), 1, 0, ...bytes])));
      }),
      { numRuns: runs(100) },
    );
  });

  test.each(readers)('%s, of text that looks nearly right', async (_, read) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(libsvmText, csvText, fc.string()), async (text) => {
        await outcome(() => read(bytesOf(text)));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('a good file with some bytes changed, cut or doubled gives data or a DataError', () => {
  const npy = Uint8Array.from([
    ...[0x93, ...bytesOf('NUMPY'), 1, 0, 118, 0],
    ...bytesOf("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }".padEnd(117)),
    10,
    ...new Uint8Array(Float64Array.of(1, 2, 3, 4).buffer),
  ]);
  const good = [
    bytesOf('# header\n1 qid:1 1:2.5 7:1e-3\n-1 2:3 # end\r\n'),
    bytesOf('a,"b ""c""",class\r\n1,2.5,x\r\n-3e2,4,"y, z"\r\n'),
    npy,
  ];
  const change = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('change', 'cut', 'double'));

  test.each(good.flatMap((bytes) => [bytes, gzipSync(bytes)]))('file %#', async (bytes) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let changed = [...bytes];
        for (const [place, byte, how] of changes) {
          const at = place % (changed.length || 1);
          if (how === 'change') changed[at] = byte;
          else if (how === 'cut') changed = changed.slice(0, at);
          else changed.splice(at, 0, ...changed.slice(at));
        }
        await outcome(() => readData(Uint8Array.from(changed)));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('any chunks give the same', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }).map((some) => [...some, 2]);

  test.each([
    ['LIBSVM', libsvmText, longLibsvm, readLibsvm, readLibsvmFrom],
    ['CSV', csvText, longCsv, readCsv, readCsvFrom],
  ] as const)('%s', async (_, texts, longTexts, read, readFrom) => {
    let data = 0;
    await fc.assert(
      fc.asyncProperty(texts, lengths, async (text, chunks) => {
        const bytes = bytesOf(text);
        const whole = await outcome(() => read(bytes));
        if (typeof whole === 'object') data++;
        expect(await outcome(() => read(inChunks(bytes, ...chunks)))).toEqual(whole);
        expect(await outcome(() => read(inChunks(gzipSync(bytes), ...chunks)))).toEqual(whole);
      }),
      { numRuns: runs(120) },
    );
    await fc.assert(
      fc.asyncProperty(longTexts, fc.integer({ min: 1, max: 12 }), async (text, step) => {
        const bytes = bytesOf(text);
        const whole = await outcome(() => read(bytes));
        if (typeof whole === 'object') data++;
        expect(await outcome(() => withStep(bytes, readFrom, step))).toEqual(whole);
      }),
      { numRuns: runs(60) },
    );
    expect(data, 'texts that were right').toBeGreaterThan(runs(40));
  });
});
