// What goes wrong while threads are at work: aborts, workers that die, matrices that go away, threads that are stopped. Nothing
// hangs, nothing leaks, nothing is half-written.

import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { orAborted } from '../../src/async/drive.js';
import { onAbort } from '../../src/async/signals.js';
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
import { source } from '../../src/worker/source.js';
import { Tempo } from '../../src/worker/tempo.js';
import { checkError } from '../bad-input/refusals.js';
import { endless, forever, listeners, noisy, noWorkers, RBF, small } from './endless.js';
import {
  type AnyTrainer,
  busy,
  DEADLINE,
  flatRows,
  leavesNothing,
  outcomeOf,
  rejection,
  stopper,
  until,
  warmUp,
  xor,
  xorLabels,
} from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

const before = leavesNothing();

/** Of all arenas. */
const giveBack = Object.getPrototypeOf(defaultArena).release as typeof defaultArena.release;

// ---- abort ----------------------------------------------------------------------------------------------

describe.each(endless)('%s', (_, make, { X, y }) => {
  test('with keepPartial the model is as far as it got, and goes on from there', async () => {
    const model = make();
    const control = stopper();
    let passes = 0;
    const onEpoch = () => void passes++;
    const done = model.fitAsync(X, y, { signal: control.signal, threads: 2, keepPartial: true, onEpoch });
    await until(() => passes > 0, 10_000); // before, there is nothing to keep
    await sleep(20);
    control.abort();
    expect(await done).toBe(model);
    expect(model.report).toMatchObject({ converged: false, stopReason: 'aborted' });
    expect(listeners(control)).toBe(0);
    const { mistakes, mistakesByEpoch } = model.report;
    if (mistakesByEpoch.length < 100_000 && !(model instanceof MulticlassPerceptron)) {
      expect(mistakesByEpoch.reduce((a, b) => a + b, 0)).toBe(mistakes);
    }
    expect((model as Perceptron<number>).predict(X).length).toBe(y.length);
  });
});

test('an aborted fit that was kept goes on with the bits of one that was never broken off', async () => {
  for (const threads of [1, 2, 3]) {
    const o = { warmStart: true, order: 'cyclic', maxEpochs: 40, average: true } as const;
    const control = stopper();
    const onEpoch = ({ epoch }: { epoch: number }) => void (epoch === 3 && control.abort());
    const model = new Perceptron<number>({ ...o, onEpoch });
    await model.fitAsync(noisy.X, noisy.y, { signal: control.signal, threads, keepPartial: true });
    expect(model.report.stopReason).toBe('aborted');
    const json = JSON.parse(JSON.stringify(model));
    expect(Perceptron.fromJSON(json).toJSON()).toEqual(json);
    const copy = Perceptron.fromJSON<number>(json).fit(noisy.X, noisy.y);
    await model.fitAsync(noisy.X, noisy.y, { threads: 2 });
    expect(JSON.stringify(model)).toBe(JSON.stringify(copy));
  }
});

test('a signal aborted before starts nothing; one aborted after changes nothing', async () => {
  await stopThreads();
  const model = new Perceptron<number>().fit(small.X, small.y);
  const earlier = outcomeOf(model);
  for (const keepPartial of [false, true]) {
    const reason = new Error('not at all');
    const signal = AbortSignal.abort(reason);
    expect(await rejection(model.fitAsync(noisy.X, noisy.y, { signal, threads: 2, keepPartial }))).toBe(reason);
    expect(getEventListeners(signal, 'abort').length).toBe(0);
  }
  expect(poolsNow().threads).toBe(0);
  expect(outcomeOf(model)).toBe(earlier);

  const control = stopper();
  await model.fitAsync(xor, xorLabels, { signal: control.signal, threads: 2 });
  const fitted = outcomeOf(model);
  expect(listeners(control)).toBe(0);
  control.abort();
  await sleep(5);
  expect(outcomeOf(model)).toBe(fitted);
});

test('a Gram matrix that was broken off is not trained with, whatever there is to keep', async () => {
  const { X, y } = flatRows({ rows: 1200, cols: 1500, noise: 0.3 });
  const rows = DenseMatrix.from(X);
  const model = new DualPerceptron<number>({ maxEpochs: 1, warmStart: true }).fit(rows, y);
  const earlier = outcomeOf(model);
  await warmUp();
  const control = stopper();
  const ended = rejection(model.fitAsync(rows, y, { signal: control.signal, threads: 2, keepPartial: true }));
  await busy();
  control.abort();
  expect(await ended).toBe(control.signal.reason);
  expect(outcomeOf(model)).toBe(earlier);
  rows.dispose();
});

test('who begins to wait after an abort hears of it too, unless it has ceased to', async () => {
  const heard: string[] = [];
  const signal = AbortSignal.abort();
  onAbort(signal, () => heard.push('late'));
  onAbort(signal, () => heard.push('never'))();
  expect(heard).toEqual([]); // not before it has the answer
  await sleep(0);
  expect(heard).toEqual(['late']);
  await orAborted(new Promise(() => {}), signal);
  expect(getEventListeners(signal, 'abort').length).toBe(0);
});

test('classes side by side: an error of one is told when the threads of the others are back', async () => {
  const X = DenseMatrix.from(flatRows({ rows: 6000, cols: 800 }).X);
  const y = Array.from({ length: 6000 }, (_, i) => i % 6);
  const model = new MulticlassPerceptron<number>({ order: 'batch', classWeight: { 0: 1e306 } as never });
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

test('listeners are taken off a signal however a fit ends', async () => {
  const control = stopper();
  const { signal } = control;
  const boom = new Error('boom');
  const onEpoch = () => {
    throw boom;
  };
  for (const threads of [1, 2] as const) {
    await new Perceptron().fitAsync(small.X, small.y, { signal, threads });
    expect(await rejection(new Perceptron().fitAsync(xor, xorLabels, { signal, threads, onEpoch }))).toBe(boom);
    await rejection(new Perceptron().fitAsync([[NaN], [1]], [0, 1], { signal, threads }));
    await rejection(new Perceptron().fitAsync(xor, xorLabels, { signal, threads: 0 }));
    (await gramAsync(xor, { signal, threads })).dispose();
    expect(listeners(control)).toBe(0);
  }
});

// ---- workers that die -----------------------------------------------------------------------------------

const ENDED = /worker thread.* ended/;

/** What a call is rejected with when its workers are killed; between two orders that is nobody's error, and is tried again. */
async function failedByKilling(start: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  for (let attempt = 1; attempt <= 8; attempt++) {
    await warmUp();
    const control = stopper();
    const failed = rejection(start(control.signal));
    await busy();
    await sleep(3 * attempt);
    for (const thread of threadsOf()) thread.kill();
    const error = await Promise.race([failed, sleep(400)]);
    control.abort();
    await failed;
    expect(listeners(control)).toBe(0);
    if (error) return error;
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
      checkError(await failedByKilling((signal) => model.fitAsync(X, y, { threads: 2, signal })), Error, ENDED);
      expect(outcomeOf(model)).toBe(earlier);
      expect(poolsNow().busy).toBe(0);
      expect(defaultArena.usage).toMatchObject({ blocks: before().blocks, liveBytes: before().liveBytes });

      await model.fitAsync(small.X, small.y, { threads: 2 });
      expect(outcomeOf(model)).toBe(earlier);
    },
  );

  test.each([0, 1])('one of two that look ahead together, number %i', async (number) => {
    const big = flatRows({ rows: 3000, cols: 500, gap: 0.01, contradicts: true });
    const X = DenseMatrix.from(big.X);
    const together = vi.spyOn(Tempo.prototype, 'isTogether', 'get').mockReturnValue(true); // however busy the machine is
    let isSeen = false;
    for (let attempt = 1; attempt <= 8 && !isSeen; attempt++) {
      await warmUp();
      const control = stopper();
      const failed = rejection(
        new Perceptron<number>(forever).fitAsync(X, big.y, { threads: 2, signal: control.signal }),
      );
      await until(() => poolsNow().busy === 2);
      await sleep(3 * attempt);
      threadsOf()[number]!.kill();
      const error = await Promise.race([failed, sleep(400)]);
      if (error) checkError(error, Error, ENDED);
      isSeen = error !== undefined;
      control.abort();
      await failed;
    }
    together.mockRestore();
    expect(isSeen).toBe(true);
    X.dispose();
  });

  test('gramAsync fails too, and gives its memory back', async () => {
    const X = DenseMatrix.from(flatRows({ rows: 1500, cols: 1500 }).X);
    checkError(await failedByKilling((signal) => gramAsync(X, { threads: 2, signal })), Error, ENDED);
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
    const mine = [make(), make()].map((model) => model.fitAsync(noisy.X, noisy.y, { threads: 2 }));
    await busy();
    const victim = threadsOf()[0]!;
    const beside = make(engine).fitAsync(noisy.X, noisy.y, { threads: 2 });
    const ends = Promise.allSettled(mine);
    await sleep(5);
    victim.kill();
    let failures = 0;
    for (const end of await ends) {
      if (end.status === 'fulfilled') expect(JSON.stringify(end.value)).toBe(expected);
      else {
        failures++;
        checkError(end.reason, Error, ENDED);
      }
    }
    expect(failures).toBeLessThanOrEqual(2);
    expect(JSON.stringify(await beside)).toBe(expected);
    expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
  });

  test('where no other will start, those who wait for one are told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'worker-'));
    const file = join(folder, 'worker.cjs');
    writeFileSync(file, source);
    const options = { threads: 2, workerUrl: pathToFileURL(file) };
    const fits = [1, 2, 3, 4].map(() => rejection(new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, options)));
    await until(() => poolsNow().busy === 2);
    rmSync(folder, { recursive: true });
    for (const thread of threadsOf()) thread.kill();
    for (const error of await Promise.all(fits)) checkError(error, Error, ENDED);
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
    for (const thread of threadsOf()) thread.kill();
    await until(() => threadsOf().length === 0);
    expect(JSON.stringify(await fit())).toBe(expected);
    expect(threadsOf().length).toBeGreaterThan(0);
  });

  test('again and again, whatever they do: every promise settles', async () => {
    const fits = endless.map(([, make, { X, y }]) => {
      const control = stopper();
      setTimeout(() => control.abort(), 600);
      return rejection(make().fitAsync(X, y, { threads: 2, signal: control.signal }));
    });
    const killing = setInterval(() => {
      for (const thread of threadsOf()) thread.kill();
    }, 40);
    const errors = (await Promise.all(fits)) as Error[];
    clearInterval(killing);
    await sleep(50); // until word of the last has come
    for (const { message } of errors) expect(message).toMatch(/worker thread.* ended|aborted/);
  });

  test('all of them, while many fits are under way: every promise settles', async () => {
    await warmUp();
    const fits = Array.from({ length: 6 }, () =>
      new Perceptron<number>({ maxEpochs: 60 }).fitAsync(noisy.X, noisy.y, { threads: 2 }),
    );
    const ends = Promise.allSettled(fits);
    await busy();
    for (const thread of threadsOf()) thread.kill();
    const expected = JSON.stringify(new Perceptron<number>({ maxEpochs: 60 }).fit(noisy.X, noisy.y));
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
    await sleep(2);
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
    if (when === 'in the middle') await busy();
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
    const growing = setInterval(() => {
      if (grown.length > 20) return;
      const matrix = DenseMatrix.allocate(500, 1000, { engine });
      matrix.data.fill(3);
      grown.push(matrix);
    }, 2);
    await model.fitAsync(noisy.X, noisy.y, { threads: 2 });
    clearInterval(growing);
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

  test('a second call waits as the first does', async () => {
    const control = stopper();
    const failed = rejection(
      new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { threads: 2, signal: control.signal }),
    );
    await busy();
    const ended: string[] = [];
    const stops = ['first', 'second'].map((name) => stopThreads().then(() => ended.push(name)));
    await sleep(20);
    expect(ended).toEqual([]);
    control.abort();
    await Promise.all([failed, ...stops]);
    expect(ended.length).toBe(2);
  });

  test('waits for fits that are under way, which end as ever', async () => {
    const o = { maxEpochs: 40 };
    const expected = JSON.stringify(new Perceptron<number>(o).fit(noisy.X, noisy.y));
    let running = 2;
    const fits = [2, 3].map((threads) =>
      new Perceptron<number>(o).fitAsync(noisy.X, noisy.y, { threads }).finally(() => running--),
    );
    await busy();
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
