// Where threads are not to be had: everything works on the caller's thread, with the same bits, and the report says why.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import * as shared from '../../src/index.js';
import { poolsNow } from '../../src/worker/pool.js';
import { turnsDuring } from '../turns.js';
import { flatRows, outcomeOf } from './helpers.js';

const { X, y } = flatRows({ rows: 300, cols: 60, noise: 0.2 });
const expected = outcomeOf(new shared.Perceptron<number>({ maxEpochs: 20 }).fit(X, y));

/** Fits with 4 threads asked for, expects the bits of one, and returns the reason. */
async function reasonOf(
  { Perceptron, DualPerceptron }: Pick<typeof shared, 'Perceptron' | 'DualPerceptron'>,
  engine?: shared.Engine | 'js',
): Promise<string | undefined> {
  const o = { maxEpochs: 20, ...(engine && { engine }) };
  const model = await new Perceptron<number>(o).fitAsync(X, y, { threads: 4 });
  expect(outcomeOf(model).replace('"engine":"js"', '"engine":"wasm-simd"')).toBe(expected);
  expect(model.report.threads).toBe(1);
  const dual = await new DualPerceptron<number>(o).fitAsync(X, y, { threads: 4 });
  expect(dual.report).toMatchObject({ threads: 1, threadsReason: model.report.threadsReason });
  // Nobody asked for more than one: nothing to explain.
  expect('threadsReason' in (await new Perceptron<number>(o).fitAsync(X, y, { threads: 1 })).report).toBe(false);
  expect('threadsReason' in new Perceptron<number>(o).fit(X, y).report).toBe(false);
  expect(JSON.stringify(model)).not.toMatch(/threads/);
  return model.report.threadsReason;
}

test('pure JavaScript', async () => {
  expect(await reasonOf(shared, 'js')).toMatch(/'js'/);
  expect(poolsNow().threads).toBe(0);
});

test('an engine made from a module of the caller’s', async () => {
  const bytes = readFileSync(new URL('../../build/simd.wasm', import.meta.url));
  const engine = shared.createEngine({ kind: 'wasm-simd', module: new WebAssembly.Module(bytes) });
  expect(await reasonOf(shared, engine)).toMatch(/module/);
  expect(poolsNow().threads).toBe(0);
});

test('a page that is not cross-origin isolated: the reason names the headers', async () => {
  vi.resetModules();
  vi.stubGlobal('crossOriginIsolated', false);
  try {
    const library = await import('../../src/index.js');
    const reason = await reasonOf(library);
    expect(reason).toMatch(/cross-origin isolated/);
    expect(reason).toMatch(/Cross-Origin-Opener-Policy: same-origin/);
    expect(reason).toMatch(/Cross-Origin-Embedder-Policy: /);
    // Large work, which 'auto' would give to threads: it is explained too, and the event loop turns.
    const large = flatRows({ rows: 1500, cols: 3000, noise: 0.1 });
    let model = new library.Perceptron<number>({ maxEpochs: 5 });
    const turns = await turnsDuring(async () => {
      model = await model.fitAsync(large.X, large.y);
    });
    expect(turns).toBeGreaterThan(2);
    // On one processor 'auto' wants no threads, so there is nothing to explain.
    const isExplained = availableParallelism() > 1;
    expect(model.report).toMatchObject({ threads: 1, ...(isExplained && { threadsReason: reason }) });
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});

test('training that visits one sample after another, which no thread ever got', async () => {
  const three = Array.from(y, (label, i) => (i % 3 === 0 ? 0 : label));
  const fitted = async (engine: 'auto' | 'js', threads: number) => {
    const model = new shared.MulticlassPerceptron<number>({ maxEpochs: 5, strategy: 'multinomial', engine });
    return (await model.fitAsync(X, three, { threads })).report;
  };
  const why = 'this training visits one sample after another, on one thread';
  expect(await fitted('auto', 4)).toMatchObject({ threads: 1, threadsReason: why });
  expect(await fitted('js', 4)).toMatchObject({ threads: 1, threadsReason: "engine 'js' works on one thread" });
  expect('threadsReason' in (await fitted('auto', 1))).toBe(false);
  expect(poolsNow().threads).toBe(0);
});

test('a page that cannot load the chunk of the threads: one thread, and a call after that loads it again', async () => {
  vi.resetModules();
  vi.doMock('../../src/worker/taskrunner.js', () => {
    throw new Error('offline');
  });
  try {
    const library = await import('../../src/index.js');
    expect(await reasonOf(library)).toMatch(/^worker threads did not start: /);
    await library.stopThreads(); // there is nothing to stop
    vi.doUnmock('../../src/worker/taskrunner.js');
    const { report } = await new library.Perceptron<number>({ maxEpochs: 20 }).fitAsync(X, y, { threads: 2 });
    expect('threadsReason' in report).toBe(false);
    await library.stopThreads();
  } finally {
    vi.doUnmock('../../src/worker/taskrunner.js');
    vi.resetModules();
  }
});

test('onUpdate, which is told on the thread that it was given on', async () => {
  let updates = 0;
  const onUpdate = () => void updates++;
  for (const threads of [2, 4]) {
    const model = await new shared.Perceptron<number>({ maxEpochs: 20, onUpdate }).fitAsync(X, y, { threads });
    expect(outcomeOf(model)).toBe(expected);
    expect(model.report.threads).toBe(1);
    expect(model.report.threadsReason).toMatch(/onUpdate/);
    expect(updates).toBe(model.report.mistakes);
    updates = 0;
  }
  expect(poolsNow().threads).toBe(0);
});

test('small work, which nobody asked threads for: no workers, no reason', async () => {
  const model = await new shared.Perceptron<number>({ maxEpochs: 20 }).fitAsync(X, y);
  expect(model.report.threads).toBe(1);
  expect('threadsReason' in model.report).toBe(false);
  await new shared.Perceptron<number>({ maxEpochs: 3000 }).fitAsync(X, y, { threads: 1 });
  expect(poolsNow().threads).toBe(0);
});
