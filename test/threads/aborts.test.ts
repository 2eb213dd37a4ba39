// An abort ends what threads are at, whatever that is, with the signal's reason; or keeps what there is, where that is asked for.

import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import { poolsNow } from '../../src/worker/pool.js';
import { signalAfter } from '../turns.js';
import { endless, forever, listeners, noisy, RBF, small } from './endless.js';
import {
  busy,
  flatRows,
  leavesNothing,
  outcomeOf,
  rejection,
  start,
  stopper,
  underWay,
  until,
  warmUp,
  xor,
  xorLabels,
} from './helpers.js';

leavesNothing();

describe.each(endless)('%s', (_, make, { X, y }) => {
  test.each([2, 'auto'] as const)('an abort in the middle changes nothing (threads: %s)', async (threads) => {
    const model = make();
    model.fit(small.X, small.y.map(() => 0).fill(1, 10)); // other labels: a fit that is half done would show
    const earlier = outcomeOf(model);
    const reason = new Error('enough');
    const fit = start((options) => model.fitAsync(X, y, { ...options, threads }));
    await underWay(fit);
    fit.abort(reason);
    await fit.ended;
    expect(fit.end).toEqual({ error: reason });
    expect(getEventListeners(fit.signal, 'abort').length).toBe(0);
    expect(outcomeOf(model)).toBe(earlier);
  });

  test('with keepPartial the model is as far as it got, and goes on from there', async () => {
    const model = make();
    const fit = start((options) => model.fitAsync(X, y, { ...options, threads: 2, keepPartial: true }));
    await until(() => fit.epochs > 0); // before, there is nothing to keep
    fit.abort();
    await fit.ended;
    expect(fit.end).toEqual({ value: model });
    expect(model.report).toMatchObject({ converged: false, stopReason: 'aborted' });
    expect(getEventListeners(fit.signal, 'abort').length).toBe(0);
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

test('an abort while rows are copied in, scaled or multiplied ends the call', async () => {
  const { X, y } = flatRows({ rows: 2000, cols: 1500, noise: 0.3 });
  const nested = Array.from({ length: 2000 }, (_, i) => X.data.subarray(i * 1500, (i + 1) * 1500));
  const calls = [
    (signal: AbortSignal) => new DualPerceptron<number>(forever).fitAsync(nested, y, { signal, threads: 2 }),
    (signal: AbortSignal) => new DualPerceptron<number>({ kernel: RBF, ...forever }).fitAsync(X, y, { signal }),
    (signal: AbortSignal) =>
      new Pipeline<number>(new Scaler({ kind: 'standardize' }), new Perceptron<number>(forever)).fitAsync(nested, y, {
        signal,
        threads: 2,
      }),
    (signal: AbortSignal) => gramAsync(nested, { signal, threads: 2 }),
  ];
  for (const call of calls) {
    for (const turns of [0, 1, 5]) {
      const signal = signalAfter(turns);
      expect(await rejection(call(signal))).toBe(signal.reason);
      expect(getEventListeners(signal, 'abort').length).toBe(0);
    }
  }
});

test.each([
  ['400,000 × 2', 400_000, 3, () => DenseMatrix.allocate(400_000, 2)],
  ['50,000 × 2, many classes', 50_000, 300, () => DenseMatrix.allocate(50_000, 2)],
  ['sparse', 200_000, 3, () => SparseMatrix.from(narrow(200_000))],
] as const)(
  'one-vs-rest of many rows, %s: an abort ends it in the middle of an epoch',
  async (_, rows, classes, make) => {
    const X = make();
    const steps = (i: number) => ((i * 7919) % 1000) / 500 - 1;
    if (X instanceof DenseMatrix) for (let i = 0; i < X.data.length; i++) X.data[i] = steps(i);
    const y = Array.from({ length: rows }, (_, i) => (i * 7 + (i >> 3)) % classes);
    const fit = start((options) =>
      new MulticlassPerceptron<number>(forever).fitAsync(X, y, { ...options, threads: 2 }),
    );
    await underWay(fit);
    fit.abort();
    await fit.ended;
    expect(fit.end).toEqual({ error: fit.signal.reason });
    X.dispose();
  },
);

/** So many rows of two entries. */
const narrow = (rows: number) => ({
  values: Float64Array.from({ length: 2 * rows }, (_, k) => ((k * 7919) % 1000) / 500 - 1),
  indices: Uint32Array.from({ length: 2 * rows }, (_, k) => (k % 2) * 500 + ((k * 31) % 500)),
  indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => 2 * i),
  cols: 1000,
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
  const signal = signalAfter(1);
  expect(await rejection(model.fitAsync(rows, y, { signal, threads: 2, keepPartial: true }))).toBe(signal.reason);
  expect(outcomeOf(model)).toBe(earlier);
  rows.dispose();
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

test('one signal ends several fits at once', async () => {
  const control = stopper();
  const fits = [1, 2, 2, 3, 'auto'].map((threads) =>
    rejection(
      new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { threads, signal: control.signal } as object),
    ),
  );
  await busy();
  control.abort();
  for (const error of await Promise.all(fits)) expect(error).toBe(control.signal.reason);
  expect(listeners(control)).toBe(0);
});
