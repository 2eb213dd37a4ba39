// What goes wrong while the dual form trains: overflow, aborts, callbacks that throw.

import { expect, test, vi } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DualPerceptron,
  type DualPerceptronOptions,
  gram,
  NotFittedError,
  Perceptron,
} from '../../src/index.js';
import { someOf } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import {
  type Any,
  CUBIC,
  checkError,
  dualMethods,
  mixed,
  modes,
  orders,
  RBF,
  refuses,
  refusesDual,
  rejection,
  rowsFrom,
  X,
  y,
} from './refusals.js';

// ---- overflow ---------------------------------------------------------------------------------------

const steep = [
  [1, 0],
  [1e60, 0],
  [1e70, 0],
];
const SMALLER = 'scale X down, or use a smaller gamma, coef0 or degree';

for (const engine of engines) {
  test.each(orders)(`${engine}, order %s: a kernel that overflows is named, with its rows and a remedy`, (order) => {
    const message = new RegExp(
      `^the polynomial kernel of X (rows \\d and \\d|row \\d with itself) overflows to -?Infinity: ${SMALLER}$`,
    );
    const LINEAR = /^the linear kernel of X (rows \d and \d|row \d with itself) overflows to -?Infinity: scale X down$/;
    const DISTANT =
      /^the rbf kernel of X (rows \d and \d|row \d with itself) overflows to (NaN|Infinity): scale X down$/;
    const far = [
      [1e200, 1],
      [1, 1e200],
      [1, 1],
    ];
    for (const mode of modes) {
      for (const average of [false, true]) {
        const options = { engine, order, average, gram: mode };
        for (const warmStart of [false, true]) {
          const again = { ...options, warmStart };
          refusesDual((m) => m.fit(steep, [1, -1, 1]), RangeError, message, { ...again, kernel: CUBIC });
          refusesDual((m) => m.fit(far, [-1, -1, 1]), RangeError, LINEAR, again);
          refusesDual((m) => m.fit(far, [-1, -1, 1]), RangeError, DISTANT, { ...again, kernel: RBF });
        }
        refusesDual((m) => m.partialFit(steep, y), RangeError, message, { ...options, kernel: CUBIC });
      }
    }
  });

  test(`${engine}: the first rows that overflow are named exactly`, () => {
    for (const mode of modes) {
      refuses(
        () => new DualPerceptron({ engine, gram: mode, kernel: { type: 'polynomial' } }).fit(steep, [1, 0, 1]),
        RangeError,
        `the polynomial kernel of X rows 1 and 2 overflows to Infinity: ${SMALLER}`,
      );
    }
    refuses(
      () => gram(steep, { engine, kernel: { type: 'polynomial' } }),
      RangeError,
      `the polynomial kernel of X row 1 with itself overflows to Infinity: ${SMALLER}`,
    );
    refuses(
      () => gram([[1], [-2]], { engine, kernel: { type: 'polynomial', degree: 4294967295, gamma: 1 } }),
      RangeError,
      `the polynomial kernel of X rows 0 and 1 overflows to -Infinity: ${SMALLER}`,
    );
    refuses(
      () => gram([[1], [1e200]], { engine }),
      RangeError,
      'the linear kernel of X row 1 with itself overflows to Infinity: scale X down',
    );
    refuses(
      () => gram([[1], [1e200]], { engine, kernel: RBF }),
      RangeError,
      'the rbf kernel of X row 1 with itself overflows to NaN: scale X down',
    );
  });

  test.each(orders)(`${engine}, order %s: training that overflows says so and publishes nothing`, (order) => {
    const OVERFLOW =
      /^training overflowed: .* is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight$/;
    for (const mode of modes) {
      for (const average of [false, true]) {
        const options = { engine, order, average, gram: mode };
        const fit = (more: DualPerceptronOptions<number>, rows: number[][]) => () =>
          new DualPerceptron<number>({ ...options, ...more }).fit(rows, [0, 1]);
        refuses(fit({ learningRate: 1e300 }, [[1e100], [1e99]]), RangeError, OVERFLOW);
        refuses(fit({ classWeight: { 1: 1e308 } }, [[10], [20]]), RangeError, OVERFLOW);
        refuses(fit({ learningRate: 1e308, kernel: RBF, maxEpochs: 50 }, [[1], [1.001]]), RangeError, OVERFLOW);
        // The last update of all, with no score after it.
        refuses(fit({ maxEpochs: 1, learningRate: 1e305 }, [[1e2], [1e2]]), RangeError, OVERFLOW);
      }
    }
  });

  test(`${engine}: a mean that overflows ends the fit, as it does in primal form`, () => {
    const n = 1000;
    const rows = Array.from({ length: n }, (_, i) => [i % 2 ? -0.1 : 0.1]);
    const labels = rows.map(([x]) => ((x as number) > 0 ? 1 : -1));
    const options = { engine, average: true, learningRate: 1e306, fitIntercept: false };
    const message = /^training overflowed: /;
    refuses(() => new Perceptron<number>({ ...options }).fit(rows, labels), RangeError, message);
    for (const mode of modes) {
      refuses(() => new DualPerceptron<number>({ ...options, gram: mode }).fit(rows, labels), RangeError, message);
    }
  });

  test(`${engine}: a score that overflows at prediction names the row`, () => {
    const huge = [
      [1, 1],
      [1e150, 1e150],
    ];
    for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose']) {
      refusesDual(
        (m) => dualMethods[method]?.(m, huge, [1, -1]),
        RangeError,
        /^the score of X row 1 is (NaN|-?Infinity): its values are too large$/,
        { engine, kernel: CUBIC },
      );
    }
    const model = new DualPerceptron({ engine }).fit([[1e10], [-1e10]], [1, 0]);
    const message = 'the score of X row 1 is Infinity: its values are too large';
    for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose']) {
      refuses(() => dualMethods[method]?.(model, [[1], [1e308]], [1, 0]), RangeError, message);
    }
    refuses(() => model.predictOne([1e308]), RangeError, 'the score of x is Infinity: its values are too large');
    // However far down: rows are scored in parts.
    const many = Array.from({ length: 1000 }, (_, i) => [i === 900 ? 1e200 : i]);
    const bent = new DualPerceptron({ engine, kernel: RBF }).fit([[1], [-1]], [1, 0]);
    const far = 'the rbf kernel of X row 900 with itself overflows to NaN: scale X down';
    refuses(() => bent.predict(many), RangeError, far);
  });

  test(`${engine}: predictOne speaks of x, whatever the kernel`, () => {
    const message = /^the score of x is (NaN|-?Infinity): its values are too large$/;
    refusesDual((m) => m.predictOne([1e150, 1e150]), RangeError, message, { engine, kernel: CUBIC });
  });

  test(`${engine}: explain does not answer with NaN`, () => {
    // predictOne refuses the same x; α times a kernel that has overflowed explains nothing.
    refusesDual((m) => m.explain([1e150, 1e150]), RangeError, /too large|overflows/, { engine, kernel: CUBIC });
  });
}

// ---- aborts, and callbacks that throw ---------------------------------------------------------------

// In memories of their own: matrices that other tests forgot may be collected while these wait.

for (const kind of engines) {
  test.each(modes)(`${kind}, gram '%s': an abort changes nothing and leaves nothing behind`, async (mode) => {
    // The same rows with both labels: it never ends by itself.
    const rows = [...rowsFrom(0, 60), ...rowsFrom(0, 60)];
    const labels = [...mixed(60), ...mixed(60).map((label) => -label)];
    for (const order of orders) {
      const engine = createEngine({ kind });
      const model = new DualPerceptron<number>({ engine, order, gram: mode, kernel: RBF, maxEpochs: 1e9 }).fit(X, y);
      const before = JSON.stringify(model);
      checkAbort(await rejection(model.fitAsync(rows, labels, { signal: AbortSignal.abort() })));
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1);
      const promise = model.fitAsync(rows, labels, { signal: controller.signal });
      expect(await rejection(promise)).toBe(controller.signal.reason);
      expect(JSON.stringify(model)).toBe(before);
      expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
    }
  });

  test.each(modes)(
    `${kind}, gram '%s': keepPartial keeps what an aborted fit has learned, ready to go on`,
    async (mode) => {
      const rows = [...rowsFrom(0, 60), ...rowsFrom(0, 60)];
      const labels = [...mixed(60), ...mixed(60).map((label) => -label)];
      for (const order of orders) {
        const engine = createEngine({ kind });
        const model = new DualPerceptron<number>({ engine, order, gram: mode, kernel: RBF, maxEpochs: 1e9 });
        const controller = new AbortController();
        const { signal } = controller;
        const onEpoch = () => controller.abort(); // before, there may be nothing to keep
        await model.fitAsync(rows, labels, { signal, keepPartial: true, onEpoch });
        expect(model.report.stopReason).toBe('aborted');
        expect(model.updateCounts.reduce((a, b) => a + b, 0)).toBe(model.report.mistakes);
        const copy = DualPerceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
        expect(copy.toJSON()).toEqual(model.toJSON());
        expect(JSON.stringify(copy.partialFit(rows, labels))).toBe(JSON.stringify(model.partialFit(rows, labels)));
        expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
      }
    },
  );

  const sliced = kind === 'wasm-simd' ? modes : someOf(modes, []); // the slices are the same on all engines
  test.each(sliced)(`${kind}, gram '%s': whichever slice an abort comes in, nothing stays behind`, async (mode) => {
    const rows = rowsFrom(0, 12);
    const labels = mixed(12);
    const engine = createEngine({ kind });
    // Time flies: every chance to let others have their turn is taken.
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      clock += 100;
      return clock;
    });
    try {
      for (const [what, start, end] of [
        ['fresh rows', 0, 0],
        ['the same rows again', 0, 12],
        ['other rows', 30, 12],
      ] as const) {
        for (const keepPartial of [false, true]) {
          let kept = 0;
          for (let slices = 1, isAborted = true; isAborted && slices < 300; slices++) {
            const options = { engine, gram: mode, kernel: RBF, warmStart: true, maxEpochs: 2 };
            const model = new DualPerceptron<number>({ ...options, classes: [-1, 1] });
            if (end > 0) model.fit(rows, labels);
            const before = end > 0 ? JSON.stringify(model) : '';
            const signal = signalAfter(slices);
            const promise = model.fitAsync(rowsFrom(start, 12), labels, { signal: signal as Any, keepPartial });
            const error = await rejection(promise);
            isAborted = signal.isAborted();
            const at = `${what}, aborted in slice ${slices}`;
            if (isAborted && !(keepPartial && error === undefined)) {
              expect(error, at).toBe(signal.reason);
              if (before) expect(JSON.stringify(model), at).toBe(before);
              else expect(() => model.report, at).toThrow(NotFittedError);
            } else {
              expect(error, at).toBeUndefined();
              if (isAborted) kept++;
              const copy = DualPerceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
              expect(JSON.stringify(copy), at).toBe(JSON.stringify(model));
              const [own, others] = [model, copy].map((m) => JSON.stringify(m.partialFit(rowsFrom(start, 12), labels)));
              expect(others, at).toBe(own);
            }
            expect(resolveEngine(engine).arena.usage.blocks, at).toBe(0);
          }
          // With the whole matrix at hand, training is one call of a kernel: there is nothing to keep before it.
          if (keepPartial && mode === 'rows') expect(kept).toBeGreaterThan(3);
        }
      }
    } finally {
      now.mockRestore();
    }
  });

  test.each(orders)(
    `${kind}, order %s: a callback that throws ends the fit with its error and changes nothing`,
    async (order) => {
      const boom = new Error('boom');
      let armed = false;
      let calls = 0;
      const thrower = () => {
        if (armed && ++calls === 3) throw boom;
      };
      const rows = rowsFrom(0, 30);
      const labels = mixed(30);
      for (const mode of modes) {
        for (const callback of ['onUpdate', 'onEpoch']) {
          armed = false;
          const engine = createEngine({ kind });
          const options = { engine, order, gram: mode, kernel: RBF, maxEpochs: 4, margin: 5, [callback]: thrower };
          const model = new DualPerceptron<number>(options).fit(X, y);
          const before = JSON.stringify(model);
          for (const fit of [() => model.fit(rows, labels), () => model.fitAsync(rows, labels)]) {
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
            expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
          }
        }
      }
    },
  );
}

/** Like an AbortSignal that is aborted once it was asked so many times. */
function signalAfter(slices: number) {
  const reason = new Error('enough');
  let asked = 0;
  const own = {
    reason: { value: reason },
    isAborted: { value: () => asked >= slices },
    aborted: { get: () => ++asked >= slices },
    throwIfAborted: {
      value: () => {
        if (asked >= slices) throw reason;
      },
    },
  };
  return Object.defineProperties(new AbortController().signal, own) as AbortSignal & { isAborted(): boolean };
}

function checkAbort(error: Any): void {
  expect(error).toMatchObject({ name: 'AbortError' });
}

test('fitAsync rejects with the errors that fit throws, and changes nothing', async () => {
  const engine = createEngine();
  const model = new DualPerceptron<Any>({ engine, kernel: CUBIC }).fit(X, y);
  const before = JSON.stringify(model);
  const flat = { data: Float64Array.of(1, 2, 3, Infinity), rows: 2, cols: 2 };
  checkError(await rejection(model.fitAsync(flat, [0, 1])), RangeError, 'X[1][1] is Infinity');
  checkError(await rejection(model.fitAsync(X, [1, 1])), RangeError, 'y has 2 labels, X has 3 rows');
  checkError(await rejection(model.fitAsync(steep, [0, 1, 0])), RangeError, /^the polynomial kernel of X row/);
  const small = new DualPerceptron({ engine, gram: 'full', maxGramBytes: 1 });
  checkError(await rejection(small.fitAsync(X, y)), RangeError, /^gram: 'full' needs 72 bytes/);
  expect(JSON.stringify(model)).toBe(before);
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
});
