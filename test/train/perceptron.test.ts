// The primal trainer against the textbook (test/oracle.ts), on every engine and option.

import { describe, expect, test, vi } from 'vitest';
import { DenseMatrix, Perceptron, type PerceptronOptions, SparseMatrix } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';
import { perceptron } from '../oracle.js';
import { integers } from '../samples.js';
import { turnsDuring } from '../turns.js';

function traceOf(options: PerceptronOptions<number>, X: number[][], y: number[]) {
  const trace: number[] = [];
  const model = new Perceptron<number>({ ...options, onUpdate: ({ index }) => trace.push(index) }).fit(X, y);
  return { model, trace };
}

describe.each(engines)('%s', (engine) => {
  // Shapes around the group sizes 1, 4, 8, 12; noise from none to half: rare and dense mistakes.
  const shapes = [1, 2, 3, 4, 5, 8, 9, 12, 13, 31, 67].flatMap((cols) => [0, 10, 50].map((noise) => ({ cols, noise })));
  test.each(shapes)('makes the textbook mistakes in cyclic order, $cols columns, $noise % noise', ({ cols, noise }) => {
    const { X, y } = integers(40, cols, cols * 100 + noise, noise);
    const expected = perceptron(X, y, { epochs: 30 });
    const { model, trace } = traceOf({ engine, maxEpochs: 30 }, X, y);
    expect(trace).toEqual(expected.trace);
    const untraced = new Perceptron({ engine, maxEpochs: 30 }).fit(X, y);
    for (const m of [model, untraced]) {
      expect([...m.weights]).toEqual(expected.w);
      expect(m.bias).toBe(expected.b);
      expect(m.report.mistakesByEpoch).toEqual(expected.mistakesByEpoch);
      expect(m.report.epochs).toBe(expected.mistakesByEpoch.length);
      expect(m.report.mistakes).toBe(expected.trace.length);
      expect(m.report.converged).toBe(expected.mistakesByEpoch.at(-1) === 0);
    }
  });

  test('margin, learning rate, intercept scaling, class weights and a start of its own follow the textbook', () => {
    const { X, y } = integers(60, 7, 5, 20);
    const w0 = [1, -2, 3, 0, 0, 4, 5];
    const weight = (label: number) => (label > 0 ? 4 : 0.5);
    const expected = perceptron(X, y, { eta: 0.25, mu: 8, B: 2, c: weight, w0, b0: 3, epochs: 9 });
    const { model, trace } = traceOf(
      {
        engine,
        learningRate: 0.25,
        margin: 8,
        interceptScaling: 2,
        classWeight: { 1: 4, '-1': 0.5 },
        initialWeights: w0,
        initialBias: 3,
        maxEpochs: 9,
      },
      X,
      y,
    );
    expect(trace).toEqual(expected.trace);
    expect([...model.weights, model.bias]).toEqual([...expected.w, expected.b]);
  });

  test('without an intercept the bias stays 0', () => {
    const { X, y } = integers(60, 7, 6, 10);
    const expected = perceptron(X, y, { B: 0, epochs: 9 });
    const { model, trace } = traceOf({ engine, fitIntercept: false, maxEpochs: 9 }, X, y);
    expect(trace).toEqual(expected.trace);
    expect([...model.weights, model.bias]).toEqual([...expected.w, 0]);
  });

  test('shuffle visits a fresh permutation each epoch, drawn as SPEC §12 says', () => {
    const { X, y } = integers(50, 6, 8, 15);
    const random = Random.seeded(42);
    const orders = Array.from({ length: 12 }, () => {
      const order = Uint32Array.from({ length: 50 }, (_, i) => i);
      random.shuffle(order);
      return [...order];
    });
    const expected = perceptron(X, y, { epochs: 12, orders });
    const { model, trace } = traceOf({ engine, order: 'shuffle', seed: 42, maxEpochs: 12 }, X, y);
    expect(trace).toEqual(expected.trace);
    expect([...model.weights, model.bias]).toEqual([...expected.w, expected.b]);
  });

  test('random draws uniformly among all mistakes of the moment', () => {
    const { X, y } = integers(30, 5, 9);
    const random = Random.seeded(3);
    const [w, expected] = [[0, 0, 0, 0, 0], [] as number[]];
    let b = 0;
    for (let updates = 0; updates < 30 * 20; updates++) {
      const wrong = X.flatMap((x, i) =>
        (y[i] as number) * (x.reduce((s, v, k) => s + v * (w[k] as number), 0) + b) > 0 ? [] : [i],
      );
      if (wrong.length === 0) break;
      const i = wrong[random.below(wrong.length)] as number;
      X[i]?.forEach((v, k) => {
        w[k] = (w[k] as number) + (y[i] as number) * v;
      });
      b += y[i] as number;
      expected.push(i);
    }
    const { model, trace } = traceOf({ engine, order: 'random', seed: 3, maxEpochs: 20 }, X, y);
    expect(trace).toEqual(expected);
    expect([...model.weights, model.bias]).toEqual([...w, b]);
    expect(model.report.epochs).toBe(Math.ceil(expected.length / 30));
    expect(model.report.mistakesByEpoch.reduce((s, m) => s + m, 0)).toBe(expected.length);
  });

  test('batch makes one gradient step an epoch', () => {
    const { X, y } = integers(30, 5, 10);
    const w = [0, 0, 0, 0, 0];
    let b = 0;
    const counts: number[] = [];
    for (let epoch = 0; epoch < 40 && counts.at(-1) !== 0; epoch++) {
      const wrong = X.flatMap((x, i) =>
        (y[i] as number) * (x.reduce((s, v, k) => s + v * (w[k] as number), 0) + b) > 0 ? [] : [i],
      );
      for (const i of wrong) {
        X[i]?.forEach((v, k) => {
          w[k] = (w[k] as number) + (y[i] as number) * v;
        });
        b += y[i] as number;
      }
      counts.push(wrong.length);
    }
    const model = new Perceptron({ engine, order: 'batch', maxEpochs: 40 }).fit(X, y);
    expect([...model.weights, model.bias]).toEqual([...w, b]);
    expect(model.report.mistakesByEpoch).toEqual(counts);
    expect(model.diagnose(X, y).mistakeBound).toBeNull();
  });

  test.each([0, 20])('averaged weights are the mean over every sample seen, %s %% noise', (noise) => {
    const { X, y } = integers(40, 6, 11, noise);
    const { seen, mistakesByEpoch } = perceptron(X, y, { epochs: 10 });
    const mean = (pick: (at: { w: number[]; b: number }) => number) =>
      seen.reduce((s, at) => s + pick(at), 0) / seen.length;
    const model = new Perceptron({ engine, average: true, maxEpochs: 10 }).fit(X, y);
    expect([...model.weights]).toEqual([0, 1, 2, 3, 4, 5].map((k) => mean(({ w }) => w[k] as number)));
    expect(model.bias).toBe(mean(({ b }) => b));
    expect(model.report.mistakesByEpoch).toEqual(mistakesByEpoch);
  });

  test('in random order the average is over updates', () => {
    const { X, y } = integers(20, 3, 12);
    const after: number[][] = [];
    const options = { engine, order: 'random', maxEpochs: 3, seed: 5 } as const;
    new Perceptron({ ...options, onUpdate: ({ weights, bias }) => after.push([...(weights ?? []), bias]) }).fit(X, y);
    const model = new Perceptron({ ...options, average: true }).fit(X, y);
    const mean = [0, 1, 2, 3].map((k) => after.reduce((s, at) => s + (at[k] as number), 0) / after.length);
    expect([...model.weights, model.bias]).toEqual(mean);
  });

  test('float32 rows give the bits of the same values in float64', () => {
    const random = Random.seeded(13);
    const data = Float32Array.from({ length: 50 * 33 }, () => random.next() / 2 ** 31 - 1);
    const y = Array.from({ length: 50 }, (_, i) => (i * 7) % 3 > 0);
    const fit = (rows: { data: Float32Array | Float64Array; rows: number; cols: number } | DenseMatrix) =>
      JSON.stringify(new Perceptron({ engine, maxEpochs: 20, average: true }).fit(rows, y));
    const expected = fit({ data: Float64Array.from(data), rows: 50, cols: 33 });
    expect(fit({ data, rows: 50, cols: 33 })).toBe(expected);
    using matrix = DenseMatrix.from({ data, rows: 50, cols: 33 }, { dtype: 'float32' });
    expect(fit(matrix)).toBe(expected);
  });

  test('onEpoch sees mistakes and loss of each pass, a snapshot that stays, and stops the fit with false', () => {
    const { X, y } = integers(40, 6, 14, 30);
    const seen: { epoch: number; mistakes: number; loss: number }[] = [];
    let kept: { weights: Float64Array; json: string } | undefined;
    const model = new Perceptron({
      engine,
      onEpoch({ epoch, mistakes, loss, elapsedMs, snapshot }) {
        expect(elapsedMs).toBeGreaterThanOrEqual(0);
        seen.push({ epoch, mistakes, loss });
        if (epoch === 3) kept = { weights: snapshot().weights, json: JSON.stringify(snapshot()) };
        return epoch < 5;
      },
    }).fit(X, y);
    expect(seen.map((e) => e.epoch)).toEqual([1, 2, 3, 4, 5]);
    expect(model.report).toMatchObject({ epochs: 5, stopReason: 'stopped', converged: false });
    expect(seen.map((e) => e.mistakes)).toEqual(model.report.mistakesByEpoch);
    const three = new Perceptron({ engine, maxEpochs: 3 }).fit(X, y);
    expect(kept?.weights).toEqual(three.weights);
    for (const { loss } of seen) expect(loss).toBeGreaterThanOrEqual(0);
    // Loss of the first pass, from its definition (SPEC §11): −Σ y·s of the mistakes, before their updates.
    const w = [0, 0, 0, 0, 0, 0];
    let [b, loss] = [0, 0];
    X.forEach((x, i) => {
      const m = (y[i] as number) * (x.reduce((s, v, k) => s + v * (w[k] as number), 0) + b);
      if (m > 0) return;
      loss -= m;
      x.forEach((v, k) => {
        w[k] = (w[k] as number) + (y[i] as number) * v;
      });
      b += y[i] as number;
    });
    expect(seen[0]?.loss).toBe(loss);
  });

  test('early stopping holds rows out and stops when they gain nothing', () => {
    const { X, y } = integers(200, 6, 15, 25);
    const options = { engine, order: 'shuffle', validationFraction: 0.25, patience: 3, maxEpochs: 500 } as const;
    const model = new Perceptron(options).fit(X, y);
    expect(model.report.stopReason).toBe('early-stop');
    expect(model.report.epochs).toBeLessThan(500);
    expect(JSON.stringify(new Perceptron(options).fit(X, y))).toBe(JSON.stringify(model));
  });

  test('partialFit, a pass at a time, equals one fit', () => {
    const { X, y } = integers(40, 6, 16, 30);
    const whole = new Perceptron<number>({ engine, maxEpochs: 4, average: true }).fit(X, y);
    const blocks = new Perceptron<number>({ engine, average: true });
    for (let epoch = 0; epoch < 4; epoch++) blocks.partialFit(X, y, { classes: [1, -1] });
    expect([...blocks.weights, blocks.bias]).toEqual([...whole.weights, whole.bias]);
    // The same rows in two blocks are one pass in cyclic order.
    const halves = new Perceptron<number>({ engine, average: true, classes: [-1, 1] });
    for (let epoch = 0; epoch < 4; epoch++) {
      halves.partialFit(X.slice(0, 17), y.slice(0, 17)).partialFit(X.slice(17), y.slice(17));
    }
    expect([...halves.weights, halves.bias]).toEqual([...whole.weights, whole.bias]);
  });

  test.each(['cyclic', 'shuffle', 'random', 'batch'] as const)('partialFit in order %s holds nothing out', (order) => {
    const { X, y } = integers(30, 4, 20, 10);
    const fit = (options: PerceptronOptions<number>) => {
      const model = new Perceptron<number>({ engine, order, classes: [-1, 1], ...options });
      for (let i = 0; i < 5; i++) model.partialFit(X, y);
      return [...model.weights, model.bias, model.report.mistakes];
    };
    expect(fit({ validationFraction: 0.3 })).toEqual(fit({}));
  });

  test.each(['cyclic', 'random', 'batch'] as const)(
    'a mean broken off in order %s is the mean so far',
    async (order) => {
      const { X, y } = integers(3000, 40, 21, 30);
      const stop = new AbortController();
      const sum = new Array<number>(41).fill(0);
      let [updates, passes] = [0, 0];
      const model = await new Perceptron<number>({
        engine,
        order,
        average: true,
        onUpdate({ weights, bias }) {
          for (const [k, w] of [...(weights ?? []), bias].entries()) sum[k] = sum[k]! + w;
          if (++updates === 100) stop.abort();
        },
        onEpoch({ epoch }) {
          passes = epoch;
        },
      }).fitAsync(X, y, { signal: stop.signal, keepPartial: true });
      expect(model.report.stopReason).toBe('aborted');
      const { seen } = model.toJSON().training;
      if (order === 'random') {
        expect(seen).toBe(model.report.mistakes);
        expect([...model.weights, model.bias]).toEqual(sum.map((s) => expect.closeTo(s / seen, 9)));
      } else {
        expect(seen).toBeGreaterThanOrEqual(order === 'batch' ? passes : passes * 3000);
        expect(seen).toBeLessThanOrEqual(order === 'batch' ? passes + 1 : (passes + 1) * 3000);
      }
    },
  );

  test('a sorted y is pointed out, columns of very different size too', () => {
    const { X, y } = integers(60, 4, 17, 30);
    const sorted = [...y.keys()].sort((i, j) => (y[i] as number) - (y[j] as number));
    const big = (rows: number[]) => rows.map((i) => (X[i] as number[]).map((v, k) => (k === 2 ? v * 10_000 : v)));
    const fit = (order: 'cyclic' | 'shuffle', rows: number[]) =>
      new Perceptron({ engine, order, maxEpochs: 5 })
        .fit(
          big(rows),
          rows.map((i) => y[i] as number),
        )
        .report.advice.map((a) => a.code);
    expect(fit('cyclic', sorted)).toEqual(['sorted-labels', 'unscaled', 'not-separated']);
    expect(fit('shuffle', sorted)).toEqual(['unscaled', 'not-separated']);
    expect(fit('cyclic', [...y.keys()])).toEqual(['unscaled', 'not-separated']);
  });

  test('advice says that the constant feature drowns rows that are short and mostly zeros, whatever their storage', () => {
    const X = Array.from({ length: 40 }, (_, i) => Array.from({ length: 8 }, (_, k) => (k === i % 8 ? 1 : 0)));
    const y = X.map((_, i) => (i * 7) % 3 > 0);
    const advice = (options: object, rows: number[][] | SparseMatrix = X) =>
      new Perceptron({ engine, maxEpochs: 5, ...options })
        .fit(rows, y)
        .report.advice.map((a) => a.message)
        .join(' ');
    const short = 'the constant feature 1 drowns such short rows, so interceptScaling: 0.1 helps, and average';
    expect(advice({})).toContain(short);
    expect(advice({}, SparseMatrix.fromDense(X))).toBe(advice({}));
    for (const options of [{ fitIntercept: false }, { interceptScaling: 0.1 }]) {
      expect(advice(options)).not.toContain('constant feature');
    }
    expect(
      advice(
        {},
        X.map((row) => row.map((v) => 3 * v)),
      ),
    ).not.toContain('constant feature'); // long rows
    expect(
      advice(
        {},
        X.map((row) => row.map((v) => v + 0.1)),
      ),
    ).not.toContain('constant feature'); // no zeros
  });

  test('fitAsync gives the bits of fit, and reports at a human rate', async () => {
    const { X, y } = integers(400, 50, 18, 30);
    const sync = new Perceptron({ engine, maxEpochs: 400 }).fit(X, y);
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock++); // ms
    const times: number[] = [];
    const model = await new Perceptron({ engine, maxEpochs: 400 }).fitAsync(X, y, {
      onEpoch: (e) => void times.push(e.elapsedMs),
    });
    now.mockRestore();
    expect(JSON.stringify(model)).toBe(JSON.stringify(sync));
    expect(times.length).toBeGreaterThan(1);
    // The last epoch is told in any case.
    times.slice(1, -1).forEach((t, i) => {
      expect(t - (times[i] as number)).toBeGreaterThanOrEqual(50);
    });
  });

  test('fitAsync lets the event loop turn', async () => {
    const { X, y } = integers(400, 50, 18, 30);
    const model = new Perceptron({ engine, maxEpochs: 1e9 });
    const stop = new AbortController();
    const fit = () => model.fitAsync(X, y, { signal: stop.signal, keepPartial: true });
    await turnsDuring(fit, (turns) => turns === 5 && stop.abort());
    expect(model.report.stopReason).toBe('aborted');
  });

  test.each(['cyclic', 'shuffle', 'random', 'batch'] as const)(
    'fitAsync in slices equals fit in order %s',
    async (order) => {
      const { X, y } = integers(50, 9, 19, 20);
      const options = { engine, order, maxEpochs: 7, average: true } as const;
      const model = await new Perceptron(options).fitAsync(X, y);
      expect(JSON.stringify(model)).toBe(JSON.stringify(new Perceptron(options).fit(X, y)));
    },
  );
});

test('explain gives each feature its part, the weightiest first', () => {
  const model = new Perceptron({ featureNames: ['width', 'height'] }).fit(
    [
      [3, 3],
      [4, 3],
      [1, 1],
    ],
    [1, 1, -1],
  );
  expect(model.explain([2, -5])).toEqual([
    { index: 1, name: 'height', contribution: -5 },
    { index: 0, name: 'width', contribution: 2 },
  ]);
});

test('explain lists the 20 largest parts unless told, and leaves zeros out', () => {
  const cols = 30;
  const initialWeights = Array.from({ length: cols }, (_, k) => (k % 3 === 0 ? 0 : k));
  const model = new Perceptron({ initialWeights, maxEpochs: 1 }).fit([new Array(cols).fill(0), initialWeights], [0, 1]);
  const ones = new Array(cols).fill(1);
  const { weights } = model;
  const all = [...weights.keys()].filter((k) => weights[k] !== 0).sort((a, b) => b - a);
  expect(all.length).toBe(20);
  const wide = new Perceptron({ initialWeights: ones.map((_, k) => k + 1), maxEpochs: 1 }).fit(
    [ones, ones.map(() => -1)],
    [1, 0],
  );
  expect(model.explain(ones, { top: Infinity }).map(({ index }) => index)).toEqual(all);
  expect(wide.explain(ones).map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, k) => 29 - k));
  expect(wide.explain(ones, { top: 2 }).map(({ index }) => index)).toEqual([29, 28]);
  expect(wide.explain(ones, { top: Infinity })).toHaveLength(cols);
  expect(wide.explain(ones, {})).toEqual(wide.explain(ones, { top: 20 }));
});

test('a tie goes to the second class, as SPEC §1 says', () => {
  const model = new Perceptron({ initialWeights: [1], initialBias: 0, maxEpochs: 1 }).fit([[1], [-1]], ['b', 'a']);
  expect(model.predict([[0]])).toEqual(['b']);
  expect(model.predictOne([0])).toBe('b');
});

test('XOR is reported as not separated, and does not hang', () => {
  const model = new Perceptron({ maxEpochs: 200 }).fit(
    [
      [0, 0],
      [1, 1],
      [0, 1],
      [1, 0],
    ],
    [-1, -1, 1, 1],
  );
  expect(model.report).toMatchObject({ converged: false, stopReason: 'max-epochs', epochs: 200 });
  expect(model.report.advice.map((a) => a.code)).toContain('not-separated');
});

test('fitAsync asks the trainer’s own onEpoch at every pass', async () => {
  const { X, y } = integers(40, 6, 14, 30);
  const model = await new Perceptron({ onEpoch: ({ epoch }) => epoch < 3 }).fitAsync(X, y);
  expect(model.report).toMatchObject({ epochs: 3, stopReason: 'stopped' });
});

test('an abort on the very last pass rejects, or keeps the finished model', async () => {
  const [rows, labels] = [
    [
      [3, 3],
      [4, 3],
      [1, 1],
    ],
    [1, 1, -1],
  ];
  for (const keepPartial of [false, true]) {
    const stop = new AbortController();
    const model = new Perceptron({ initialWeights: [1, 1], initialBias: -3, onEpoch: () => stop.abort() });
    const fit = model.fitAsync(rows, labels, { signal: stop.signal, keepPartial });
    if (keepPartial) expect((await fit).report).toMatchObject({ converged: true, stopReason: 'separated' });
    else await expect(fit).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  }
});
