// Limits at their real size: a model whose JSON is longer than any string, and files that would fill the memory.

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/io/index.js';
import { LabelList } from '../../src/io/labels.js';
import { resolveOptions } from '../../src/io/options.js';
import { reading } from '../../src/io/reading.js';
import { bytesOf, folder } from './helpers.js';

const files = folder();
const run = promisify(execFile);

/** The longest string of V8, which JSON.stringify and JSON.parse need. */
const MOST_CHARACTERS = 0x1fffffe8;

test('a model whose JSON is longer than any string is saved and read to the bit, with a heap of 100 MB', async () => {
  const path = files.path('large.json');
  try {
    const script = join(import.meta.dirname, 'large-model.mjs');
    const { stdout } = await run(process.execPath, [
      '--max-old-space-size=100',
      '--expose-gc',
      script,
      path,
      '5600',
      '5000',
    ]);
    const { bytes, isSame, saving, reading: loading } = JSON.parse(stdout);
    expect(bytes).toBeGreaterThan(MOST_CHARACTERS);
    expect(isSame).toBe(true);
    // 5,600 rows of 40 kB are 224 MB. Saving needs no copy of them, reading two while it lasts.
    expect(saving.peakMB).toBeLessThan(112);
    expect(loading.peakMB).toBeLessThan(3 * 224);
  } finally {
    rmSync(path, { force: true });
  }
});

describe('a gzip bomb is refused at 1 GiB', () => {
  /** Some text, and then a gigabyte and a half: a member of 16 MB again and again. */
  function bomb(first: string, unit: string): Uint8Array {
    const member = gzipSync(unit.repeat(Math.ceil(2 ** 24 / unit.length)));
    return new Uint8Array(Buffer.concat([gzipSync(first), ...new Array(96).fill(member)]));
  }

  test.each<[string, string, string, string]>([
    [
      'white space',
      '{"type": "perceptron",',
      ' '.repeat(64),
      'more than 1073741824 bytes came, and "maxBytes" allows no more',
    ],
    [
      'short numbers',
      '{"weights": [0',
      ',0',
      'its numbers take more than 1073741824 bytes of memory, and "maxBytes" allows no more',
    ],
    ['empty objects', '{"weights": [0', ',{}', 'it has more than 17825792 values besides lists of numbers'],
    ['strings', '{"options": ["a"', `,"${'x'.repeat(1000)}"`, 'it has strings of more than 268435456 bytes in all'],
  ])('%s', async (_, first, unit, message) => {
    const packed = bomb(first, unit);
    expect(packed.length).toBeLessThan(10_000_000);
    await expect(readModel(packed, { name: 'm.json.gz' })).rejects.toThrow(message);
  });
});

test('more different words than a Map holds are refused with a sentence', async () => {
  const most = 2 ** 23;
  await reading(bytesOf('x'), resolveOptions({ name: 'd' }, 'a test'), async (window) => {
    const labels = new LabelList(window);
    for (let k = 0; k < most; k++) labels.add(`${k}`);
    labels.add('7');
    expect(() => labels.add('one more')).toThrow(`d:1: there are more than ${most} different labels`);
  });
});
