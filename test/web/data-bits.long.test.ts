// The same file gives the same bits as the command line: what the page's worker does, beside the built command.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choice, defaults, textbook } from '../../web/src/data/choice.js';
import { type Asked, argumentsFor } from '../../web/src/data/commandline.js';
import { Session } from '../../web/src/data/work/session.js';
import { example } from './datapage.js';

const command = resolve(import.meta.dirname, '../../dist/cli.js');
let folder = '';

/** A .npy of float64 values. */
function npy(shape: readonly number[], values: readonly number[]): Uint8Array {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  return Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    Buffer.from(Uint16Array.of(padded.length).buffer),
    Buffer.from(padded),
    Buffer.from(Float64Array.from(values).buffer),
  ]);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'your-data-'));
  const write = (name: string, bytes: string | Uint8Array) => writeFileSync(join(folder, name), bytes);
  for (const name of ['fruit.csv', 'flowers.csv', 'moons.csv', 'messages.txt', 'messages.csv', 'penguins.csv']) {
    write(name, readFileSync(example(name)));
  }
  const moons = readFileSync(example('moons.csv'), 'utf8');
  write('moons.tsv', moons.replaceAll(',', '\t'));
  write('moons.csv.gz', gzipSync(moons));
  const rows = moons.trim().split('\n').slice(1).map((line) => line.split(',').map(Number)); // biome-ignore format: one line
  write('X.npy', npy([rows.length, 2], rows.flatMap((row) => row.slice(0, 2)))); // biome-ignore format: one line
  write('y.npy', npy([rows.length], rows.map((row) => row[2] as number))); // biome-ignore format: one line
  write('ids.csv', moons.trim().split('\n').map((line, i) => `${i === 0 ? 'id' : `row ${i}`},${line}`).join('\n')); // biome-ignore format: one line
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string): File => new File([readFileSync(join(folder, name))], name);

/** Trains here and there; gives both files. */
async function both(name: string, change: Partial<Choice>, asked: Asked & { ignore?: number[]; labels?: string } = {}) {
  const { labels, ignore = [], ...rest } = asked;
  const session = new Session();
  try {
    const summary = await session.read({
      file: fileOf(name),
      ignore,
      ...rest,
      ...(labels !== undefined && { labels: fileOf(labels) }),
    });
    const choice = { ...defaults, ...change };
    const results = await session.train(summary.data, choice);
    const { heldOut } = results;
    const words = argumentsFor(heldOut ? results.choice : { ...results.choice, heldout: 0 }, summary, rest);
    const told = execFileSync(process.execPath, [command, 'train', name, ...words, '-o', 'out.json', '--json'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return {
      evaluation: JSON.parse(told).evaluation,
      here: await session.save(results.model).text(),
      there: readFileSync(join(folder, 'out.json'), 'utf8'),
      results,
    };
  } finally {
    session.dispose();
  }
}

describe('the model of the page is that of the command line, byte for byte', () => {
  test.each<[file: string, change: Partial<Choice>]>([
    ['moons.csv', { epochs: 50 }],
    ['moons.tsv', { epochs: 50, trainer: 'averaged', order: 'shuffle', seed: 7 }],
    ['moons.csv.gz', { epochs: 20, trainer: 'pocket' }],
    ['moons.csv', { epochs: 20, trainer: 'pocket', ratchet: true, seed: 3 }],
    ['moons.csv', { trainer: 'dual', gamma: 4 }],
    ['moons.csv', { trainer: 'dual', kernel: 'polynomial', degree: 2, coef0: 1, epochs: 30 }],
    ['moons.csv', { trainer: 'dual', kernel: 'linear', epochs: 10, scale: 'centre' }],
    ['fruit.csv', { scale: 'standardize' }],
    ['fruit.csv', { scale: 'unit-ball', epochs: 100, margin: 0.1, eta: 0.5, balanced: true }],
    ['fruit.csv', { intercept: false, epochs: 30, order: 'batch' }],
    ['flowers.csv', { epochs: 60 }],
    ['flowers.csv', { epochs: 60, trainer: 'averaged', strategy: 'multinomial', scale: 'standardize' }],
    ['flowers.csv', { epochs: 20, trainer: 'dual' }],
    ['messages.txt', {}],
    ['messages.txt', { scale: 'unit-ball', order: 'random', seed: 11 }],
    ['messages.csv', {}],
    ['messages.csv', { ...textbook, heldout: 0.3, seed: 4 }],
  ])('%s, %o', async (file, change) => {
    const { here, there, results, evaluation } = await both(file, change);
    expect(here).toBe(there);
    // The same rows are held out, and judged the same.
    const { heldOut } = results;
    expect([heldOut?.accuracy, heldOut?.balancedAccuracy]).toEqual([
      evaluation?.accuracy,
      evaluation?.balancedAccuracy,
    ]);
    expect(heldOut?.confusion.table).toEqual(evaluation?.confusion);
    // What is shown is worked out from scores, and what is saved by the library.
    const { right, rows } = results.training;
    expect(JSON.parse(here).data.accuracy).toBe(right / rows);
    const { margins } = results;
    const { confusion } = results.training;
    expect(confusion.table?.reduce((sum, row, k) => sum + (row[k] as number), 0)).toBe(right);
    const below = margins.groups.flatMap(({ values }) => [...values]).filter((value) => value < 0).length;
    expect(below).toBe(heldOut ? heldOut.rows - heldOut.right : rows - right);
  });

  test.each<Partial<Choice>>([{}, { trainer: 'dual' }, { strategy: 'one-vs-rest' }])(
    'a table with words, categories and gaps: %o',
    async (change) => {
      const { here, there, results, evaluation } = await both('penguins.csv', change, { label: 0 });
      expect(here).toBe(there);
      expect(results.heldOut?.confusion.table).toEqual(evaluation.confusion);
    },
  );

  test('a column of numbers taken as a category, and one of text', async () => {
    const { here, there, results } = await both('penguins.csv', { epochs: 5 }, { label: 0, kinds: { body_mass_g: 'category', island: 'text' } }); // biome-ignore format: one call
    expect(here).toBe(there);
    expect(results.summary.table?.map(({ kind }) => kind)).toEqual(['text', 'number', 'number', 'number', 'category', 'category']); // biome-ignore format: a list
  });

  test('.npy with its labels', async () => {
    const { here, there } = await both('X.npy', { epochs: 20 }, { labels: 'y.npy' });
    expect(here).toBe(there);
  });

  test('a column left out, and another as the label', async () => {
    const left = await both('ids.csv', { epochs: 20 }, { ignore: [0] });
    expect(left.here).toBe(left.there);
    expect(JSON.parse(left.here).data.ignored).toEqual([0]);
    const other = await both('flowers.csv', { epochs: 5 }, { label: 1, ignore: [4] });
    expect(other.here).toBe(other.there);
    expect(JSON.parse(other.here).data.label).toEqual({ index: 1, name: 'petal_width' });
  });

  test('the first line taken as data', async () => {
    const numbers = join(folder, 'plain.csv');
    writeFileSync(numbers, '1,2,0\n3,1,1\n0,2,0\n4,1,1\n');
    const { here, there } = await both(basename(numbers), {}, { header: false });
    expect(here).toBe(there);
  });

  test('the command that is shown loads what was downloaded', async () => {
    const { here } = await both('fruit.csv', { ...textbook, scale: 'standardize' });
    writeFileSync(join(folder, 'downloaded.json'), here);
    const told = execFileSync(process.execPath, [command, 'predict', 'downloaded.json', 'fruit.csv', '--json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(JSON.parse(told).accuracy).toBe(1);
  });
});

test('of many classes the worst pairs are listed, not a table', async () => {
  const session = new Session();
  const lines = Array.from({ length: 300 }, (_, i) => `${i % 15},${(i * 7) % 11},kind ${i % 15}`);
  const summary = await session.read({ file: new File([lines.join('\n')], 'many.csv'), ignore: [] });
  const { training, classes, heldOut } = await session.train(summary.data, { ...defaults, epochs: 3 });
  expect(classes.length).toBe(15);
  const { confusion, rows, right } = heldOut ?? training;
  expect(confusion.table).toBeUndefined();
  const wrong = confusion.worst.reduce((sum, { rows }) => sum + rows, 0);
  expect(wrong).toBeGreaterThan(0);
  expect(wrong).toBeLessThanOrEqual(rows - right);
  session.dispose();
});

test('memory is given back: data that is no longer shown is let go', async () => {
  const session = new Session();
  const file = fileOf('fruit.csv');
  const first = await session.read({ file, ignore: [] });
  const second = await session.read({ file, ignore: [0] });
  session.keep({ data: second.data });
  await expect(session.train(first.data, defaults)).rejects.toThrow('no such data');
  expect((await session.train(second.data, { ...defaults, epochs: 2 })).summary.cols).toBe(2);
  session.dispose();
});

describe('a kernel looks at its rows in slices', () => {
  const rows = Array.from({ length: 1200 }, (_, i) => [Math.sin(i * 7), Math.cos(i * 5)] as const);
  const text = rows.map(([a, b]) => `${a},${b},${a * b > 0.1 ? 'in' : 'out'}`).join('\n');
  const choice: Choice = { ...defaults, trainer: 'dual', gamma: 1, epochs: 3, heldout: 0 };

  test('with progress, and to the same numbers', async () => {
    const session = new Session();
    const { data } = await session.read({ file: new File([text], 'slices.csv'), ignore: [] });
    const seen: unknown[] = [];
    const { training, model } = await session.train(data, choice, {
      onProgress: (progress) => void (progress.kind === 'looking' && seen.push(progress.done)),
    });
    expect(seen).toEqual([undefined, 500, 1000, 1200]);
    const saved = JSON.parse(await session.save(model).text());
    expect(saved.data.accuracy).toBe(training.right / training.rows);
    session.dispose();
  });

  test('and stops between them where nobody wants the answer', async () => {
    const session = new Session();
    const { data } = await session.read({ file: new File([text], 'slices.csv'), ignore: [] });
    const dropped = new AbortController();
    const training = session.train(data, choice, {
      dropped: dropped.signal,
      onProgress: (progress) => {
        if (progress.kind === 'looking' && progress.done === 500) dropped.abort();
      },
    });
    await expect(training).rejects.toThrow(/abort/i);
    session.dispose();
  });
});
