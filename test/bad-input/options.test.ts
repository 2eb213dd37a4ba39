// Options of every call: unknown ones, and each with values it must not have.

import { expect, test } from 'vitest';
import { compare, createEngine, DenseMatrix, Perceptron, type PerceptronOptions } from '../../src/index.js';
import { type Any, checkError, type ErrorClass, orders, refuses, refusesFitted, rejection, X, y } from './refusals.js';

// ---- options ----------------------------------------------------------------------------------------

const number = (
  name: string,
  expected: string,
  ranges: unknown[],
  types: unknown[] = ['1', null, true, [1], {}, 1n],
) => [
  ...ranges.map(
    (value) => [{ [name]: value }, RangeError, `"${name}" must be ${expected}, got ${String(value)}`] as const,
  ),
  ...types.map((value) => [{ [name]: value }, TypeError, new RegExp(`^"${name}" must be ${expected}, got `)] as const),
];
const ENGINE = "\"engine\" must be 'auto', 'wasm-simd', 'wasm-scalar', 'js' or an engine made by createEngine, got ";
const ORDER = "\"order\" must be 'cyclic', 'shuffle', 'random' or 'batch', got ";

const badOptions: (readonly [unknown, ErrorClass, string | RegExp])[] = [
  ...number('learningRate', 'a number > 0', [0, -1, NaN, Infinity, -Infinity]),
  ...number('maxEpochs', 'an integer of at least 1', [0, 1.5, -1, NaN, Infinity, 2 ** 53]),
  ...number('seed', 'an integer from 0 to 4294967295', [-1, 2 ** 32, 1.5, NaN]),
  ...number('interceptScaling', 'a number > 0', [0, -1, NaN, Infinity]),
  ...number('margin', 'a number ≥ 0', [-1, NaN, Infinity]),
  ...number('validationFraction', 'a number from 0 to less than 1', [1, -0.1, 2, NaN]),
  ...number('initialBias', 'a finite number', [NaN, Infinity, -Infinity]),
  [{ validationFraction: 0.1, patience: 0 }, RangeError, '"patience" must be an integer of at least 1, got 0'],
  [{ validationFraction: 0.1, patience: '3' }, TypeError, '"patience" must be an integer of at least 1, got "3"'],
  [{ patience: 3 }, RangeError, /^"patience" needs a "validationFraction"/],
  [{ order: 'up' }, RangeError, `${ORDER}"up"`],
  [{ order: null }, RangeError, `${ORDER}null`],
  ...['fitIntercept', 'average', 'warmStart'].flatMap((name) =>
    (
      [
        [1, '1'],
        ['yes', '"yes"'],
        [null, 'null'],
      ] as const
    ).map(([value, shown]) => [{ [name]: value }, TypeError, `"${name}" must be true or false, got ${shown}`] as const),
  ),
  ...['onUpdate', 'onEpoch'].map((name) => [{ [name]: 3 }, TypeError, `"${name}" must be a function, got 3`] as const),
  [{ classes: 'ab' }, TypeError, '"classes" must be an array of two labels, got "ab"'],
  [{ classes: [] }, RangeError, '"classes" must be two different labels, got none'],
  [{ classes: ['a'] }, RangeError, '"classes" must be two different labels, got "a"'],
  [{ classes: [0, -0] }, RangeError, '"classes" must be two different labels, got 0, 0'],
  [{ classes: [1, '1'] }, TypeError, 'classes[1] is "1", a string; the other labels are of type number'],
  [{ classes: [1, NaN] }, RangeError, 'classes[1] is NaN'],
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  [{ classes: [1, , 2] }, TypeError, 'classes[1] must be a number, a string or a boolean, got undefined'],
  [{ classes: [null, 1] }, TypeError, 'classes[0] must be a number, a string or a boolean, got null'],
  [
    { classes: [1, 2, 3] },
    RangeError,
    '"classes" has 3 classes (1, 2, 3); this trainer tells two apart: use MulticlassPerceptron',
  ],
  [
    { classWeight: 'even' },
    TypeError,
    '"classWeight" must be \'balanced\' or an object of weights by class, got "even"',
  ],
  [
    { classWeight: [1, 2] },
    TypeError,
    '"classWeight" must be \'balanced\' or an object of weights by class, got an array of 2',
  ],
  [{ classWeight: null }, TypeError, '"classWeight" must be \'balanced\' or an object of weights by class, got null'],
  [{ classWeight: { a: 0 } }, RangeError, /^"?classWeight\["a"\]"? must be a number > 0, got 0$/],
  [{ classWeight: { a: '1' } }, TypeError, /^"?classWeight\["a"\]"? must be a number > 0, got "1"$/],
  [{ featureNames: 'ab' }, TypeError, '"featureNames" must be an array of strings, got "ab"'],
  [{ featureNames: ['a', 1] }, TypeError, 'featureNames[1] must be a string, got 1'],
  [{ initialWeights: 3 }, TypeError, '"initialWeights" must be an array of numbers, got 3'],
  [{ initialWeights: [1, '2'] }, TypeError, 'initialWeights[1] must be a number, got "2"'],
  [{ initialWeights: [NaN, 1] }, RangeError, 'initialWeights[0] is NaN'],
  [
    { initialBias: 1, fitIntercept: false },
    RangeError,
    '"initialBias" must be 0 without an intercept (fitIntercept: false), got 1',
  ],
  [{ engine: 'gpu' }, RangeError, `${ENGINE}"gpu"`],
  [{ engine: {} }, RangeError, `${ENGINE}an object`],
  [{ engine: { kind: 'js' } }, RangeError, `${ENGINE}an object`],
  [null, TypeError, 'the options of Perceptron must be an object, got null'],
  [3, TypeError, 'the options of Perceptron must be an object, got 3'],
  [['cyclic'], TypeError, 'the options of Perceptron must be an object, got an array of 1'],
  [
    { eta: 1 },
    RangeError,
    /^Perceptron has no option "eta": do you mean "learningRate"\?; it has learningRate, maxEpochs, order, seed, /,
  ],
  [{ max_iter: 5 }, RangeError, /^Perceptron has no option "max_iter": do you mean "maxEpochs"\?; it has /],
  [{ fit_intercept: true }, RangeError, /^Perceptron has no option "fit_intercept": do you mean "fitIntercept"\?; /],
  [{ maxEpoch: 5 }, RangeError, /^Perceptron has no option "maxEpoch": do you mean "maxEpochs"\?; /],
  [{ gamma: 5 }, RangeError, /^Perceptron has no option "gamma"; it has /],
  [
    { classWeight: new Map([['a', 5]]) },
    TypeError,
    /^"classWeight" must be 'balanced' or an object of weights by class, got /,
  ],
];

test.each(badOptions)('new Perceptron(%o) is refused', (options, type, message) => {
  refuses(() => new Perceptron<Any>(options as Any), type, message);
});

const badForData: [PerceptronOptions<Any>, string | RegExp][] = [
  [{ classWeight: { 1: 2, 7: 1 } }, 'classWeight has the class "7", but the classes are -1 and 1'],
  [{ featureNames: ['a'] }, '"featureNames" has 1 names, X has 2 columns'],
  [{ initialWeights: [1, 2, 3] }, '"initialWeights" has 3 values, X has 2 columns'],
  [{ initialWeights: [] }, '"initialWeights" has 0 values, X has 2 columns'],
  [
    { validationFraction: 0.5 },
    /^"validationFraction" 0.5 holds out all 1 rows of a class; nothing would be left to train on$/,
  ],
];

test.each(badForData)('fit refuses %j, which does not suit the data', (options, message) => {
  for (const order of orders) refuses(() => new Perceptron<Any>({ ...options, order }).fit(X, y), RangeError, message);
});

const fitted = new Perceptron<Any>().fit(X, y);
const calls: Record<string, (options: Any) => unknown> = {
  partialFit: (options) => fitted.partialFit(X, y, options),
  diagnose: (options) => fitted.diagnose(X, y, options),
  createEngine: (options) => createEngine(options),
  'DenseMatrix.allocate': (options) => DenseMatrix.allocate(1, 1, options),
  'DenseMatrix.from': (options) => DenseMatrix.from(X, options),
};

test.each(Object.entries(calls))('%s refuses options it does not know, and options that are none', (name, call) => {
  refuses(() => call({ colour: 1 }), RangeError, new RegExp(`^${name} has no option "colour"; it has `));
  refuses(() => call(null), TypeError, `the options of ${name} must be an object, got null`);
  refuses(() => call('fast'), TypeError, `the options of ${name} must be an object, got "fast"`);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [
    { colour: 1 },
    RangeError,
    'fitAsync has no option "colour"; it has signal, onEpoch, onProgress, threads, keepPartial, workerUrl, sampleWeight',
  ],
  [null, TypeError, 'the options of fitAsync must be an object, got null'],
  [{ threads: 0 }, RangeError, '"threads" must be \'auto\' or an integer of at least 1, got 0'],
  [{ threads: 1.5 }, RangeError, '"threads" must be \'auto\' or an integer of at least 1, got 1.5'],
])('fitAsync refuses the options %j', async (options, type, message) => {
  checkError(await rejection(new Perceptron().fitAsync(X, y, options)), type, message);
});

test.each<[Any, ErrorClass, RegExp]>([
  [{ signal: {} }, TypeError, /^"signal" must be /],
  [{ onEpoch: 3 }, TypeError, /^"onEpoch" must be a function, got 3$/],
  [{ keepPartial: 'yes' }, TypeError, /^"keepPartial" must be true or false, got "yes"$/],
])('fitAsync refuses the options %j by name', async (options, type, message) => {
  checkError(await rejection(new Perceptron().fitAsync(X, y, options)), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ reference: 3 }, TypeError, '"reference" must be an array of numbers, got 3'],
  [{ reference: [1] }, RangeError, '"reference" has 1 values, the model was fitted on 2 columns'],
  [{ reference: [1, NaN] }, RangeError, 'reference[1] is NaN'],
  [{ reference: [0, 0] }, RangeError, '"reference" must not be all zeros: it has no direction'],
  [{ reference: [1, 1], referenceBias: Infinity }, RangeError, '"referenceBias" must be a finite number, got Infinity'],
  [{ referenceBias: 1 }, RangeError, '"referenceBias" needs a "reference"'],
])('diagnose refuses the options %o', (options, type, message) => {
  refusesFitted((m) => m.diagnose(X, y, options), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ kind: 'gpu' }, RangeError, "\"kind\" must be 'auto', 'wasm-simd', 'wasm-scalar' or 'js', got \"gpu\""],
  [{ maxMemoryBytes: 1000 }, RangeError, '"maxMemoryBytes" must be an integer of at least 65536, got 1000'],
  [{ maxMemoryBytes: NaN }, RangeError, '"maxMemoryBytes" must be an integer of at least 65536, got NaN'],
  [{ module: {} }, TypeError, '"module" must be a WebAssembly.Module, got an object'],
  [{ kind: 'js', module: {} }, TypeError, '"module" must be a WebAssembly.Module, got an object'],
  [
    { module: new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) },
    TypeError,
    '"module" is not a module of perceptron-wasm: it does not export "run"',
  ],
])('createEngine refuses the options %o', (options, type, message) => {
  refuses(() => createEngine(options), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ colour: 1 }, RangeError, /has no option "colour"; it has /],
  [{ engine: 'js' }, RangeError, /^compare has no option "engine"/],
  [{ onEpoch: () => false }, RangeError, /^compare has no option "onEpoch"/],
  [{ engines: ['gpu'] }, RangeError, `${ENGINE}"gpu"`],
  [{ budgetMs: -1 }, RangeError, '"budgetMs" must be a number ≥ 0, got -1'],
  [{ budgetMs: NaN }, RangeError, '"budgetMs" must be a number ≥ 0, got NaN'],
  [{ learningRate: 0 }, RangeError, '"learningRate" must be a number > 0, got 0'],
])('compare refuses the options %o', (options, type, message) => {
  refuses(() => compare(X, y, options), type, message);
});

test.each<[Any, ErrorClass, RegExp]>([
  [{ colour: 1 }, RangeError, /^compare has no option "colour"; it has /],
  [null, TypeError, /^the options of compare must be an object, got null$/],
  [{ budgetMs: '5' }, TypeError, /^"budgetMs" must be a number ≥ 0, got "5"$/],
  [{ engines: 3 }, TypeError, /^"engines" must be an array/],
])('compare refuses the options %o in its own name', (options, type, message) => {
  refuses(() => compare(X, y, options), type, message);
});

test.each([1e200, 1e-200])('an interceptScaling of %s has no square that counts', (interceptScaling) => {
  refuses(
    () => new Perceptron({ interceptScaling }),
    RangeError,
    `"interceptScaling" must be a number > 0, got ${interceptScaling}`,
  );
});

test('steps that vanish or overflow before they begin are refused', () => {
  for (const [weight, product] of [
    [1e-200, 0],
    [1e200, Infinity],
  ]) {
    refuses(
      () =>
        new Perceptron({ learningRate: weight as number, classWeight: { yes: weight as number } }).fit(X, [
          'yes',
          'yes',
          'no',
        ]),
      RangeError,
      `"learningRate" times a class weight must be a finite number > 0, got ${product}`,
    );
  }
});

test('a reference with a bias needs a model with an intercept', () => {
  const model = new Perceptron({ fitIntercept: false, maxEpochs: 5 }).fit([[1], [3]], [-1, 1]);
  refuses(
    () => model.diagnose([[1], [3]], [-1, 1], { reference: [1], referenceBias: -2 }),
    RangeError,
    '"referenceBias" must be 0 without an intercept (fitIntercept: false)',
  );
});

test('a row of a disposed matrix is refused in a list of rows too', () => {
  const matrix = DenseMatrix.from(X);
  const row = matrix.row(1);
  matrix.dispose();
  refusesFitted((m) => m.predict([row]), Error, 'X row 0 is a view into a DenseMatrix that was disposed');
});

test('options are those of the object itself, not of its prototype', () => {
  const inherited: PerceptronOptions = Object.create({ maxEpochs: 1, patience: 3, colour: 'red' });
  const model = new Perceptron<number>(inherited as PerceptronOptions<number>);
  expect(model.fit([[1], [2], [3]], [1, -1, 1]).report.epochs).toBe(1000);
});
