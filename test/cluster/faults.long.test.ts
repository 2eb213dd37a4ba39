// What dies, and what comes of it: processes of their own, on a Redis of the test's own. Results are those of the local calls, to the
// bit; afterwards no process and no key is left that does not go by itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, connectCluster, type Mixed, trainMixed } from '../../src/cluster/index.js';
import { Perceptron } from '../../src/index.js';
import { readData } from '../../src/io/index.js';
import { Random } from '../../src/random.js';
import { type CrossValidation, crossValidate } from '../../src/select/index.js';
import { program, type Server, startRedis } from './redis.js';

const entry = resolve(import.meta.dirname, '../../dist/cluster.js');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'perceptron-faults-')));
const QUEUE = `perceptron-wasm:${JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')).version}`;

// Labels at random: no epoch is clean, and so a fold takes as long as its epochs say.
const random = Random.seeded(3);
const noise = (count: number, cols: number) =>
  `${Array.from({ length: count }, () => `${random.below(2)} ${Array.from({ length: cols }, (_, j) => `${j + 1}:${(random.below(2001) - 1000) / 500}`).join(' ')}`).join('\n')}\n`;
writeFileSync(join(root, 'rows.svm'), noise(800, 20));
const shards = Array.from({ length: 4 }, (_, k) => `part-${k}.svm`);
for (const name of shards) writeFileSync(join(root, name), noise(400, 20));

/** A fold of a tenth of a second, or more. */
const slow = () => new Perceptron<number>({ maxEpochs: 300, order: 'shuffle', average: true });
const folds = { folds: 6, seed: 1 };
const mixing = { classes: [0, 1], cols: 20, maxEpochs: 12 };
const mixer = { average: true };

/** How long a worker keeps a job after its last sign of life. The default would make these tests slow. */
const lockMs = 1500;
/** The deadline of tests in which a call must fail by itself; a machine may be busy. */
const SOON = 45_000;

interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Waits for a line. */
  said(what: RegExp | string): Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

describe.runIf(program)('a cluster', () => {
  let server: Server;
  let cluster: Cluster | undefined;
  const children: Child[] = [];
  let expected: CrossValidation;
  let mixed: Mixed<Perceptron>;

  beforeAll(async () => {
    if (!existsSync(entry)) throw new Error('there is no dist/: run `npm run build` first');
    const { X, y } = await readData(join(root, 'rows.svm'));
    expected = await crossValidate(slow() as never, X as never, y, folds);
    mixed = await trainMixed(new Perceptron(mixer), { ...mixing, shards: shards.map((name) => join(root, name)) });
    X.dispose();
  });

  afterEach(async () => {
    // What a call leaves: no job, and nothing that does not expire. Workers that died cannot clean up; their keys expire.
    if (server.redis.status === 'ready') {
      for (const list of ['wait', 'active']) await expect.poll(() => server.redis.llen(`${QUEUE}:${list}`)).toBe(0);
      const forGood = async () => {
        const keys = await server.redis.keys('*');
        const left = await Promise.all(keys.map((key) => server.redis.ttl(key)));
        return keys.filter((_, k) => left[k] === -1);
      };
      await cluster?.close();
      await expect.poll(forGood).toEqual([]);
    }
    cluster = undefined;
    for (const child of children.splice(0)) await child.kill('SIGTERM');
    await server.end();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function start(what: 'worker' | 'mix', options: object, script = entry): Child {
    const file = resolve(import.meta.dirname, 'process.mjs');
    const all = { url: server.url, ...(what === 'worker' && { dataRoot: root, lockMs, threads: 1 }), ...options };
    const child = spawn(process.execPath, [file, pathToFileURL(script).href, what, JSON.stringify(all)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line));
    const made: Child = {
      process: child,
      lines,
      said: (wanted) =>
        vi.waitFor(
          () => lines.find((line) => line.match(wanted)) ?? expect.fail(`no ${wanted} in ${lines.join('\n')}`),
          { timeout: 60_000 },
        ),
      kill: (signal = 'SIGKILL') =>
        new Promise((done) => {
          if (child.exitCode !== null || child.signalCode !== null) return done();
          child.once('exit', () => done());
          child.kill(signal);
        }),
    };
    children.push(made);
    return made;
  }

  async function workers(count: number, options: object = {}): Promise<Child[]> {
    const all = Array.from({ length: count }, () => start('worker', options));
    await Promise.all(all.map((child) => child.said(/^ready /)));
    return all;
  }

  const connect = async (options: object = {}) => {
    cluster = await connectCluster({ url: server.url, patienceMs: 30_000, ...options });
    return cluster;
  };

  const validate = (on: Cluster, options: object = {}) =>
    on.crossValidate(slow() as never, { data: 'rows.svm', ...folds, ...options });
  const mix = (on: Cluster, options: object = {}) =>
    on.trainMixed(new Perceptron(mixer), { ...mixing, shards, ...options });
  const active = (count = 1) =>
    vi.waitFor(async () => expect(await server.redis.llen(`${QUEUE}:active`)).toBeGreaterThanOrEqual(count), {
      timeout: 60_000,
      interval: 2,
    });
  const sameMix = ({ model, report }: Mixed<unknown>) => {
    expect(JSON.stringify(model)).toBe(JSON.stringify(mixed.model));
    expect(report).toEqual(mixed.report);
  };

  test('a worker is killed in a fold: another one does it', async () => {
    server = await startRedis();
    const [first] = await workers(2);
    const call = validate(await connect());
    await active(2);
    await first?.kill();
    expect(await call).toStrictEqual(expected);
  });

  test('two of three workers are killed at once', async () => {
    server = await startRedis();
    const [first, second] = await workers(3);
    const call = validate(await connect());
    await active(3);
    await Promise.all([first?.kill(), second?.kill()]);
    expect(await call).toStrictEqual(expected);
  });

  test('all workers are killed, and another one comes later', async () => {
    server = await startRedis();
    const all = await workers(2);
    const call = validate(await connect());
    await active(2);
    await Promise.all(all.map((child) => child.kill()));
    await workers(1);
    expect(await call).toStrictEqual(expected);
  });

  test('a worker is stopped in a fold: it gives it back at once', async () => {
    server = await startRedis();
    const [first] = await workers(1, { graceMs: 1, lockMs: 60_000 }); // nobody would find it by its lock
    const call = validate(await connect());
    await active();
    await first?.kill('SIGTERM');
    expect(first?.process.exitCode).toBe(0);
    await workers(1);
    expect(await call).toStrictEqual(expected);
  });

  test('workers are killed in a pass and between epochs', async () => {
    server = await startRedis();
    const [first, second] = await workers(3);
    const epochs: number[] = [];
    const call = mix(await connect(), {
      onEpoch: ({ epoch }: { epoch: number }) => {
        epochs.push(epoch);
        if (epoch === 3) first?.kill(); // between epochs
      },
    });
    await vi.waitFor(() => expect(epochs.length).toBeGreaterThan(6), { timeout: 60_000, interval: 1 });
    await active();
    await second?.kill();
    sameMix(await call);
    expect(epochs).toEqual(Array.from({ length: 12 }, (_, k) => k + 1));
  });

  test.each([
    ['with an append-only file', ['appendonly yes', 'appendfsync always']],
    ['without a file: its jobs are sent again', []],
  ])('Redis is killed and comes back, %s', async (_, settings) => {
    server = await startRedis(...settings);
    await workers(2);
    const on = await connect();
    const call = validate(on);
    await active(2);
    await server.kill();
    await server.start();
    expect(await call).toStrictEqual(expected);
    const epochs: number[] = [];
    const second = mix(on, { onEpoch: ({ epoch }: { epoch: number }) => epochs.push(epoch) });
    await vi.waitFor(() => expect(epochs.length).toBeGreaterThan(3), { timeout: 60_000, interval: 1 });
    await server.kill();
    await server.start();
    sameMix(await second);
  });

  test(
    'Redis is killed and does not come back: an error within the patience',
    async () => {
      server = await startRedis();
      await workers(1);
      const call = validate(await connect({ patienceMs: 2000 }));
      const error = call.catch((e: Error) => e.message);
      await active();
      await server.kill();
      expect(await error).toMatch(
        /^Redis at redis:\/\/127.0.0.1:\d+ went away 2 s ago and has not come back: start it, and ask again/,
      );
    },
    SOON,
  );

  test('the coordinator is killed, and Redis too: the run goes on after the last epoch', async () => {
    server = await startRedis('appendonly yes', 'appendfsync always');
    await workers(2);
    const run = { ...mixing, shards, trainer: mixer, runId: 'a-run' };
    const first = start('mix', run);
    await first.said('epoch 4');
    await first.kill();
    await server.kill();
    await server.start();
    const second = start('mix', { ...run, resume: true });
    sameMix(JSON.parse(await second.said(/^\{/)));
    expect(Number(/\d+/.exec(second.lines[0] as string)?.[0])).toBeGreaterThan(4); // earlier epochs were not passed again
  });

  test('the coordinator is killed with a Redis that forgets: the error says so, and a new run has the same bits', async () => {
    server = await startRedis();
    await workers(2);
    const run = { ...mixing, shards, trainer: mixer, runId: 'a-run' };
    const first = start('mix', run);
    await first.said('epoch 4');
    await first.kill();
    await server.kill();
    await server.start();
    const on = await connect();
    await expect(mix(on, { runId: 'a-run', resume: true })).rejects.toThrow(/^Redis does not know the run a-run: /);
    sameMix(await mix(on, { runId: 'a-run' }));
  });

  test('a run is resumed with what it was started with, or not at all', async () => {
    server = await startRedis();
    await workers(1);
    const first = start('mix', { ...mixing, shards, trainer: mixer, runId: 'b', maxEpochs: 1000 });
    await first.said('epoch 2');
    await first.kill();
    const on = await connect();
    await expect(mix(on, { runId: 'b', resume: true, shards: shards.slice(1) })).rejects.toThrow(
      /^the run b was started with another model, other shards/,
    );
    await on.tasks.command((redis) => redis.del('perceptron-wasm:run:b'));
  });

  test('a call is cancelled: its jobs are taken back, and what has begun ends', async () => {
    server = await startRedis();
    await workers(2);
    const controller = new AbortController();
    const call = validate(await connect(), { folds: 40, signal: controller.signal });
    const error = call.catch((e: Error) => e.message);
    await active(2);
    controller.abort(new Error('enough'));
    expect(await error).toBe('enough');
    await vi.waitFor(async () => expect(await server.redis.llen(`${QUEUE}:wait`)).toBe(0));
  });

  test(
    'workers of another version only: an error names it, within the patience',
    async () => {
      server = await startRedis();
      const old = join(resolve(import.meta.dirname, '../../dist'), 'cluster-of-another-version.js');
      const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
      writeFileSync(old, readFileSync(entry, 'utf8').replaceAll(`"${version}"`, '"0.0.1-test"'));
      try {
        await start('worker', {}, old).said(/^ready /);
        await expect(validate(await connect({ patienceMs: 2000 }))).rejects.toThrow(
          /^no worker of version \S+ has been at redis:\S+ for 2 s: there are workers of version 0.0.1-test only, and results of versions may differ/,
        );
      } finally {
        rmSync(old);
      }
    },
    SOON,
  );

  test('a shard that is missing, changes between epochs, or is corrupt is an error that names it', async () => {
    server = await startRedis();
    await workers(2);
    const on = await connect();
    await expect(mix(on, { shards: [...shards, 'part-9.svm'] })).rejects.toThrow(
      /^part-9.svm cannot be read: there is no such file below its data root \(on worker/,
    );
    writeFileSync(join(root, 'spoilt.svm'), '1 1:2\n0 1:x\n');
    await expect(mix(on, { shards: [...shards, 'spoilt.svm'] })).rejects.toThrow(
      /^spoilt.svm:2:\d+: this cannot be read as data: see perceptron-wasm inspect \(on worker/,
    );
    copyFileSync(join(root, 'part-0.svm'), join(root, 'changing.svm'));
    const change = ({ epoch }: { epoch: number }) => {
      if (epoch === 2) copyFileSync(join(root, 'part-1.svm'), join(root, 'changing.svm'));
    };
    await expect(mix(on, { shards: [...shards, 'changing.svm'], onEpoch: change })).rejects.toThrow(
      /^changing.svm is not what it was, or not the same everywhere: here its SHA-256/,
    );
    sameMix(await mix(on)); // and the cluster is as good as before
  });

  test(
    'Redis is full: an error says so',
    async () => {
      server = await startRedis();
      await workers(1);
      const on = await connect();
      await server.redis.config('SET', 'maxmemory', '1');
      await expect(mix(on)).rejects.toThrow(/^Redis at redis:\/\/127.0.0.1:\d+ is full: raise its maxmemory/);
      await server.redis.config('SET', 'maxmemory', '0');
      sameMix(await mix(on));
    },
    SOON,
  );

  test('Redis becomes full in the middle of a run', async () => {
    server = await startRedis();
    await workers(1);
    const on = await connect();
    const fill = ({ epoch }: { epoch: number }) => {
      if (epoch === 3) server.redis.config('SET', 'maxmemory', '1');
    };
    await expect(mix(on, { maxEpochs: 1e6, onEpoch: fill })).rejects.toThrow(/is full: raise its maxmemory/);
    await server.redis.config('SET', 'maxmemory', '0');
    sameMix(await mix(on));
  });

  test('a job that kills every worker is given up, and named', async () => {
    server = await startRedis();
    const on = await connect();
    const error = validate(on).catch((e: Error) => e.message);
    let isOver = false;
    error.then(() => {
      isOver = true;
    });
    await vi.waitFor(async () => expect(await server.redis.llen(`${QUEUE}:wait`)).toBe(1));
    while (!isOver && children.length < 12) {
      const { process } = start('worker', { deadly: true, lockMs: 500 });
      await Promise.race([new Promise((done) => process.once('exit', done)), error]);
    }
    expect(await error).toMatch(/^looking at rows.svm stalled again and again: workers died of it, or stood still/);
  });

  test('hundreds of jobs, and a worker that dies again and again', async () => {
    server = await startRedis();
    await workers(1);
    const on = await connect();
    const quick = () => new Perceptron<number>({ maxEpochs: 40, order: 'shuffle' });
    const many = { folds: 300, seed: 2 };
    const { X, y } = await readData(join(root, 'rows.svm'));
    const here = await crossValidate(quick() as never, X as never, y, many);
    X.dispose();
    let isOver = false;
    const call = on.crossValidate(quick() as never, { data: 'rows.svm', ...many }).finally(() => {
      isOver = true;
    });
    let deaths = 0;
    while (!isOver) {
      const [flaky] = await workers(1);
      await new Promise((done) => setTimeout(done, 30));
      await flaky?.kill();
      deaths++;
    }
    expect(await call).toStrictEqual(here);
    expect(deaths).toBeGreaterThan(0);
  });
});
