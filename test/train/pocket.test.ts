// The pocket (SPEC §6) against the textbook (test/family-oracle.ts): in primal and dual form, in every order, with the
// ratchet, on every engine, and at shapes for which counting takes different ways.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Contribution,
  createEngine,
  DualPerceptron,
  type DualPerceptronOptions,
  type Engine,
  type EngineKind,
  type Epoch,
  type Kernel,
  loadModel,
  Perceptron,
  type PerceptronOptions,
  PocketPerceptron,
  type Update,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { runs } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import {
  alphas,
  type Knobs,
  type Plane,
  type PocketRun,
  plane,
  pocket,
  ratchet,
  scoresOfAlphas,
  scoresOfPlanes,
} from '../family-oracle.js';
import { busy, linearGram, plain, SQUARE_KERNEL, saved, squareGram, state, sweeping, XOR } from '../family-samples.js';
import { anyData, anyOptions, type Data, integer, integers, orders, real } from '../samples.js';

type PocketOptions = PerceptronOptions<number> & { ratchet?: boolean };

/** Every way of going through the samples. */
const ways: [string, Pick<PocketOptions, 'order' | 'ratchet'>][] = [
  ...orders.map((order): [string, PocketOptions] => [`order ${order}`, { order }]),
  ['the ratchet', { order: 'random', ratchet: true }],
];
const seed = 5;

/** The textbook run that these options ask for. */
function textbook({ X, y }: Data, o: PocketOptions, knobs: Knobs = {}, start?: Plane): PocketRun<Plane> {
  const walk = { order: o.order ?? 'random', epochs: o.maxEpochs ?? 1000, random: Random.seeded(o.seed ?? 0) };
  const student = plane(X, y, knobs, start?.w, start?.b);
  return o.ratchet ? ratchet(student, walk) : pocket(student, walk);
}

/** How many rows are mistakes of this plane: not y·s > μ. */
function mistakes({ X, y }: Data, w: ArrayLike<number>, b: number, mu = 0): number {
  return X.filter((x, i) => !((y[i] as number) * (x.reduce((s, v, k) => s + v * (w[k] as number), 0) + b) > mu)).length;
}

/** The fitted model is the textbook's, to the bit. */
function expectTextbook(data: Data, options: PocketOptions, expected: PocketRun<Plane>): void {
  const trace: number[] = [];
  const onUpdate = ({ index }: Update) => void trace.push(index);
  for (const more of [{}, { onUpdate }]) {
    const model = new PocketPerceptron<number>({ ...options, ...more }).fit(data.X, data.y);
    expect([...model.weights, model.bias]).toEqual([...expected.pocket.w, expected.pocket.b]);
    expect(model.report.pocket).toEqual(expected.told);
    expect(model.report.mistakes).toBe(expected.trace.length);
    expect(busy(model.report.mistakesByEpoch)).toEqual(busy(expected.mistakesByEpoch));
    if (expected.separated) expect(model.report).toMatchObject({ converged: true, stopReason: 'separated' });
    expect(plain(model.decisionFunction(data.X))).toEqual(scoresOfPlanes(data.X, [expected.pocket]).flat());
    expect(plain(model.decisionFunction(data.X, { last: true }))).toEqual(
      scoresOfPlanes(data.X, [expected.last]).flat(),
    );
  }
  expect(trace).toEqual(expected.trace);
}

// ---- against the textbook ---------------------------------------------------------------------------

const shapes = (
  [
    [1, 2],
    [1, 300],
    [2, 41],
    [3, 17],
    [4, 64],
    [5, 300],
    [8, 33],
    [13, 120],
    [16, 100],
    [17, 5],
    [31, 60],
    [33, 150],
    [64, 20],
    [80, 2],
    [80, 300],
  ] as const
).map(([cols, rows]) => ({ cols, rows }));

for (const [name, way] of ways) {
  test.each(shapes)(`${name}: $rows rows of $cols columns end as in the textbook, on every engine`, (shape) => {
    const { rows, cols } = shape;
    for (const noise of rows * cols > 9000 ? [20] : [0, 20]) {
      const data = integers(rows, cols, rows * 100 + cols, noise);
      const options = { ...way, seed, maxEpochs: rows > 100 ? 1 : 4 };
      const expected = textbook(data, options);
      for (const engine of engines) expectTextbook(data, { ...options, engine }, expected);
    }
  });

  test(`${name}: margin, learning rate, intercept scaling, class weights and a start of its own follow the textbook`, () => {
    for (const cols of [3, 40]) {
      const data = integers(50, cols, cols, 15);
      const c = (i: number) => ((data.y[i] as number) > 0 ? 4 : 0.5);
      const start = { w: (data.X[0] as number[]).map((_, k) => (k % 5) - 2), b: 3 };
      const knobs = { eta: 0.25, mu: 8, B: 2, c };
      const options = {
        ...way,
        seed,
        maxEpochs: 4,
        learningRate: 0.25,
        margin: 8,
        interceptScaling: 2,
        classWeight: { '1': 4, '-1': 0.5 },
      };
      const fromZero = textbook(data, options, knobs);
      const fromStart = textbook(data, options, knobs, start);
      const without = textbook(data, options, { ...knobs, B: 0 });
      for (const engine of engines) {
        expectTextbook(data, { ...options, engine }, fromZero);
        expectTextbook(data, { ...options, engine, initialWeights: start.w, initialBias: start.b }, fromStart);
        expectTextbook(data, { ...options, engine, fitIntercept: false }, without);
      }
    }
  });

  test(`${name}: rows that a plane separates end separated, with an empty list of errors`, () => {
    for (const engine of engines) {
      const { X, y } = integers(30, 3, 15);
      const model = new PocketPerceptron<number>({ ...way, engine }).fit(X, y);
      expect(model.report).toMatchObject({ converged: true, stopReason: 'separated' });
      expect(model.report.pocket).toMatchObject({ errors: 0, lastErrors: 0 });
      expect(model.report.pocket?.replacedAt).toBe(model.report.mistakes);
      expect(model.predict(X)).toEqual(y);
      expect(model.diagnose(X, y)).toMatchObject({ errors: 0, accuracy: 1 });
    }
  });

  test(`${name}: a start that separates the rows is the pocket, and the end`, () => {
    const X = [[3], [5], [-4]];
    const options = { ...way, initialWeights: [2], initialBias: 1, maxEpochs: 5 };
    for (const engine of engines) {
      const model = new PocketPerceptron<number>({ ...options, engine }).fit(X, [1, 1, -1]);
      expect([...model.weights, model.bias]).toEqual([2, 1]);
      expect(model.report).toMatchObject({ converged: true, mistakes: 0 });
      expect(model.report.pocket).toEqual({ errors: 0, lastErrors: 0, replacedAt: 0 });
    }
  });
}

test('random is the order unless another is asked for', () => {
  const { X, y } = integers(40, 3, 1, 20);
  const options = { seed, maxEpochs: 5 };
  const random = new PocketPerceptron<number>({ ...options, order: 'random' }).fit(X, y);
  expect(state(new PocketPerceptron<number>(options).fit(X, y))).toEqual(state(random));
  expect(random.toJSON()).toMatchObject({ type: 'pocket-perceptron', version: 1 });
});

test.each(engines)('%s: XOR ends at its best, one row of four on the wrong side', (engine) => {
  for (const seed of [0, 1, 2]) {
    for (const way of [{ maxEpochs: 50 }, { maxEpochs: 200, ratchet: true }]) {
      const model = new PocketPerceptron<number>({ ...way, engine, seed }).fit(XOR.X, XOR.y);
      expect(model.report).toMatchObject({ converged: false, stopReason: 'max-epochs', epochs: way.maxEpochs });
      expect(model.report.pocket?.errors).toBe(1);
      expect(model.score(XOR.X, XOR.y)).toBe(0.75);
    }
  }
});

// ---- properties -------------------------------------------------------------------------------------

/** All options but the mean, which a pocket has not. */
const pocketOptions: fc.Arbitrary<PocketOptions & { maxEpochs: number }> = fc
  .tuple(anyOptions, fc.boolean())
  .map(([{ average: _average, ...o }, isRatchet]) => (isRatchet ? { ...o, order: 'random', ratchet: true } : o));

test('all engines give the same bits on any rows, with any options', () => {
  fc.assert(
    fc.property(anyData(real, { cols: 80, rows: 60 }), pocketOptions, ({ X, y }, o) => {
      const models = engines.map((engine) =>
        new PocketPerceptron<number>({ ...o, engine, maxEpochs: Math.min(o.maxEpochs, 4) }).fit(X, y),
      );
      const [first, ...others] = models.map((model) => JSON.stringify(model));
      for (const other of others) expect(other).toBe(first);
      const told = models.map((model) => model.report.pocket);
      expect(told).toEqual(told.map(() => told[0]));
    }),
    { numRuns: runs(80) },
  );
});

test('the pocket has no more errors than any weights before it, and as many as a recount finds', () => {
  fc.assert(
    fc.property(
      anyData(integer, { cols: 20, rows: 40 }),
      fc.constantFrom(...ways),
      fc.constantFrom(...engines),
      fc.constantFrom(0, 3),
      ({ X, y }, [, way], engine, margin) => {
        const seen = [mistakes({ X, y }, new Float64Array(X[0]?.length ?? 0), 0, margin)];
        const onUpdate = ({ weights, bias }: Update) => {
          seen.push(mistakes({ X, y }, weights as Float64Array, bias, margin));
        };
        const options = { ...way, engine, margin, maxEpochs: 3, onUpdate };
        const model = new PocketPerceptron<number>(options).fit(X, y);
        const { errors, lastErrors, replacedAt } = model.report.pocket as NonNullable<typeof model.report.pocket>;
        expect(errors).toBe(mistakes({ X, y }, model.weights, model.bias, margin));
        expect(lastErrors).toBe(seen.at(-1));
        expect(errors).toBe(seen[replacedAt]);
        if (way.order === 'batch' || way.ratchet) return; // not all weights are counted
        expect(errors).toBe(Math.min(...seen));
        expect(replacedAt).toBe(seen.indexOf(errors));
      },
    ),
    { numRuns: runs(150) },
  );
});

test('a pocket does not change the path: the last weights are those of Perceptron', () => {
  // Whole numbers and powers of two: whichever way scores are kept, they are exact.
  const exact = fc.record({
    order: fc.constantFrom(...orders),
    seed: fc.nat({ max: 1000 }),
    learningRate: fc.constantFrom(1, 2, 0.5),
    margin: fc.constantFrom(0, 1, 8),
    fitIntercept: fc.boolean(),
    interceptScaling: fc.constantFrom(1, 2, 0.5),
    classWeight: fc.constantFrom({ '1': 2 }, { '-1': 0.25, '1': 8 }, {}),
    engine: fc.constantFrom(...engines),
  });
  fc.assert(
    fc.property(anyData(integer, { cols: 60, rows: 30 }), exact, ({ X, y }, o) => {
      const usual = new Perceptron<number>({ ...o, maxEpochs: 5 }).fit(X, y);
      const model = new PocketPerceptron<number>({ ...o, maxEpochs: 5 }).fit(X, y);
      expect(model.report.mistakes).toBe(usual.report.mistakes);
      expect(busy(model.report.mistakesByEpoch)).toEqual(busy(usual.report.mistakesByEpoch));
      expect([...model.decisionFunction(X, { last: true })]).toEqual([...usual.decisionFunction(X)]);
    }),
    { numRuns: runs(100) },
  );
});

test('some epochs, JSON, some more are as many epochs at once, to the bit, in every order and with the ratchet', () => {
  let resumed = 0;
  fc.assert(
    fc.property(anyData(real), pocketOptions, fc.constantFrom(...engines), ({ X, y }, o, engine) => {
      const first = new PocketPerceptron<number>({ ...o, engine, warmStart: true, maxEpochs: 3 }).fit(X, y);
      fc.pre(!first.report.converged);
      resumed++;
      const json = saved(first);
      json.options.maxEpochs = 4;
      const again = PocketPerceptron.fromJSON<number>(json).fit(X, y);
      const whole = new PocketPerceptron<number>({ ...o, engine, maxEpochs: 7 }).fit(X, y);
      expect(state(again)).toEqual(state(whole));
      expect(again.report.pocket).toEqual(whole.report.pocket);
    }),
    { numRuns: runs(150) },
  );
  expect(resumed).toBeGreaterThan(runs(20));
});

test.each(ways)('%s: 3 epochs and 4 are 7, saved between or not', (_name, way) => {
  for (const cols of [2, 50]) {
    const { X, y } = integers(60, cols, 3, 45);
    for (const engine of engines) {
      const options = { ...way, engine, seed, warmStart: true };
      const whole = new PocketPerceptron<number>({ ...options, maxEpochs: 7 }).fit(X, y);
      const three = new PocketPerceptron<number>({ ...options, maxEpochs: 3 }).fit(X, y);
      expect(three.report.converged).toBe(false);
      const json = saved(three);
      json.options.maxEpochs = 4;
      expect(state(PocketPerceptron.fromJSON<number>(json).fit(X, y))).toEqual(state(whole));
      // Without JSON: a trainer whose epochs are counted one fit at a time.
      const stepwise = new PocketPerceptron<number>({ ...options, maxEpochs: 1 });
      for (let epoch = 0; epoch < 7; epoch++) stepwise.fit(X, y);
      expect(state(stepwise)).toEqual(state(whole));
    }
  }
});

test('a warm start on other rows counts the pocket anew on them', () => {
  const first = integers(40, 3, 5, 10);
  const other = integers(40, 3, 6, 10);
  for (const [, way] of ways) {
    const model = new PocketPerceptron<number>({ ...way, warmStart: true, maxEpochs: 3 }).fit(first.X, first.y);
    const { weights, bias } = model;
    const before = mistakes(other, weights, bias);
    model.fit(other.X, other.y);
    expect(model.report.pocket?.errors).toBe(mistakes(other, model.weights, model.bias));
    expect(model.report.pocket?.errors).toBeLessThanOrEqual(before);
  }
});

test('partialFit goes on with a pass over its rows, and counts on them', () => {
  for (const [, way] of ways) {
    const { X, y } = integers(40, 3, 7, 20);
    const model = new PocketPerceptron<number>({ ...way, seed, classes: [-1, 1] }).partialFit(X, y);
    const whole = new PocketPerceptron<number>({ ...way, seed, maxEpochs: 1 }).fit(X, y);
    expect([...model.weights, model.bias]).toEqual([...whole.weights, whole.bias]);
    expect(model.report.pocket).toEqual(whole.report.pocket);
  }
});

// ---- saved, shown, asked ----------------------------------------------------------------------------

test.each(ways)('%s: a model survives JSON to the bit', (_name, way) => {
  const { X, y } = integers(40, 5, 8, 20);
  const rows = X.map((x) => x.map((v) => v / 7));
  const options = { ...way, seed, maxEpochs: 5, learningRate: 0.3, featureNames: ['a', 'b', 'c', 'd', 'e'] };
  const model = new PocketPerceptron<number>(options).fit(rows, y);
  for (const copy of [
    PocketPerceptron.fromJSON<number>(saved(model)),
    PocketPerceptron.fromJSON<number>(structuredClone(model.toJSON())),
    loadModel<number>(saved(model)) as PocketPerceptron<number>,
  ]) {
    expect(copy).toBeInstanceOf(PocketPerceptron);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
    expect([...copy.weights, copy.bias]).toEqual([...model.weights, model.bias]);
    for (const asked of [{}, { last: true }]) {
      expect([...copy.decisionFunction(rows, asked)]).toEqual([...model.decisionFunction(rows, asked)]);
    }
    expect(copy.explain(rows[0] as number[])).toEqual(model.explain(rows[0] as number[]));
    expect(copy.diagnose(rows, y)).toEqual(model.diagnose(rows, y));
    const { timings: _timings, ...report } = model.report;
    expect(copy.report).toMatchObject(report);
  }
  expect(JSON.stringify(model)).not.toMatch(/engine|threads|Ms"|wasm-/);
});

test.each(ways)('%s: fitAsync gives the bits of fit', async (_name, way) => {
  const { X, y } = integers(200, 30, 9, 20);
  for (const engine of engines) {
    const options = { ...way, engine, seed, maxEpochs: 2 };
    const model = await new PocketPerceptron<number>(options).fitAsync(X, y);
    expect(JSON.stringify(model)).toBe(JSON.stringify(new PocketPerceptron<number>(options).fit(X, y)));
  }
});

test.each(sweeping)('order %s: a snapshot in onEpoch is the pocket so far', (order) => {
  const { X, y } = integers(40, 4, 10, 30);
  const kept: unknown[] = [];
  const onEpoch = ({ epoch, snapshot }: Epoch<number>) => {
    if (epoch === 2) kept.push([...snapshot().weights, snapshot().bias]);
    return epoch < 4;
  };
  const model = new PocketPerceptron<number>({ order, onEpoch }).fit(X, y);
  expect(model.report).toMatchObject({ stopReason: 'stopped', epochs: 4, converged: false });
  const two = new PocketPerceptron<number>({ order, maxEpochs: 2 }).fit(X, y);
  expect(kept).toEqual([[...two.weights, two.bias]]);
});

test('predict, score, explain and diagnose are of the pocket; { last: true } asks the last weights', () => {
  const data = integers(60, 3, 11, 25);
  const { X, y } = data;
  for (const [, way] of ways) {
    const options = { ...way, seed, maxEpochs: 4 };
    const { pocket: best, last, told } = textbook(data, options);
    const model = new PocketPerceptron<number>(options).fit(X, y);
    const labels = (p: Plane) => scoresOfPlanes(X, [p]).map(([s]) => ((s as number) >= 0 ? 1 : -1));
    const share = (p: Plane) => labels(p).filter((label, i) => label === y[i]).length / X.length;
    expect(model.predict(X)).toEqual(labels(best));
    expect(X.map((x) => model.predictOne(x))).toEqual(labels(best));
    expect(model.predict(X, { last: true })).toEqual(labels(last));
    expect(model.predict(X, { last: false })).toEqual(labels(best));
    expect(model.score(X, y)).toBe(share(best));
    expect(model.score(X, y, { last: true })).toBe(share(last));
    expect(told.errors).toBeLessThanOrEqual(told.lastErrors);
    const x = X[0] as number[];
    const sum = model
      .explain(x, { top: Infinity })
      .reduce((s: number, { contribution }: Contribution) => s + contribution, model.bias);
    expect(sum).toBe(model.decisionFunction([x])[0]);
    expect(model.diagnose(X, y).accuracy).toBe(model.score(X, y));
  }
});

test('lower ≤ upper, and mistakes within the bound, for the pocket too (SPEC §4)', () => {
  fc.assert(
    fc.property(anyData(real), pocketOptions, ({ X, y }, o) => {
      const model = new PocketPerceptron<number>({ ...o, maxEpochs: 20 }).fit(X, y);
      const { margin, radius, mistakeBound, mistakes: made } = model.diagnose(X, y);
      expect(margin.lower).toBeLessThanOrEqual(margin.upper + 1e-9 * radius);
      expect(made).toBe(model.report.mistakes);
      if (mistakeBound !== null) expect(made).toBeLessThanOrEqual(mistakeBound * (1 + 1e-9));
    }),
    { numRuns: runs(100) },
  );
});

test('{ last: true } is the last weights beside a mean, and changes nothing where there is neither', () => {
  const { X, y } = integers(40, 4, 12, 20);
  for (const order of orders) {
    const options = { order, seed, maxEpochs: 5 };
    for (const make of [
      (o: PerceptronOptions<number>) => new Perceptron<number>(o).fit(X, y),
      (o: PerceptronOptions<number>) => new DualPerceptron<number>(o).fit(X, y),
      (o: PerceptronOptions<number>) => new DualPerceptron<number>({ ...o, kernel: SQUARE_KERNEL }).fit(X, y),
    ]) {
      const usual = make(options);
      const mean = make({ ...options, average: true });
      expect([...mean.decisionFunction(X, { last: true })]).toEqual([...usual.decisionFunction(X)]);
      expect(mean.predict(X, { last: true })).toEqual(usual.predict(X));
      expect(mean.score(X, y, { last: true })).toBe(usual.score(X, y));
      expect([...usual.decisionFunction(X, { last: true })]).toEqual([...usual.decisionFunction(X)]);
      expect([...mean.decisionFunction(X, { last: false })]).toEqual([...mean.decisionFunction(X)]);
      expect([...mean.decisionFunction(X, {})]).toEqual([...mean.decisionFunction(X)]);
    }
  }
});

// ---- the dual form ----------------------------------------------------------------------------------

describe.each(orders)('DualPerceptron with a pocket, order %s', (order) => {
  const modes = [{ gram: 'full' }, { gram: 'rows' }, { gram: 'rows', maxGramBytes: 2 * 8 * 40 }] as const;
  const integerKernels: [string, Kernel, (X: number[][]) => number[][]][] = [
    ['linear', 'linear', linearGram],
    ['polynomial', SQUARE_KERNEL, squareGram],
  ];

  test.each(integerKernels)(
    '%s kernel: ends as in the textbook, on every engine and in every mode',
    (_n, kernel, K) => {
      for (const [rows, noise] of [
        [2, 0],
        [17, 30],
        [40, 0],
        [40, 30],
      ] as const) {
        const { X, y } = integers(rows, 2, 20 + rows, noise);
        const matrix = K(X);
        const c = (i: number) => ((y[i] as number) > 0 ? 2 : 0.5);
        for (const [knobs, given] of [
          [{}, {}],
          [
            { eta: 0.5, mu: 8, B: 2, c },
            { learningRate: 0.5, margin: 8, interceptScaling: 2, classWeight: { '1': 2, '-1': 0.5 } },
          ],
          [{ B: 0 }, { fitIntercept: false }],
        ] as const) {
          const walk = { order, epochs: 3, random: Random.seeded(seed) };
          const expected = pocket(alphas(matrix, y, knobs), walk);
          const best = plain(scoresOfAlphas(matrix, y, expected.pocket));
          const last = plain(scoresOfAlphas(matrix, y, expected.last));
          for (const engine of engines) {
            for (const mode of modes) {
              const o = { ...given, ...mode, engine, kernel, order, seed, maxEpochs: 3, pocket: true };
              const model = new DualPerceptron<number>(o).fit(X, y);
              expect(model.report.pocket).toEqual(expected.told);
              expect(plain(model.decisionFunction(X))).toEqual(best);
              expect(plain(model.decisionFunction(X, { last: true }))).toEqual(last);
              expect(model.bias).toBe(expected.pocket.b);
              expect([...model.alphas]).toEqual(expected.last.alphas);
              expect([...model.updateCounts]).toEqual(expected.last.counts);
              expect(model.supportIndices).toHaveLength(expected.last.counts.filter((n) => n > 0).length);
              expect(model.report.mistakes).toBe(expected.trace.length);
            }
          }
        }
      }
    },
  );

  test('linear kernel: the plane is that of PocketPerceptron', () => {
    const { X, y } = integers(40, 3, 30, 25);
    const options = { order, seed, maxEpochs: 5 };
    const dual = new DualPerceptron<number>({ ...options, pocket: true }).fit(X, y);
    const primal = new PocketPerceptron<number>(options).fit(X, y);
    expect(plain([...dual.weights, dual.bias])).toEqual(plain([...primal.weights, primal.bias]));
    expect(dual.report.pocket).toEqual(primal.report.pocket);
    expect(dual.diagnose(X, y).margin).toEqual(primal.diagnose(X, y).margin);
  });

  test('rbf kernel: the same bits on every engine and in every mode, on the path without a pocket', () => {
    const { X, y } = integers(40, 3, 41, 30);
    const options = { order, seed, maxEpochs: 3, kernel: { type: 'rbf', gamma: 0.002 } as const };
    const usual = new DualPerceptron<number>(options).fit(X, y);
    const texts = new Set<string>();
    for (const engine of engines) {
      for (const mode of modes) {
        const model = new DualPerceptron<number>({ ...options, ...mode, engine, pocket: true }).fit(X, y);
        texts.add(JSON.stringify(model));
        expect([...model.alphas]).toEqual([...usual.alphas]);
        expect([...model.decisionFunction(X, { last: true })]).toEqual([...usual.decisionFunction(X)]);
        const wrong = (scores: Float64Array) => scores.filter((s, i) => !((y[i] as number) * s > 0)).length;
        const { errors, lastErrors } = model.report.pocket as NonNullable<typeof model.report.pocket>;
        expect(errors).toBe(wrong(model.decisionFunction(X)));
        expect(lastErrors).toBe(wrong(model.decisionFunction(X, { last: true })));
        expect(errors).toBeLessThanOrEqual(lastErrors);
      }
    }
    expect(texts.size).toBe(1);
  });

  test('a model survives JSON to the bit, and goes on as if it had not been saved', () => {
    const { X, y } = integers(40, 3, 32, 40);
    const rows = X.map((x) => x.map((v) => v / 7));
    for (const kernel of ['linear', { type: 'rbf', gamma: 0.1 }, SQUARE_KERNEL] satisfies Kernel[]) {
      const options = { order, seed, kernel, learningRate: 0.3, pocket: true, warmStart: true };
      const three = new DualPerceptron<number>({ ...options, maxEpochs: 3 }).fit(rows, y);
      const copy = loadModel<number>(saved(three)) as DualPerceptron<number>;
      expect(JSON.stringify(copy)).toBe(JSON.stringify(three));
      expect(copy.report.pocket).toEqual(three.report.pocket);
      for (const asked of [{}, { last: true }]) {
        expect([...copy.decisionFunction(rows, asked)]).toEqual([...three.decisionFunction(rows, asked)]);
      }
      if (three.report.converged) continue;
      const json = saved(three);
      json.options.maxEpochs = 4;
      const whole = new DualPerceptron<number>({ ...options, maxEpochs: 7 }).fit(rows, y);
      expect(state(DualPerceptron.fromJSON<number>(json).fit(rows, y))).toEqual(state(whole));
    }
  });
});

test('the order of a dual pocket stays cyclic unless another is asked for', () => {
  const { X, y } = integers(30, 3, 33, 20);
  const fit = (o: DualPerceptronOptions<number>) =>
    state(new DualPerceptron<number>({ ...o, pocket: true, maxEpochs: 4 }).fit(X, y));
  expect(fit({})).toEqual(fit({ order: 'cyclic' }));
});

test('pocket: false is no pocket', () => {
  const { X, y } = integers(30, 3, 34, 20);
  const model = new DualPerceptron<number>({ pocket: false, maxEpochs: 4 }).fit(X, y);
  expect(model.report.pocket).toBeUndefined();
  expect(state(model)).toEqual(state(new DualPerceptron<number>({ maxEpochs: 4 }).fit(X, y)));
  expect(new Perceptron<number>({ maxEpochs: 4 }).fit(X, y).report.pocket).toBeUndefined();
});

test('a dual pocket on XOR: a line leaves a row or two, a kernel none', () => {
  const linear = new DualPerceptron<number>({ pocket: true, order: 'random', maxEpochs: 50 }).fit(XOR.X, XOR.y);
  expect(linear.report.pocket?.errors).toBe(1);
  const rbf = new DualPerceptron<number>({ pocket: true, kernel: { type: 'rbf', gamma: 1 } }).fit(XOR.X, XOR.y);
  expect(rbf.report).toMatchObject({ converged: true, stopReason: 'separated' });
  expect(rbf.report.pocket).toMatchObject({ errors: 0, lastErrors: 0 });
  expect(rbf.predict(XOR.X)).toEqual(XOR.y);
});

test('kept scores change nothing: little memory gives the same bits', () => {
  const shape = fc.tuple(fc.integer({ min: 110, max: 150 }), fc.integer({ min: 16, max: 20 }));
  const data = shape.chain(([rows, cols]) =>
    fc.record({
      X: fc.array(fc.array(fc.oneof(real, integer), { minLength: cols, maxLength: cols }), {
        minLength: rows,
        maxLength: rows,
      }),
      y: fc.array(fc.constantFrom(-1, 1), { minLength: rows, maxLength: rows }).map((y) => [1, -1, ...y.slice(2)]),
    }),
  );
  const options = fc.record({
    order: fc.constantFrom('random' as const, 'cyclic' as const, 'shuffle' as const),
    learningRate: fc.constantFrom(1, 0.1, 1e-3),
    margin: fc.constantFrom(0, 0.5, 1e3),
    seed: fc.nat({ max: 99 }),
  });
  fc.assert(
    fc.property(data, options, fc.constantFrom(...engines), fc.boolean(), ({ X, y }, o, kind, hasPocket) => {
      // 96 KiB: the rows, but not the products of 110 × 110 pairs beside them.
      const small = createEngine({ kind, maxMemoryBytes: 96 * 1024 });
      const make = (engine: Engine | EngineKind) =>
        hasPocket
          ? new PocketPerceptron<number>({ ...o, engine, maxEpochs: 4 })
          : new Perceptron<number>({ ...o, engine, order: 'random', maxEpochs: 4 });
      expect(JSON.stringify(make(small).fit(X, y))).toBe(JSON.stringify(make(kind).fit(X, y)));
    }),
    { numRuns: runs(25) },
  );
});
