import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { Datasets } from '../../src/cluster/datasets.js';
import { perform } from '../../src/cluster/jobs.js';
import { openBelow } from '../../src/cluster/root.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'perceptron-root-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = join(folder, 'data');
mkdirSync(join(root, 'sub'), { recursive: true });
writeFileSync(join(folder, 'secret.svm'), '1 1:1\n0 1:-1\n');
writeFileSync(join(root, 'sub', 'a.svm'), '1 1:1\n0 1:-1\n');
symlinkSync(join(folder, 'secret.svm'), join(root, 'out.svm'));
symlinkSync(folder, join(root, 'up'));
symlinkSync('sub', join(root, 'inside'));
mkdirSync(join(folder, 'data-2'));
writeFileSync(join(folder, 'data-2', 'b.svm'), '1 1:1\n');
symlinkSync(join(folder, 'data-2'), join(root, 'neighbour'));

const read = async (path: string) => {
  const file = await openBelow(root, path);
  const text = await file.readFile('utf8');
  await file.close();
  return text;
};

test('files below the root are opened, also by links that stay below it', async () => {
  expect(await read('sub/a.svm')).toBe('1 1:1\n0 1:-1\n');
  expect(await read('inside/a.svm')).toBe('1 1:1\n0 1:-1\n');
});

test.each([
  '/etc/passwd',
  '../secret.svm',
  'sub/../../secret.svm',
  'sub\\..\\..\\secret.svm',
  'C:/x',
  'a\0b',
  '',
  'a'.repeat(5000),
])('a path that leads elsewhere is refused before anything is opened: %j', async (path) => {
  await expect(openBelow(root, path)).rejects.toThrow(/^the path of the data must be/);
});

test.each(['out.svm', 'up/secret.svm', 'neighbour/b.svm'])(
  'a link that leads out of the root is refused: %s',
  async (path) => {
    await expect(openBelow(root, path)).rejects.toThrow('it leads out of the data root');
  },
);

test('folders, pipes and what is not there are errors that say so', async () => {
  await expect(openBelow(root, 'sub')).rejects.toThrow('it is not a file');
  await expect(openBelow(root, 'none.svm')).rejects.toThrow('there is no such file below its data root');
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
  await expect(openBelow(root, 'pipe')).rejects.toThrow('it is not a file'); // and does not wait for a writer
});

test.skipIf(process.platform === 'win32')('a file without permission is an error that says so', async () => {
  const path = join(root, 'closed.svm');
  writeFileSync(path, '1 1:1\n', { mode: 0 });
  const isRoot = process.geteuid?.() === 0; // who may read all
  if (isRoot) process.seteuid?.(65534);
  try {
    await expect(openBelow(root, 'closed.svm')).rejects.toThrow('it has no permission to read it');
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a folder that becomes a link while a file is opened does not lead out', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere', 'a.svm'), 'secret');
  const [swapped, aside] = [join(root, 'swapped'), join(root, 'aside')];
  mkdirSync(swapped);
  writeFileSync(join(swapped, 'a.svm'), 'public');
  symlinkSync(join(folder, 'elsewhere'), join(root, 'link'));
  let isOver = false;
  const swapping = (async () => {
    while (!isOver) {
      for (const [from, to] of [
        [swapped, aside],
        [join(root, 'link'), swapped],
        [swapped, join(root, 'link')],
        [aside, swapped],
      ] as const) {
        await rename(from, to);
      }
    }
  })();
  const found = new Set<string>();
  for (let i = 0; i < 500; i++) found.add(await read('swapped/a.svm').catch((error: Error) => error.message));
  isOver = true;
  await swapping;
  expect(found.has('secret')).toBe(false);
  expect(found.has('it leads out of the data root')).toBe(true);
});

const source = (data: string) => ({ data, as: 'rows' as const });

test('a file is read once, and again when it has changed', async () => {
  const path = join(root, 'c.svm');
  writeFileSync(path, '1 1:1\n0 1:-1\n');
  const datasets = new Datasets((name) => openBelow(root, name), 2 ** 20);
  const first = await datasets.use(source('c.svm'), (loaded) => loaded);
  expect(await datasets.use(source('c.svm'), (loaded) => loaded)).toBe(first);
  writeFileSync(path, '1 1:1\n0 1:-1\n0 1:-2\n');
  const second = await datasets.use(source('c.svm'), ({ rows, hash }) => ({ rows, hash }));
  expect(second.rows).toBe(3);
  expect(second.hash).not.toBe(first.hash);
  datasets.dispose();
});

test('the cache keeps what was used last, up to its bytes', async () => {
  for (const name of ['d', 'e', 'f']) writeFileSync(join(root, `${name}.svm`), '1 1:1\n0 1:-1\n'.repeat(50));
  const { bytes } = await new Datasets((name) => openBelow(root, name), 0).use(source('d.svm'), (loaded) => loaded);
  const datasets = new Datasets((name) => openBelow(root, name), 2.5 * bytes);
  const use = (name: string) => datasets.use(source(`${name}.svm`), (loaded) => loaded);
  const [d, e] = [await use('d'), await use('e')];
  expect(await use('d')).toBe(d);
  await use('f'); // e goes
  expect(await use('d')).toBe(d);
  expect(await use('e')).not.toBe(e);
  datasets.dispose();
});

test('two jobs that want a file at once read it once; an unreadable one is tried again', async () => {
  const datasets = new Datasets((name) => openBelow(root, name), 2 ** 20);
  const [a, b] = await Promise.all(['x', 'y'].map(() => datasets.use(source('sub/a.svm'), (loaded) => loaded)));
  expect(a).toBe(b);
  const path = join(root, 'later.svm');
  writeFileSync(path, 'this is no data\n');
  await expect(datasets.use(source('later.svm'), () => 0)).rejects.toThrow();
  writeFileSync(path, readFileSync(join(root, 'sub/a.svm')));
  expect(await datasets.use(source('later.svm'), ({ rows }) => rows)).toBe(2);
  datasets.dispose();
});

test('what jobs make of a file is kept for the latest of them alone: other folds take no more memory', async () => {
  const datasets = new Datasets((name) => openBelow(root, name), 2 ** 20);
  writeFileSync(join(root, 'g.svm'), '1 1:1\n0 1:-1\n'.repeat(20));
  const place = { datasets, threads: 1, signal: new AbortController().signal, weights: async () => undefined };
  const base = {
    source: source('g.svm'),
    model: { type: 'dual-perceptron', options: { kernel: 'rbf' } },
    scores: false,
  };
  for (let seed = 0; seed < 5; seed++) {
    const dealing = { folds: 4, stratify: true, seed };
    await Promise.all([0, 1, 2, 3].map((fold) => perform({ ...base, kind: 'fold', dealing, fold }, place)));
  }
  expect(await datasets.use(source('g.svm'), ({ made }) => made.size)).toBe(1);
  datasets.dispose();
});

test('a file counts as what it takes in memory, not as what it is on the disk', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `the same words again and again,${i % 2}`).join('\n');
  writeFileSync(join(root, 'texts.csv.gz'), gzipSync(`body,kind\n${rows}\n`));
  const datasets = new Datasets((name) => openBelow(root, name), 0);
  for (const as of ['table', 'texts'] as const) {
    const { bytes, size } = await datasets.use(
      { data: 'texts.csv.gz', as, read: { label: 'kind' } },
      (loaded) => loaded,
    );
    expect(bytes).toBeGreaterThan(2000 * 60);
    expect(size).toBeLessThan(10_000);
  }
});

test('a signal ends reading', async () => {
  const datasets = new Datasets((name) => openBelow(root, name), 0, AbortSignal.abort(new Error('enough')));
  await expect(datasets.use(source('sub/a.svm'), () => 0)).rejects.toThrow('enough');
});
