// What goes wrong while a model trains or before it has: overflow, aborts, callbacks that throw.

import { expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { describe, MulticlassPerceptron, NotFittedError, Perceptron } from '../../src/index.js';
import { engines } from '../engines.js';
import { type Any, checkError, methods, orders, refuses, refusesFitted, rejection, X, y } from './refusals.js';

// ---- overflow ---------------------------------------------------------------------------------------

for (const engine of engines) {
  test.each(orders)(`${engine}, order %s: training that overflows says so and publishes nothing`, (order) => {
    const OVERFLOW =
      /^training overflowed: .* is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight$/;
    const huge = [
      [1e308, 1e308],
      [-1e308, 1e308],
      [1e308, -1e308],
    ];
    for (const average of [false, true]) {
      const options = { engine, order, average };
      refusesFitted((m) => m.fit(huge, y), RangeError, OVERFLOW, { ...options, warmStart: true });
      refuses(
        () => new Perceptron({ ...options, learningRate: 1e300 }).fit([[1e100], [1e99]], [0, 1]),
        RangeError,
        OVERFLOW,
      );
      refuses(
        () => new Perceptron({ ...options, classWeight: { 1: 1e308 } }).fit([[10], [20]], [0, 1]),
        RangeError,
        OVERFLOW,
      );
      // The last update of all, with no score after it.
      const last = new Perceptron({ ...options, maxEpochs: 1, learningRate: 8 });
      refuses(
        () =>
          last.fit(
            [
              [1e308, 0],
              [1e308, 0],
            ],
            [0, 1],
          ),
        RangeError,
        OVERFLOW,
      );
    }
    const message = /^training overflowed/;
    refusesFitted((m) => m.partialFit(huge, y), RangeError, message, { engine, order });
  });

  test(`${engine}: a score that overflows at prediction names the row`, () => {
    const model = new Perceptron({ engine }).fit([[1e10], [-1e10]], [1, 0]);
    const huge = [[1], [1e308]];
    const message = 'the score of X row 1 is Infinity: its values are too large';
    for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose']) {
      refuses(() => methods[method]?.(model, huge, [1, 0]), RangeError, message);
    }
    refuses(() => model.predictOne([1e308]), RangeError, 'the score of x is Infinity: its values are too large');
  });
}

// ---- before fit -------------------------------------------------------------------------------------

const unfitted: Record<string, (model: Perceptron<Any>) => unknown> = {
  predict: (m) => m.predict(X),
  predictOne: (m) => m.predictOne([1, 2]),
  decisionFunction: (m) => m.decisionFunction(X),
  score: (m) => m.score(X, y),
  loss: (m) => m.loss(X, y),
  diagnose: (m) => m.diagnose(X, y),
  explain: (m) => m.explain([1, 2]),
  weights: (m) => m.weights,
  bias: (m) => m.bias,
  classes: (m) => m.classes,
  report: (m) => m.report,
  toJSON: (m) => m.toJSON(),
};

test.each(Object.entries(unfitted))('%s before fit is a NotFittedError', (name, act) => {
  const model = new Perceptron();
  const what = name === 'score' ? '(score|predict)' : name;
  const message = new RegExp(`^this Perceptron is not fitted yet: call fit before ${what}$`);
  refuses(() => act(model), NotFittedError, message);
  expect(() => act(model)).toThrow(expect.objectContaining({ name: 'NotFittedError' }));
  // A fit that failed is no fit.
  expect(() => model.fit([[NaN]], [1])).toThrow(RangeError);
  refuses(() => act(model), NotFittedError, message);
});

test('predict of no rows before fit is a NotFittedError too', () => {
  refuses(() => new Perceptron().predict([]), NotFittedError, /^this Perceptron is not fitted yet/);
});

// ---- abort ------------------------------------------------------------------------------------------

const xor = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
];
const xorLabels = [-1, -1, 1, 1];

test.each(engines)(
  '%s: fitAsync with a signal already aborted rejects with its AbortError and changes nothing',
  async (engine) => {
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const before = JSON.stringify(model);
    const usage = defaultArena.usage;
    for (const keepPartial of [false, true]) {
      const error = await rejection(model.fitAsync(xor, xorLabels, { signal: AbortSignal.abort(), keepPartial }));
      expect(error).toMatchObject({ name: 'AbortError' });
    }
    expect(JSON.stringify(model)).toBe(before);
    expect(defaultArena.usage).toEqual(usage);
  },
);

for (const engine of engines) {
  test.each(orders)(
    `${engine}, order %s: aborting during training rejects with an AbortError and changes nothing`,
    async (order) => {
      const model = new Perceptron<number>({ engine, order, maxEpochs: 1e9 }).fit(X, y);
      const before = JSON.stringify(model);
      const { blocks } = defaultArena.usage;
      const controller = new AbortController();
      const promise = model.fitAsync(xor, xorLabels, { signal: controller.signal });
      setTimeout(() => controller.abort(), 1);
      const error = await rejection(promise);
      expect(error).toMatchObject({ name: 'AbortError' });
      expect(error).toBe(controller.signal.reason);
      expect(JSON.stringify(model)).toBe(before);
      expect(defaultArena.usage.blocks).toBe(blocks);
    },
  );

  test.each(orders)(
    `${engine}, order %s: keepPartial keeps what an aborted fit has learned, ready to go on`,
    async (order) => {
      const model = new Perceptron<number>({ engine, order, maxEpochs: 1e9 });
      const { blocks } = defaultArena.usage;
      const controller = new AbortController();
      const { signal } = controller;
      const onEpoch = () => controller.abort(); // before, there may be nothing to keep
      expect(await model.fitAsync(xor, xorLabels, { signal, keepPartial: true, onEpoch })).toBe(model);
      const { converged, stopReason, mistakes, mistakesByEpoch } = model.report;
      expect({ converged, stopReason }).toEqual({ converged: false, stopReason: 'aborted' });
      expect(mistakes).toBeGreaterThan(0);
      if (model.report.epochs <= 100_000) expect(mistakesByEpoch.reduce((a, b) => a + b, 0)).toBe(mistakes);
      expect(Perceptron.fromJSON(JSON.parse(JSON.stringify(model))).toJSON()).toEqual(model.toJSON());
      expect(model.partialFit(xor, xorLabels).report.mistakes).toBeGreaterThanOrEqual(mistakes);
      expect(defaultArena.usage.blocks).toBe(blocks);
    },
  );
}

test.each(['batch', 'random'] as const)(
  'order %s: an abort while all rows are looked at, before any update, keeps no empty model',
  async (order) => {
    const [rows, cols] = [4000, 4000]; // a look takes many slices
    const data = new Float32Array(rows * cols).fill(1);
    const labels = Array.from({ length: rows }, (_, i) => i % 2);
    const model = new Perceptron<number>({ engine: 'js', order, maxEpochs: 1e9 });
    const before = JSON.stringify(
      model.partialFit({ data: data.subarray(0, 2 * cols), rows: 2, cols }, [0, 1], { classes: [0, 1] }),
    );
    const controller = new AbortController();
    const promise = model.fitAsync({ data, rows, cols }, labels, {
      threads: 1,
      signal: controller.signal,
      keepPartial: true,
      onProgress: () => controller.abort(),
    });
    // Or the first update is made after all; but nothing that has learned nothing takes the model's place.
    const outcome: unknown = await promise.then(
      () => 'kept',
      (reason) => reason,
    );
    if (outcome === 'kept') expect(model.report.mistakes).toBeGreaterThan(0);
    else expect([outcome, JSON.stringify(model)]).toEqual([controller.signal.reason, before]);
  },
);

test('a reason of the caller’s own is what fitAsync rejects with', async () => {
  const reason = new Error('the user left');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 1);
  const promise = new Perceptron({ maxEpochs: 1e9 }).fitAsync(xor, xorLabels, { signal: controller.signal });
  expect(await rejection(promise)).toBe(reason);
});

test('fitAsync rejects with the errors that fit throws, and changes nothing', async () => {
  const model = new Perceptron<Any>().fit(X, y);
  const before = JSON.stringify(model);
  const { blocks } = defaultArena.usage;
  checkError(
    await rejection(
      model.fitAsync(
        [
          [1, NaN],
          [1, 2],
        ],
        [0, 1],
      ),
    ),
    RangeError,
    'X[0][1] is NaN',
  );
  checkError(
    await rejection(model.fitAsync({ data: Float64Array.of(1, 2, 3, Infinity), rows: 2, cols: 2 }, [0, 1])),
    RangeError,
    'X[1][1] is Infinity',
  );
  checkError(await rejection(model.fitAsync(X, [1, 1])), RangeError, 'y has 2 labels, X has 3 rows');
  checkError(await rejection(model.fitAsync([[1e308], [1e307]], [0, 1])), RangeError, /^training overflowed/);
  expect(JSON.stringify(model)).toBe(before);
  expect(defaultArena.usage.blocks).toBe(blocks);
});

// ---- callbacks that throw ---------------------------------------------------------------------------

for (const engine of engines) {
  test.each(orders)(
    `${engine}, order %s: a callback that throws ends the fit with its error and changes nothing`,
    async (order) => {
      const boom = new Error('boom');
      let armed = false;
      let calls = 0;
      const thrower = () => {
        if (armed && ++calls === 3) throw boom;
      };
      for (const callback of ['onUpdate', 'onEpoch']) {
        armed = false;
        const model = new Perceptron<number>({ engine, order, [callback]: thrower }).fit(X, y);
        const before = JSON.stringify(model);
        const usage = defaultArena.usage;
        const failing = [() => model.fit(xor, xorLabels), () => model.fitAsync(xor, xorLabels)];
        for (const fit of callback === 'onUpdate' ? failing : failing.slice(0, 1)) {
          armed = true;
          calls = 0;
          let error: unknown;
          try {
            await fit();
          } catch (thrown) {
            error = thrown;
          }
          expect(error).toBe(boom);
          expect(JSON.stringify(model)).toBe(before);
          expect(defaultArena.usage).toEqual(usage);
        }
        armed = false;
        expect(JSON.stringify(model.fit(X, y))).toBe(before);
      }
    },
  );

  test(`${engine}: fitAsync’s own onEpoch that throws changes nothing`, async () => {
    const boom = new Error('boom');
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const before = JSON.stringify(model);
    const usage = defaultArena.usage;
    const onEpoch = () => {
      throw boom;
    };
    expect(await rejection(model.fitAsync(xor, xorLabels, { onEpoch }))).toBe(boom);
    expect(JSON.stringify(model)).toBe(before);
    expect(defaultArena.usage).toEqual(usage);
  });
}

test('fit refuses what it would ignore, and predictOne takes one row', () => {
  const model = new Perceptron<number>() as unknown as { fit(...given: unknown[]): unknown };
  const rows = [[3], [-3]];
  expect(() => model.fit(rows, [1, -1], [0.5, 2])).toThrow(/^the options of fit must be an object/);
  const many = new MulticlassPerceptron<number>() as unknown as typeof model;
  expect(() => many.fit(rows, [1, -1], { precomputed: 1 })).toThrow(
    /^fit has no option "precomputed"; it has sampleWeight/,
  );
  const fitted = new Perceptron<number>().fit(rows, [1, -1]);
  expect(() => fitted.predictOne([[3]] as unknown as number[])).toThrow(
    new TypeError('x must be one row of numbers, got an array of rows'),
  );
});

test('describe does not claim a bracket for rows that were not trained on', () => {
  const rows = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const model = new Perceptron<string>().fit(rows, ['yes', 'yes', 'no']);
  expect(describe(model.report, model.diagnose([[9, 9]], ['yes']))).toMatch(
    /; margin 4\.52 on these rows, which are not those it was trained on/,
  );
});
