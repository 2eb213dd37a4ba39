// Many fits at once: all of them right, the event loop turning, workers and memory as before; and no room for all of them.

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { orAborted } from '../../src/async/turns.js';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  stopThreads,
} from '../../src/index.js';
import { poolsNow } from '../../src/worker/pool.js';
import { checkError } from '../bad-input/refusals.js';
import { someOf } from '../effort.js';
import { turnsDuring } from '../turns.js';
import { forever, noisy } from './endless.js';
import { type AnyTrainer, flatRows, leavesNothing, outcomeOf, rejection, stopper } from './helpers.js';

leavesNothing();

const RBF = { type: 'rbf', gamma: 0.1 } as const;
const makers: (() => AnyTrainer)[] = [
  () => new Perceptron<number>({ maxEpochs: 30 }) as never,
  () => new Perceptron<number>({ maxEpochs: 9, order: 'shuffle', average: true }) as never,
  () => new DualPerceptron<number>({ maxEpochs: 9, kernel: RBF }) as never,
  () => new MulticlassPerceptron<number>({ maxEpochs: 9 }) as never,
];

const MANY = someOf([1000], [200])[0]!;
test.each(['auto', 1, 2] as const)(`${MANY} fits started at once (threads: %s)`, async (threads) => {
  const { X, y } = flatRows({ rows: 30, cols: 8, noise: 0.3 });
  const nested = Array.from({ length: 30 }, (_, i) => Array.from(X.data.subarray(i * 8, i * 8 + 8)));
  const expected = makers.map((make) => {
    const model = make();
    model.fit(X, y);
    return outcomeOf(model);
  });
  const control = stopper();
  let models: AnyTrainer[] = [];
  const turns = await turnsDuring(async () => {
    const fits = Array.from({ length: MANY }, (_, i) =>
      makers[i % makers.length]!().fitAsync(i % 3 ? X : nested, y, { threads, signal: control.signal }),
    );
    models = (await Promise.all(fits)) as AnyTrainer[];
  });
  expect(turns).toBeGreaterThan(2);
  for (const [i, model] of models.entries()) {
    if (outcomeOf(model) !== expected[i % makers.length]) expect(outcomeOf(model)).toBe(expected[i % makers.length]);
  }
  expect(getEventListeners(control.signal, 'abort').length).toBe(0);
  expect(poolsNow().threads).toBeLessThanOrEqual(16);
});

test('calls that wait with one signal give it one listener: of more than ten, Node warns', async () => {
  for (const isAborted of [false, true]) {
    const control = new AbortController();
    const listeners = () => getEventListeners(control.signal, 'abort').length;
    let go = () => {};
    const work = new Promise<void>((resolve) => {
      go = resolve;
    });
    const calls = Array.from({ length: 20 }, () => orAborted(work, control.signal));
    expect(listeners()).toBe(1);
    if (isAborted) control.abort();
    else go();
    await Promise.all(calls);
    expect(listeners()).toBe(0);
  }
});

test('20 large fits at once', async () => {
  const { X, y } = flatRows({ rows: 600, cols: 1000, noise: 0.2 });
  const expected = makers.map((make) => {
    const model = make();
    model.fit(X, y);
    return outcomeOf(model);
  });
  let models: AnyTrainer[] = [];
  const turns = await turnsDuring(async () => {
    const fits = Array.from({ length: 20 }, (_, i) =>
      makers[i % 4]!().fitAsync(X, y, { threads: i < 12 ? 2 + (i % 3) : 'auto' }),
    );
    models = (await Promise.all(fits)) as AnyTrainer[];
  });
  expect(turns).toBeGreaterThan(2);
  for (const [i, model] of models.entries()) expect(outcomeOf(model) === expected[i % 4], `fit ${i}`).toBe(true);
  await stopThreads();
  expect(poolsNow()).toEqual({ threads: 0, busy: 0 });
});

test('fits that end in all ways, together', async () => {
  const { X, y } = flatRows({ rows: 400, cols: 100, noise: 0.3 });
  const matrix = DenseMatrix.from(X);
  const spoiled = { ...X, data: X.data.map((v, i) => (i === 20_000 ? Number.NaN : v)) };
  const boom = new Error('boom');
  const thrower = () => {
    throw boom;
  };
  const control = stopper();
  const expected = outcomeOf(new Perceptron<number>({ maxEpochs: 20 }).fit(X, y));
  const ends: Promise<unknown>[] = [];
  const aborted: Promise<unknown>[] = [];
  for (let i = 0; i < 10; i++) {
    const threads = 1 + (i % 3);
    const fit = (o: object, options: object, rows: typeof X | DenseMatrix = X) =>
      new Perceptron<number>(o).fitAsync(rows, y, { threads, ...options });
    ends.push(
      fit({ maxEpochs: 20 }, {}, i % 2 ? matrix : X).then(outcomeOf),
      rejection(fit({}, {}, spoiled)).then(String),
      rejection(fit({}, { onEpoch: thrower })),
      gramAsync(matrix, { threads }).then((g) => g.dispose()),
    );
    aborted.push(rejection(fit({ maxEpochs: 1e9 }, { signal: control.signal })));
  }
  matrix.dispose();
  const all = await Promise.all(ends);
  for (let i = 0; i < all.length; i += 4) {
    expect(all.slice(i, i + 4)).toEqual([expected, 'RangeError: X[200][0] is NaN', boom, undefined]);
  }
  control.abort();
  for (const error of await Promise.all(aborted)) expect(error).toBe(control.signal.reason);
});

test('two fits of one model at once: it is one of them, and not a bit of the other', async () => {
  const near = flatRows({ rows: 120, cols: 30, noise: 0.2, seed: 1 });
  const far = flatRows({ rows: 150, cols: 30, noise: 0.2, seed: 2 });
  far.X.data.forEach((v, i) => {
    far.X.data[i] = 50 * v + 7;
  });
  const all = [
    ...makers,
    ...(['standardize', 'unit-ball'] as const).map(
      (kind) => () =>
        new Pipeline<number>(new Scaler({ kind }), new Perceptron<number>({ maxEpochs: 30 })) as never as AnyTrainer,
    ),
  ];
  for (const make of all) {
    const alone = [near, far].map(({ X, y }) => {
      const model = make();
      model.fit(X, y);
      return outcomeOf(model);
    });
    for (const threads of [1, 2, 'auto'] as const) {
      const model = make();
      const fits = [near, far].map(({ X, y }) => model.fitAsync(X, y, { threads }));
      await Promise.all(fits);
      expect(alone.includes(outcomeOf(model))).toBe(true);
      const failing = make();
      const spoiled = { ...near.X, data: near.X.data.map((v, i) => (i === 3000 ? Number.NaN : v)) };
      const ends = [failing.fitAsync(spoiled, near.y, { threads }), failing.fitAsync(far.X, far.y, { threads })];
      await Promise.allSettled(ends);
      expect(outcomeOf(failing) === alone[1]).toBe(true);
    }
  }
});

// ---- no room --------------------------------------------------------------------------------------------

const MiB = 2 ** 20;
const NO_ROOM = /no room|memory/;

/** A memory with room for one such Gram matrix of 500 rows (2 MB), not for two. */
const narrow = () => createEngine({ maxMemoryBytes: 3 * MiB });
const square = flatRows({ rows: 500, cols: 20, noise: 0.1, contradicts: true });

/** Expects each to have ended with the model, or with the arena's error. Answers how many models there are. */
function expectModelsOrNoRoom(ends: readonly PromiseSettledResult<unknown>[], json: string): number {
  for (const end of ends) {
    if (end.status === 'fulfilled') expect(JSON.stringify(end.value) === json).toBe(true);
    else checkError(end.reason, RangeError, NO_ROOM);
  }
  return ends.filter(({ status }) => status === 'fulfilled').length;
}

test.each([1, 2, 'auto'] as const)(
  'fits that find no room say so; the others are right (threads: %s)',
  async (threads) => {
    const engine = narrow();
    const { arena } = resolveEngine(engine);
    const make = () => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full', maxEpochs: 8 });
    const json = JSON.stringify(make().fit(square.X, square.y));
    const fits = Array.from({ length: 4 }, () => make().fitAsync(square.X, square.y, { threads }));
    expect(expectModelsOrNoRoom(await Promise.allSettled(fits), json)).toBeGreaterThan(0);
    expect(arena.usage.blocks).toBe(0);
    // What there was no room for then, there is now.
    expect(JSON.stringify(await make().fitAsync(square.X, square.y, { threads })) === json).toBe(true);
    expect(arena.usage.blocks).toBe(0);
  },
);

test('one that has no room even alone fails as fit does; others are not harmed', async () => {
  const engine = narrow();
  const { arena } = resolveEngine(engine);
  const make = () => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full', maxEpochs: 8 });
  const large = flatRows({ rows: 2000, cols: 300 }); // 4.8 MB of rows alone
  let expected: Error | undefined;
  try {
    make().fit(large.X, large.y);
  } catch (error) {
    expected = error as Error;
  }
  checkError(expected, RangeError, NO_ROOM);
  const json = JSON.stringify(make().fit(square.X, square.y));
  for (const threads of [1, 2]) {
    const good = make().fitAsync(square.X, square.y, { threads });
    const bad = rejection(make().fitAsync(large.X, large.y, { threads }));
    const late = make().fitAsync(square.X, square.y, { threads });
    const ends = Promise.allSettled([good, late]);
    checkError(await bad, RangeError, NO_ROOM);
    expect(expectModelsOrNoRoom(await ends, json)).toBeGreaterThan(0);
    const alone = await rejection(make().fitAsync(large.X, large.y, { threads }));
    checkError(alone, RangeError, expected!.message);
    expect(arena.usage.blocks).toBe(0);
  }
});

test('there being no room is an error also while fits are under way that do not end', async () => {
  const engine = narrow();
  const control = stopper();
  const endless = (own: typeof engine) =>
    rejection(
      new Perceptron<number>({ engine: own, maxEpochs: 1e9 }).fitAsync(square.X, square.y, { signal: control.signal }),
    );
  const elsewhere = endless(createEngine());
  const rows = flatRows({ rows: 620, cols: 20 }); // 3.1 MB, of 3.1
  const dual = () => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full' }).fitAsync(rows.X, rows.y);
  checkError(await rejection(dual()), RangeError, /no room/);
  const beside = endless(engine);
  const wide = { values: [1, 1], indices: [0, 1], indptr: [0, 1, 2], cols: 500_000 }; // 4 MB of weights
  const fit = new Perceptron<number>({ engine }).fitAsync(wide, [0, 1]);
  checkError(await rejection(fit), RangeError, /no room/);
  control.abort();
  await Promise.all([elsewhere, beside]);
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
});

test('a call of sixty that is aborted ends at once, not after the turns of all others', async () => {
  const { X, y } = noisy;
  const [control, others] = [new AbortController(), new AbortController()];
  // Its turn has just ended: all others are before it in the queue.
  let turned: () => void = () => {};
  const hasTurned = new Promise<void>((resolve) => {
    turned = resolve;
  });
  const model = new Perceptron<number>({ ...forever });
  const fit = rejection(
    model.fitAsync(X, y, { threads: 1, signal: control.signal, onProgress: () => turned() }) as Promise<unknown>,
  );
  const crowd = Array.from({ length: 59 }, () =>
    rejection(
      new Perceptron<number>(forever).fitAsync(X, y, { threads: 1, signal: others.signal }) as Promise<unknown>,
    ),
  );
  await hasTurned;
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  control.abort();
  await fit;
  clearImmediate(next);
  others.abort();
  await Promise.all(crowd);
  expect(turns).toBeLessThan(5);
});
