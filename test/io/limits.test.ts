// Sources that never end, or claim or become more than memory holds: refused with a sentence, with little memory.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCsvFrom } from '../../src/io/csv.js';
import { DataError, readCsv, readData, readLibsvm, readModel, readNpy, type Source } from '../../src/io/index.js';
import { readLibsvmFrom } from '../../src/io/libsvm.js';
import { resolveOptions } from '../../src/io/options.js';
import { reading } from '../../src/io/reading.js';
import { readTextLabels } from '../../src/io/textlabels.js';
import type { ByteWindow } from '../../src/io/window.js';
import { bytesOf, dataErrorOf, folder } from './helpers.js';

const files = folder();

/** A stream that repeats a chunk for ever, and counts the bytes that were taken from it. */
function endless(first: string, chunk: string) {
  const taken = { bytes: 0, isCancelled: false };
  const bytes = bytesOf(chunk);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytesOf(first));
    },
    pull(controller) {
      taken.bytes += bytes.length;
      controller.enqueue(bytes.slice());
    },
    cancel() {
      taken.isCancelled = true;
    },
  });
  return { stream, taken };
}

const LIMIT = 2 ** 23;
const options = { maxBytes: LIMIT, name: 'm' };
const tooLong = `m: more than ${LIMIT} bytes came, and "maxBytes" allows no more`;

describe('a model that never ends is refused at maxBytes', () => {
  const bodies = {
    'white space': ['{"type": "perceptron",', ' '.repeat(2 ** 16)],
    numbers: ['{"type": "perceptron", "weights": [0', ',0.125'.repeat(2 ** 14)],
    objects: ['{"type": "perceptron", "supports": {"rows": [{}', ',{"columns":[1],"values":[2]}'.repeat(2 ** 12)],
  } as const;

  test.each(Object.entries(bodies))('an endless ReadableStream of %s', async (_, [first, chunk]) => {
    const { stream, taken } = endless(first, chunk);
    await expect(readModel(stream, options)).rejects.toThrow(new DataError(tooLong.slice(3), { source: 'm' }));
    expect(taken.bytes).toBeLessThan(LIMIT + 2 ** 20);
    expect(taken.isCancelled).toBe(true);
  });

  test('an endless http response', async () => {
    const [first, chunk] = bodies.numbers;
    let close = (): void => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const server = createServer((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more).on('close', close);
      response.write(first);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.json`;
      await expect(readModel(url, options)).rejects.toThrow(tooLong.slice(3));
      await closed; // the reader hangs up
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('a gzip bomb: 100 MB of numbers in 100 kB', async () => {
    const [first, chunk] = bodies.numbers;
    const bomb = gzipSync(Buffer.concat([bytesOf(first), bytesOf(chunk.repeat(1000))]));
    expect(bomb.length).toBeLessThan(300_000);
    for (const source of [new Uint8Array(bomb), files.file('bomb.json.gz', bomb)]) {
      await expect(readModel(source, options)).rejects.toThrow(tooLong);
    }
  });

  test.runIf(existsSync('/dev/zero'))('/dev/zero', async () => {
    await expect(readModel('/dev/zero')).rejects.toThrow('/dev/zero: this is binary data, expected text: byte 0 is 0');
  });
});

/** Reads text as if so many rows had come already. */
function after(rows: number, text: string, read: (window: ByteWindow) => Promise<unknown>): Promise<unknown> {
  return reading(bytesOf(text), resolveOptions({ name: 'd' }, 'a test'), async (window) => {
    window.rows = rows;
    return read(window);
  });
}

describe('more rows than an array holds are refused with a sentence', () => {
  const MOST = 2 ** 26;
  const tooMany = `d: it has more than ${MOST} rows: split it, and train on its parts with fitStream or partialFit`;

  test.each<[string, string, (window: ByteWindow) => Promise<unknown>]>([
    ['LIBSVM text', '1 1:2\n0 1:3\n', readLibsvmFrom],
    ['CSV', '1,a\n2,b\n', readCsvFrom],
    ['labels', 'a\nb\n', readTextLabels],
  ])('%s', async (_, text, read) => {
    const error = await dataErrorOf(() => after(MOST - 1, text, read));
    expect(error.message).toBe(tooMany);
    const one = text.slice(0, text.indexOf('\n') + 1);
    const { X } = (await after(MOST - 1, one, read)) as { X?: { dispose(): void } };
    X?.dispose();
  });

  test('.npy, before anything is read', async () => {
    const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${MOST + 1}, 1), }`.padEnd(118);
    const bytes = Uint8Array.of(0x93, ...bytesOf('NUMPY'), 1, 0, 118, 0, ...bytesOf(header));
    const stream = new Blob([bytes]).stream();
    const error = await dataErrorOf(() => readNpy(stream, { name: 'd' }));
    expect(error.message).toBe(tooMany);
  });
});

describe('y is made when it is asked for', () => {
  const sources: [string, () => Promise<{ y: unknown[]; X: { dispose(): void } }>, unknown[]][] = [
    ['LIBSVM text', () => readLibsvm(bytesOf('1 1:2\n-0 1:3\n')), [1, 0]],
    ['CSV of words', () => readCsv(bytesOf('1,b\n2,a\n3,b\n')), ['b', 'a', 'b']],
    ['CSV of numbers', () => readCsv(bytesOf('x,y\n1,+1\n2,-1\n3,1e0\n'), { label: 'y' }), [1, -1, 1]],
    ['CSV without labels', () => readCsv(bytesOf('1,2\n3,4\n'), { label: null }), []],
    ['any data', () => readData(bytesOf('1 1:2\n') as Source), [1]],
  ];

  test.each(sources)('%s', async (_, read, y) => {
    const dataset = await read();
    expect(typeof Object.getOwnPropertyDescriptor(dataset, 'y')?.get).toBe('function');
    expect(dataset.y).toEqual(y);
    expect(dataset.y).toBe(dataset.y);
    expect(Object.getOwnPropertyDescriptor(dataset, 'y')).toEqual({
      value: y,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    expect(Object.keys(dataset).slice(0, 2)).toEqual(['X', 'y']);
    dataset.X.dispose();
  });

  test('and can be replaced before', async () => {
    const dataset = await readCsv(bytesOf('1,b\n2,a\n'));
    dataset.y = ['c', 'd'];
    expect(dataset.y).toEqual(['c', 'd']);
    dataset.X.dispose();
  });

  test('many labels keep their places', async () => {
    const words = Array.from({ length: 5000 }, (_, k) => `w${(k * 7) % 2500}`);
    const dataset = await readCsv(bytesOf(words.map((word, k) => `${k},${word}\n`).join('')));
    expect(dataset.y).toEqual(words);
    dataset.X.dispose();
    const text = Array.from({ length: 5000 }, (_, k) => `${k / 8} 1:1\n`).join('');
    const numbers = await readLibsvm(bytesOf(text));
    expect(numbers.y).toEqual(Array.from({ length: 5000 }, (_, k) => k / 8));
    numbers.X.dispose();
  });
});
