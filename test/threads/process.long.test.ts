// Threads in real processes: when they end, what they leave behind, how their memory comes and goes. On the sources, bundled
// here once so that each process starts quickly.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEADLINE } from './helpers.js';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'perceptron-threads-'));
const bundle = join(folder, 'bundle.mjs');

beforeAll(() => {
  const contents = `export * from './src/index.ts'; export { poolsNow } from './src/worker/pool.ts';`;
  buildSync({ stdin: { contents, resolveDir: root }, bundle: true, format: 'esm', platform: 'node', outfile: bundle });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  status: number | null;
  signal: string | null;
  stderr: string;
  lines: string[];
}

/** Runs a module in a process of its own, to its end. */
function run(body: string, flags: readonly string[] = []): Promise<Ended> {
  const code = `
    import * as library from '${pathToFileURL(bundle).href}';
    const { DenseMatrix, DualPerceptron, MulticlassPerceptron, Perceptron, poolsNow, stopThreads } = library;
    import { readdirSync } from 'node:fs';
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    const collect = async () => { for (let i = 0; i < 6; i++) { await sleep(1); gc(); } };
    const mebibytes = () => Math.round(process.memoryUsage().rss / 2 ** 20);
    /** Tells at the end of the process whether workers were still there: nobody waited for them to end by themselves. */
    const tellAtExit = () => process.on('exit', () => tell(poolsNow()));
    const tell = (value) => console.log(JSON.stringify(value));
    const rows = 400, cols = 300, data = new Float64Array(rows * cols), y = [];
    for (let i = 0; i < data.length; i++) data[i] = Math.sin(i * i);
    for (let i = 0; i < rows; i++) y.push((i * i) % 5 % 2);
    data.copyWithin((rows - 1) * cols, 0, cols); // no plane separates a row from itself
    y[rows - 1] = 1 - y[0];
    const X = { data, rows, cols };
    ${body}`;
  const child = spawn(process.execPath, [...flags, '--expose-gc', '--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: DEADLINE,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (status, signal) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      done({ status, signal, stderr, lines });
    });
  });
}

const clean = { status: 0, signal: null, stderr: '' };

describe.concurrent('a process', () => {
  test('ends although workers are idle', async () => {
    const ended = await run(`
      tellAtExit();
      await new Perceptron({ maxEpochs: 20 }).fitAsync(X, y, { threads: 2 });
      await new DualPerceptron({ maxEpochs: 5 }).fitAsync(X, y, { threads: 2 });
      const control = new AbortController();
      setTimeout(() => control.abort(), 20);
      await new Perceptron({ maxEpochs: 1e9 }).fitAsync(X, y, { threads: 2, signal: control.signal }).catch(() => {});`);
    expect(ended).toMatchObject({ ...clean, lines: ['{"threads":2,"busy":0}'] });
  });

  test('does not end before its fits do', async () => {
    const ended = await run(`
      tellAtExit();
      for (const threads of [1, 2, 'auto']) {
        new Perceptron({ maxEpochs: 600 }).fitAsync(X, y, { threads }).then(({ report }) => tell(report.epochs));
      }`);
    // Workers end by themselves where the fit on one thread takes two seconds longer than the others.
    const pools = expect.stringMatching(/^\{"threads":[0-2],"busy":0\}$/);
    expect(ended).toMatchObject({ ...clean, lines: ['600', '600', '600', pools] });
    const alone = await run(`
      new DualPerceptron({ maxEpochs: 30 }).fitAsync(X, y, { threads: 2 }).then(({ report }) => tell(report.epochs));`);
    expect(alone).toMatchObject({ ...clean, lines: ['30'] });
  });

  test('may exit in the middle', async () => {
    const ended = await run(`
      for (const threads of [1, 2, 3]) {
        new Perceptron({ maxEpochs: 1e9 }).fitAsync(X, y, { threads }).then(tell, tell);
        new DualPerceptron({ maxEpochs: 1e9 }).fitAsync(X, y, { threads }).then(tell, tell);
      }
      while (poolsNow().busy === 0) await sleep(1);
      tell('busy');
      process.exit(7);`);
    expect(ended).toMatchObject({ ...clean, status: 7, lines: ['"busy"'] });
  });

  test('may fail in the middle: an error in a callback that nobody catches', async () => {
    const ended = await run(`
      new Perceptron({ maxEpochs: 1e9 }).fitAsync(X, y, { threads: 2 });
      await sleep(100);
      await new Perceptron({ maxEpochs: 1e9, onEpoch() { throw new Error('boom'); } }).fitAsync(X, y, { threads: 2 });`);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toMatch(/Error: boom/);
  });

  test('has no workers when they have been idle for a while, and its memory back', async () => {
    const ended = await run(`
      const large = [];
      for (let i = 0; i < 1000; i++) large.push(i % 2);
      let during = 0;
      let threads = 0;
      await (async () => {
        const matrix = DenseMatrix.allocate(1000, 100000);
        matrix.data.fill(1);
        const model = await new Perceptron({ maxEpochs: 2 }).fitAsync(matrix, large, { threads: 2 });
        during = mebibytes();
        threads = poolsNow().threads;
        matrix.dispose();
      })();
      while (poolsNow().threads > 0) await sleep(50);
      await collect();
      tell({ during, threads, after: mebibytes() });`);
    expect(ended).toMatchObject(clean);
    const { during, after, ...counts } = JSON.parse(ended.lines[0]!);
    expect(counts).toEqual({ threads: 2 });
    expect(during).toBeGreaterThan(760);
    expect(after).toBeLessThan(250);
  });

  test('grows neither threads nor memory in 50 threaded fits', async () => {
    const ended = await run(`
      const tasks = () => readdirSync('/proc/self/task').length;
      const wide = { data: new Float64Array(200 * 10000).fill(1.5), rows: 200, cols: 10000 };
      const labels = Array.from({ length: 200 }, (_, i) => i % 2);
      const fits = async (n) => {
        for (let i = 0; i < n; i++) {
          await new Perceptron({ maxEpochs: 2 }).fitAsync(wide, labels, { threads: 2 });
          if (i % 5 === 0) await new DualPerceptron({ maxEpochs: 2 }).fitAsync(X, y, { threads: 3 });
          if (i % 5 === 1) await new MulticlassPerceptron({ maxEpochs: 2 }).fitAsync(X, y, { threads: 2 });
        }
        await collect();
        return { threads: poolsNow().threads, tasks: tasks(), rss: mebibytes() };
      };
      const early = await fits(15);
      const late = await fits(50);
      await stopThreads();
      await collect();
      tell({ early, late, end: { threads: poolsNow().threads, tasks: tasks() } });`);
    expect(ended).toMatchObject(clean);
    const { early, late, end } = JSON.parse(ended.lines[0]!);
    expect(early.threads).toBe(3);
    expect(late.threads).toBe(3);
    expect(late.tasks).toBeLessThanOrEqual(early.tasks);
    expect(late.rss).toBeLessThan(early.rss + 40);
    expect(end.threads).toBe(0);
    expect(end.tasks).toBeLessThanOrEqual(late.tasks - 3);
  });

  test('starts and stops threads again and again without leaking them', async () => {
    const ended = await run(`
      const cycles = async (n) => {
        for (let i = 0; i < n; i++) {
          await new Perceptron({ maxEpochs: 2 }).fitAsync(X, y, { threads: 2 });
          await stopThreads();
        }
        await collect();
        return { threads: poolsNow().threads, tasks: readdirSync('/proc/self/task').length, rss: mebibytes() };
      };
      const early = await cycles(6);
      tell([early, await cycles(14)]);`);
    expect(ended).toMatchObject(clean);
    const [early, late] = JSON.parse(ended.lines[0]!);
    expect(late).toMatchObject({ threads: 0, tasks: early.tasks });
    expect(late.rss).toBeLessThan(early.rss + 40);
  });

  test('that may not start workers trains on one thread, and says so', async () => {
    const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
    const permission = major > 23 || (major === 23 && minor >= 5) ? '--permission' : '--experimental-permission';
    const ended = await run(
      `
      const make = () => new Perceptron({ maxEpochs: 20 });
      const whole = JSON.stringify(make().fit(X, y));
      for (const threads of [2, 2, 'auto']) {
        const model = await make().fitAsync(X, y, { threads });
        tell([JSON.stringify(model) === whole, model.report.threads, model.report.threadsReason ?? '']);
      }
      tell(poolsNow());`,
      [permission, '--allow-fs-read=*', '--no-warnings'],
    );
    expect({ ...ended, lines: [] }).toMatchObject(clean);
    const [first, second, small, pools] = ended.lines.map((line) => JSON.parse(line));
    expect(first).toEqual([true, 1, expect.stringMatching(/worker threads did not start: .*restricted/)]);
    expect(second).toEqual(first);
    expect(small.slice(0, 2)).toEqual([true, 1]);
    expect(pools).toEqual({ threads: 0, busy: 0 });
  });
});
