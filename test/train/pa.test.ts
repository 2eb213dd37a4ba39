// Passive-aggressive updates (SPEC §15) against the textbook, and the rule `tol`.

import { describe, expect, test } from 'vitest';
import {
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  SparseMatrix,
} from '../../src/index.js';
import '../../src/scalar.js';

const N = 60;
const X = Array.from({ length: N }, (_, i) => [Math.sin(i), Math.cos(i * i), ((i * 7) % 11) - 5]);
const y = X.map(([a, b, c], i) => ((i % 10 === 0 ? -1 : 1) * (a! + b! + 0.1 * c!) > 0 ? 1 : -1));
const ENGINES = ['wasm-simd', 'wasm-scalar', 'js'] as const;

/** Crammer et al. 2006, one sample after another. */
function oracle(rule: 'pa1' | 'pa2', C: number, epochs: number, B: number, weights?: number[]) {
  let [w, b, updates] = [[0, 0, 0], 0, 0];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = 0; i < N; i++) {
      const x = X[i]!;
      const m = y[i]! * (x.reduce((sum, v, k) => sum + v * w[k]!, 0) + b);
      if (m >= 1) continue;
      const q = x.reduce((sum, v) => sum + v * v, B * B);
      const tau = rule === 'pa1' ? Math.min(C, (1 - m) / q) : (1 - m) / (q + 1 / (2 * C));
      const step = tau * (weights?.[i] ?? 1) * y[i]!;
      w = w.map((v, k) => v + step * x[k]!);
      b += step * B * B;
      updates++;
    }
  }
  return { w, b, updates };
}

describe.each(['pa1', 'pa2'] as const)('update %s', (update) => {
  test.each([0.01, 1, update === 'pa1' ? Infinity : 100])('is the textbook with C = %d', (aggressiveness) => {
    const model = new Perceptron<number>({ update, aggressiveness, maxEpochs: 5, interceptScaling: 2 }).fit(X, y);
    const { w, b, updates } = oracle(update, aggressiveness, 5, 2);
    Array.from(model.weights).forEach((value, k) => {
      expect(value).toBeCloseTo(w[k]!, 10);
    });
    expect(model.bias).toBeCloseTo(b, 10);
    expect(model.report.mistakes).toBe(updates);
  });

  test('rows have weights', () => {
    const sampleWeight = X.map((_, i) => 0.5 + (i % 3));
    const model = new Perceptron<number>({ update, maxEpochs: 3 }).fit(X, y, { sampleWeight });
    const { w } = oracle(update, 1, 3, 1, sampleWeight);
    Array.from(model.weights).forEach((value, k) => {
      expect(value).toBeCloseTo(w[k]!, 10);
    });
  });

  test.each(['cyclic', 'shuffle', 'random'] as const)(
    'engines, storages and threads agree to the bit: %s',
    async (order) => {
      const options = { update, order, maxEpochs: 4, average: true } as const;
      const first = JSON.stringify(new Perceptron<number>({ ...options, engine: 'js' }).fit(X, y));
      for (const engine of ENGINES) {
        expect(JSON.stringify(new Perceptron<number>({ ...options, engine }).fit(X, y))).toBe(first);
        expect(JSON.stringify(new Perceptron<number>({ ...options, engine }).fit(SparseMatrix.fromDense(X), y))).toBe(
          first,
        );
      }
      const dual = ENGINES.map((engine) =>
        JSON.stringify(
          new DualPerceptron<number>({ ...options, engine, kernel: { type: 'polynomial', degree: 2, coef0: 1 } }).fit(
            X,
            y,
          ),
        ),
      );
      expect(new Set(dual).size).toBe(1);
      const many = ENGINES.map((engine) =>
        JSON.stringify(
          new MulticlassPerceptron({ ...options, engine }).fit(
            X,
            y.map((label, i) => label + (i % 2)),
          ),
        ),
      );
      expect(new Set(many).size).toBe(1);
      expect(JSON.stringify(await new Perceptron<number>(options).fitAsync(X, y, { threads: 2 }))).toBe(first);
    },
  );

  test('the dual form has the plane of the primal form', () => {
    const options = { update, maxEpochs: 5 } as const;
    const [primal, dual] = [new Perceptron<number>(options).fit(X, y), new DualPerceptron<number>(options).fit(X, y)];
    Array.from(primal.weights).forEach((value, k) => {
      expect(dual.weights[k]).toBeCloseTo(value, 10);
    });
    expect(dual.report.mistakes).toBe(primal.report.mistakes);
  });

  test('training continues from a file to the bit', () => {
    const options = { update, aggressiveness: 0.5, order: 'shuffle', average: true, warmStart: true } as const;
    const whole = new Perceptron<number>({ ...options, maxEpochs: 10 }).fit(X, y);
    const half = new Perceptron<number>({ ...options, maxEpochs: 5 }).fit(X, y);
    const loaded = loadModel<number>(JSON.parse(JSON.stringify(half))).fit(X, y) as Perceptron<number>;
    expect(loaded.weights).toEqual(whole.weights);
    expect(loaded.bias).toBe(whole.bias);
  });

  test('no mistake bound is claimed, and the bracket holds', () => {
    const { mistakeBound, margin } = new Perceptron<number>({ update, maxEpochs: 5 }).fit(X, y).diagnose(X, y);
    expect(mistakeBound).toBeNull();
    expect(margin.lower).toBeLessThanOrEqual(margin.upper);
  });

  test('a row without length is passed over', () => {
    const rows = [
      [0, 0],
      [1, 0],
      [0, 0],
      [-1, 1],
    ];
    for (const engine of ENGINES) {
      const options = { update, fitIntercept: false, maxEpochs: 50, engine } as const;
      const model = new Perceptron<number>(options).fit(rows, [1, 1, -1, -1]);
      expect(model.hardest(4).every(({ index }) => index === 1 || index === 3)).toBe(true);
      expect(new DualPerceptron<number>(options).fit(rows, [1, 1, -1, -1]).report.mistakes).toBe(model.report.mistakes);
      expect(
        new Perceptron<number>({ ...options, order: 'random' })
          .fit(rows, [1, 1, -1, -1])
          .weights.every(Number.isFinite),
      ).toBe(true);
    }
  });

  test.each([
    [{ margin: 1 }, /does not go with "margin"/],
    [{ learningRate: 2 }, /does not go with "learningRate"/],
    [{ order: 'batch' as const }, /does not go with order 'batch'/],
    [{ aggressiveness: 0 }, /"aggressiveness" must be a number > 0, or Infinity, got 0/],
  ])('refuses %j', (more, message) => {
    expect(() => new Perceptron({ update, ...more })).toThrow(message);
  });

  test('refuses the pocket and multinomial', () => {
    expect(() => new PocketPerceptron({ update })).toThrow(/does not go with a pocket/);
    expect(() => new DualPerceptron({ update, pocket: true })).toThrow(/does not go with a pocket/);
    expect(() => new MulticlassPerceptron({ update, strategy: 'multinomial' })).toThrow(/strategy 'multinomial'/);
  });
});

test('aggressiveness: Infinity is saved, and refused with pa2 and without an update', () => {
  const model = new Perceptron<number>({ update: 'pa1', aggressiveness: Infinity, maxEpochs: 2 }).fit(X, y);
  const again = loadModel<number>(JSON.parse(JSON.stringify(model)));
  expect(JSON.stringify(again)).toBe(JSON.stringify(model));
  expect(() => new Perceptron({ update: 'pa2', aggressiveness: Infinity })).toThrow(/finite number with update 'pa2'/);
  expect(() => new Perceptron({ aggressiveness: 2 })).toThrow(/goes with update 'pa1' or 'pa2'/);
});

describe('tol', () => {
  test('stops when the loss of an epoch no longer falls, as scikit-learn does', () => {
    const losses: number[] = [];
    const options = { maxEpochs: 500, tol: 1e-3, patience: 3 };
    const model = new Perceptron<number>({ ...options, onEpoch: ({ loss }) => void losses.push(loss) }).fit(X, y);
    let [best, waited, epochs] = [Infinity, 0, 0];
    for (const loss of losses) {
      epochs++;
      waited = loss > best - 1e-3 * N ? waited + 1 : 0;
      best = Math.min(best, loss);
      if (waited >= 3) break;
    }
    expect(model.report).toMatchObject({ stopReason: 'no-progress', epochs, converged: false });
    expect(losses).toHaveLength(epochs);
    expect(new Perceptron<number>(options).fit(X, y).weights).toEqual(model.weights);
  });

  test('"patience" needs it, or rows held out', () => {
    expect(() => new Perceptron({ patience: 3 })).toThrow(/"patience" needs a "validationFraction" or a "tol"/);
    expect(() => new Perceptron({ tol: -1 })).toThrow(/"tol" must be a number ≥ 0, got -1/);
  });
});
