// Models as JSON: exact to the bit, the same from equal runs, and a bad file is an error that names the field.

import { expect, test } from 'vitest';
import { loadModel, Perceptron, type PerceptronJSON, type PerceptronOptions } from '../../src/index.js';
import { engines } from '../engines.js';
import { orders } from '../samples.js';
import { type Any, bits, type ErrorClass, refusesWith, saved, spoil, X, y } from './spoiled.js';

const variants: [string, PerceptronOptions<string>][] = [
  ['the defaults', {}],
  ...orders.map((order): [string, PerceptronOptions<string>] => [`order ${order}`, { order, seed: 4294967295 }]),
  ...orders.map((order): [string, PerceptronOptions<string>] => [
    `averaged weights, order ${order}`,
    { order, average: true, seed: 7 },
  ]),
  ['no intercept', { fitIntercept: false }],
  [
    'class weights by name',
    { classWeight: { yes: 0.1, no: 3 }, learningRate: 0.3, margin: 0.05, interceptScaling: 0.7 },
  ],
  ['balanced class weights', { classWeight: 'balanced', order: 'shuffle' }],
  ['rows held out', { validationFraction: 0.2, patience: 3, order: 'shuffle', seed: 3 }],
  [
    'all the rest',
    {
      initialWeights: [0.1, -0, 5e-324],
      initialBias: -0,
      featureNames: ['a', 'b', '__proto__'],
      classes: ['yes', 'no'],
    },
  ],
];

for (const [name, given] of variants) {
  const options = { maxEpochs: 5, ...given };

  test(`a model with ${name} survives JSON to the bit`, () => {
    const model = new Perceptron<string>(options).fit(X, y);
    const json = model.toJSON();
    for (const copy of [
      Perceptron.fromJSON<string>(saved(model)),
      Perceptron.fromJSON<string>(structuredClone(json)),
    ]) {
      expect(copy.toJSON()).toEqual(json);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
      expect(bits(copy.weights)).toEqual(bits(model.weights));
      expect(Object.is(copy.bias, model.bias)).toBe(true);
      expect(bits(copy.decisionFunction(X))).toEqual(bits(model.decisionFunction(X)));
      expect(copy.predict(X)).toEqual(model.predict(X));
      expect(copy.classes).toEqual(['no', 'yes']);
      expect(copy.explain(X[1] as number[])).toEqual(model.explain(X[1] as number[]));
      expect(copy.diagnose(X, y)).toEqual(model.diagnose(X, y));
      const { timings: _t, ...report } = model.report;
      expect(copy.report).toMatchObject(report);
    }
  });

  test(`a model with ${name} is the same JSON from every engine and every run, sync or not`, async () => {
    const texts = new Set<string>();
    for (const engine of engines) {
      const onEpoch = () => {};
      texts.add(JSON.stringify(new Perceptron<string>({ ...options, engine }).fit(X, y)));
      texts.add(JSON.stringify(new Perceptron<string>({ ...options, engine, onEpoch, onUpdate: onEpoch }).fit(X, y)));
      texts.add(JSON.stringify(await new Perceptron<string>({ ...options, engine }).fitAsync(X, y)));
    }
    expect(texts.size).toBe(1);
    const [text] = texts;
    expect(text).not.toMatch(/engine|threads|Ms"|wasm-|onEpoch/);
  });

  test(`a model with ${name} goes on after loading exactly as if it had not been saved`, () => {
    for (const engine of engines) {
      if (options.classWeight !== 'balanced') {
        const unsaved = new Perceptron<string>({ ...options, engine }).fit(X, y);
        const loaded = loadModel(saved(unsaved)) as Perceptron<string>;
        for (let block = 0; block < 3; block++) {
          unsaved.partialFit(X.slice(block * 10), y.slice(block * 10));
          loaded.partialFit(X.slice(block * 10), y.slice(block * 10));
          expect(JSON.stringify(loaded)).toBe(JSON.stringify(unsaved));
        }
      }
      const warm = new Perceptron<string>({ ...options, engine, warmStart: true }).fit(X, y);
      const again = Perceptron.fromJSON<string>(saved(warm));
      expect(JSON.stringify(again.fit(X, y))).toBe(JSON.stringify(warm.fit(X, y)));
      // Where nothing is held out, 5 epochs, JSON and 5 more are 10 epochs.
      if (!options.validationFraction) {
        const whole = new Perceptron<string>({ ...options, engine, warmStart: true, maxEpochs: 10 }).fit(X, y).toJSON();
        expect({ ...again.toJSON(), options: 0 }).toEqual({ ...whole, options: 0 });
      }
    }
  });
}

test.each<[string, ArrayLike<number | string | boolean>, unknown[]]>([
  ['numbers', [0.1, -2e-300, 0.1], [-2e-300, 0.1]],
  ['booleans', [true, false, true], [false, true]],
  ['strings with every kind of sign', ['\ud800', '"\\\u2028', '\ud800'], ['"\\\u2028', '\ud800']],
  ['names of Object.prototype', ['__proto__', 'toString', '__proto__'], ['__proto__', 'toString']],
])('labels that are %s survive', (_what, labels, classes) => {
  const rows = [[1], [-1], [2]];
  const weights = Object.fromEntries(classes.map((c) => [String(c), 2]));
  for (const options of [{}, { classWeight: weights }]) {
    const model = new Perceptron<Any>(options).fit(rows, labels);
    const copy = loadModel(saved(model));
    expect(copy.classes).toEqual(classes);
    expect(copy.predict(rows)).toEqual(Array.from(labels));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
  }
});

test('−0 survives in weights and bias, and so do the smallest and the largest numbers', () => {
  const initialWeights = [-0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, -0];
  const model = new Perceptron({ initialWeights, initialBias: -0, fitIntercept: false, maxEpochs: 1, classes: [0, 1] });
  model.partialFit([[0, 0, 1e-300, 0, 0]], [1]);
  expect(model.report.mistakes).toBe(0);
  const copy = Perceptron.fromJSON(saved(model));
  expect(bits(copy.weights)).toEqual(bits(Float64Array.from(initialWeights)));
  expect(copy.bias).toBe(-0);
  expect(saved(model)).toMatchObject({
    weights: ['-0', 5e-324, 1.7976931348623157e308, 0.30000000000000004, '-0'],
    bias: '-0',
  });
  // The start is in it too: a fresh fit from it begins at −0 again.
  copy.partialFit([[0, 0, 1e-300, 0, 0]], [1]);
  expect(bits(copy.weights)).toEqual(bits(Float64Array.from(initialWeights)));
});

test.each(['margin', 'seed', 'validationFraction'])('−0 as %s survives too', (option) => {
  const model = new Perceptron({ [option]: -0 }).fit(X, y);
  expect(Perceptron.fromJSON(saved(model)).toJSON()).toEqual(model.toJSON());
});

test('steps that add up beyond the largest number end the fit: JSON could not hold their sum', () => {
  const fit = () => new Perceptron({ learningRate: 1e308 }).fit([[1e-300], [-1e-300], [2e-300]], [1, 0, 1]);
  expect(() => fit().partialFit([[-1e-300]], [1])).toThrow(/^training overflowed: the sum of all steps is no longer/);
});

test('toJSON gives a copy of its own, plain data all through', () => {
  const model = new Perceptron<string>({ ...variants.at(-1)?.[1], average: true, classWeight: { yes: 2 } }).fit(X, y);
  const text = JSON.stringify(model);
  const json: Any = model.toJSON();
  const plain = (value: unknown): boolean =>
    typeof value !== 'object' ||
    ((Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) &&
      Object.values(value as object).every(plain));
  expect(plain(json)).toBe(true);
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
  const json = saved(new Perceptron<string>({ average: true }).fit(X, y));
  const model = loadModel(json);
  const text = JSON.stringify(model);
  json.weights[0] = 1e9;
  json.training.last.weights[0] = 1e9;
  json.training.mistakesByEpoch.push(1);
  json.classes[0] = 'maybe';
  expect(JSON.stringify(model)).toBe(text);
});

test('loadModel goes by the type', () => {
  const model = new Perceptron<string>().fit(X, y);
  const loaded = loadModel(saved(model));
  expect(loaded).toBeInstanceOf(Perceptron);
  expect(loaded.toJSON()).toEqual(model.toJSON());
  expect(loaded.report.timings).toEqual({ copyMs: 0, gramMs: 0, trainMs: 0 });
});

// ---- bad files --------------------------------------------------------------------------------------

const good = saved(
  new Perceptron<string>({
    average: true,
    order: 'shuffle',
    maxEpochs: 5,
    initialWeights: [1, 2, 3],
    featureNames: ['a', 'b', 'c'],
  }).fit(X, y),
);
good.training.advice.push({ code: 'unscaled', message: 'scale' });

const refuses = refusesWith(loadModel, Perceptron.fromJSON);

/** `good`, spoiled. */
const changed = (path: string, value: unknown): Any => spoil(good, path, value);

test('the file these tests spoil is a good one', () => {
  expect(loadModel(good).toJSON()).toEqual(good);
});

test.each<[unknown, string]>([
  [undefined, 'model JSON: the model must be an object, got undefined'],
  [null, 'model JSON: the model must be an object, got null'],
  [3, 'model JSON: the model must be an object, got 3'],
  [[], 'model JSON: the model must be an object, got an array of 0'],
  [JSON.stringify(good), 'model JSON must be an object, got a string: use JSON.parse first'],
  [() => good, 'model JSON: the model must be an object, got a function'],
])('a file that is no object is refused (%#)', (json, message) => {
  refuses(json, TypeError, message);
});

test('a field that is missing is named', () => {
  const required = (value: Any, path = ''): string[] =>
    Object.keys(value).flatMap((key) => {
      const at = path ? `${path}.${key}` : key;
      const nested =
        value[key] !== null && typeof value[key] === 'object' && !Array.isArray(value[key]) && at !== 'options';
      return nested ? [at, ...required(value[key], at)] : [at];
    });
  const paths = [...required(good), 'training.advice[0].code', 'training.advice[0].message'];
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const type = path === 'version' ? RangeError : TypeError;
    const message = path === 'version' ? 'version undefined is not known here; ' : `${path} must be `;
    refuses(changed(path, undefined), type, new RegExp(`^model JSON: ${message.replace(/[[\].]/g, '\\$&')}`));
  }
});

const huge = JSON.parse('1e400');
const wrong: [string, unknown, ErrorClass, string | RegExp][] = [
  ['type', 'svm', RangeError, /^model JSON: type must be "perceptron"( or .*)?, got "svm"$/],
  ['type', 'toString', RangeError, /^model JSON: type must be "perceptron"( or .*)?, got "toString"$/],
  ['type', '__proto__', RangeError, /^model JSON: type must be "perceptron"( or .*)?, got "__proto__"$/],
  ['type', 1, TypeError, /^model JSON: type must be "perceptron"( or .*)?, got 1$/],
  ['version', 2, RangeError, 'model JSON: version 2 is not known here; this release reads version 1'],
  ['version', '1', RangeError, 'model JSON: version "1" is not known here; this release reads version 1'],
  ...['options', 'training', 'training.last', 'training.sums', 'training.advice[0]'].flatMap((path) =>
    (
      [
        [null, 'null'],
        [[], 'an array of 0'],
        ['x', '"x"'],
        [1, '1'],
      ] as const
    ).map(([value, shown]): [string, unknown, ErrorClass, string] => [
      path,
      value,
      TypeError,
      `model JSON: ${path} must be an object, got ${shown}`,
    ]),
  ),
  ...[
    'weights',
    'training.last.weights',
    'training.sums.weights',
    'training.random',
    'training.classWeightRange',
    'training.mistakesByEpoch',
    'training.advice',
  ].flatMap((path) =>
    (
      [
        [null, 'null'],
        [{ length: 3 }, 'an object'],
        ['123', '"123"'],
        [3, '3'],
      ] as const
    ).map(([value, shown]): [string, unknown, ErrorClass, string] => [
      path,
      value,
      TypeError,
      `model JSON: ${path} must be an array, got ${shown}`,
    ]),
  ),
  ...[
    'bias',
    'weights[1]',
    'training.last.bias',
    'training.last.weights[0]',
    'training.sums.bias',
    'training.sums.weights[2]',
    'options.initialWeights[0]',
  ].flatMap((path) =>
    (
      [
        [huge, 'Infinity', RangeError],
        [NaN, 'NaN', RangeError],
        ['1', '"1"', TypeError],
        [null, 'null', TypeError],
        [undefined, 'undefined', TypeError],
        [[1], 'an array of 1', TypeError],
      ] as const
    ).map(([value, shown, type]): [string, unknown, ErrorClass, string] => [
      path,
      value,
      type,
      `model JSON: ${path} must be a finite number, got ${shown}`,
    ]),
  ),
  ...['training.seen', 'training.epochs', 'training.mistakes', 'training.mistakesByEpoch[0]'].flatMap((path) =>
    (
      [
        [-1, RangeError],
        [1.5, RangeError],
        [huge, RangeError],
        [2 ** 53, RangeError],
        ['1', TypeError],
        [null, TypeError],
      ] as const
    ).map(([value, type]): [string, unknown, ErrorClass, RegExp] => [
      path,
      value,
      type,
      new RegExp(`^model JSON: ${path.replace(/[[\].]/g, '\\$&')} must be an integer ≥ 0, got `),
    ]),
  ),
  ['weights', [], RangeError, 'model JSON: weights must be an array of at least one number, got an array of 0'],
  ['weights', [1, 2], RangeError, 'model JSON: training.last.weights must have 2 values, got 3'],
  ['training.last.weights', [1, 2], RangeError, 'model JSON: training.last.weights must have 3 values, got 2'],
  ['training.sums.weights', [1, 2, 3, 4], RangeError, 'model JSON: training.sums.weights must have 3 values, got 4'],
  ['training.sigma', -1, RangeError, 'model JSON: training.sigma must be a number ≥ 0, got -1'],
  ['training.sigma', huge, RangeError, 'model JSON: training.sigma must be a number ≥ 0, got Infinity'],
  ['training.sigma', '1', TypeError, 'model JSON: training.sigma must be a number ≥ 0, got "1"'],
  [
    'training.random',
    [1, 2, 3],
    RangeError,
    'model JSON: training.random must be four words, not all zero, got an array of 3',
  ],
  [
    'training.random',
    [0, 0, 0, 0],
    RangeError,
    'model JSON: training.random must be four words, not all zero, got an array of 4',
  ],
  [
    'training.random[2]',
    2 ** 32,
    RangeError,
    `model JSON: training.random[2] must be an integer from 0 to 4294967295, got ${2 ** 32}`,
  ],
  [
    'training.random[0]',
    -1,
    RangeError,
    'model JSON: training.random[0] must be an integer from 0 to 4294967295, got -1',
  ],
  [
    'training.random[0]',
    'a',
    TypeError,
    'model JSON: training.random[0] must be an integer from 0 to 4294967295, got "a"',
  ],
  [
    'training.classWeightRange',
    [1],
    RangeError,
    'model JSON: training.classWeightRange must be two numbers > 0, ascending, got an array of 1',
  ],
  [
    'training.classWeightRange',
    [2, 1],
    RangeError,
    'model JSON: training.classWeightRange must be two numbers > 0, ascending, got an array of 2',
  ],
  [
    'training.classWeightRange',
    [0, 1],
    RangeError,
    'model JSON: training.classWeightRange must be two numbers > 0, ascending, got an array of 2',
  ],
  [
    'training.classWeightRange[1]',
    huge,
    RangeError,
    'model JSON: training.classWeightRange[1] must be a number ≥ 0, got Infinity',
  ],
  ['training.converged', 1, TypeError, 'model JSON: training.converged must be true or false, got 1'],
  [
    'training.stopReason',
    'tired',
    RangeError,
    /^model JSON: training\.stopReason must be "separated" or .*, got "tired"$/,
  ],
  ['training.stopReason', 1, TypeError, /^model JSON: training\.stopReason must be "separated" or .*, got 1$/],
  ['training.epochs', 4, RangeError, 'model JSON: training.mistakesByEpoch must have 4 values, got 5'],
  ['training.mistakes', 1, RangeError, /^model JSON: training\.mistakesByEpoch sums to \d+, training\.mistakes is 1$/],
  [
    'training.advice[0].code',
    'panic',
    RangeError,
    /^model JSON: training\.advice\[0\]\.code must be ".*, got "panic"$/,
  ],
  ['training.advice[0].message', 5, TypeError, 'model JSON: training.advice[0].message must be a string, got 5'],
  ['classes', 'no,yes', TypeError, 'model JSON: classes must be an array of two labels, got "no,yes"'],
  ['classes', ['no'], RangeError, '"classes" must be two different labels, got "no"'],
  ['classes', ['no', 'no'], RangeError, '"classes" must be two different labels, got "no", "no"'],
  ['classes', ['no', 1], TypeError, 'classes[1] is 1, a number; the other labels are of type string'],
  ['classes', ['no', null], TypeError, 'classes[1] must be a number, a string or a boolean, got null'],
  ['classes', [0, huge], RangeError, 'classes[1] is Infinity'],
  [
    'classes',
    ['a', 'b', 'c'],
    RangeError,
    '"classes" has 3 classes ("a", "b", "c"); this trainer tells two apart: use MulticlassPerceptron',
  ],
  ['classes', ['yes', 'no'], RangeError, 'model JSON: classes must be in order, got "yes", "no"'],
  ['options.engine', 'js', RangeError, 'model JSON: options.engine cannot come from a file'],
  ['options.onUpdate', 'x', RangeError, 'model JSON: options.onUpdate cannot come from a file'],
  ['options.onEpoch', null, RangeError, 'model JSON: options.onEpoch cannot come from a file'],
  ['options.colour', 1, RangeError, /has no option "colour"/],
  ['options.learningRate', huge, RangeError, /"learningRate" must be a number > 0, got Infinity$/],
  ['options.learningRate', '1', TypeError, /"learningRate" must be a number > 0, got "1"$/],
  ['options.maxEpochs', null, TypeError, /"maxEpochs" must be an integer of at least 1, got null$/],
  ['options.order', 'up', RangeError, /"order" must be .*, got "up"$/],
  ['options.initialWeights', 'x', TypeError, /"initialWeights" must be an array of numbers, got "x"$/],
  ['options.initialWeights', [1], RangeError, 'model JSON: options.initialWeights must have 3 values, got 1'],
  ['options.featureNames', ['a'], RangeError, 'model JSON: options.featureNames must have 3 values, got 1'],
  ['options.featureNames', [1, 2, 3], TypeError, /featureNames\[0\] must be a string, got 1$/],
  ['options.classWeight', { yes: -1 }, RangeError, /classWeight\["yes"\]"? must be a number > 0, got -1$/],
];

test.each(wrong)('a file whose %s is %j is refused', (path, value, type, message) => {
  refuses(changed(path, value), type, message);
});

test('a hole in a list is refused', () => {
  const json = structuredClone(good);
  delete json.weights[1];
  refuses(json, TypeError, 'model JSON: weights[1] must be a finite number, got undefined');
});

test('fields that come by way of "__proto__" are as good as absent', () => {
  refuses(
    JSON.parse(`{"__proto__":${JSON.stringify(good)}}`),
    TypeError,
    /^model JSON: type must be "perceptron"( or .*)?, got undefined$/,
  );
  refuses(Object.create(good), TypeError, /^model JSON: type must be "perceptron"( or .*)?, got undefined$/);
  const { training: _training, ...rest } = good;
  refuses(
    JSON.parse(`{"__proto__":{"training":{}},${JSON.stringify(rest).slice(1)}`),
    TypeError,
    'model JSON: training must be an object, got undefined',
  );
  const { bias: _bias, ...noBias } = good;
  refuses(
    Object.assign(Object.create({ bias: 1 }), noBias),
    TypeError,
    'model JSON: bias must be a finite number, got undefined',
  );
});

test('"__proto__" among the options is refused, and pollutes nothing', () => {
  const { options, ...rest } = good;
  const text = `{${JSON.stringify(rest).slice(1, -1)},"options":{"__proto__":{"engine":"js","polluted":1},${JSON.stringify(options).slice(1)}}`;
  refuses(JSON.parse(text), RangeError, /has no option "__proto__"/);
  const weight = `{${JSON.stringify(rest).slice(1, -1)},"options":{"average":true,"classWeight":{"__proto__":{"polluted":1}}}}`;
  refuses(JSON.parse(weight), TypeError, /classWeight\["__proto__"\]"? must be a number > 0, got an object$/);
  expect(({} as Any).polluted).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ['options.classes', ['a', 'b'], /classes/],
  ['options.classWeight', { maybe: 2 }, /classWeight/],
])('a file whose %s does not suit its classes is refused', (path, value, message) => {
  refuses(changed(path, value), RangeError, message);
});

test('random damage is an error of ours or a model that works, never another error', () => {
  const values = [undefined, null, true, 0, -1, 1e308, huge, '', '-0', 'x', [], [1], {}, { a: 1 }];
  const paths = (value: Any, path = ''): string[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : [
          path,
          ...Object.keys(value).flatMap((k) =>
            paths(value[k], Array.isArray(value) ? `${path}[${k}]` : path ? `${path}.${k}` : k),
          ),
        ];
  for (const path of paths(good).filter(Boolean)) {
    for (const value of values) {
      let model: ReturnType<typeof loadModel>;
      try {
        model = loadModel(changed(path, value));
      } catch (error) {
        const { message } = error as Error;
        expect([TypeError, RangeError]).toContain((error as Error).constructor);
        expect(message, `${path} = ${String(value)}`).toMatch(
          /^(model JSON: |"?[a-zA-Z[\]0-9]+"? (must|is|has|needs)|Perceptron has no option)/,
        );
        continue;
      }
      expect(Perceptron.fromJSON(model.toJSON()).toJSON()).toEqual(model.toJSON());
    }
  }
});

test('the type of the JSON is the public one', () => {
  const json: PerceptronJSON = new Perceptron<string>().fit(X, y).toJSON();
  expect(Object.keys(json)).toEqual(['type', 'version', 'options', 'classes', 'weights', 'bias', 'training']);
});
