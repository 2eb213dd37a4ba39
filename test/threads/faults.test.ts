// What goes wrong while threads are at work: workers that die, matrices that go away, threads that are stopped. Nothing hangs,
// nothing leaks, nothing is half-written.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import { poolsNow, threadsOf } from '../../src/worker/pool.js';
import { checkError } from '../bad-input/refusals.js';
import { turnsDuring } from '../turns.js';
import { endless, forever, noisy, noWorkers, RBF, small } from './endless.js';
import {
  type AnyTrainer,
  busy,
  endedOrGoesOn,
  flatRows,
  leavesNothing,
  outcomeOf,
  rejection,
  type Started,
  start,
  until,
  warmUp,
} from './helpers.js';

const before = leavesNothing();

/** Of all arenas. */
const giveBack = Object.getPrototypeOf(defaultArena).release as typeof defaultArena.release;

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('classes side by side: an error of one is told when the threads of the others are back', async () => {
  const X = DenseMatrix.from(flatRows({ rows: 6000, cols: 800 }).X);
  const y = Array.from({ length: 6000 }, (_, i) => i % 6);
  const model = new MulticlassPerceptron<number>({
    order: 'batch',
    maxEpochs: 20, // the others go on to their end
    classWeight: { 0: 1e306 } as never,
  });
  await warmUp();
  const busyThen: number[] = [];
  const release = vi.spyOn(defaultArena, 'release').mockImplementation(function (this: typeof defaultArena, block) {
    busyThen.push(poolsNow().busy);
    return giveBack.call(this, block);
  });
  try {
    checkError(await rejection(model.fitAsync(X, y, { threads: 2 })), RangeError, /overflowed/);
  } finally {
    release.mockRestore();
  }
  expect(busyThen.length).toBeGreaterThan(6);
  expect(Math.max(...busyThen)).toBe(0);
  X.dispose();
});

// ---- workers that die -----------------------------------------------------------------------------------

const ENDED = /worker thread.* ended/;

const killAll = () => Promise.all(threadsOf().map((thread) => thread.kill()));

/** Aborts a call that goes on, and expects it to have ended in one of the two ways: it is told of the death, or it went on. */
async function expectEnd(started: Started): Promise<void> {
  started.abort();
  await started.ended;
  const { end } = started;
  expect(end).toHaveProperty('error');
  const { error } = end as { error: unknown };
  if (error !== started.signal.reason) checkError(error, Error, ENDED);
}

/** Kills workers while a call is under way, again and again: between two orders that is nobody's error. Ends when it was an error. */
async function expectErrorByKilling(call: Parameters<typeof start>[0], after: () => void): Promise<void> {
  for (let attempt = 1; attempt <= 200; attempt++) {
    await warmUp();
    const started = start(call);
    await until(() => started.end !== undefined || poolsNow().busy > 0);
    await killAll();
    await endedOrGoesOn(started);
    const { end } = started;
    if (end && 'value' in end) (end.value as Partial<DenseMatrix>).dispose?.();
    else await expectEnd(started);
    after();
    if (end && 'error' in end) return;
  }
  throw new Error('no worker was killed at work');
}

describe('a worker killed in the middle', () => {
  test.each(endless.filter(([name]) => !noWorkers.has(name)))(
    '%s: fails that fit alone, and is replaced',
    async (_, make, { X, y }) => {
      const model = make();
      model.fit(small.X, small.y);
      const earlier = outcomeOf(model);
      await expectErrorByKilling(
        (options) => model.fitAsync(X, y, { ...options, threads: 2 }),
        () => {
          expect(outcomeOf(model)).toBe(earlier);
          expect(defaultArena.usage).toMatchObject({ blocks: before().blocks, liveBytes: before().liveBytes });
        },
      );
      await model.fitAsync(small.X, small.y, { threads: 2 });
      expect(outcomeOf(model)).toBe(earlier);
    },
  );

  test.each([0, 1])('one of two, number %i: that fit is told, or goes on', async (number) => {
    const big = flatRows({ rows: 3000, cols: 500, gap: 0.01, contradicts: true });
    const X = DenseMatrix.from(big.X);
    for (let attempt = 0; attempt < 5; attempt++) {
      await warmUp();
      const fit = start((options) => new Perceptron<number>(forever).fitAsync(X, big.y, { ...options, threads: 2 }));
      await busy();
      await threadsOf()[number]?.kill();
      await endedOrGoesOn(fit);
      await expectEnd(fit);
    }
    X.dispose();
  });

  test('gramAsync fails too, and gives its memory back', async () => {
    const X = DenseMatrix.from(flatRows({ rows: 1500, cols: 1500 }).X);
    const { blocks } = defaultArena.usage;
    await expectErrorByKilling(
      ({ signal }) => gramAsync(X, { threads: 2, signal }),
      () => expect(defaultArena.usage.blocks).toBe(blocks),
    );
    const again = await gramAsync({ data: X.data, rows: 60, cols: 1500 }, { threads: 2 });
    const expected = gram({ data: X.data, rows: 60, cols: 1500 });
    expect([...again.data]).toEqual([...expected.data]);
    for (const matrix of [again, expected, X]) matrix.dispose();
  });

  test('with two fits under way at most those that used it fail; a fit in another memory does not', async () => {
    const engine = createEngine();
    const make = (own?: typeof engine) => new Perceptron<number>({ maxEpochs: 120, ...(own && { engine: own }) });
    const expected = JSON.stringify(make().fit(noisy.X, noisy.y));
    await stopThreads();
    await warmUp();
    const mine = Promise.allSettled([make(), make()].map((model) => model.fitAsync(noisy.X, noisy.y, { threads: 2 })));
    const victims = threadsOf();
    expect(victims.length).toBeGreaterThan(0);
    const beside = make(engine).fitAsync(noisy.X, noisy.y, { threads: 2 });
    await busy(mine);
    await victims[0]!.kill();
    for (const end of await mine) {
      if (end.status === 'fulfilled') expect(JSON.stringify(end.value)).toBe(expected);
      else checkError(end.reason, Error, ENDED);
    }
    expect(JSON.stringify(await beside)).toBe(expected);
    expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
  });

  test('where no other will start, every fit is told, or goes on without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'worker-'));
    const file = join(folder, 'worker.cjs');
    copyFileSync(fileURLToPath(new URL('../../build/worker.js', import.meta.url)), file);
    await stopThreads();
    const given = { threads: 2, workerUrl: pathToFileURL(file) };
    const fits = [1, 2, 3, 4].map(() =>
      start((options) => new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { ...options, ...given })),
    );
    await until(() => threadsOf().length > 0 && fits.some(({ epochs }) => epochs > 0));
    rmSync(folder, { recursive: true });
    await killAll();
    for (const fit of fits) await endedOrGoesOn(fit);
    for (const fit of fits) await expectEnd(fit);
  });

  test('an idle one that dies is nobody’s error', async () => {
    const fit = () => new Perceptron<number>().fitAsync(small.X, small.y, { threads: 2 });
    const expected = JSON.stringify(await fit());
    expect(threadsOf().length).toBeGreaterThan(1);
    threadsOf()[0]!.kill();
    // Whoever comes before word of it is told; or had the other one.
    const soon = await fit().catch((error) => error);
    if (soon instanceof Error) checkError(soon, Error, ENDED);
    else expect(JSON.stringify(soon)).toBe(expected);
    await killAll();
    await until(() => threadsOf().length === 0);
    expect(JSON.stringify(await fit())).toBe(expected);
    expect(threadsOf().length).toBeGreaterThan(0);
  });

  test('again and again, whatever they do: every promise settles', async () => {
    const fits = endless.map(([, make, { X, y }]) =>
      start((options) => make().fitAsync(X, y, { ...options, threads: 2 })),
    );
    for (let round = 0; round < 12; round++) {
      await until(() => poolsNow().busy > 0 || round > 0);
      await killAll();
      await turn();
    }
    for (const fit of fits) await expectEnd(fit);
  });

  test('all of them, while many fits are under way: every promise settles', async () => {
    const expected = JSON.stringify(new Perceptron<number>({ maxEpochs: 60 }).fit(noisy.X, noisy.y));
    await warmUp();
    const fits = Array.from({ length: 6 }, () =>
      new Perceptron<number>({ maxEpochs: 60 }).fitAsync(noisy.X, noisy.y, { threads: 2 }),
    );
    const ends = Promise.allSettled(fits);
    await busy(ends);
    await killAll();
    for (const end of await ends) {
      if (end.status === 'fulfilled') expect(JSON.stringify(end.value)).toBe(expected);
      else checkError(end.reason, Error, ENDED);
    }
  });
});

// ---- matrices that are shared or go away ----------------------------------------------------------------

test.each([2, 'auto'] as const)(
  'two fits on one matrix at once, with fit in between (threads: %s)',
  async (threads) => {
    const X = DenseMatrix.from(noisy.X);
    const makers = [
      () => new Perceptron<number>({ maxEpochs: 60 }) as AnyTrainer,
      () => new Perceptron<number>({ maxEpochs: 30, order: 'shuffle', average: true }) as AnyTrainer,
      () => new DualPerceptron<number>({ maxEpochs: 30 }) as AnyTrainer,
      () => new MulticlassPerceptron<number>({ maxEpochs: 20 }) as AnyTrainer,
    ];
    const expected = makers.map((make) => {
      const model = make();
      model.fit(X, noisy.y);
      return outcomeOf(model);
    });
    const running = makers.map((make) => make().fitAsync(X, noisy.y, { threads }));
    await turn();
    const between = makers[0]!();
    between.fit(X, noisy.y);
    expect(outcomeOf(between)).toBe(expected[0]);
    const models = (await Promise.all(running)) as AnyTrainer[];
    expect(models.map(outcomeOf)).toEqual(expected);
    X.dispose();
  },
);

test('a matrix disposed of while fits are under way lasts until they are over', async () => {
  const o = { maxEpochs: 40 };
  const expected = JSON.stringify(new Perceptron<number>(o).fit(noisy.X, noisy.y));
  for (const when of ['at once', 'in the middle']) {
    const X = DenseMatrix.from(noisy.X);
    const sparse = SparseMatrix.fromDense(small.X);
    const runs = [2, 3].map((threads) => new Perceptron<number>(o).fitAsync(X, noisy.y, { threads }));
    const other = new Perceptron<number>(o).fitAsync(sparse, small.y, { threads: 2 });
    if (when === 'in the middle') await busy(Promise.all(runs));
    X.dispose();
    sparse.dispose();
    const late = DenseMatrix.allocate(1500, 400);
    late.data.fill(9);
    for (const model of await Promise.all(runs)) expect(JSON.stringify(model)).toBe(expected);
    await other;
    late.dispose();
  }
});

test('a matrix is used where it lies: threads take no copy of it', async () => {
  const X = DenseMatrix.from(noisy.X);
  const { liveBytes } = defaultArena.usage;
  for (const threads of [2, 4]) {
    let most = 0;
    const onEpoch = () => {
      most = Math.max(most, defaultArena.usage.liveBytes - liveBytes);
    };
    await new Perceptron<number>({ maxEpochs: 5, onEpoch }).fitAsync(X, noisy.y, { threads });
    await new MulticlassPerceptron<number>({ maxEpochs: 5, onEpoch }).fitAsync(X, noisy.y, { threads });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(0.1 * 8 * X.rows * X.cols);
  }
  X.dispose();
});

test('memory that grows under the feet of a threaded fit changes nothing', async () => {
  const engine = createEngine();
  const { arena } = resolveEngine(engine);
  for (const make of [
    () => new Perceptron<number>({ engine, maxEpochs: 60, order: 'shuffle' }) as AnyTrainer,
    () => new DualPerceptron<number>({ engine, maxEpochs: 30, kernel: RBF }) as AnyTrainer,
    () => new MulticlassPerceptron<number>({ engine, maxEpochs: 10 }) as AnyTrainer,
  ]) {
    const whole = make();
    whole.fit(noisy.X, noisy.y);
    const model = make();
    const grown: DenseMatrix[] = [];
    await turnsDuring(
      () => model.fitAsync(noisy.X, noisy.y, { threads: 2 }),
      () => {
        if (grown.length > 20) return;
        const matrix = DenseMatrix.allocate(500, 1000, { engine });
        matrix.data.fill(3);
        grown.push(matrix);
      },
    );
    expect(grown.length).toBeGreaterThan(0);
    for (const matrix of grown) matrix.dispose();
    expect(outcomeOf(model)).toBe(outcomeOf(whole));
    expect(arena.usage.blocks).toBe(0);
  }
});

// ---- stopThreads ----------------------------------------------------------------------------------------

describe('stopThreads', () => {
  test('ends idle workers, does nothing where there are none, and may be called twice', async () => {
    await new Perceptron<number>().fitAsync(small.X, small.y, { threads: 3 });
    expect(poolsNow().threads).toBeGreaterThan(0);
    await stopThreads();
    expect(poolsNow()).toEqual({ threads: 0, busy: 0 });
    await Promise.all([stopThreads(), stopThreads()]);
    expect(threadsOf().length).toBe(0);
    const model = await new Perceptron<number>().fitAsync(small.X, small.y, { threads: 3 });
    expect(JSON.stringify(model)).toBe(JSON.stringify(new Perceptron<number>().fit(small.X, small.y)));
    expect(poolsNow().threads).toBeGreaterThan(0);
  });

  test('waits for a fit under way, and so does a second call', async () => {
    const fit = start((options) =>
      new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { ...options, threads: 2 }),
    );
    await busy();
    const ended: string[] = [];
    const stops = ['first', 'second'].map((name) => stopThreads().then(() => ended.push(name)));
    await endedOrGoesOn(fit);
    expect(fit.end).toBe(undefined);
    expect(ended).toEqual([]);
    fit.abort();
    await Promise.all([fit.ended, ...stops]);
    expect(ended.length).toBe(2);
    expect(fit.end).toEqual({ error: fit.signal.reason });
  });

  test('leaves fits that are under way their results, and starts others for those that come later', async () => {
    const o = { maxEpochs: 40 };
    const expected = JSON.stringify(new Perceptron<number>(o).fit(noisy.X, noisy.y));
    let running = 2;
    const fits = [2, 3].map((threads) =>
      new Perceptron<number>(o).fitAsync(noisy.X, noisy.y, { threads }).finally(() => running--),
    );
    const stopped = stopThreads();
    const second = stopThreads();
    const later = new Perceptron<number>(o).fitAsync(noisy.X, noisy.y, { threads: 2 });
    for (const model of await Promise.all([...fits, later])) expect(JSON.stringify(model)).toBe(expected);
    await Promise.all([stopped, second]);
    expect(running).toBe(0);
    await stopThreads();
    expect(poolsNow()).toEqual({ threads: 0, busy: 0 });
  });

  test('while workers are only just being started', async () => {
    await stopThreads();
    const fit = new Perceptron<number>({ maxEpochs: 9 }).fitAsync(noisy.X, noisy.y, { threads: 2 });
    await stopThreads();
    const model = await fit;
    expect(JSON.stringify(model)).toBe(JSON.stringify(new Perceptron<number>({ maxEpochs: 9 }).fit(noisy.X, noisy.y)));
    await stopThreads();
    expect(poolsNow().threads).toBe(0);
  });
});
