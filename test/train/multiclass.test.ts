// Several classes: one against the rest, bit for bit K fits of two classes, and multinomial against the textbook
// (test/family-oracle.ts); in primal and dual form, in every order, on every engine.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Contribution,
  type Diagnosis,
  DualPerceptron,
  type Epoch,
  type GramMode,
  gram,
  type Kernel,
  type Label,
  loadModel,
  type MulticlassModel,
  MulticlassPerceptron,
  Perceptron,
  type TrainerOptions,
  type Update,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { runs, someOf } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import {
  type Coefficients,
  dualMultinomial,
  type Knobs,
  meanOf,
  multinomial,
  oneVsRest,
  type Planes,
  scoresOfCoefficients,
  scoresOfPlanes,
  signs,
  train,
} from '../family-oracle.js';
import {
  anyClasses,
  busy,
  clouds,
  linearGram,
  manyClasses,
  plain,
  SQUARE_KERNEL,
  saved,
  squareGram,
  state,
} from '../family-samples.js';
import { integer, orders, real } from '../samples.js';

type Strategy = 'one-vs-rest' | 'multinomial';
type Options<L extends Label = number> = Omit<TrainerOptions<L>, 'onEpoch'> & {
  warmStart?: boolean;
  strategy?: Strategy;
  kernel?: Kernel;
  gram?: GramMode;
  maxGramBytes?: number;
};

const strategies: readonly Strategy[] = ['one-vs-rest', 'multinomial'];
const RBF: Kernel = { type: 'rbf', gamma: 0.02 };
/** Primal, and dual with every kernel. */
const forms: [string, { kernel?: Kernel }][] = [
  ['primal', {}],
  ['linear kernel', { kernel: 'linear' }],
  ['polynomial kernel', { kernel: SQUARE_KERNEL }],
  ['rbf kernel', { kernel: RBF }],
];
const each = strategies.flatMap((strategy) =>
  forms.map(([name, form]): [string, Options] => [`${strategy}, ${name}`, { strategy, ...form }]),
);
const seed = 9;

type Scores = { data: Float64Array; rows: number; cols: number };
const fitted = (o: Options, X: number[][], y: number[]): MulticlassPerceptron<number> =>
  new MulticlassPerceptron<number>(o).fit(X, y);
/** The scores of class k. */
const column = ({ data, rows, cols }: Scores, k: number): number[] =>
  Array.from({ length: rows }, (_, i) => data[i * cols + k] as number);
/** The scores row by row. */
const table = ({ data, rows, cols }: Scores): number[][] =>
  Array.from({ length: rows }, (_, i) => plain(data.subarray(i * cols, (i + 1) * cols)));
/** Textbook runs, made once for all engines. */
const made = new Map<string, unknown>();
function once<T>(key: string, make: () => T): T {
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as T;
}
/** The number of the largest, the first among equals. */
const largest = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

/** The fit of two classes that class k against the rest is. */
function member(
  { strategy: _strategy, kernel, gram, maxGramBytes, ...o }: Options,
  X: number[][],
  y: number[],
  k: number,
) {
  const given = { ...(gram && { gram }), ...(maxGramBytes && { maxGramBytes }) };
  const model = kernel ? new DualPerceptron<number>({ ...o, ...given, kernel }) : new Perceptron<number>(o);
  return model.fit(X, signs(y, k));
}

// ---- one against the rest ---------------------------------------------------------------------------

/** The model is K fits of two classes, and its report is made of theirs. */
function expectMembers(o: Options, X: number[][], y: number[], classes: number): void {
  const model = fitted(o, X, y);
  const members = Array.from({ length: classes }, (_, k) => member(o, X, y, k));
  const scores = model.decisionFunction(X);
  expect(scores).toMatchObject({ rows: X.length, cols: classes });
  expect(scores.data).toHaveLength(X.length * classes);
  members.forEach((two, k) => {
    expect(column(scores, k)).toEqual([...two.decisionFunction(X)]);
    if (o.kernel === undefined || o.kernel === 'linear') {
      expect([...(model.weights[k] as Float64Array)]).toEqual([...two.weights]);
      expect(model.biases[k]).toBe(two.bias);
    }
  });
  const reports = members.map((two) => two.report);
  const epochs = Math.max(...reports.map((r) => r.epochs));
  expect(model.report.epochs).toBe(epochs);
  expect(model.report.mistakes).toBe(reports.reduce((sum, r) => sum + r.mistakes, 0));
  expect(model.report.mistakesByEpoch).toEqual(
    Array.from({ length: epochs }, (_, e) => reports.reduce((sum, r) => sum + (r.mistakesByEpoch[e] ?? 0), 0)),
  );
  expect(model.report.converged).toBe(reports.every((r) => r.converged));
  expect(model.report.stopReason).toBe(model.report.converged ? 'separated' : 'max-epochs');
}

describe.each(engines)('%s: one against the rest', (engine) => {
  for (const [name, form] of forms) {
    test.each(orders)(`${name}, order %s: is K fits of two classes, to the bit`, (order) => {
      const scaled = { maxEpochs: 4, learningRate: 0.3, margin: 0.5, interceptScaling: 2 };
      for (const [classes, some] of [
        [2, [{ average: true, maxEpochs: 6 }, scaled]],
        [3, [{ maxEpochs: 6 }, { average: true, maxEpochs: 6 }, scaled, { maxEpochs: 4, fitIntercept: false }]],
        [5, [{ average: true, maxEpochs: 6 }]],
      ] as const) {
        const { X, y } = manyClasses(36, 4, classes, 10 * classes, 10);
        const rows = X.map((x) => x.map((v) => v / 7));
        for (const o of some) expectMembers({ engine, order, seed, ...o, ...form }, rows, y, classes);
      }
    });
  }

  test('a class that is clean stops by itself, the others go on', () => {
    const { X, y } = clouds(8, 1);
    for (const average of [false, true]) expectMembers({ engine, average }, X, y, 3);
    const model = fitted({ engine }, X, y);
    expect(model.report).toMatchObject({ converged: true, stopReason: 'separated' });
    expect(model.predict(X)).toEqual(y);
    expect(model.score(X, y)).toBe(1);
  });

  test.each(orders)(
    'order %s: the weight of a class is that of its samples in its own member; the rest weighs 1',
    (order) => {
      const { X, y } = manyClasses(40, 3, 3, 2, 15);
      const weights = [4, 0.5, 1];
      const walk = () => ({ order, epochs: 5, random: Random.seeded(seed) });
      const runs = oneVsRest(X, y, 3, walk, { eta: 0.5, c: (i, k) => (y[i] === k ? (weights[k] as number) : 1) });
      const o = { engine, order, seed, maxEpochs: 5, learningRate: 0.5, classWeight: { '0': 4, '1': 0.5 } };
      const model = fitted(o, X, y);
      runs.forEach(({ last }, k) => {
        expect([...(model.weights[k] as Float64Array), model.biases[k]]).toEqual([...last.w, last.b]);
      });
      expect(busy(model.report.mistakesByEpoch)[0]).toBe(
        runs.reduce((sum, run) => sum + (run.mistakesByEpoch[0] as number), 0),
      );
      const dual = fitted({ ...o, kernel: 'linear' }, X, y);
      expect(table(dual.decisionFunction(X))).toEqual(
        scoresOfPlanes(
          X,
          runs.map((run) => run.last),
        ).map(plain),
      );
    },
  );
});

test("'balanced' gives a class the weight N / (K · n_k), with both strategies", () => {
  // 48 rows of 3 classes: 32, 8 and 8 of them, so that the weights 0.5, 2 and 2 are exact.
  const y = Array.from({ length: 48 }, (_, i) => (i % 6 === 1 ? 1 : i % 6 === 4 ? 2 : 0));
  const { X } = manyClasses(48, 3, 3, 3);
  const numbers = { '0': 0.5, '1': 2, '2': 2 };
  for (const [name, o] of each) {
    const options = { ...o, maxEpochs: 5 };
    const balanced = fitted({ ...options, classWeight: 'balanced' }, X, y);
    const given = fitted({ ...options, classWeight: numbers }, X, y);
    expect(balanced.decisionFunction(X), name).toEqual(given.decisionFunction(X));
    expect(balanced.report.mistakesByEpoch).toEqual(given.report.mistakesByEpoch);
    expect(balanced.decisionFunction(X)).not.toEqual(fitted(options, X, y).decisionFunction(X));
  }
  // A class against the rest: its own weight, and 1 for the rest. 16 of 48 rows: 48 / (2 · 16).
  const two = y.map((label) => Math.min(label, 1));
  const usual = new Perceptron<number>({ classWeight: { '1': 1.5 }, maxEpochs: 5 }).fit(X, two);
  const model = fitted({ classWeight: 'balanced', maxEpochs: 5 }, X, two);
  expect([...(model.weights[1] as Float64Array), model.biases[1]]).toEqual([...usual.weights, usual.bias]);
});

test('any rows: members are fits of two classes, to the bit, with any options', () => {
  fc.assert(
    fc.property(
      anyClasses(real),
      fc.record({
        order: fc.constantFrom(...orders),
        seed: fc.nat({ max: 1000 }),
        average: fc.boolean(),
        fitIntercept: fc.boolean(),
        learningRate: fc.constantFrom(1, 0.1),
        margin: fc.constantFrom(0, 0.5),
        engine: fc.constantFrom(...engines),
      }),
      fc.constantFrom(...forms),
      ({ X, y, classes }, o, [, form]) => {
        const small = X.map((x) => x.map((v) => v / 50)); // powers of them stay finite
        expectMembers({ ...o, ...form, maxEpochs: 4 }, small, y, classes);
      },
    ),
    { numRuns: runs(80) },
  );
});

// ---- multinomial ------------------------------------------------------------------------------------

const knobbed = (y: readonly number[]): [Knobs, Options][] => [
  [{}, {}],
  [
    { eta: 0.5, mu: 8, B: 2, c: (i) => (y[i] === 1 ? 4 : y[i] === 0 ? 0.5 : 1) },
    { learningRate: 0.5, margin: 8, interceptScaling: 2, classWeight: { '1': 4, '0': 0.5 } },
  ],
  [{ B: 0 }, { fitIntercept: false }],
];

describe.each(engines)('%s: multinomial', (engine) => {
  for (const order of orders) {
    test.each(someOf([2, 3, 4, 5], [2, 5]))(`order ${order}, %s classes: is the textbook's, to the bit`, (classes) => {
      for (const [rows, cols] of [
        [classes, 1],
        [20, 3],
        [30, 17],
        [70, 8],
      ] as const) {
        const { X, y } = manyClasses(rows, cols, classes, rows + cols, 10);
        for (const [knobs, given] of knobbed(y)) {
          const numbers = ({ W, b }: Planes) => [...W.flat(), ...b];
          const { run, means } = once(`${[order, classes, rows, cols]} ${JSON.stringify(given)}`, () => {
            const run = train(multinomial(X, y, classes, knobs), { order, epochs: 4, random: Random.seeded(seed) });
            return { run, means: plain(meanOf(run.seen, numbers)) };
          });
          const trace: number[] = [];
          const onUpdate = ({ index }: Update) => void trace.push(index);
          const o: Options = { ...given, strategy: 'multinomial', engine, order, seed, maxEpochs: 4 };
          for (const more of [{}, { onUpdate }]) {
            const model = fitted({ ...o, ...more }, X, y);
            expect(model.weights.map(plain)).toEqual(run.last.W.map(plain));
            expect(plain(model.biases)).toEqual(plain(run.last.b));
            expect(model.report.mistakesByEpoch).toEqual(run.mistakesByEpoch);
            expect(model.report).toMatchObject({ mistakes: run.trace.length, converged: run.separated });
          }
          expect(trace).toEqual(run.trace);
          const mean = fitted({ ...o, average: true }, X, y);
          expect(plain([...mean.weights.flatMap((w: Float64Array) => [...w]), ...mean.biases])).toEqual(means);
        }
      }
    });

    test.each([
      ['linear', 'linear' as const, linearGram],
      ['polynomial', SQUARE_KERNEL, squareGram],
    ])(
      `order ${order}, %s kernel: is the textbook's, whichever rows of the Gram matrix are kept`,
      (name, kernel, K) => {
        const { X, y } = manyClasses(25, 2, 4, 7, 20);
        const matrix = K(X);
        for (const [knobs, given] of knobbed(y)) {
          const numbers = (at: Coefficients) => scoresOfCoefficients(matrix, at).flat();
          const { run, means } = once(`${[order, name]} ${JSON.stringify(given)}`, () => {
            const run = train(dualMultinomial(matrix, y, 4, knobs), { order, epochs: 3, random: Random.seeded(seed) });
            return { run, means: meanOf(run.seen, numbers) };
          });
          const expected = scoresOfCoefficients(matrix, run.last).map(plain);
          const o: Options = { ...given, strategy: 'multinomial', kernel, engine, order, seed, maxEpochs: 3 };
          for (const mode of [
            { gram: 'full' },
            { gram: 'rows' },
            { gram: 'rows', maxGramBytes: 2 * 8 * 25 },
          ] as const) {
            const model = fitted({ ...o, ...mode }, X, y);
            expect(table(model.decisionFunction(X))).toEqual(expected);
            expect(model.report.mistakesByEpoch).toEqual(run.mistakesByEpoch);
          }
          const mean = fitted({ ...o, average: true }, X, y);
          const { data } = mean.decisionFunction(X);
          means.forEach((s, i) => {
            expect(data[i]).toBeCloseTo(s, 6);
          });
        }
      },
    );
  }

  test('rbf kernel: makes the mistakes of the textbook', () => {
    const { X, y } = manyClasses(25, 2, 3, 8, 10);
    using matrix = gram(X, { kernel: RBF });
    const K = X.map((_, i) => [...matrix.row(i)]);
    const run = train(dualMultinomial(K, y, 3), { epochs: 4 });
    const model = fitted({ strategy: 'multinomial', kernel: RBF, engine, maxEpochs: 4 }, X, y);
    expect(model.report.mistakesByEpoch).toEqual(run.mistakesByEpoch);
    const scores = scoresOfCoefficients(K, run.last).flat();
    scores.forEach((s, i) => {
      expect(model.decisionFunction(X).data[i]).toBeCloseTo(s, 9);
    });
  });

  test('separates clouds, and says so', () => {
    const { X, y } = clouds(8, 2);
    for (const [, form] of forms) {
      const model = fitted({ strategy: 'multinomial', engine, ...form }, X, y);
      expect(model.report).toMatchObject({ converged: true, stopReason: 'separated' });
      expect(model.report.mistakesByEpoch.at(-1)).toBe(0);
      expect(model.predict(X)).toEqual(y);
    }
  });
});

test('the linear kernel gives the planes of the primal form, with both strategies and in every order', () => {
  const { X, y } = manyClasses(30, 3, 4, 9, 15);
  for (const strategy of strategies) {
    for (const order of orders) {
      const o = { strategy, order, seed, maxEpochs: 5 };
      const [primal, dual] = [fitted(o, X, y), fitted({ ...o, kernel: 'linear' }, X, y)];
      expect(dual.weights.map(plain)).toEqual(primal.weights.map(plain));
      expect(plain(dual.biases)).toEqual(plain(primal.biases));
      expect(dual.report.mistakesByEpoch).toEqual(primal.report.mistakesByEpoch);
    }
  }
});

// ---- all of them ------------------------------------------------------------------------------------

const anyWay = fc.record(
  {
    order: fc.constantFrom(...orders),
    seed: fc.nat({ max: 1000 }),
    average: fc.boolean(),
    fitIntercept: fc.boolean(),
    learningRate: fc.constantFrom(1, 0.1),
    interceptScaling: fc.constantFrom(1, 3),
    margin: fc.constantFrom(0, 0.5),
    classWeight: fc.constantFrom({ '0': 2 }, { '1': 0.3 }, 'balanced' as const),
  },
  { requiredKeys: [] },
);

test('all engines, and all ways to keep a Gram matrix, give the same bits', () => {
  fc.assert(
    fc.property(anyClasses(real), anyWay, fc.constantFrom(...each), ({ X, y }, o, [, form]) => {
      const rows = X.map((x) => x.map((v) => v / 50));
      const few = { gram: 'rows', maxGramBytes: 2 * 8 * X.length } as const;
      const modes = form.kernel ? [{}, { gram: 'full' } as const, { gram: 'rows' } as const, few] : [{}];
      const models = engines.flatMap((engine) =>
        modes.map((mode) => fitted({ ...o, ...form, ...mode, engine, maxEpochs: 4 }, rows, y)),
      );
      const [first, ...others] = models.map((model) => JSON.stringify(model));
      for (const other of others) expect(other).toBe(first);
      const scores = models.map((model) => [...model.decisionFunction(rows).data]);
      for (const other of scores) expect(other).toEqual(scores[0]);
    }),
    { numRuns: runs(60) },
  );
});

test.each<[string, Label[], Label[]]>([
  ['strings', ['pear', 'Apple', 'fig', 'pear', 'fig'], ['Apple', 'fig', 'pear']],
  ['numbers', [10, -2, 9, 10, 9], [-2, 9, 10]],
  ['booleans', [true, false, true, false, true], [false, true]],
])('labels that are %s are put in order and come back as they were', (_what, labels, classes) => {
  const X = labels.map((label, i) => [
    10 * classes.indexOf(label) + (i % 2),
    -((classes.indexOf(label) - 1) ** 2) * 40,
  ]);
  for (const strategy of strategies) {
    const model = new MulticlassPerceptron<Label>({ strategy }).fit(X, labels);
    expect(model.classes).toEqual(classes);
    expect(model.weights).toHaveLength(classes.length);
    expect(model.biases).toHaveLength(classes.length);
    expect(model.report.converged).toBe(true);
    expect(model.predict(X)).toEqual(labels);
    expect(X.map((x) => model.predictOne(x))).toEqual(labels);
    const copy = loadModel<Label>(saved(model)) as MulticlassPerceptron<Label>;
    expect(copy.predict(X)).toEqual(labels);
    // Classes given in any order are the same ones.
    const given = new MulticlassPerceptron<Label>({ strategy, classes: [...classes].reverse() }).fit(X, labels);
    expect(given.classes).toEqual(classes);
    expect(state(given)).toEqual(state(model));
  }
});

test('predict is the class of the largest score, the first among equals', () => {
  fc.assert(
    fc.property(anyClasses(integer), fc.constantFrom(...each), ({ X, y }, [, form]) => {
      const model = fitted({ ...form, maxEpochs: 2 }, X, y);
      const expected = table(model.decisionFunction(X)).map(largest);
      expect(model.predict(X)).toEqual(expected);
      expect(X.map((x) => model.predictOne(x))).toEqual(expected);
      expect(model.score(X, y)).toBe(expected.filter((label, i) => label === y[i]).length / X.length);
    }),
    { numRuns: runs(60) },
  );
});

test('ties: a model that is zero, or scores that are equal, are of the first class', () => {
  // Its second row takes back what the first one gave.
  const zero = new MulticlassPerceptron<string>({ strategy: 'multinomial', fitIntercept: false, maxEpochs: 1 });
  zero.fit([[1], [1]], ['b', 'a']);
  expect(zero.weights.map((w: Float64Array) => plain(w))).toEqual([[0], [0]]);
  expect(zero.predict([[1], [-3], [0]])).toEqual(['a', 'a', 'a']);
  expect(zero.predictOne([7])).toBe('a');
  // By hand: w = −1, −1, 0.
  const rest = new MulticlassPerceptron<string>({ fitIntercept: false, maxEpochs: 1 });
  rest.fit([[1], [1], [1]], ['a', 'b', 'c']);
  expect(rest.weights.map((w: Float64Array) => plain(w))).toEqual([[-1], [-1], [0]]);
  expect(rest.predict([[0], [1], [-1]])).toEqual(['a', 'c', 'a']);
  // With two classes too, where Perceptron takes the second.
  const two = new MulticlassPerceptron<string>({ fitIntercept: false }).fit([[1], [-1]], ['b', 'a']);
  expect(two.predict([[0]])).toEqual(['a']);
});

test('multinomial lowers the first of the other classes where they are equal', () => {
  const X = [[1], [2], [3]];
  const options = { strategy: 'multinomial', fitIntercept: false, maxEpochs: 1, classes: [0, 1, 2] } as const;
  const model = new MulticlassPerceptron<number>(options).partialFit([[1]], [2]);
  expect(model.weights.map((w: Float64Array) => plain(w))).toEqual([[-1], [0], [1]]);
  expect(new MulticlassPerceptron<number>(options).partialFit([[1]], [0]).weights.map(plain)).toEqual([[1], [-1], [0]]);
  expect(model.predict(X)).toEqual([2, 2, 2]);
});

test('no rows have no labels and no scores', () => {
  const { X, y } = manyClasses(12, 2, 3, 10);
  for (const [, form] of each) {
    const model = fitted({ ...form, maxEpochs: 2 }, X, y);
    expect(model.predict([])).toEqual([]);
    expect(model.decisionFunction([])).toMatchObject({ rows: 0, cols: 3 });
  }
});

test('weights and biases are the caller’s own copies', () => {
  const { X, y } = manyClasses(12, 2, 3, 11);
  const model = fitted({ maxEpochs: 3 }, X, y);
  const scores = [...model.decisionFunction(X).data];
  for (const w of model.weights) w.fill(NaN);
  model.biases.fill(NaN);
  expect([...model.decisionFunction(X).data]).toEqual(scores);
});

// ---- saved, gone on with ----------------------------------------------------------------------------

const variants: [string, Options<string>][] = [
  ['the defaults', {}],
  ...orders.map((order): [string, Options<string>] => [`a mean in order ${order}`, { order, average: true, seed }]),
  ['no intercept', { fitIntercept: false }],
  [
    'class weights by name',
    { classWeight: { c0: 0.1, c2: 3 }, learningRate: 0.3, margin: 0.05, interceptScaling: 0.7 },
  ],
  ['balanced class weights', { classWeight: 'balanced', order: 'shuffle' }],
  ['names for all', { featureNames: ['a', 'b', '__proto__'], classes: ['c2', 'c0', 'c1'] }],
];

for (const [name, form] of each) {
  test.each(variants)(`${name}: a model with %s survives JSON to the bit`, (_what, given) => {
    const data = manyClasses(30, 3, 3, 12, 20);
    const X = data.X.map((x) => x.map((v) => v / 7));
    const y = data.y.map((k) => `c${k}`);
    const o: Options<string> = { maxEpochs: 4, ...given, strategy: form.strategy as Strategy };
    if (form.kernel) o.kernel = form.kernel;
    const model = new MulticlassPerceptron<string>(o).fit(X, y);
    expect(model.toJSON()).toMatchObject({ type: 'multiclass-perceptron', version: 1, classes: ['c0', 'c1', 'c2'] });
    for (const copy of [
      MulticlassPerceptron.fromJSON<string>(saved(model)),
      MulticlassPerceptron.fromJSON<string>(structuredClone(model.toJSON())),
      loadModel<string>(saved(model)) as MulticlassPerceptron<string>,
    ]) {
      expect(copy).toBeInstanceOf(MulticlassPerceptron);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
      expect(copy.toJSON()).toEqual(model.toJSON());
      expect(copy.decisionFunction(X)).toEqual(model.decisionFunction(X));
      expect(copy.predict(X)).toEqual(model.predict(X));
      expect(copy.explain(X[1] as number[])).toEqual(model.explain(X[1] as number[]));
      expect(copy.diagnose(X, y)).toEqual(model.diagnose(X, y));
      const { timings: _timings, ...report } = model.report;
      const { gram: _gram, ...told } = report; // of the fit, not of the model
      expect(copy.report).toMatchObject(told);
    }
    expect(JSON.stringify(model)).not.toMatch(/engine|threads|Ms"|wasm-/);
    if (given.classWeight === 'balanced') return;
    const loaded = MulticlassPerceptron.fromJSON<string>(saved(model));
    for (const from of [0, 10]) {
      model.partialFit(X.slice(from), y.slice(from));
      loaded.partialFit(X.slice(from), y.slice(from));
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(model));
    }
  });

  test.each(orders)(`${name}, order %s: 3 epochs, JSON and 4 more are 7, to the bit`, (order) => {
    const { X, y } = manyClasses(30, 3, 4, 13, 30);
    const rows = X.map((x) => x.map((v) => v / 7));
    for (const engine of engines) {
      for (const average of [false, true]) {
        const o: Options = { ...form, engine, order, seed, average, warmStart: true };
        const three = fitted({ ...o, maxEpochs: 3 }, rows, y);
        if (three.report.converged) continue;
        const json = saved(three);
        json.options.maxEpochs = 4;
        const again = MulticlassPerceptron.fromJSON<number>(json).fit(rows, y);
        expect(state(again)).toEqual(state(fitted({ ...o, maxEpochs: 7 }, rows, y)));
      }
    }
  });

  test(`${name}: blocks with partialFit are one epoch in cyclic order`, () => {
    const { X, y } = manyClasses(40, 3, 4, 14, 10);
    const rows = X.map((x) => x.map((v) => v / 7));
    for (const engine of engines) {
      for (const average of [false, true]) {
        const o: Options = { ...form, engine, average };
        const blocks = new MulticlassPerceptron<number>({ ...o, classes: [3, 2, 1, 0] });
        for (const [from, to] of [
          [0, 1],
          [1, 18],
          [18, 25],
          [25, 40],
        ] as const) {
          blocks.partialFit(rows.slice(from, to), y.slice(from, to));
        }
        const whole = fitted({ ...o, maxEpochs: 1 }, rows, y);
        expect(blocks.decisionFunction(rows)).toEqual(whole.decisionFunction(rows));
        expect(blocks.report.mistakes).toBe(whole.report.mistakes);
        const given = new MulticlassPerceptron<number>(o).partialFit(rows, y, { classes: [0, 1, 2, 3] });
        expect(given.decisionFunction(rows)).toEqual(whole.decisionFunction(rows));
      }
    }
  });

  test.each(orders)(`${name}, order %s: fitAsync gives the bits of fit`, async (order) => {
    const { X, y } = manyClasses(50, 6, 4, 15, 20);
    for (const engine of engines) {
      const o: Options = { ...form, engine, order, seed, average: true, maxEpochs: 4 };
      const model = await new MulticlassPerceptron<number>(o).fitAsync(X, y);
      expect(JSON.stringify(model)).toBe(JSON.stringify(fitted(o, X, y)));
    }
  });

  test(`${name}: a snapshot in onEpoch is a model of its own, and false stops the fit`, () => {
    const { X, y } = manyClasses(30, 3, 3, 16, 30);
    const kept: { text: string; labels: number[] }[] = [];
    const epochs: number[] = [];
    const onEpoch = ({ epoch, snapshot }: Epoch<number, MulticlassModel<number>>): boolean => {
      epochs.push(epoch);
      const model = snapshot();
      kept.push({ text: JSON.stringify(model), labels: model.predict(X) });
      return epoch < 3;
    };
    const model = new MulticlassPerceptron<number>({ ...form, onEpoch, maxEpochs: 50 }).fit(X, y);
    expect(model.report).toMatchObject({ stopReason: 'stopped', converged: false });
    expect(kept.length).toBeGreaterThanOrEqual(3);
    for (const { text, labels } of kept) {
      const copy = MulticlassPerceptron.fromJSON<number>(JSON.parse(text));
      expect(JSON.stringify(copy)).toBe(text);
      expect(copy.predict(X)).toEqual(labels);
    }
    if (form.strategy !== 'multinomial') return;
    expect(epochs).toEqual([1, 2, 3]);
    for (const [e, { labels }] of kept.entries()) {
      expect(labels).toEqual(fitted({ ...form, maxEpochs: e + 1 }, X, y).predict(X));
    }
    expect(model.decisionFunction(X)).toEqual(fitted({ ...form, maxEpochs: 3 }, X, y).decisionFunction(X));
  });

  test(`${name}: diagnose brackets the best margin, and mistakes stay within the bound`, () => {
    const hard = manyClasses(30, 3, 4, 17, 20);
    for (const { X, y } of [hard, clouds(8, 3)]) {
      for (const order of orders) {
        for (const average of [false, true]) {
          const model = fitted({ ...form, order, seed, average, maxEpochs: 60 }, X, y);
          const { byClass, ...all } = model.diagnose(X, y);
          const errors = model.predict(X).filter((label: number, i: number) => label !== y[i]).length;
          expect(all).toMatchObject({ samples: X.length, errors, accuracy: (X.length - errors) / X.length });
          expect(all.mistakes).toBe(model.report.mistakes);
          for (const d of [all, ...(byClass ?? [])] as Diagnosis[]) {
            expect(d.margin.lower).toBeLessThanOrEqual(d.margin.upper + 1e-9 * d.radius);
            expect(d.radius).toBeGreaterThan(0);
            if (d.mistakeBound !== null) expect(d.mistakes).toBeLessThanOrEqual(d.mistakeBound * (1 + 1e-9));
            if (order === 'batch') expect(d.mistakeBound).toBeNull();
          }
          if (byClass) expect(byClass).toHaveLength(model.classes.length);
        }
      }
    }
  });

  test(`${name}: what explains a score adds up to it, for the class predicted and for any other`, () => {
    const { X, y } = manyClasses(30, 3, 4, 18, 10);
    const sum = (parts: Contribution[]) => parts.reduce((s, { contribution }) => s + contribution, 0);
    for (const average of [false, true]) {
      const model = fitted({ ...form, average, fitIntercept: false, maxEpochs: 5 }, X, y);
      for (const x of X.slice(0, 6)) {
        const [scores] = table(model.decisionFunction([x])) as [number[]];
        expect(sum(model.explain(x, { top: Infinity }))).toBeCloseTo(scores[largest(scores)] as number, 7);
        expect(model.explain(x)).toEqual(model.explain(x, { label: model.predictOne(x) }));
        for (const label of [0, 1, 2, 3]) {
          const parts = model.explain(x, { label, top: Infinity });
          expect(sum(parts)).toBeCloseTo(scores[label] as number, 7);
          const sizes = parts.map((p: Contribution) => Math.abs(p.contribution));
          expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        }
      }
    }
  });
}

test('what explains a score adds up to it with the bias of its class', () => {
  const { X, y } = manyClasses(30, 3, 4, 19, 10);
  for (const strategy of strategies) {
    const model = fitted({ strategy, maxEpochs: 5, featureNames: ['a', 'b', 'c'] }, X, y);
    for (const x of X.slice(0, 6)) {
      for (const label of [0, 1, 2, 3]) {
        const parts: Contribution[] = model.explain(x, { label });
        const sum = parts.reduce((s, { contribution }) => s + contribution, model.biases[label] as number);
        expect(sum).toBe(column(model.decisionFunction([x]), label)[0]);
        expect(parts.map((p) => p.name)).toEqual(parts.map((p) => 'abc'[p.index]));
      }
    }
  }
});

/** Class 2 lies far away and is clean early; 0 and 1 are mixed and never are. */
function oneEasy() {
  const random = Random.seeded(20);
  const y = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? 2 : random.below(2)));
  y[0] = 0;
  y[1] = 1;
  const X = y.map((k) => [k === 2 ? 60 + random.below(5) : random.below(11) - 5, random.below(11) - 5]);
  return { X, y };
}

test.each(orders)(
  'order %s: a class that separates early keeps its mean while the others go on, saved or not',
  (order) => {
    const { X, y } = oneEasy();
    for (const kernel of [undefined, 'linear', RBF] as const) {
      for (const engine of engines) {
        const o: Options = { engine, order, seed, average: true, warmStart: true, ...(kernel && { kernel }) };
        if (kernel !== RBF) {
          expect(member({ ...o, maxEpochs: 24 }, X, y, 2).report.converged).toBe(true);
          expect(member({ ...o, maxEpochs: 28 }, X, y, 0).report.converged).toBe(false);
        }
        const whole = fitted({ ...o, maxEpochs: 28 }, X, y);
        const first = fitted({ ...o, maxEpochs: 24 }, X, y);
        if (first.report.converged) continue;
        const json = saved(first);
        json.options.maxEpochs = 4;
        const again = MulticlassPerceptron.fromJSON<number>(json).fit(X, y);
        expect(state(again)).toEqual(state(whole));
        expect(column(again.decisionFunction(X), 2)).toEqual([
          ...member({ ...o, maxEpochs: 28 }, X, y, 2).decisionFunction(X),
        ]);
      }
    }
  },
);

test('{ last: true } asks the last weights, and changes nothing without a mean', () => {
  const { X, y } = manyClasses(30, 3, 3, 21, 20);
  for (const [, form] of each) {
    const usual = fitted({ ...form, maxEpochs: 4 }, X, y);
    const mean = fitted({ ...form, maxEpochs: 4, average: true }, X, y);
    expect(mean.decisionFunction(X, { last: true })).toEqual(usual.decisionFunction(X));
    expect(mean.predict(X, { last: true })).toEqual(usual.predict(X));
    expect(mean.score(X, y, { last: true })).toBe(usual.score(X, y));
    expect(usual.decisionFunction(X, { last: true })).toEqual(usual.decisionFunction(X));
  }
});

test('nothing the caller passed in is changed', () => {
  fc.assert(
    fc.property(anyClasses(integer), anyWay, fc.constantFrom(...each), ({ X, y }, o, [, form]) => {
      const given: Options = { ...o, ...form, maxEpochs: 2 };
      const copies = structuredClone({ X, y, given });
      fitted(given, X, y).diagnose(X, y);
      expect({ X, y, given }).toEqual(copies);
    }),
    { numRuns: runs(40) },
  );
});

for (const order of ['cyclic', 'shuffle'] as const) {
  test.each(engines)(`%s, order ${order}: blocks without a Gram matrix give the same model on integers`, (engine) => {
    const { X, y } = manyClasses(530, 4, 4, 21, 30); // two blocks of 256, and some
    for (const average of [false, true]) {
      const o = { order, seed, average, maxEpochs: 4, kernel: SQUARE_KERNEL };
      const blocks = new MulticlassPerceptron<number>({ ...o, engine, gram: 'blocks' }).fit(X, y);
      const full = once(`blocks ${order} ${average}`, () => {
        const model = new MulticlassPerceptron<number>({ ...o, gram: 'full' }).fit(X, y);
        const { report } = model;
        return { mistakes: report.mistakesByEpoch, scores: model.decisionFunction(X), hard: model.hardest(20) };
      });
      expect(blocks.report.gram).toBe('blocks');
      expect(blocks.report.mistakesByEpoch).toEqual(full.mistakes);
      expect(blocks.decisionFunction(X)).toEqual(full.scores);
      expect(blocks.hardest(20)).toEqual(full.hard);
    }
  });
}

test('blocks: any reals, the same bits on every engine, in slices, and resumed from a file', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyClasses(real),
      fc.constantFrom<Kernel>(
        'linear',
        { type: 'polynomial', degree: 3, coef0: 1, gamma: 0.01 },
        { type: 'rbf', gamma: 0.01 },
      ),
      fc.constantFrom('cyclic' as const, 'shuffle' as const),
      fc.boolean(),
      async ({ X, y }, kernel, order, average) => {
        // 1 byte for a Gram matrix is too little for any: 'auto' then does without.
        const o = { kernel, order, average, maxGramBytes: 1, maxEpochs: 5, seed };
        const texts = engines.map((engine) =>
          JSON.stringify(new MulticlassPerceptron<number>({ ...o, engine }).fit(X, y)),
        );
        expect(new Set(texts).size).toBe(1);
        const slices = await new MulticlassPerceptron<number>(o).fitAsync(X, y);
        expect(JSON.stringify(slices)).toBe(texts[0]);
        expect(slices.report.gram).toBe('blocks');
        const some = new MulticlassPerceptron<number>({ ...o, warmStart: true, maxEpochs: 2 }).fit(X, y);
        if (some.report.converged) return;
        const json = JSON.parse(JSON.stringify(some));
        json.options.maxEpochs = 3;
        const resumed = MulticlassPerceptron.fromJSON<number>(json).fit(X, y).toJSON();
        expect(resumed.gram).toBe('blocks');
        expect({ ...resumed, options: 0 }).toEqual({ ...JSON.parse(texts[0] as string), options: 0 });
      },
    ),
    { numRuns: runs(30) },
  );
});

test('updates say of which class they are, in step or not', () => {
  const { X, y } = manyClasses(40, 3, 3, 5, 20);
  for (const o of [{}, { kernel: 'linear' as const }, { kernel: 'linear' as const, gram: 'blocks' as const }]) {
    const counts = new Map<number, number>();
    const model = new MulticlassPerceptron<number>({
      ...o,
      maxEpochs: 3,
      onUpdate: ({ label, mistakes, index }) => {
        counts.set(label as number, (counts.get(label as number) ?? 0) + 1);
        expect(mistakes).toBe(counts.get(label as number));
        expect(index).toBeLessThan(40);
      },
    }).fit(X, y);
    expect([...counts.values()].reduce((a, b) => a + b)).toBe(model.report.mistakes);
    const plain = new MulticlassPerceptron<number>({ ...o, maxEpochs: 3 }).fit(X, y);
    expect(JSON.stringify(plain)).toBe(JSON.stringify(model));
  }
  const labels = new Set<unknown>();
  new MulticlassPerceptron<number>({
    strategy: 'multinomial',
    maxEpochs: 2,
    onUpdate: ({ label, index, weights }) => {
      labels.add(label);
      expect(label).toBe(y[index]);
      expect(weights?.length).toBe(3);
    },
  }).fit(X, y);
  expect(labels.size).toBe(3);
});
