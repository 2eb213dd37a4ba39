// Many fits at once: all of them right, timers on time, workers and memory as before; and no room for all of them.

import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { whereRoom } from '../../src/async/calls.js';
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
import { longestHold, now } from '../clock.js';
import {
  type AnyTrainer,
  busy,
  DEADLINE,
  expectBelow,
  flatRows,
  leavesNothing,
  outcomeOf,
  rejection,
  stopper,
} from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

leavesNothing();

const RBF = { type: 'rbf', gamma: 0.1 } as const;
const makers: (() => AnyTrainer)[] = [
  () => new Perceptron<number>({ maxEpochs: 30 }) as never,
  () => new Perceptron<number>({ maxEpochs: 9, order: 'shuffle', average: true }) as never,
  () => new DualPerceptron<number>({ maxEpochs: 9, kernel: RBF }) as never,
  () => new MulticlassPerceptron<number>({ maxEpochs: 9 }) as never,
];

test.each(['auto', 1, 2] as const)('1,000 fits started at once (threads: %s)', async (threads) => {
  const { X, y } = flatRows({ rows: 30, cols: 8, noise: 0.3 });
  const nested = Array.from({ length: 30 }, (_, i) => Array.from(X.data.subarray(i * 8, i * 8 + 8)));
  const expected = makers.map((make) => {
    const model = make();
    model.fit(X, y);
    return outcomeOf(model);
  });
  const control = stopper();
  await expectBelow(50, async () => {
    let models: AnyTrainer[] = [];
    // What a thousand calls take before they return is the caller's own loop: see 'many calls made at once' below.
    const fits = Array.from({ length: 1000 }, (_, i) =>
      makers[i % makers.length]!().fitAsync(i % 3 ? X : nested, y, { threads, signal: control.signal }),
    );
    const gap = await longestHold(async () => {
      models = (await Promise.all(fits)) as AnyTrainer[];
    });
    for (const [i, model] of models.entries()) {
      if (outcomeOf(model) !== expected[i % makers.length]) expect(outcomeOf(model)).toBe(expected[i % makers.length]);
    }
    expect(getEventListeners(control.signal, 'abort').length).toBe(0);
    expect(poolsNow().busy).toBe(0);
    expect(poolsNow().threads).toBeLessThanOrEqual(16);
    return gap;
  });
});

test('20 large fits at once', async () => {
  const { X, y } = flatRows({ rows: 600, cols: 1000, noise: 0.2 });
  const expected = makers.map((make) => {
    const model = make();
    model.fit(X, y);
    return outcomeOf(model);
  });
  await expectBelow(50, async () => {
    let models: AnyTrainer[] = [];
    const gap = await longestHold(async () => {
      const fits = Array.from({ length: 20 }, (_, i) =>
        makers[i % 4]!().fitAsync(X, y, { threads: i < 12 ? 2 + (i % 3) : 'auto' }),
      );
      models = (await Promise.all(fits)) as AnyTrainer[];
    });
    for (const [i, model] of models.entries()) expect(outcomeOf(model) === expected[i % 4], `fit ${i}`).toBe(true);
    return gap;
  });
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
  for (let i = 0; i < 10; i++) {
    const threads = 1 + (i % 3);
    const fit = (o: object, options: object, rows: typeof X | DenseMatrix = X) =>
      new Perceptron<number>(o).fitAsync(rows, y, { threads, ...options });
    ends.push(
      fit({ maxEpochs: 20 }, {}, i % 2 ? matrix : X).then(outcomeOf),
      rejection(fit({}, {}, spoiled)).then(String),
      rejection(fit({}, { onEpoch: thrower })),
      rejection(fit({ maxEpochs: 1e9 }, { signal: control.signal })),
      gramAsync(matrix, { threads }).then((g) => g.dispose()),
    );
  }
  setTimeout(() => {
    matrix.dispose();
    control.abort();
  }, 30);
  const all = await Promise.all(ends);
  for (let i = 0; i < all.length; i += 5) {
    const abort = control.signal.reason;
    expect(all.slice(i, i + 5)).toEqual([expected, 'RangeError: X[200][0] is NaN', boom, abort, undefined]);
  }
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

/** A memory with room for one such Gram matrix of 500 rows (2 MB), not for two. */
const narrow = () => createEngine({ maxMemoryBytes: 3 * MiB });
const square = flatRows({ rows: 500, cols: 20, noise: 0.1, contradicts: true });

test.each([1, 2, 'auto'] as const)('fits that find no room wait for those under way (threads: %s)', async (threads) => {
  const engine = narrow();
  const { arena } = resolveEngine(engine);
  const make = () => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full', maxEpochs: 8 });
  const expected = JSON.stringify(make().fit(square.X, square.y));
  const fits = Array.from({ length: 4 }, () => make().fitAsync(square.X, square.y, { threads }));
  for (const model of await Promise.all(fits)) expect(JSON.stringify(model) === expected).toBe(true);
  const wide = flatRows({ rows: 250, cols: 900, noise: 0.1 }); // 1.8 MB: twice is too much, but can be had in windows
  const plain = () => new Perceptron<number>({ engine, maxEpochs: 5 });
  const whole = JSON.stringify(plain().fit(wide.X, wide.y));
  const planes = Array.from({ length: 4 }, () => plain().fitAsync(wide.X, wide.y, { threads }));
  for (const model of await Promise.all(planes)) expect(JSON.stringify(model) === whole).toBe(true);
  const [fit, multiplied] = [
    make().fitAsync(square.X, square.y, { threads }),
    gramAsync(square.X, { engine, threads }),
  ];
  (await multiplied).dispose();
  expect(JSON.stringify(await fit) === expected).toBe(true);
  expect(arena.usage.blocks).toBe(0);
});

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
  checkError(expected, RangeError, /no room|memory/);
  for (const threads of [1, 2]) {
    const good = make().fitAsync(square.X, square.y, { threads });
    const bad = rejection(make().fitAsync(large.X, large.y, { threads }));
    const late = make().fitAsync(square.X, square.y, { threads });
    checkError(await bad, RangeError, /no room|memory/);
    expect(JSON.stringify(await good)).toBe(JSON.stringify(await late));
    const alone = await rejection(make().fitAsync(large.X, large.y, { threads }));
    checkError(alone, RangeError, expected!.message);
    expect(arena.usage.blocks).toBe(0);
  }
});

// Not yet: a fit that waits for room holds nothing, not even the rows that it was given.
test('a matrix disposed of while a fit waits for room is there when it goes on, or an error says that it is not', async () => {
  const engine = narrow();
  const X = DenseMatrix.from(square.X, { engine });
  const make = () => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full', maxEpochs: 8 });
  const fits = [make(), make()].map((model) => model.fitAsync(X, square.y, { threads: 2 }));
  X.dispose();
  const ends = await Promise.allSettled(fits);
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
  // A fit that waits holds nothing: rows that lie in the memory that is too small are gone by then.
  const failed = ends.filter((end) => end.status === 'rejected');
  expect(failed.length).toBeLessThan(2);
  for (const { reason } of failed) checkError(reason, Error, 'this DenseMatrix was disposed');
});

test('an abort while waiting for room is heard', async () => {
  const engine = narrow();
  const make = (maxEpochs: number) => new DualPerceptron<number>({ engine, kernel: RBF, gram: 'full', maxEpochs });
  for (const threads of [1, 2] as const) {
    await expectBelow(100, async () => {
      const [first, second] = [stopper(), stopper()];
      const one = rejection(make(1e9).fitAsync(square.X, square.y, { threads, signal: first.signal }));
      if (threads > 1) await busy();
      const two = rejection(make(1e9).fitAsync(square.X, square.y, { threads, signal: second.signal }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const told = now();
      second.abort();
      expect(await two).toBe(second.signal.reason);
      const took = now() - told;
      first.abort();
      expect(await one).toBe(first.signal.reason);
      expect(getEventListeners(second.signal, 'abort').length).toBe(0);
      return took;
    });
  }
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
});

test('many calls made at once do little before the caller goes on', async () => {
  const { X, y } = flatRows({ rows: 400, cols: 200, noise: 0.3 });
  const expected = outcomeOf(new Perceptron<number>({ maxEpochs: 20 }).fit(X, y) as never);
  await expectBelow(300, async () => {
    const models = Array.from({ length: 300 }, () => new Perceptron<number>({ maxEpochs: 20 }));
    const started = now();
    const fits = models.map((model) => model.fitAsync(X, y, { threads: 1 }));
    const taken = now() - started;
    await Promise.all(fits);
    for (const model of models) expect(outcomeOf(model as never)).toBe(expected);
    return taken;
  });
});

test('two that leave each other no room, and find out at the same time: both are made, one after the other', async () => {
  let held = 0;
  const { arena } = resolveEngine(createEngine({ maxMemoryBytes: MiB }));
  const most = arena.allocate(0.7 * MiB, 'most of it');
  const call = (ms: number) => async () => {
    held++;
    try {
      await sleep(1);
      if (held > 1) {
        await sleep(ms); // it has failed, and threads are still to leave
        arena.allocate(0.7 * MiB, 'as much again');
      }
      return 'made';
    } finally {
      held--;
    }
  };
  const calls = [call(1), call(20)].map((own) => whereRoom(arena, undefined, own));
  expect(await Promise.all(calls)).toEqual(['made', 'made']);
  arena.release(most);
});

test('nobody waits for a fit in another memory, nor for room that there can never be', async () => {
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
