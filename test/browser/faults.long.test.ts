// What goes wrong in a page: nothing hangs, and what comes later works.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './chromium.js';
import type { JobName } from './inside.js';
import { inEachPage, root, usePages } from './page.js';

const pages = usePages();

inEachPage(pages, (opened, threads) => {
  test('a fit gets its turns beside one that does not end', async () => {
    const { bits } = await opened().run('now', 'dual');
    expect(await opened().run('beside', 'dual', { threads })).toMatchObject({ bits, other: 'AbortError' });
  });

  test('200 fits at once all end, with the bits of one', async () => {
    const { bits } = await opened().run('now', 'small');
    const all = await opened().run('atOnce', 'small', { threads }, 200);
    expect(new Set(all.map((one) => one.bits))).toEqual(new Set([bits]));
  });

  test('a reload while it trains leaves no error', async () => {
    const { page, run } = opened();
    await run('leave', { threads });
    await page.waitForTimeout(100);
    await page.reload();
    expect((await run('later', 'small', { threads })).bits).toBe((await run('now', 'small')).bits);
  });
});

/** The worker as published, after something else. */
const after = (script: string) => `${script}\n${readFileSync(join(root, 'dist/worker.js'), 'utf8')}`;

/** A worker that does something before each call of a kernel from some call on. */
const failing = (calls: number, fails = "throw new Error('a broken kernel')") =>
  after(`let left = ${calls};
const broken = (kernel) => Object.defineProperty((...numbers) => {
  if (--left < 0) ${fails};
  return kernel(...numbers);
}, 'length', { value: kernel.length });
const { Instance } = WebAssembly;
WebAssembly.Instance = function (...args) {
  const exported = Object.entries(new Instance(...args).exports);
  return { exports: Object.fromEntries(exported.map(([name, value]) => [name, value.call ? broken(value) : value])) };
};`);

async function expectOneThread(workerUrl: string): Promise<void> {
  const { page, run } = await pages.open('isolated');
  const { report, bits } = await run('later', 'dual', { threads: 2, workerUrl });
  expect(report).toMatchObject({ threads: 1, threadsReason: expect.stringMatching(/worker/) });
  expect(bits).toBe((await run('now', 'dual')).bits);
  await page.close();
}

describe.runIf(hasBrowser)('a worker that fails', () => {
  /** Takes ten seconds; the other tests need not wait for it. */
  let silence: Promise<void>;
  beforeAll(() => {
    pages.files.set('/throws.js', "throw new Error('broken at start');");
    pages.files.set('/no-javascript.js', 'this is no JavaScript');
    pages.files.set('/silent.js', 'self.onmessage = () => {};');
    for (const calls of [0, 3, 40]) pages.files.set(`/fails-${calls}.js`, failing(calls));
    pages.files.set('/crashes.js', failing(3, "setTimeout(() => { throw new Error('crashed'); })"));
    silence = expectOneThread('/silent.js');
    silence.catch(() => {}); // the last test tells
  });

  test.each(['/throws.js', '/no-javascript.js'])('at its start leaves one thread: %s', expectOneThread);

  test('to start soon is waited for', async () => {
    const { page, run } = await pages.open('isolated');
    const { report } = await run('later', 'dual', { threads: 2, workerUrl: '/dist/worker.js?wait=400' });
    expect(report?.threads).toBe(2);
    await page.close();
  });

  test.each<[string, readonly JobName[]]>([
    ['/fails-0.js', ['dual', 'gram', 'multiclass', 'primal']],
    ['/fails-3.js', ['dual', 'gram', 'multiclass', 'primal']],
    ['/fails-40.js', ['endless']],
    ['/crashes.js', ['endless']],
  ])('at its work is an error of that call alone: %s', async (workerUrl, jobs) => {
    const { page, run } = await pages.open('isolated');
    for (const job of jobs) {
      const message =
        workerUrl === '/crashes.js' ? /^Error: .*worker thread ended.*crashed/ : /^Error: .*worker.*broken kernel/;
      expect(await run('failure', job, { threads: 2, workerUrl }), job).toMatch(message);
    }
    await run('stop');
    const { report, bits } = await run('later', 'dual', { threads: 2 });
    expect(report?.threads).toBe(2);
    expect(bits).toBe((await run('now', 'dual')).bits);
    await page.close();
  });

  test('to answer is given up in the end', () => silence);
});
