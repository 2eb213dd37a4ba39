// Workers in this process, on a Redis of the test's own; test/cluster/faults.long.test.ts has processes of their own.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Cluster,
  type ClusterWorker,
  connectCluster,
  type Progress,
  startWorker,
  trainMixed,
} from '../../src/cluster/index.js';
import { jobKey } from '../../src/cluster/keys.js';
import { warningsFrom } from '../../src/cluster/redis.js';
import { pack } from '../../src/cluster/wire.js';
import { DualPerceptron, MulticlassPerceptron, Perceptron, Pipeline, Scaler } from '../../src/index.js';
import { readData, readTable } from '../../src/io/index.js';
import { TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { Random } from '../../src/random.js';
import { crossValidate, search } from '../../src/select/index.js';
import { program, type Server, startRedis } from './redis.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'perceptron-cluster-')));
const file = (name: string, text: string) => writeFileSync(join(root, name), text);

const random = Random.seeded(1);
const draw = () => (random.below(2001) - 1000) / 500;
const rows = Array.from({ length: 60 }, () => [draw(), draw(), draw()] as const);
const label = ([a, b]: (typeof rows)[0]) => (random.below(15) === 0 || a + b / 2 > 0 ? 'spam' : 'ham');
file('rows.csv', `a,b,c,kind\n${rows.map((row) => [...row, label(row)].join()).join('\n')}\n`);
file('three.svm', `${rows.map(([a, b, c], i) => `${i % 3} 1:${a + (i % 3)} 2:${b} 3:${c}`).join('\n')}\n`);
file(
  'table.csv',
  `age,town,kind\n${rows.map((row, i) => `${i % 7 ? Math.round(40 + 10 * row[0]) : ''},${i % 2 ? 'Ulm' : 'Bonn'},${label(row)}`).join('\n')}\n`,
);
file(
  'texts.csv',
  `body,kind\n${rows.map((_, i) => `"${i % 2 ? 'win a prize now' : 'lunch with the whole team'} and number ${i * 7919}",${i % 2 ? 'spam' : 'ham'}`).join('\n')}\n`,
);
for (let k = 0; k < 3; k++)
  file(
    `part-${k}.svm`,
    `${rows
      .slice(20 * k, 20 * k + 20)
      .map(([a, b, c]) => `${a + b > 0 ? 1 : -1} 1:${a} 2:${b} 3:${c}`)
      .join('\n')}\n`,
  );
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.runIf(program)('a cluster', () => {
  let server: Server;
  let cluster: Cluster;
  const workers: ClusterWorker[] = [];
  const told: Progress[] = [];
  beforeAll(async () => {
    server = await startRedis();
    for (let k = 0; k < 2; k++) workers.push(await startWorker({ url: server.url, dataRoot: root, threads: 1 }));
    cluster = await connectCluster({
      url: server.url,
      patienceMs: 20_000,
      onProgress: (progress) => told.push(progress),
    });
  });
  afterAll(async () => {
    await cluster.close();
    for (const worker of workers) await worker.close();
    const left = await server.redis.keys('*');
    const expire = await Promise.all(left.map((key) => server.redis.ttl(key)));
    expect(left.filter((_, k) => (expire[k] as number) < 0)).toEqual([]); // all that is left goes by itself
    expect(left.filter((key) => /worker|weights|run/.test(key))).toEqual([]);
    await server.end();
  });

  test.each([
    ['a trainer', () => new Perceptron<string>({ order: 'shuffle', average: true, maxEpochs: 20 }), 'rows.csv'],
    ['a kernel', () => new DualPerceptron<string>({ kernel: 'rbf', maxEpochs: 20 }), 'rows.csv'],
    ['many classes', () => new MulticlassPerceptron({ maxEpochs: 10 }), 'three.svm'],
    [
      'a pipeline',
      () => new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron<string>({ maxEpochs: 10 })),
      'rows.csv',
    ],
  ])('cross-validates %s as crossValidate does, to the bit', async (_, model, data) => {
    const { X, y } = await readData(join(root, data));
    const options = { folds: 4, seed: 3 };
    const folds: number[] = [];
    const here = await crossValidate(model() as never, X as never, y, options);
    const there = await cluster.crossValidate(model() as never, {
      data,
      ...options,
      onFold: ({ fold }) => folds.push(fold),
    });
    expect(there).toStrictEqual(here);
    expect(folds.sort()).toEqual([0, 1, 2, 3]);
    expect(told.at(-1)).toMatchObject({ what: 'folds', done: 4, total: 4 });
    X.dispose();
  });

  test('tables and texts, too: the steps of a pipeline are fitted in each fold', async () => {
    const table = await readTable(join(root, 'table.csv'));
    const y = table.columns.kind as string[];
    const encode = () =>
      new Pipeline(new TableEncoder({ missing: 'median' }), new Perceptron<string>({ maxEpochs: 5 }));
    const X = { columns: { age: table.columns.age as Float64Array, town: table.columns.town as string[] } };
    expect(
      await cluster.crossValidate(encode() as never, { data: 'table.csv', folds: 3, read: { label: 'kind' } }),
    ).toStrictEqual(await crossValidate(encode() as never, X as never, y, { folds: 3 }));
    const texts = await readTable(join(root, 'texts.csv'));
    const words = () => new Pipeline(new TextVectorizer({ features: 512 }), new Perceptron<string>({ maxEpochs: 5 }));
    expect(
      await cluster.crossValidate(words() as never, { data: 'texts.csv', folds: 3, read: { label: 'kind' } }),
    ).toStrictEqual(
      await crossValidate(words() as never, texts.columns.body as never, texts.columns.kind as string[], { folds: 3 }),
    );
  });

  test('searches as search does, to the bit: every score, and the model', async () => {
    const { X, y } = await readData(join(root, 'rows.csv'));
    const grid = { average: [true, false], margin: [0, 0.5] };
    const model = () => new Perceptron({ maxEpochs: 10 });
    const plain = ({ model, results, best }: { model: unknown; results: readonly object[]; best: object }) => ({
      best,
      model: JSON.stringify(model),
      results: results.map((result) => ({ ...result, seconds: 0 })),
    });
    const there = await cluster.search(model(), grid, { data: 'rows.csv', metric: 'macro.f1' });
    expect(plain(there)).toStrictEqual(plain(await search(model(), grid, X as never, y, { metric: 'macro.f1' })));
    expect(there.model.predict([[1, 1, 1]])).toEqual(['spam']);
    X.dispose();
  });

  test('mixes as trainMixed does here, to the bit', async () => {
    const shards = ['part-0.svm', 'part-1.svm', 'part-2.svm'];
    const options = { classes: [-1, 1], cols: 5, maxEpochs: 6 };
    const here = await trainMixed(new Perceptron({ average: true }), {
      ...options,
      shards: shards.map((name) => join(root, name)),
    });
    const there = await cluster.trainMixed(new Perceptron({ average: true }), { ...options, shards });
    expect(JSON.stringify(there.model)).toBe(JSON.stringify(here.model));
    expect(there.report).toEqual(here.report);
  });

  test.each<[string, (cluster: Cluster) => Promise<unknown>, RegExp]>([
    [
      'a file that is not there',
      (c) => c.crossValidate(new Perceptron(), { data: 'none.csv' }),
      /^none.csv cannot be read: there is no such file below its data root \(on worker .+:\d+:\d\)$/,
    ],
    [
      'a path outside of the root',
      (c) => c.crossValidate(new Perceptron(), { data: '../rows.csv' }),
      /^"data" must be relative to the data root of the workers, without \.\., got "\.\.\/rows.csv"$/,
    ],
    [
      'an option that a fold refuses',
      (c) => c.crossValidate(new Perceptron(), { data: 'rows.csv', folds: 50 }),
      /^"folds" is 50, but class "(ham|spam)" has \d+ rows/,
    ],
    [
      'an unknown option',
      (c) => c.crossValidate(new Perceptron(), { data: 'rows.csv', fold: 3 } as never),
      /^crossValidate has no option "fold": do you mean "folds"\?/,
    ],
    [
      'a run that nobody knows',
      (c) =>
        c.trainMixed(new Perceptron(), { shards: ['part-0.svm'], classes: [-1, 1], cols: 3, runId: 'x', resume: true }),
      /^Redis does not know the run x: /,
    ],
    [
      'a column that is not there',
      (c) => c.crossValidate(new Perceptron(), { data: 'rows.csv', read: { label: 'sort' } }),
      /^rows.csv:?\d*:?\d*: this cannot be read as data: see perceptron-wasm inspect \(on worker/,
    ],
  ])('%s is an error that says so', async (_, call, message) => {
    await expect(call(cluster)).rejects.toThrow(message);
  });

  test('a forged job cannot name files by the options of readers', async () => {
    const source = { data: 'rows.csv', as: 'rows' as const, read: { labels: '/etc/passwd' } as never };
    const job = { kind: 'look' as const, source, model: { type: 'perceptron' } };
    const call = cluster.tasks.run([{ name: 'forged', job }], { signal: undefined });
    await expect(call).rejects.toThrow(/^"read" has no option "labels"/);
    await expect(cluster.crossValidate(new Perceptron(), { data: 'rows.csv', read: source.read })).rejects.toThrow(
      /"read" has no option/,
    );
  });

  test.each<[string, object, RegExp]>([
    ['a fold that is a word', { kind: 'fold', fold: 'map' }, /^the fold must be an integer of at least 0, got "map"/],
    ['a fold that is not there', { kind: 'fold', fold: 99 }, /^there is no fold 99/],
    [
      'folds that cannot be',
      { kind: 'look', dealing: { folds: 1e9, stratify: true, seed: 0 } },
      /^"folds" is 1000000000/,
    ],
    ['a kind of no version', { kind: 'constructor' }, /^this job is of no kind that this version has/],
    [
      'a form that is none',
      { source: { data: 'rows.csv', as: '__proto__' } },
      /^how data are taken must be one of rows,/,
    ],
    ['a path upwards', { source: { data: '../rows.csv', as: 'rows' } }, /^the path of the data must be relative/],
    [
      'labels elsewhere',
      { source: { data: 'rows.csv', as: 'rows', labels: '/etc/passwd' } },
      /^the path of the labels must be/,
    ],
    [
      'columns without end',
      { source: { data: 'rows.csv', as: 'rows', read: { cols: 2 ** 40 } } },
      /^"cols" and "maxCols" must be at most/,
    ],
    [
      'an option that is refused',
      { model: { type: 'perceptron', options: { maxEpochs: -1 } } },
      /^"maxEpochs" must be/,
    ],
    [
      'a pass of no columns',
      { kind: 'pass', cols: -0.5, classes: ['ham', 'spam'], weights: 'x' },
      /^"cols" must be an integer/,
    ],
    [
      'a pass of most columns',
      { kind: 'pass', cols: 2 ** 30, classes: ['ham', 'spam'], weights: 'x' },
      /^"cols" must be at most/,
    ],
    ['a pass of no classes', { kind: 'pass', cols: 3, classes: 7, weights: 'x' }, /^"classes" must be an array/],
    [
      'a pass of a kernel',
      { kind: 'pass', cols: 3, classes: ['ham', 'spam'], weights: 'x', model: { type: 'dual-perceptron' } },
      /^the type of a mixed model must be/,
    ],
  ])('a forged job is refused: %s', async (_, forged, message) => {
    const source = { data: 'rows.csv', as: 'rows' as const };
    const dealing = { folds: 3, stratify: true, seed: 0 };
    const job = { kind: 'look', source, model: { type: 'perceptron' }, dealing, ...forged } as never;
    await expect(cluster.tasks.run([{ name: 'forged', job }], { signal: undefined })).rejects.toThrow(message);
  });

  test('an error that an earlier call left is not the answer to the next, nor is a job that was given up', async () => {
    const call = () => cluster.crossValidate(new Perceptron(), { data: 'rows.csv', folds: 3, seed: 77 });
    const known = new Set(await server.redis.keys('*result:fold-*'));
    const expected = await call();
    const keys = (await server.redis.keys('*result:fold-*')).filter((key) => !known.has(key));
    expect(keys).toHaveLength(3);
    const error = { name: 'Error', message: 'what has been mended since', worker: 'w' };
    for (const key of keys) await server.redis.set(key, pack({ error }), 'EX', 60);
    expect(await call()).toStrictEqual(expected);
    for (const key of keys) {
      const id = key.split(':').at(-1) as string;
      await server.redis.del(key);
      const data = {
        name: 'old',
        data: '{}',
        opts: '{}',
        timestamp: '1',
        failedReason: 'stalled more than allowable limit',
      };
      await server.redis.pipeline().hset(jobKey(id), data).zadd(jobKey('failed'), 1, id).exec();
    }
    expect(await call()).toStrictEqual(expected);
  });

  test('classes may have names that objects have', async () => {
    file('names.csv', 'a,kind\n3,constructor\n-1,toString\n');
    const classes = ['constructor', 'toString'];
    const model = () => new Perceptron<string>({ classWeight: { toString: 2 } });
    const options = { classes, cols: 1, read: { label: 'kind' } };
    const there = await cluster.trainMixed(model(), { ...options, shards: ['names.csv'] });
    const here = await trainMixed(model(), { ...options, shards: [join(root, 'names.csv')] });
    expect(JSON.stringify(there.model)).toBe(JSON.stringify(here.model));
    expect(there.model.predict([[2], [-2]])).toEqual(classes);
  });

  test('a gzip file that is cut off is an error that names it', async () => {
    const whole = gzipSync(`1 1:1\n0 1:-1\n`.repeat(1000));
    writeFileSync(join(root, 'cut.svm.gz'), whole.subarray(0, whole.length - 20));
    await expect(cluster.crossValidate(new Perceptron(), { data: 'cut.svm.gz' })).rejects.toThrow(
      /^cut.svm.gz: this cannot be read as data: see perceptron-wasm inspect \(on worker/,
    );
  });

  test('more weights than Redis takes are refused before anything is sent', async () => {
    const call = cluster.trainMixed(new MulticlassPerceptron(), { shards: ['x'], classes: [0, 1, 2], cols: 2 ** 24 });
    await expect(call).rejects.toThrow(
      /^"cols" is 16777216, which makes 50331651 weights for 3 classes; on a cluster they must be at most \d+$/,
    );
  });

  test('what an encoder refuses in a fold is not quoted', async () => {
    file(
      'odd.csv',
      `n,kind\n${Array.from({ length: 20 }, (_, i) => `${i === 3 ? 'TOP-SECRET' : i},${i % 2}`).join('\n')}\n`,
    );
    const model = new Pipeline(new TableEncoder({ columns: { n: 'number' } }), new Perceptron<number>());
    const error = await cluster
      .crossValidate(model as never, { data: 'odd.csv', folds: 2, read: { label: 'kind', kinds: { n: 'category' } } })
      .catch((e: Error) => e);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).not.toContain('SECRET');
  });

  test('an error about data quotes nothing of the file', async () => {
    file('secret.csv', 'a,b,kind\n1,TOP-SECRET,x\n');
    const error = await cluster
      .crossValidate(new Perceptron(), { data: 'secret.csv', read: { label: 'kind', header: true } })
      .catch((e: Error) => e);
    expect((error as Error).message).not.toContain('SECRET');
    expect((error as Error).message).toMatch(/^secret.csv:2:3: this cannot be read as data/);
  });

  test('a cancelled call takes its jobs back', async () => {
    const controller = new AbortController();
    const call = cluster.crossValidate(new Perceptron({ maxEpochs: 1e6, margin: 1e9 }), {
      data: 'rows.csv',
      folds: 20,
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(await server.redis.llen(jobKey('wait'))).toBe(0);
  });
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    'a server that is not there',
    () => connectCluster({ url: 'redis://127.0.0.1:1', connectTimeoutMs: 2000 }),
    /^Redis at redis:\/\/127.0.0.1:1 cannot be reached \(.*ECONNREFUSED.*\): is it running/,
  ],
  [
    'another address',
    () => connectCluster({ url: 'http://u:secret@host' }),
    /^"url" must begin with redis:\/\/ or rediss:\/\/ and name a host, got "http:\/\/…@host"$/,
  ],
  [
    'a data root that is not there',
    () => startWorker({ url: 'redis://127.0.0.1:1', dataRoot: '/no/such' }),
    /^the data root \/no\/such cannot be read/,
  ],
])('%s is an error before anything is sent', async (_, call, message) => {
  await expect(call()).rejects.toThrow(message);
});

test.each([
  ['http://u:secret@host', '"http://…@host"'],
  ['redis://u:sec/ret@host', '"redis://…@host"'],
  ['secret@host', '"…@host"'],
  [':se@cret@host', '"…@host"'],
  ['http://host?password=secret', '"http://host?…"'],
])('a password in a wrong address stays out of the message: %s', async (url, shown) => {
  await expect(connectCluster({ url })).rejects.toThrow(
    new RangeError(`"url" must begin with redis:// or rediss:// and name a host, got ${shown}`),
  );
});

test('a server that is too old, or one of many, is warned of', () => {
  expect(warningsFrom('redis_version:7.0.15\r\nredis_mode:standalone\r\nmaxmemory_policy:noeviction\r\n')).toEqual([]);
  expect(warningsFrom('')).toEqual([]); // a user who may not ask
  expect(warningsFrom('redis_version:6.0.16\r\nredis_mode:cluster\r\n')).toEqual([
    'this Redis is version 6.0.16: BullMQ wants 6.2 or later',
    expect.stringMatching(/^this is a Redis Cluster, which splits keys among servers/),
  ]);
});

test('without the peers an error says what to install', () => {
  const dist = join(import.meta.dirname, '../../dist');
  const alone = mkdtempSync(join(tmpdir(), 'perceptron-alone-'));
  try {
    cpSync(dist, join(alone, 'dist'), { recursive: true });
    const code = `import('./dist/cluster.js').then(({ connectCluster }) => connectCluster({ url: 'redis://h' })).catch(({ message }) => console.log(message))`;
    const said = execFileSync(process.execPath, ['-e', code], { cwd: alone, encoding: 'utf8' });
    expect(said).toBe('perceptron-wasm/cluster needs bullmq and ioredis: run npm install bullmq ioredis\n');
  } finally {
    rmSync(alone, { recursive: true });
  }
});
