// What goes wrong with the options of the dual form: kernels, the words and numbers beside them, and what a kernel has not.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  chooseForm,
  compare,
  createEngine,
  DualPerceptron,
  type DualPerceptronOptions,
  gram,
  type Kernel,
} from '../../src/index.js';
import {
  type Any,
  bad,
  checkError,
  curved,
  type ErrorClass,
  modes,
  orders,
  RBF,
  refuses,
  refusesDual,
  rejection,
  X,
  y,
} from './refusals.js';

// ---- kernels ----------------------------------------------------------------------------------------

const TYPES =
  "\"kernel\" must be 'linear', 'polynomial', 'rbf', or { type, … } with numbers of your own such as { type: 'rbf', gamma: 0.5 }, got ";
const polynomial = (options: object) => ({ type: 'polynomial', ...options });
const rbf = (options: object) => ({ type: 'rbf', ...options });
const wrongNumbers = ['1', null, true, [1], {}, 1n];

const badKernels: [unknown, ErrorClass, string | RegExp][] = [
  [3, TypeError, `${TYPES}3`],
  [null, TypeError, `${TYPES}null`],
  [true, TypeError, `${TYPES}true`],
  [() => 1, TypeError, `${TYPES}a function`],
  ['RBF', RangeError, `${TYPES}"RBF"`],
  ['', RangeError, `${TYPES}""`],
  [{}, TypeError, "\"kernel.type\" must be 'linear', 'polynomial' or 'rbf', got undefined"],
  [['rbf'], TypeError, /^"kernel(\.type)?" must be /],
  [{ type: 1 }, TypeError, "\"kernel.type\" must be 'linear', 'polynomial' or 'rbf', got 1"],
  [{ type: null }, TypeError, "\"kernel.type\" must be 'linear', 'polynomial' or 'rbf', got null"],
  [{ gamma: 1 }, TypeError, "\"kernel.type\" must be 'linear', 'polynomial' or 'rbf', got undefined"],
  [{ type: 'sigmoid' }, RangeError, `${TYPES}type "sigmoid"`],
  [{ type: 'RBF' }, RangeError, `${TYPES}type "RBF"`],
  [{ type: 'toString' }, RangeError, `${TYPES}type "toString"`],
  [{ type: '__proto__' }, RangeError, `${TYPES}type "__proto__"`],
  [rbf({ colour: 1 }), RangeError, 'the rbf kernel has no option "colour"; it has type, gamma'],
  [rbf({ degree: 2 }), RangeError, 'the rbf kernel has no option "degree"; it has type, gamma'],
  [rbf({ coef0: 1 }), RangeError, 'the rbf kernel has no option "coef0"; it has type, gamma'],
  [{ type: 'linear', gamma: 1 }, RangeError, 'the linear kernel has no option "gamma"; it has type'],
  [{ type: 'linear', degree: 1 }, RangeError, 'the linear kernel has no option "degree"; it has type'],
  [polynomial({ p: 2 }), RangeError, 'the polynomial kernel has no option "p"; it has type, degree, gamma, coef0'],
  ...[rbf, polynomial].flatMap((make): [unknown, ErrorClass, string | RegExp][] => [
    ...[0, -0, -1, NaN, Infinity, -Infinity].map((gamma): [unknown, ErrorClass, RegExp] => [
      make({ gamma }),
      RangeError,
      /^"kernel\.gamma" must be a number > 0, got /,
    ]),
    ...wrongNumbers.map((gamma): [unknown, ErrorClass, RegExp] => [
      make({ gamma }),
      TypeError,
      /^"kernel\.gamma" must be a number > 0, got /,
    ]),
  ]),
  ...[0, -1, 1.5, NaN, Infinity].map((degree): [unknown, ErrorClass, RegExp] => [
    polynomial({ degree }),
    RangeError,
    new RegExp(`^"kernel\\.degree" must be an integer .*, got ${degree}$`),
  ]),
  ...wrongNumbers.map((degree): [unknown, ErrorClass, RegExp] => [
    polynomial({ degree }),
    TypeError,
    /^"kernel\.degree" must be an integer .*, got /,
  ]),
  ...bad.map((coef0): [unknown, ErrorClass, string] => [
    polynomial({ coef0 }),
    RangeError,
    `"kernel.coef0" must be a finite number, got ${coef0}`,
  ]),
  ...wrongNumbers.map((coef0): [unknown, ErrorClass, RegExp] => [
    polynomial({ coef0 }),
    TypeError,
    /^"kernel\.coef0" must be a finite number, got /,
  ]),
];

test.each(badKernels)('the kernel %o is refused by DualPerceptron and gram', (kernel, type, message) => {
  refuses(() => new DualPerceptron({ kernel: kernel as Any }), type, message);
  refuses(() => gram(X, { kernel: kernel as Any }), type, message);
});

test('a degree beyond 32 bits is told which degrees there are', () => {
  // "an integer of at least 1, got 4294967296" would say nothing: that is one.
  const message = `"kernel.degree" must be an integer from 1 to 4294967295, got ${2 ** 32}`;
  const kernel: Kernel = { type: 'polynomial', degree: 2 ** 32 };
  refuses(() => new DualPerceptron({ kernel }), RangeError, message);
  refuses(() => gram(X, { kernel }), RangeError, message);
});

test('a kernel whose fields are inherited is that kernel or refused, never another one', () => {
  const kernel = Object.create({ type: 'rbf', gamma: 0.5 });
  let model: DualPerceptron;
  try {
    model = new DualPerceptron({ kernel });
  } catch (error) {
    checkError(error, TypeError, /^"kernel/);
    return;
  }
  expect([...model.fit(X, y).decisionFunction(X)]).toEqual([
    ...new DualPerceptron({ kernel: RBF }).fit(X, y).decisionFunction(X),
  ]);
});

test('a kernel is copied: changing it later changes nothing', () => {
  const kernel: Any = { type: 'rbf', gamma: 0.5 };
  const model = new DualPerceptron({ kernel });
  kernel.gamma = -1;
  kernel.type = 'linear';
  expect(JSON.stringify(model.fit(X, y))).toBe(JSON.stringify(new DualPerceptron({ kernel: RBF }).fit(X, y)));
});

// ---- the other options ------------------------------------------------------------------------------

const GRAM = "\"gram\" must be 'full', 'rows' or 'auto', got ";
const BYTES = '"maxGramBytes" must be an integer of at least 1, or Infinity, got ';

test.each<[unknown, ErrorClass, string | RegExp]>([
  ...[['half', '"half"'] as const, [null, 'null'] as const, [3, '3'] as const, [true, 'true'] as const].map(
    ([value, shown]): [unknown, ErrorClass, string] => [{ gram: value }, RangeError, `${GRAM}${shown}`],
  ),
  [{ gram: {} }, RangeError, `${GRAM}an object`],
  ...[0, -1, 1.5, NaN, 2 ** 53].map((value): [unknown, ErrorClass, string] => [
    { maxGramBytes: value },
    RangeError,
    `${BYTES}${value}`,
  ]),
  [{ maxGramBytes: '1' }, TypeError, `${BYTES}"1"`],
  [{ maxGramBytes: null }, TypeError, `${BYTES}null`],
  [{ maxGramBytes: 1n }, TypeError, `${BYTES}1n`],
  [{ initialWeights: [1, 2] }, RangeError, /^DualPerceptron has no option "initialWeights"; it has learningRate, /],
  [{ initialBias: 0 }, RangeError, /^DualPerceptron has no option "initialBias"/],
  [{ precomputed: null }, RangeError, /^DualPerceptron has no option "precomputed"/],
  [{ colour: 1 }, RangeError, /^DualPerceptron has no option "colour"; it has .*, kernel, gram, maxGramBytes, pocket$/],
  [null, TypeError, 'the options of DualPerceptron must be an object, got null'],
  ['rbf', TypeError, 'the options of DualPerceptron must be an object, got "rbf"'],
  [{ learningRate: 0 }, RangeError, '"learningRate" must be a number > 0, got 0'],
  [{ order: 'up' }, RangeError, /^"order" must be .*, got "up"$/],
  [{ warmStart: 1 }, TypeError, '"warmStart" must be true or false, got 1'],
  [{ engine: 'gpu' }, RangeError, /^"engine" must be .*, got "gpu"$/],
  [{ patience: 3 }, RangeError, /^"patience" needs a "validationFraction"/],
])('new DualPerceptron(%o) is refused', (options, type, message) => {
  refuses(() => new DualPerceptron<Any>(options as Any), type, message);
});

test.each<[unknown, ErrorClass, string]>([
  [{ colour: 1 }, RangeError, 'fit has no option "colour"; it has sampleWeight, precomputed'],
  [
    { signal: undefined },
    RangeError,
    'fit has no option "signal": it is an option of fitAsync; it has sampleWeight, precomputed',
  ],
  [null, TypeError, 'the options of fit must be an object, got null'],
  [3, TypeError, 'the options of fit must be an object, got 3'],
  [[], TypeError, 'the options of fit must be an object, got an array of 0'],
])('fit refuses the options %o', (options, type, message) => {
  refusesDual((m) => m.fit(X, y, options), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ colour: 1 }, RangeError, /^fitAsync has no option "colour"; it has signal, .*, precomputed$/],
  [null, TypeError, 'the options of fitAsync must be an object, got null'],
  [{ threads: 0 }, RangeError, '"threads" must be \'auto\' or an integer of at least 1, got 0'],
  [{ precomputed: 3 }, TypeError, '"precomputed" must be a DenseMatrix, got 3'],
  [{ signal: {} }, TypeError, /^"signal" must be an AbortSignal/],
])('fitAsync refuses the options %j', async (options, type, message) => {
  const engine = createEngine();
  checkError(await rejection(new DualPerceptron({ engine }).fitAsync(X, y, options)), type, message);
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
});

test.each<[DualPerceptronOptions<Any>, string | RegExp]>([
  [{ classWeight: { 1: 2, 7: 1 } }, 'classWeight has the class "7", but the classes are -1 and 1'],
  [{ featureNames: ['a'] }, '"featureNames" has 1 names, X has 2 columns'],
  [{ validationFraction: 0.5 }, /^"validationFraction" 0.5 holds out all 1 rows of a class/],
  [
    { learningRate: 1e-200, classWeight: { 1: 1e-200 } },
    '"learningRate" times a class weight must be a finite number > 0, got 0',
  ],
])('fit refuses %j, which does not suit the data', (options, message) => {
  for (const order of orders) {
    for (const mode of modes) {
      refuses(() => new DualPerceptron<Any>({ ...options, order, gram: mode }).fit(X, y), RangeError, message);
    }
  }
});

// ---- what a kernel has not --------------------------------------------------------------------------

test.each(curved)('weights of the %s kernel are refused with a pointer to what there is', (name, kernel) => {
  refusesDual(
    (m) => m.weights,
    RangeError,
    `a model with the '${name}' kernel has no weights: its plane lies in the kernel's space; see alphas and supportIndices`,
    { kernel },
  );
});

test.each(curved)('diagnose with a reference is refused for the %s kernel', (name, kernel) => {
  const message = `"reference" needs the linear kernel: a plane over columns has no meaning with '${name}'`;
  for (const reference of [[1, 1], [1], 3, null]) {
    refusesDual((m) => m.diagnose(X, y, { reference }), RangeError, message, { kernel });
  }
  refusesDual((m) => m.diagnose(X, y, { referenceBias: 1 }), RangeError, '"referenceBias" needs a "reference"', {
    kernel,
  });
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ reference: 3 }, TypeError, '"reference" must be an array of numbers, got 3'],
  [{ reference: [1] }, RangeError, '"reference" has 1 values, the model was fitted on 2 columns'],
  [{ reference: [0, 0] }, RangeError, '"reference" must not be all zeros: it has no direction'],
  [{ referenceBias: 1 }, RangeError, '"referenceBias" needs a "reference"'],
  [{ colour: 1 }, RangeError, 'diagnose has no option "colour"; it has reference, referenceBias, prove'],
  [null, TypeError, 'the options of diagnose must be an object, got null'],
])('diagnose of a linear model refuses the options %o', (options, type, message) => {
  refusesDual((m) => m.diagnose(X, y, options), type, message);
});

// ---- chooseForm and compare -------------------------------------------------------------------------

test.each<[Any, ErrorClass, string]>([
  ...[0, -1, 1.5, NaN, Infinity].map((epochs): [Any, ErrorClass, string] => [
    { epochs },
    RangeError,
    `"epochs" must be an integer of at least 1, got ${epochs}`,
  ]),
  [{ epochs: '1' }, TypeError, '"epochs" must be an integer of at least 1, got "1"'],
  [{ epochs: null }, TypeError, '"epochs" must be an integer of at least 1, got null'],
  [{ kernel: 'linear' }, RangeError, 'chooseForm has no option "kernel"; it has epochs'],
  [null, TypeError, 'the options of chooseForm must be an object, got null'],
  [100, TypeError, 'the options of chooseForm must be an object, got 100'],
])('chooseForm refuses the options %o', (options, type, message) => {
  refuses(() => chooseForm(X, options), type, message);
});

const COMPARED = "\"forms\" must be an array of 'primal' and 'dual', got ";

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ forms: 'dual' }, TypeError, `${COMPARED}"dual"`],
  [{ forms: null }, TypeError, `${COMPARED}null`],
  [{ forms: {} }, TypeError, `${COMPARED}an object`],
  [{ forms: 2 }, TypeError, `${COMPARED}2`],
  [{ forms: ['primal', 1] }, RangeError, /forms/],
  [{ kernel: RBF }, RangeError, /^compare has no option "kernel"; it has forms, engines, budgetMs, learningRate, /],
  [{ gram: 'rows' }, RangeError, /^compare has no option "gram"/],
  [{ warmStart: true }, RangeError, /^compare has no option "warmStart"/],
])('compare refuses the options %o', (options, type, message) => {
  refuses(() => compare(X, y, options), type, message);
});

test('compare names the form it does not know', () => {
  refuses(() => compare(X, y, { forms: ['primal', 'up' as Any] }), RangeError, /forms.*'primal'.*'dual'.*, got "up"$/);
});

test('a compare that fails gives back what it took', () => {
  const far = [[1e200], [1], [-1]];
  refuses(() => compare(far, y, { forms: ['dual'], budgetMs: 0 }), RangeError, /^the linear kernel of X row/);
  refuses(() => compare(X, [1, 1, 1], { budgetMs: 0 }), RangeError, /^y has one class only/);
});

// ---- any nonsense -----------------------------------------------------------------------------------

test('whatever comes as an option is refused by name or works', () => {
  const nonsense = fc.oneof(
    fc.constantFrom(null, NaN, 0, -0, -1, 1, 1.5, 2 ** 32, 2 ** 53, Infinity, '', '1', 'rbf', true, [], [1], {}),
    fc.record({
      type: fc.constantFrom('linear', 'polynomial', 'rbf', 'x', 1),
      gamma: fc.anything(),
      degree: fc.anything(),
    }),
    fc.anything(),
  );
  fc.assert(
    fc.property(fc.constantFrom('kernel', 'gram', 'maxGramBytes'), nonsense, (key, value) => {
      const { blocks } = defaultArena.usage;
      try {
        const model = new DualPerceptron<number>({ [key]: value, maxEpochs: 3 } as Any).fit(X, y);
        expect(DualPerceptron.fromJSON(JSON.parse(JSON.stringify(model))).toJSON()).toEqual(model.toJSON());
      } catch (error) {
        expect([TypeError, RangeError]).toContain((error as Error).constructor);
        expect((error as Error).message).toMatch(/kernel|gram|maxGramBytes|overflowed/i);
      }
      expect(defaultArena.usage.blocks).toBe(blocks);
    }),
    { numRuns: 500 },
  );
});
