// The stage for faults: workers and coordinators that are processes of their own, on a Redis of the test's own, and what the local
// calls give. After each test no job is left, and no key that does not go by itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type Cluster, connectCluster, type Mixed, trainMixed } from '../../src/cluster/index.js';
import { Perceptron } from '../../src/index.js';
import { readData } from '../../src/io/index.js';
import { Random } from '../../src/random.js';
import { type CrossValidation, crossValidate } from '../../src/select/index.js';
import { type Server, startRedis } from './redis.js';

const entry = resolve(import.meta.dirname, '../../dist/cluster.js');
export const root = realpathSync(mkdtempSync(join(tmpdir(), 'perceptron-faults-')));
const VERSION: string = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')).version;
export const QUEUE = `perceptron-wasm:${VERSION}`;

// Labels at random: no epoch is clean, and so a fold takes as long as its epochs say.
const random = Random.seeded(3);
const noise = (count: number, cols: number) =>
  `${Array.from({ length: count }, () => `${random.below(2)} ${Array.from({ length: cols }, (_, j) => `${j + 1}:${(random.below(2001) - 1000) / 500}`).join(' ')}`).join('\n')}\n`;
writeFileSync(join(root, 'rows.svm'), noise(800, 20));
export const shards = Array.from({ length: 4 }, (_, k) => `part-${k}.svm`);
for (const name of shards) writeFileSync(join(root, name), noise(400, 20));

/** A fold of a tenth of a second, or more. */
const slow = () => new Perceptron<number>({ maxEpochs: 300, order: 'shuffle', average: true });
const folds = { folds: 6, seed: 1 };
export const mixing = { classes: [0, 1], cols: 20, maxEpochs: 12 };
export const mixer = { average: true };

/** How long a worker keeps a job after its last sign of life. The default would make these tests slow. */
const lockMs = 1500;
/** The deadline of tests in which a call must fail by itself; a machine may be busy. */
export const SOON = 45_000;

export interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Waits for a line. */
  said(what: RegExp | string): Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** To be called in a `describe`. */
export function stage() {
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
  /** Waits until so many jobs of a kind are being done. */
  const active = (count = 1, kind = 'fold') =>
    vi.waitFor(
      async () => {
        const ids = await server.redis.lrange(`${QUEUE}:active`, 0, -1);
        expect(ids.filter((id) => id.startsWith(`${kind}-`)).length).toBeGreaterThanOrEqual(count);
      },
      { timeout: 60_000, interval: 2 },
    );
  const sameMix = ({ model, report }: Mixed<unknown>) => {
    expect(JSON.stringify(model)).toBe(JSON.stringify(mixed.model));
    expect(report).toEqual(mixed.report);
  };

  /** Calls `work` with the entry of a version that is not this one. */
  const withAnother = async <T>(work: (script: string) => Promise<T>): Promise<T> => {
    const script = resolve(entry, `../cluster-of-another-version-${process.pid}.js`);
    writeFileSync(script, readFileSync(entry, 'utf8').replaceAll(`"${VERSION}"`, '"0.0.1-test"'));
    try {
      return await work(script);
    } finally {
      rmSync(script);
    }
  };
  const begin = async (...settings: string[]) => {
    server = await startRedis(...settings);
    return server;
  };
  return {
    begin,
    start,
    workers,
    connect,
    validate,
    mix,
    active,
    sameMix,
    withAnother,
    result: () => expected,
    children,
  };
}
