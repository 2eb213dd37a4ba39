// Dual models as JSON: exact to the bit, support rows only, the same from equal runs, ready to go on; and a bad file is
// an error that names the field.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  type DualPerceptronOptions,
  type Kernel,
  loadModel,
  Perceptron,
} from '../../src/index.js';
import { runs } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import { orders } from '../samples.js';
import { type Any, bits, type ErrorClass, refusesWith, saved, spoil, X, y } from './spoiled.js';

const kernels: [string, Kernel][] = [
  ['linear', 'linear'],
  ['polynomial', { type: 'polynomial', degree: 2, gamma: 0.7, coef0: 0.1 }],
  ['rbf', { type: 'rbf', gamma: 0.3 }],
];

const spread = { learningRate: 0.3, margin: 0.05, interceptScaling: 0.7 };

const variants: [string, DualPerceptronOptions<string>, 'max-epochs' | 'separated' | 'early-stop'][] = [
  ['the defaults', {}, 'max-epochs'],
  ...kernels.flatMap(([name, kernel]) =>
    orders.flatMap((order) =>
      [false, true].map((average): (typeof variants)[number] => [
        `the ${name} kernel, order ${order}${average ? ', averaged' : ''}`,
        { kernel, order, average, seed: 4294967295 },
        'max-epochs',
      ]),
    ),
  ),
  ...orders.flatMap((order) =>
    [false, true].map((average): (typeof variants)[number] => [
      `classes it has separated in order ${order}${average ? ', averaged' : ''}`,
      { kernel: { type: 'rbf', gamma: 30 }, order, average, maxEpochs: 1000 },
      'separated',
    ]),
  ),
  ['kernel numbers left to their defaults', { kernel: { type: 'polynomial' } }, 'max-epochs'],
  ['no intercept', { fitIntercept: false, average: true }, 'max-epochs'],
  ['class weights by name', { classWeight: { yes: 0.1, no: 3 }, ...spread }, 'max-epochs'],
  ['averaged class weights', { classWeight: { yes: 0.1, no: 3 }, ...spread, average: true }, 'max-epochs'],
  ['balanced class weights', { classWeight: 'balanced', order: 'shuffle' }, 'max-epochs'],
  [
    'rows held out',
    { kernel: { type: 'rbf' }, validationFraction: 0.2, patience: 2, order: 'shuffle', maxEpochs: 100 },
    'early-stop',
  ],
  ['all the rest', { featureNames: ['a', 'b', '__proto__'], classes: ['yes', 'no'] }, 'max-epochs'],
];

for (const [name, given, stopReason] of variants) {
  const options = { maxEpochs: 5, ...given };

  test(`a model with ${name} survives JSON to the bit`, () => {
    const model = new DualPerceptron<string>(options).fit(X, y);
    expect(model.report.stopReason).toBe(stopReason);
    const json = model.toJSON();
    for (const copy of [
      DualPerceptron.fromJSON<string>(saved(model)),
      DualPerceptron.fromJSON<string>(structuredClone(json)),
    ]) {
      expect(copy.toJSON()).toEqual(json);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
      expect(bits(copy.alphas)).toEqual(bits(model.alphas));
      expect(copy.updateCounts).toEqual(model.updateCounts);
      expect(copy.supportIndices).toEqual(model.supportIndices);
      expect(Object.is(copy.bias, model.bias)).toBe(true);
      expect(bits(copy.decisionFunction(X))).toEqual(bits(model.decisionFunction(X)));
      if (options.kernel === undefined || options.kernel === 'linear') {
        expect(bits(copy.weights)).toEqual(bits(model.weights));
      }
      expect(copy.predict(X)).toEqual(model.predict(X));
      expect(copy.classes).toEqual(['no', 'yes']);
      expect(copy.explain(X[1] as number[])).toEqual(model.explain(X[1] as number[]));
      expect(copy.diagnose(X, y)).toEqual(model.diagnose(X, y));
      const { timings: _t, ...report } = model.report;
      expect({ ...copy.report, gram: 'full' }).toMatchObject(report);
    }
  });

  test(`a model with ${name} is the same JSON from every engine, every way to hold the Gram matrix, and every run`, async () => {
    const texts = new Set<string>();
    for (const engine of engines) {
      const onEpoch = () => {};
      const text = (more: DualPerceptronOptions<string>) =>
        JSON.stringify(new DualPerceptron<string>({ ...options, engine, ...more }).fit(X, y));
      texts.add(text({ gram: 'full' }));
      texts.add(text({ gram: 'rows' }));
      texts.add(text({ gram: 'rows', maxGramBytes: 3 * 8 * X.length }));
      texts.add(text({ onEpoch, onUpdate: onEpoch }));
      texts.add(JSON.stringify(await new DualPerceptron<string>({ ...options, engine }).fitAsync(X, y)));
    }
    expect(texts.size).toBe(1);
    const [text] = texts;
    expect(text).not.toMatch(/engine|threads|Ms"|wasm-|onEpoch|onUpdate|"gram|Bytes/);
  });

  test(`a model with ${name} goes on after loading exactly as if it had not been saved`, () => {
    for (const engine of engines) {
      if (options.classWeight !== 'balanced') {
        const unsaved = new DualPerceptron<string>({ ...options, engine }).fit(X, y);
        const loaded = loadModel(saved(unsaved)) as DualPerceptron<string>;
        for (let block = 0; block < 3; block++) {
          unsaved.partialFit(X.slice(block * 10), y.slice(block * 10));
          loaded.partialFit(X.slice(block * 10), y.slice(block * 10));
          expect(JSON.stringify(loaded)).toBe(JSON.stringify(unsaved));
        }
      }
      const warm = new DualPerceptron<string>({ ...options, engine, warmStart: true }).fit(X, y);
      const again = DualPerceptron.fromJSON<string>(saved(warm));
      expect(JSON.stringify(again.fit(X, y))).toBe(JSON.stringify(warm.fit(X, y)));
      // Where the limit of epochs ended both, 5 epochs, JSON and 5 more are 10 epochs.
      if (stopReason === 'max-epochs') {
        for (const gram of ['full', 'rows'] as const) {
          const ten = new DualPerceptron<string>({ ...options, engine, gram, warmStart: true, maxEpochs: 10 });
          expect({ ...again.toJSON(), options: 0 }).toEqual({ ...ten.fit(X, y).toJSON(), options: 0 });
        }
      }
    }
  });
}

test('with any data and options, half the epochs, JSON, and the other half are all of them', () => {
  const value = fc.double({ min: -10, max: 10, noNaN: true });
  const data = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 3, max: 26 })).chain(([cols, rows]) =>
    fc.record({
      X: fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
      y: fc.array(fc.constantFrom(-1, 1), { minLength: rows, maxLength: rows }).map((y) => [1, -1, ...y.slice(2)]),
    }),
  );
  const options = fc.record({
    order: fc.constantFrom(...orders),
    average: fc.boolean(),
    fitIntercept: fc.boolean(),
    learningRate: fc.constantFrom(1, 0.1, 0.7),
    margin: fc.constantFrom(0, 0.5),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    kernel: fc.oneof(
      fc.constant<Kernel>('linear'),
      fc.record({ type: fc.constant('rbf' as const), gamma: fc.constantFrom(0.01, 1, 40) }),
      fc.record({
        type: fc.constant('polynomial' as const),
        degree: fc.integer({ min: 1, max: 4 }),
        coef0: fc.constantFrom(0, 1, 0.3),
      }),
    ),
  });
  fc.assert(
    fc.property(data, options, fc.integer({ min: 1, max: 5 }), ({ X, y }, given, half) => {
      const fit = (maxEpochs: number, gram: 'full' | 'rows') =>
        new DualPerceptron<number>({ ...given, gram, warmStart: true, maxEpochs }).fit(X, y);
      const first = fit(half, 'rows');
      fc.pre(first.report.stopReason === 'max-epochs');
      const detour = DualPerceptron.fromJSON<number>(saved(first)).fit(X, y).toJSON();
      expect({ ...detour, options: 0 }).toEqual({ ...fit(2 * half, 'full').toJSON(), options: 0 });
    }),
    { numRuns: runs(150) },
  );
});

test.each(orders)('a kernel that is not positive goes on to the bit too, order %s', (order) => {
  // On a circle (x·x − 1)³ is all but 0 while (x·z − 1)³ is as low as −8: the diagonal bounds nothing here.
  const ring = Array.from({ length: 30 }, (_, i) => [Math.cos(0.37 * i * i), Math.sin(0.37 * i * i)]);
  const labels = ring.map((_, i) => ((i * i) % 7 < 3 ? 1 : -1));
  const kernel: Kernel = { type: 'polynomial', degree: 3, gamma: 1, coef0: -1 };
  for (const average of [false, true]) {
    const options = { kernel, order, average, learningRate: 0.1, warmStart: true };
    const five = new DualPerceptron<number>({ ...options, maxEpochs: 5 }).fit(ring, labels);
    const detour = DualPerceptron.fromJSON<number>(saved(five)).fit(ring, labels).toJSON();
    const ten = new DualPerceptron<number>({ ...options, maxEpochs: 10 }).fit(ring, labels).toJSON();
    expect({ ...detour, options: 0 }).toEqual({ ...ten, options: 0 });
  }
});

test('rows of float32 survive, and training goes on from them', () => {
  for (const [, kernel] of kernels) {
    using matrix = DenseMatrix.from(X, { dtype: 'float32' });
    const model = new DualPerceptron<string>({ kernel, warmStart: true, maxEpochs: 5 }).fit(matrix, y);
    const copy = DualPerceptron.fromJSON<string>(saved(model));
    expect(bits(copy.decisionFunction(X))).toEqual(bits(model.decisionFunction(X)));
    expect(JSON.stringify(copy.fit(matrix, y))).toBe(JSON.stringify(model.fit(matrix, y)));
    expect(JSON.stringify(copy.partialFit(X, y))).toBe(JSON.stringify(model.partialFit(X, y)));
  }
});

test.each<[string, ArrayLike<number | string | boolean>, unknown[]]>([
  ['numbers', [0.1, -2e-300, 0.1], [-2e-300, 0.1]],
  ['booleans', [true, false, true], [false, true]],
  ['strings with every kind of sign', ['\ud800', '"\\\u2028', '\ud800'], ['"\\\u2028', '\ud800']],
  ['names of Object.prototype', ['__proto__', 'toString', '__proto__'], ['__proto__', 'toString']],
])('labels that are %s survive', (_what, labels, classes) => {
  const rows = [[1], [-1], [2]];
  const weights = Object.fromEntries(classes.map((c) => [String(c), 2]));
  for (const options of [{}, { classWeight: weights }]) {
    const model = new DualPerceptron<Any>(options).fit(rows, labels);
    const copy = loadModel(saved(model));
    expect(copy.classes).toEqual(classes);
    expect(copy.predict(rows)).toEqual(Array.from(labels));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
  }
});

test('−0 survives in rows, bias, sums and scores, and so do the smallest and the largest numbers', () => {
  const rows = [
    [-0, 5e-324, 0.1 + 0.2],
    [1, -0, -0],
  ];
  const model = new DualPerceptron<number>({ average: true, maxEpochs: 1, margin: 9 }).fit(rows, [1, -1]);
  expect(saved(model).supports.rows).toEqual([
    ['-0', 5e-324, 0.30000000000000004],
    [1, '-0', '-0'],
  ]);
  const json = saved(model);
  json.bias = '-0';
  json.training.biasSum = '-0';
  json.training.scores = ['-0', -1.7976931348623157e308];
  json.supports.alphas[0] = 1.7976931348623157e308;
  json.training.sigma = 1.7976931348623157e308;
  const copy = DualPerceptron.fromJSON(json);
  expect(saved(copy)).toEqual(json);
  expect(copy.alphas[0]).toBe(1.7976931348623157e308);
});

test.each(['margin', 'seed', 'validationFraction'])('−0 as %s survives too', (option) => {
  const model = new DualPerceptron<string>({ [option]: -0, maxEpochs: 3 }).fit(X, y);
  expect(DualPerceptron.fromJSON(saved(model)).toJSON()).toEqual(model.toJSON());
});

test('−0 as coef0 of a kernel survives, or is 0 from the start', () => {
  const kernel: Kernel = { type: 'polynomial', coef0: -0 };
  const model = new DualPerceptron<string>({ kernel, maxEpochs: 3 }).fit(X, y);
  expect(DualPerceptron.fromJSON(saved(model)).toJSON()).toEqual(model.toJSON());
});

// ---- what is in it ----------------------------------------------------------------------------------

test('JSON holds the support rows and no other row of the training set', () => {
  for (const [, kernel] of kernels) {
    for (const maxEpochs of [1, 1000]) {
      const rows = Array.from({ length: 40 }, (_, i) => [(i % 2 ? 5 : -5) + i / 1000 + 0.000123, i / 7 + 0.000456]);
      const labels = rows.map((_, i) => i % 2);
      const model = new DualPerceptron<number>({ kernel, maxEpochs }).fit(rows, labels);
      const json = model.toJSON();
      const text = JSON.stringify(json);
      const supports = [...model.supportIndices];
      expect(supports.length).toBeGreaterThan(0);
      expect(supports.length).toBeLessThan(40);
      expect(json.supports.indices).toEqual(supports);
      expect(json.supports.rows).toEqual(supports.map((i) => rows[i]));
      expect(json.supports.signs).toEqual(supports.map((i) => (labels[i] ? 1 : -1)));
      expect(json.training.samples).toBe(40);
      rows.forEach((row, i) => {
        for (const value of row) expect(text.includes(String(value))).toBe(supports.includes(i));
      });
    }
  }
});

test('a model whose scores were confirmed does not carry them', () => {
  const fit = (maxEpochs: number) =>
    new DualPerceptron<string>({ kernel: { type: 'rbf', gamma: 30 }, maxEpochs }).fit(X, y).toJSON();
  expect(fit(1000).training.stopReason).toBe('separated');
  expect(fit(1000).training.scores).toBeUndefined();
  expect(fit(1).training.scores).toHaveLength(X.length);
});

test('toJSON gives a copy of its own, plain data all through', () => {
  const kernel: Kernel = { type: 'rbf', gamma: 1 };
  const options = { kernel, average: true, classWeight: { yes: 2 }, featureNames: ['a', 'b', 'c'], maxEpochs: 3 };
  const model = new DualPerceptron<string>(options).fit(X, y);
  const text = JSON.stringify(model);
  const json: Any = model.toJSON();
  const plain = (value: unknown): boolean =>
    typeof value !== 'object' ||
    ((Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) &&
      Object.values(value as object).every(plain));
  expect(plain(json)).toBe(true);
  expect(structuredClone(json)).toEqual(json);
  const scribble = (value: Any) => {
    for (const key of Object.keys(value)) {
      if (typeof value[key] === 'object') scribble(value[key]);
      else value[key] = 'x';
    }
  };
  scribble(json);
  expect(JSON.stringify(model)).toBe(text);
});

test('a loaded model does not hold on to the JSON it came from', () => {
  const kernel: Kernel = { type: 'rbf', gamma: 1 };
  const json = saved(new DualPerceptron<string>({ average: true, kernel, maxEpochs: 3 }).fit(X, y));
  const model = loadModel(json);
  const text = JSON.stringify(model);
  json.options.kernel.gamma = -1;
  json.supports.rows[0][0] = 1e9;
  for (const list of ['indices', 'signs', 'alphas', 'counts', 'sums']) json.supports[list][0] = 1e9;
  json.training.scores[0] = 1e9;
  json.training.mistakesByEpoch.push(1);
  json.classes[0] = 'maybe';
  expect(JSON.stringify(model)).toBe(text);
});

test('loadModel goes by the type', () => {
  const model = new DualPerceptron<string>({ kernel: { type: 'rbf' } }).fit(X, y);
  const loaded = loadModel(saved(model));
  expect(loaded).toBeInstanceOf(DualPerceptron);
  expect(loaded.toJSON()).toEqual(model.toJSON());
  expect(loaded.report.timings).toEqual({ copyMs: 0, gramMs: 0, trainMs: 0 });
  expect(loadModel(JSON.parse(JSON.stringify(new Perceptron<string>().fit(X, y))))).toBeInstanceOf(Perceptron);
  expect(() => Perceptron.fromJSON(saved(model))).toThrow(
    new RangeError('model JSON: type must be "perceptron", got "dual-perceptron"'),
  );
  expect(() => DualPerceptron.fromJSON({ ...saved(model), type: 'perceptron' })).toThrow(
    new RangeError('model JSON: type must be "dual-perceptron", got "perceptron"'),
  );
});

// ---- bad files --------------------------------------------------------------------------------------

const options = { average: true, order: 'shuffle', maxEpochs: 5, featureNames: ['a', 'b', 'c'] } as const;
const good = saved(
  new DualPerceptron<string>({ ...options, kernel: { type: 'polynomial', degree: 2, gamma: 1, coef0: 1 } }).fit(X, y),
);
good.training.advice.push({ code: 'unscaled', message: 'scale' });
const supports: number = good.supports.indices.length;
/** The same without average, and with scores that need not be kept. */
const confirmed = saved(new DualPerceptron<string>({ kernel: { type: 'rbf', gamma: 30 } }).fit(X, y));

const refuses = refusesWith(loadModel, DualPerceptron.fromJSON);

/** `good`, spoiled. */
const changed = (path: string, value: unknown, from = good): Any => spoil(from, path, value);

const quoted = (path: string) => path.replace(/[[\].]/g, '\\$&');

test('the files these tests spoil are good ones', () => {
  expect(loadModel(good).toJSON()).toEqual(good);
  expect(loadModel(confirmed).toJSON()).toEqual(confirmed);
  expect(good.training.scores).toHaveLength(40);
  expect(supports).toBeGreaterThan(5);
});

test.each<[unknown, string]>([
  [undefined, 'model JSON: the model must be an object, got undefined'],
  [null, 'model JSON: the model must be an object, got null'],
  [3, 'model JSON: the model must be an object, got 3'],
  [[], 'model JSON: the model must be an object, got an array of 0'],
  [JSON.stringify(good), 'model JSON must be an object, got a string: use JSON.parse first'],
])('a file that is no object is refused (%#)', (json, message) => {
  refuses(json, TypeError, message);
});

test('a field that is missing is named', () => {
  const required = (value: Any, path = ''): string[] =>
    Object.keys(value).flatMap((key) => {
      const at = path ? `${path}.${key}` : key;
      const isNested = typeof value[key] === 'object' && !Array.isArray(value[key]) && at !== 'options';
      return isNested ? [at, ...required(value[key], at)] : [at];
    });
  // Scores are kept only where they are needed.
  const paths = required(good).filter((path) => path !== 'training.scores');
  expect(paths.length).toBeGreaterThan(26);
  for (const path of [...paths, 'training.advice[0].code', 'training.advice[0].message']) {
    const type = path === 'version' ? RangeError : TypeError;
    const message = path === 'version' ? 'version undefined is not known here; ' : `${quoted(path)} must be `;
    refuses(changed(path, undefined), type, new RegExp(`^model JSON: ${message}`));
  }
});

const huge = JSON.parse('1e400');
const objects = ['options', 'supports', 'training', 'training.advice[0]'];
const lists = [
  ...['indices', 'signs', 'alphas', 'counts', 'rows', 'rows[2]', 'sums'].map((name) => `supports.${name}`),
  ...['random', 'classWeightRange', 'mistakesByEpoch', 'advice', 'scores'].map((name) => `training.${name}`),
];
const exactNumbers = ['bias', 'supports.rows[0][0]', 'supports.rows[3][2]', 'training.biasSum', 'training.scores[39]'];
const counts = ['cols', 'training.seen', 'training.epochs', 'training.mistakes', 'training.samples', 'training.first'];
const words = ['supports.indices[0]', 'supports.counts[1]', 'training.random[2]'];
const notNegative = ['supports.sums[1]', 'training.sigma', 'training.classWeightRange[1]'];

type Wrong = [string, unknown, ErrorClass, string | RegExp];
const each = (paths: string[], expected: string, values: readonly (readonly [unknown, ErrorClass])[]): Wrong[] =>
  paths.flatMap((path) =>
    values.map(
      ([value, type]): Wrong => [
        path,
        value,
        type,
        new RegExp(`^model JSON: ${quoted(path)} must be ${expected}, got `),
      ],
    ),
  );

const wrong: Wrong[] = [
  ['type', 'svm', RangeError, /^model JSON: type must be .*"dual-perceptron".*, got "svm"$/],
  ['type', 1, TypeError, /^model JSON: type must be .*"dual-perceptron".*, got 1$/],
  ['type', 'toString', RangeError, /^model JSON: type must be .*"dual-perceptron".*, got "toString"$/],
  ['version', 2, RangeError, 'model JSON: version 2 is not known here; this release reads version 1'],
  ['version', '1', RangeError, 'model JSON: version "1" is not known here; this release reads version 1'],
  ...each(objects, 'an object', [
    [null, TypeError],
    [[], TypeError],
    ['x', TypeError],
    [1, TypeError],
  ]),
  ...each(lists, 'an array', [
    [null, TypeError],
    [{ length: 3 }, TypeError],
    ['123', TypeError],
    [3, TypeError],
  ]),
  ...each(exactNumbers, 'a finite number', [
    [huge, RangeError],
    [-huge, RangeError],
    [NaN, RangeError],
    ['1', TypeError],
    [null, TypeError],
    [[1], TypeError],
  ]),
  ...each(counts, 'an integer (≥ 0|≥ 1|from 1 to \\d+|below training.samples)', [
    [-1, RangeError],
    [1.5, RangeError],
    [huge, RangeError],
    [2 ** 53, RangeError],
    ['1', TypeError],
    [null, TypeError],
  ]),
  ...each(words, 'an integer from \\d to 4294967295', [
    [-1, RangeError],
    [1.5, RangeError],
    [huge, RangeError],
    [2 ** 32, RangeError],
    ['1', TypeError],
    [null, TypeError],
  ]),
  ...each(notNegative, 'a number ≥ 0', [
    [-1, RangeError],
    [huge, RangeError],
    [NaN, RangeError],
    ['1', TypeError],
    [null, TypeError],
  ]),
  ...each(['supports.alphas[0]', 'supports.alphas[4]'], 'a number (>|≥) 0', [
    [0, RangeError],
    [-0, RangeError],
    [-1, RangeError],
    [NaN, RangeError],
    [huge, RangeError],
    ['1', TypeError],
    ['-0', TypeError],
    [null, TypeError],
  ]),
  ...each(['supports.signs[0]', 'supports.signs[4]'], '-1 or 1', [
    [0, RangeError],
    [2, RangeError],
    [0.5, RangeError],
    [NaN, RangeError],
    ['1', TypeError],
    [true, TypeError],
    [null, TypeError],
  ]),
  ['cols', 0, RangeError, 'model JSON: cols must be an integer from 1 to 536870912, got 0'],
  ['cols', 2, RangeError, /^model JSON: (supports\.rows\[0\]|options\.featureNames) must have 2 values, got 3$/],
  ['cols', 1e9, RangeError, /^model JSON: (cols|supports\.rows\[0\]|options\.featureNames) must /],
  ['training.samples', 0, RangeError, /^model JSON: training\.samples must be an integer from 1 to 536870912, got 0$/],
  [
    'training.samples',
    2 ** 32,
    RangeError,
    `model JSON: training.samples must be an integer from 1 to 536870912, got ${2 ** 32}`,
  ],
  ['training.samples', 41, RangeError, 'model JSON: training.scores must have 41 values, got 40'],
  ['training.samples', 3, RangeError, /^model JSON: supports\.indices\[\d\] must be an integer above \d+ and below 3/],
  ['training.first', 40, RangeError, 'model JSON: training.first must be an integer below training.samples, got 40'],
  ['training.first', 1, RangeError, 'model JSON: training.scores must have 39 values, got 40'],
  ['training.scores', [], RangeError, 'model JSON: training.scores must have 40 values, got 0'],
  ['training.scores', [1], RangeError, 'model JSON: training.scores must have 40 values, got 1'],
  [
    'supports.indices[1]',
    0,
    RangeError,
    'model JSON: supports.indices[1] must be an integer above 0 and below 40, got 0',
  ],
  [
    'supports.indices[0]',
    40,
    RangeError,
    /^model JSON: supports\.indices\[0\] must be an integer above -1 and below 40, got 40$/,
  ],
  ...['signs', 'alphas', 'counts', 'rows', 'sums'].map(
    (name): Wrong => [
      `supports.${name}`,
      [],
      RangeError,
      new RegExp(`^model JSON: supports\\.${name} (must have ${supports} values, got 0|sums to 0, )`),
    ],
  ),
  ...['signs', 'alphas', 'counts', 'rows', 'sums'].map(
    (name): Wrong => [
      `supports.${name}`,
      [...good.supports[name], good.supports[name][0]],
      RangeError,
      `model JSON: supports.${name} must have ${supports} values, got ${supports + 1}`,
    ],
  ),
  ['supports.indices', [], RangeError, /^model JSON: supports\.\w+ must have 0 values, got \d+$/],
  ['supports.counts[1]', 0, RangeError, 'model JSON: supports.counts[1] must be an integer ≥ 1, got 0'],
  [
    'supports.counts[1]',
    good.supports.counts[1] + 1,
    RangeError,
    `model JSON: supports.counts sums to ${good.training.mistakes + 1}, training.mistakes is ${good.training.mistakes}`,
  ],
  ['supports.rows[1]', [1, 2], RangeError, 'model JSON: supports.rows[1] must have 3 values, got 2'],
  ['supports.rows[1]', [], RangeError, 'model JSON: supports.rows[1] must have 3 values, got 0'],
  ['supports.rows[1]', [1, 2, 3, 4], RangeError, 'model JSON: supports.rows[1] must have 3 values, got 4'],
  ['supports.rows[1]', 1, TypeError, 'model JSON: supports.rows[1] must be an array, got 1'],
  ['training.random', [1, 2, 3], RangeError, /^model JSON: training\.random must be four words, not all zero/],
  ['training.random', [0, 0, 0, 0], RangeError, /^model JSON: training\.random must be four words, not all zero/],
  ['training.classWeightRange', [2, 1], RangeError, /^model JSON: training\.classWeightRange must be two numbers > 0/],
  ['training.classWeightRange', [0, 1], RangeError, /^model JSON: training\.classWeightRange must be two numbers > 0/],
  ['training.converged', 1, TypeError, 'model JSON: training.converged must be true or false, got 1'],
  ['training.stopReason', 'tired', RangeError, /^model JSON: training\.stopReason must be ".*, got "tired"$/],
  ['training.epochs', 4, RangeError, 'model JSON: training.mistakesByEpoch must have 4 values, got 5'],
  ['training.mistakes', 1, RangeError, /^model JSON: training\.mistakesByEpoch sums to \d+, training\.mistakes is 1$/],
  ['training.mistakesByEpoch[0]', -1, RangeError, /^model JSON: training\.mistakesByEpoch\[0\] must be an integer ≥ 0/],
  ['training.advice[0].code', 'panic', RangeError, /^model JSON: training\.advice\[0\]\.code must be "/],
  ['training.advice[0].message', 5, TypeError, 'model JSON: training.advice[0].message must be a string, got 5'],
  ['classes', 'no,yes', TypeError, 'model JSON: classes must be an array of two labels, got "no,yes"'],
  ['classes', ['no'], RangeError, '"classes" must be two different labels, got "no"'],
  ['classes', ['no', 1], TypeError, 'classes[1] is 1, a number; the other labels are of type string'],
  ['classes', ['yes', 'no'], RangeError, 'model JSON: classes must be in order, got "yes", "no"'],
  ...['engine', 'gram', 'maxGramBytes', 'onUpdate', 'onEpoch'].flatMap((name) =>
    [null, 'auto', 1].map(
      (value): Wrong => [`options.${name}`, value, RangeError, `model JSON: options.${name} cannot come from a file`],
    ),
  ),
  ['options.colour', 1, RangeError, /has no option "colour"/],
  ['options.initialWeights', [1, 2, 3], RangeError, /has no option "initialWeights"/],
  ['options.precomputed', 1, RangeError, /has no option "precomputed"/],
  ['options.learningRate', huge, RangeError, /"learningRate" must be a number > 0, got Infinity$/],
  ['options.featureNames', ['a'], RangeError, 'model JSON: options.featureNames must have 3 values, got 1'],
  ['options.classWeight', { yes: -1 }, RangeError, /classWeight\["yes"\]"? must be a number > 0, got -1$/],
  ['options.kernel', 'RBF', RangeError, /"kernel" must be .*, got "RBF"$/],
  ['options.kernel', null, TypeError, /"kernel" must be .*, got null$/],
  ['options.kernel', 3, TypeError, /"kernel" must be .*, got 3$/],
  ['options.kernel', {}, TypeError, /"kernel\.type" must be .*, got undefined$/],
  ['options.kernel.type', 'sigmoid', RangeError, /"kernel" must be .*, got type "sigmoid"$/],
  ['options.kernel.gamma', 0, RangeError, /"kernel\.gamma" must be a number > 0, got 0$/],
  ['options.kernel.gamma', huge, RangeError, /"kernel\.gamma" must be a number > 0, got Infinity$/],
  ['options.kernel.gamma', '1', TypeError, /"kernel\.gamma" must be a number > 0, got "1"$/],
  ['options.kernel.degree', 1.5, RangeError, /"kernel\.degree" must be an integer .*, got 1.5$/],
  ['options.kernel.coef0', huge, RangeError, /"kernel\.coef0" must be a finite number, got Infinity$/],
  ['options.kernel.colour', 1, RangeError, /the polynomial kernel has no option "colour"/],
];

test.each(wrong)('a file whose %s is %j is refused', (path, value, type, message) => {
  refuses(changed(path, value), type, message);
});

test('a file without averages does not need them, one with averages does', () => {
  refuses(changed('options.average', true, confirmed), TypeError, /^model JSON: supports\.sums must be an array/);
  expect(loadModel(changed('options.average', undefined)).toJSON()).not.toHaveProperty('supports.sums');
});

test.each(['supports.alphas', 'supports.indices', 'supports.rows', 'training.scores'])(
  'a hole in %s is refused',
  (path) => {
    const json = structuredClone(good);
    const list = path.split('.').reduce((at, key) => at[key], json);
    delete list[1];
    refuses(json, TypeError, new RegExp(`^model JSON: ${quoted(path)}\\[1\\] must be .*, got undefined$`));
  },
);

/** A file of a model that has made no mistake yet. */
function empty(cols: number, kernel: unknown = 'linear'): Any {
  const json = structuredClone(confirmed);
  json.options.kernel = kernel;
  json.cols = cols;
  json.supports = { indices: [], signs: [], alphas: [], counts: [], rows: [] };
  json.bias = 0;
  Object.assign(json.training, { sigma: 0, converged: false, stopReason: 'aborted', epochs: 0, mistakes: 0, seen: 0 });
  json.training.mistakesByEpoch = [];
  return json;
}

test('a model without supports loads, answers with the second class, and goes on', () => {
  for (const [, kernel] of kernels) {
    const model = loadModel<string>(empty(3, kernel)) as DualPerceptron<string>;
    expect(model.predict(X.slice(0, 2))).toEqual(['yes', 'yes']);
    expect(model.predictOne([1, 2, 3])).toBe('yes');
    expect([...model.supportIndices]).toEqual([]);
    expect(model.diagnose(X, y).margin.upper).toBe(Infinity);
    expect(model.partialFit(X, y).report.mistakes).toBeGreaterThan(0);
  }
});

test.each([1e9, 2 ** 32, Number.MAX_SAFE_INTEGER])('%d columns that no row bears out are refused', (cols) => {
  // A file of 1 kB must not make `weights` ask for 8 GB.
  for (const [, kernel] of kernels) refuses(empty(cols, kernel), RangeError, /^model JSON: cols must be /);
});

test('counts that agree with training.mistakes but not with one another’s length are refused', () => {
  const json = structuredClone(good);
  json.supports.counts[0] += json.supports.counts.pop();
  refuses(json, RangeError, `model JSON: supports.counts must have ${supports} values, got ${supports - 1}`);
});

test('scores that α does not bear out change nothing that is learned from then on', () => {
  const load = (scores: unknown) => {
    const json = changed('training.scores', scores, changed('options.warmStart', true));
    return JSON.stringify((loadModel(json) as DualPerceptron<string>).fit(X, y));
  };
  const honest = load(undefined);
  expect(load(new Array(40).fill(1e6))).toBe(honest);
  expect(load(new Array(40).fill('-0'))).toBe(honest);
  expect(load(good.training.scores.map((s: number) => -s))).toBe(honest);
});

test('fields that come by way of "__proto__" are as good as absent', () => {
  refuses(
    JSON.parse(`{"__proto__":${JSON.stringify(good)}}`),
    TypeError,
    /^model JSON: type must be .*"dual-perceptron".*, got undefined$/,
  );
  const { supports: _supports, ...rest } = good;
  refuses(
    JSON.parse(`{"__proto__":{"supports":{}},${JSON.stringify(rest).slice(1)}`),
    TypeError,
    'model JSON: supports must be an object, got undefined',
  );
  refuses(
    Object.assign(Object.create({ supports: good.supports }), rest),
    TypeError,
    'model JSON: supports must be an object, got undefined',
  );
  const { bias: _bias, ...noBias } = good;
  refuses(
    Object.assign(Object.create({ bias: 1 }), noBias),
    TypeError,
    'model JSON: bias must be a finite number, got undefined',
  );
});

test('a kernel in a file has its own fields or none', () => {
  const kernel = JSON.parse('{"__proto__":{"type":"rbf"}}');
  refuses(changed('options.kernel', kernel), TypeError, /"kernel\.type" must be .*, got undefined$/);
  const more = JSON.parse('{"type":"rbf","__proto__":{"gamma":-1}}');
  refuses(changed('options.kernel', more), RangeError, /the rbf kernel has no option "__proto__"/);
  const inherited = changed('options.kernel', 0);
  inherited.options.kernel = Object.create({ type: 'rbf', gamma: 1 });
  refuses(inherited, TypeError, /"kernel/);
  expect(({} as Any).type).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ['options.classes', ['a', 'b'], /classes/],
  ['options.classWeight', { maybe: 2 }, /classWeight/],
])('a file whose %s does not suit its classes is refused', (path, value, message) => {
  refuses(changed(path, value), RangeError, message);
});

test('random damage is an error that names a field, or a model that works', () => {
  const small = saved(
    new DualPerceptron<string>({ average: true, kernel: { type: 'rbf' }, maxEpochs: 2 }).fit(
      X.slice(0, 7),
      y.slice(0, 7),
    ),
  );
  const plain = saved(new DualPerceptron<string>({ maxEpochs: 2 }).fit(X.slice(0, 7), y.slice(0, 7)));
  const paths = (value: Any, path = ''): string[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : [
          path,
          ...Object.keys(value).flatMap((k) =>
            paths(value[k], Array.isArray(value) ? `${path}[${k}]` : path ? `${path}.${k}` : k),
          ),
        ];
  const values = [undefined, null, true, 0, -0, -1, 1, 2, 1e308, huge, NaN, '', '-0', 'x', [], [1], {}, { a: 1 }];
  for (const file of [small, plain]) {
    for (const path of paths(file).filter(Boolean)) {
      for (const value of values) {
        let model: DualPerceptron<string>;
        const json = changed(path, value, file);
        try {
          model = loadModel(json) as DualPerceptron<string>;
        } catch (error) {
          expect([TypeError, RangeError]).toContain((error as Error).constructor);
          expect((error as Error).message).toMatch(/^model JSON|^"|^classes|^classWeight|has no option|^feature/);
          continue;
        }
        // It loaded: then it is whole, whatever it has learned.
        expect(JSON.stringify(loadModel(saved(model)))).toBe(JSON.stringify(model));
        try {
          for (const label of model.predict(X)) expect(model.classes).toContain(label);
          model.partialFit(X.slice(0, 7), model.predict(X.slice(0, 7)));
          expect(JSON.stringify(loadModel(saved(model)))).toBe(JSON.stringify(model));
        } catch (error) {
          expect((error as Error).message).toMatch(/too large|overflow|X has 3 columns|partialFit cannot balance/);
        }
      }
    }
  }
});
