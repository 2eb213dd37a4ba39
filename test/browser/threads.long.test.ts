// Threads in real pages: where a page may have them, where it may not, and the same bits in all of them, and in Node.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as library from '../../src/index.js';
import { hasBrowser } from './chromium.js';
import { type JobName, now, type Outcome } from './inside.js';
import { type Opened, root, type Site, usePages } from './page.js';

const pages = usePages();
const jobs: readonly JobName[] = ['primal', 'nested', 'dual', 'multiclass', 'gram'];
const fits = jobs.filter((job) => job !== 'gram');

/** In Node, once. */
const expected = new Map<JobName, string>();
const bitsOf = (job: JobName): string => {
  const bits = expected.get(job) ?? now(library, job).bits;
  expected.set(job, bits);
  return bits;
};

/** A page for the tests of a block. */
function usePage(site: Site, script?: () => string): () => Opened {
  let opened: Opened;
  beforeAll(async () => {
    opened = await pages.open(site, script?.());
  });
  afterAll(async () => {
    expect(opened.errors).toEqual([]);
    await opened.page.close();
  });
  return () => opened;
}

function expectOneThread({ report }: Outcome, reason: string): void {
  expect(report).toMatchObject({ threads: 1, threadsReason: expect.stringContaining(reason) });
}

function expectThreads({ report }: Outcome, atLeast: number, atMost = atLeast): void {
  expect(report?.threadsReason).toBeUndefined();
  expect(report?.threads).toBeGreaterThanOrEqual(atLeast);
  expect(report?.threads).toBeLessThanOrEqual(atMost);
}

describe.runIf(hasBrowser)('an isolated page', () => {
  const opened = usePage('isolated');

  test('may share memory', async () => {
    expect(await opened().run('scope')).toMatchObject({ isolated: true, shared: true });
  });

  test.each(jobs)('does the same bits as Node, now and on any number of threads: %s', async (job) => {
    const { run } = opened();
    const bits = bitsOf(job);
    expect((await run('now', job)).bits).toBe(bits);
    for (const threads of ['auto', 1, 2, 4] as const) {
      const outcome = await run('later', job, { threads });
      expect(outcome.bits, `${threads} threads`).toBe(bits);
      if (job !== 'gram') expectThreads(outcome, 1, threads === 'auto' ? 16 : threads);
    }
  });

  test.each([1, 2, 3, 4])('works on %i threads when told to, and says so', async (threads) => {
    expectThreads(await opened().run('later', 'dual', { threads }), threads);
  });

  test('takes as many threads as there are processors by itself, for large work alone', async () => {
    const { run } = opened();
    const { processors } = await run('scope');
    expectThreads(await run('later', 'dual', {}), Math.min(processors, 2), Math.min(processors, 16));
    expectThreads(await run('later', 'small', {}), 1);
  });

  test('starts no worker for one thread, and has none after stopThreads', async () => {
    const { run, page } = opened();
    const workers = () => page.workers().length; // as told by the browser, a little later
    await run('stop');
    await expect.poll(workers).toBe(0);
    await run('later', 'dual', { threads: 1 });
    expect(workers()).toBe(0);
    await run('later', 'dual', { threads: 2 });
    await expect.poll(workers).toBe(2);
    await run('stop');
    await expect.poll(workers).toBe(0);
    expectThreads(await run('later', 'dual', { threads: 3 }), 3);
  });

  test('lets idle workers go by itself', async () => {
    const { run, page } = opened();
    await run('later', 'dual', { threads: 2 });
    await expect.poll(() => page.workers().length).toBeGreaterThan(0);
    await expect.poll(() => page.workers().length).toBe(0);
  });
});

describe.runIf(hasBrowser)('a worker of an isolated page', () => {
  const opened = usePage('isolated');

  test('has threads of its own', async () => {
    pages.files.set(
      '/own-worker.js',
      `import * as library from '/dist/index.js';
      import { later } from '/inside.js';
      postMessage(await later(library, 'dual', { threads: 2 }));
      await library.stopThreads();`,
    );
    const outcome = await opened().page.evaluate(
      () =>
        new Promise<Outcome>((done, failed) => {
          const worker = new Worker('/own-worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => done(data);
          worker.onerror = ({ message }) => failed(message);
        }),
    );
    expectThreads(outcome, 2);
    expect(outcome.bits).toBe(bitsOf('dual'));
  });
});

describe.runIf(hasBrowser)('a page whose headers say credentialless', () => {
  const opened = usePage('credentialless');

  test('has threads as well', async () => {
    expectThreads(await opened().run('later', 'dual', { threads: 2 }), 2);
  });
});

describe.runIf(hasBrowser)('a page without headers', () => {
  const opened = usePage('plain');

  test('may not share memory', async () => {
    expect(await opened().run('scope')).toMatchObject({ isolated: false, shared: false });
  });

  test.each(jobs)('does the same bits on its own thread: %s', async (job) => {
    const { run } = opened();
    const bits = bitsOf(job);
    expect((await run('now', job)).bits).toBe(bits);
    for (const threads of ['auto', 4] as const) {
      expect((await run('later', job, { threads })).bits, `${threads} threads`).toBe(bits);
    }
  });

  test('says why it is one thread, where more were wanted', async () => {
    const { run, page } = opened();
    for (const job of fits) expectOneThread(await run('later', job, { threads: 2 }), 'cross-origin isolated');
    expectOneThread(await run('later', 'dual', {}), 'cross-origin isolated');
    expectThreads(await run('later', 'dual', { threads: 1 }), 1);
    expectThreads(await run('later', 'small', {}), 1);
    expect(page.workers()).toEqual([]);
  });
});

describe.runIf(hasBrowser)('a page whose policy wants workers from files', () => {
  const opened = usePage('csp');
  const workerUrl = '/dist/worker.js';

  test('works on one thread, and says why', async () => {
    const outcome = await opened().run('later', 'dual', { threads: 2 });
    expectOneThread(outcome, 'or give "workerUrl"');
    expect(outcome.bits).toBe(bitsOf('dual'));
    expect((await opened().run('later', 'gram', { threads: 2 })).bits).toBe(bitsOf('gram'));
  });

  test('has threads by workerUrl', async () => {
    for (const job of jobs) {
      expect((await opened().run('later', job, { threads: 2, workerUrl })).bits).toBe(bitsOf(job));
    }
    expectThreads(await opened().run('later', 'dual', { threads: 2, workerUrl }), 2);
  });

  test.each([
    ['not there', '/dist/nothing.js', 'not loaded from /dist/nothing.js'],
    ['a page', '/unknown', 'SyntaxError'],
    ['of another site', 'http://localhost:1/worker.js', 'localhost:1'],
    ['no URL', 'http://', 'not a valid URL'],
  ])('works on one thread where workerUrl is %s', async (_, url, reason) => {
    await opened().run('stop'); // else there are workers already
    const outcome = await opened().run('later', 'dual', { threads: 2, workerUrl: url });
    expectOneThread(outcome, reason);
    expect(outcome.bits).toBe(bitsOf('dual'));
  });
});

describe.runIf(hasBrowser)('a page whose policy allows inlined workers', () => {
  const opened = usePage('cspBlob');

  test('has threads', async () => {
    expectThreads(await opened().run('later', 'dual', { threads: 2 }), 2);
  });
});

describe.runIf(hasBrowser)('a page whose policy takes trusted types alone', () => {
  const opened = usePage('trustedTypes');

  test('works on one thread, and says why', async () => {
    const outcome = await opened().run('later', 'dual', { threads: 2 });
    expectOneThread(outcome, 'TrustedScriptURL');
    expect(outcome.bits).toBe(bitsOf('dual'));
  });

  test('has threads once a default policy lets their address through', async () => {
    const { page, run } = opened();
    await page.evaluate(() => {
      type Policies = { trustedTypes: { createPolicy(name: string, policy: object): unknown } };
      const { trustedTypes } = globalThis as unknown as Policies;
      trustedTypes.createPolicy('default', { createScriptURL: (url: string) => url });
    });
    expectThreads(await run('later', 'dual', { threads: 2 }), 2);
  });
});

describe.runIf(hasBrowser)('a page whose policy refuses WebAssembly', () => {
  const opened = usePage('cspWithoutWasm');

  test.each<JobName>(['primal', 'dual', 'multiclass'])('does the same bits in JavaScript: %s', async (job) => {
    const { run } = opened();
    const bits = bitsOf(job);
    expect((await run('now', job)).bits).toBe(bits);
    expect((await run('later', job, {})).bits).toBe(bits);
  });

  test('says why', async () => {
    const outcome = await opened().run('later', 'dual', { threads: 2 });
    expectOneThread(outcome, "engine 'js'");
    expect(outcome.report).toMatchObject({ engine: 'js', engineReason: expect.stringContaining('WebAssembly') });
  });
});

describe.runIf(hasBrowser)('a bundle', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perceptron-bundle-'));
    writeFileSync(join(folder, 'entry.js'), `export * from '${join(root, 'dist/index.js')}';`);
    const entry = [join(folder, 'entry.js')];
    const outDir = join(folder, 'out');
    await build({ config: false, silent: true, entry, outDir, format: 'esm', platform: 'browser', minify: true });
    // The entry, and the chunk that is loaded when threads are first wanted.
    for (const name of readdirSync(outDir)) pages.files.set(`/${name}`, readFileSync(join(outDir, name), 'utf8'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const opened = usePage('isolated', () => '/entry.js');

  test('has threads, and the same bits', async () => {
    const outcome = await opened().run('later', 'dual', { threads: 2 });
    expectThreads(outcome, 2);
    expect(outcome.bits).toBe(bitsOf('dual'));
  });
});
