// What goes wrong in dual form: kernels, Gram matrices and the memory for them, beside all that the primal form refuses.

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type DualPerceptronOptions,
  type Engine,
  gram,
  type Kernel,
  NotFittedError,
  Perceptron,
} from '../../src/index.js';
import { engines } from '../engines.js';
import {
  type Any,
  checkError,
  type ErrorClass,
  forms,
  holed,
  labelled,
  matrixForms,
  methods,
  oneRow,
  orders,
  refuses,
  rejection,
  X,
  y,
} from './refusals.js';

const modes = ['full', 'rows'] as const;
const RBF: Kernel = { type: 'rbf', gamma: 0.5 };
const CUBIC: Kernel = { type: 'polynomial', degree: 3, gamma: 0.5, coef0: 1 };
const kernels: [string, Kernel][] = [
  ['linear', 'linear'],
  ['polynomial', CUBIC],
  ['rbf', RBF],
];
const curved = kernels.slice(1);
const bad = [NaN, Infinity, -Infinity];

/** 60 rows that no plane separates, from row `start` of an endless list. */
const rowsFrom = (start: number, n: number) =>
  Array.from({ length: n }, (_, i) => [Math.sin(start + i), Math.cos(3 * (start + i)), ((start + i) * 7) % 11]);
const mixed = (n: number) => Array.from({ length: n }, (_, i) => ((i * i) % 7 < 3 ? 1 : -1));

/** As `refusesFitted`, for the dual form: an act on a fitted model, which must stay as it was. */
function refusesDual(
  act: (model: Any) => unknown,
  type: ErrorClass,
  message: string | RegExp,
  options: DualPerceptronOptions<Any> = {},
): void {
  const model = new DualPerceptron<Any>(options).fit(X, y);
  const before = JSON.stringify(model);
  const { report, alphas } = model;
  const predicted = model.predict(X);
  refuses(() => act(model), type, message);
  expect(JSON.stringify(model)).toBe(before);
  expect(model.report).toBe(report);
  expect(model.alphas).toBe(alphas);
  expect(model.predict(X)).toEqual(predicted);
}

/** An act that must be refused and leave no block in an engine's own memory. */
function refusesIn(engine: Engine, act: () => unknown, type: ErrorClass, message: string | RegExp): void {
  const { arena } = resolveEngine(engine);
  const before = arena.usage;
  refuses(act, type, message);
  expect(arena.usage).toMatchObject({ liveBytes: before.liveBytes, blocks: before.blocks });
}

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
  [{ colour: 1 }, RangeError, /^DualPerceptron has no option "colour"; it has .*, kernel, gram, maxGramBytes$/],
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
  [{ colour: 1 }, RangeError, 'fit has no option "colour"; it has precomputed'],
  [{ signal: undefined }, RangeError, 'fit has no option "signal"; it has precomputed'],
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

// ---- memory for the Gram matrix ---------------------------------------------------------------------

test.each(engines)("%s: gram 'full' beyond maxGramBytes names the bytes and 'rows', and takes no memory", (engine) => {
  for (const [maxGramBytes, allowed] of [
    [1, '1'],
    [71, '71'],
  ] as const) {
    const message = `gram: 'full' needs 72 bytes for the 3 × 3 Gram matrix, "maxGramBytes" allows ${allowed}; use gram: 'rows', which keeps as many rows as fit`;
    const model = new DualPerceptron<number>({ engine, gram: 'full', maxGramBytes, classes: [-1, 1] });
    const allocate = vi.spyOn(defaultArena, 'allocate');
    try {
      refuses(() => model.fit(X, y), RangeError, message);
      refuses(() => model.partialFit(X, y), RangeError, message);
      expect(allocate).not.toHaveBeenCalled();
    } finally {
      allocate.mockRestore();
    }
    refuses(() => model.predict(X), NotFittedError, /^this DualPerceptron is not fitted yet/);
  }
  expect(new DualPerceptron({ engine, gram: 'full', maxGramBytes: 72 }).fit(X, y).predict(X)).toEqual(y);
});

test('bytes are grouped in a message, so that they can be read', () => {
  const rows = rowsFrom(0, 1000);
  refuses(
    () => new DualPerceptron({ gram: 'full', maxGramBytes: 1_234_567 }).fit(rows, mixed(1000)),
    RangeError,
    "gram: 'full' needs 8,000,000 bytes for the 1000 × 1000 Gram matrix, \"maxGramBytes\" allows 1,234,567; use gram: 'rows', which keeps as many rows as fit",
  );
});

test.each(['rows', 'auto'] as const)("gram '%s' with less than one row of it is refused", (mode) => {
  const allocate = vi.spyOn(defaultArena, 'allocate');
  try {
    refuses(
      () => new DualPerceptron({ gram: mode, maxGramBytes: 23 }).fit(X, y),
      RangeError,
      /^gram: 'rows' needs 24 bytes for a single row of the 3 × 3 Gram matrix, "maxGramBytes" (is|allows) 23$/,
    );
    expect(allocate).not.toHaveBeenCalled();
  } finally {
    allocate.mockRestore();
  }
});

for (const engine of engines) {
  test.each(orders)(`${engine}, order %s: room for a row or a few of them gives the same model`, (order) => {
    const rows = rowsFrom(0, 30);
    const labels = mixed(30);
    for (const [, kernel] of kernels) {
      for (const average of [false, true]) {
        const options = { engine, order, kernel, average, maxEpochs: 4, seed: 5 };
        const whole = JSON.stringify(new DualPerceptron<number>({ ...options, gram: 'full' }).fit(rows, labels));
        for (const maxGramBytes of [240, 479, 3 * 240, 30 * 240 - 1, 30 * 240]) {
          for (const mode of ['auto', 'rows'] as const) {
            const model = new DualPerceptron<number>({ ...options, gram: mode, maxGramBytes }).fit(rows, labels);
            expect(JSON.stringify(model)).toBe(whole);
          }
        }
      }
    }
  });
}

test.each(engines)("%s: an engine of little memory names it where gram 'full' does not fit", (kind) => {
  const engine = createEngine({ kind, maxMemoryBytes: 2 ** 20 });
  refusesIn(
    engine,
    () => new DualPerceptron({ engine, gram: 'full' }).fit(rowsFrom(0, 400), mixed(400)),
    RangeError,
    "gram: 'full' needs 1,280,000 bytes for the 400 × 400 Gram matrix, the memory allows 1,048,576; use gram: 'rows', which keeps as many rows as fit",
  );
});

test.each(engines)('%s: an engine of little memory trains, goes on and predicts, with the same bits', (kind) => {
  for (const n of [60, 400]) {
    const rows = rowsFrom(0, n);
    const labels = mixed(n);
    for (const mode of ['auto', 'rows'] as const) {
      const options = { kernel: RBF, gram: mode, maxEpochs: 2, warmStart: true };
      const engine = createEngine({ kind, maxMemoryBytes: 2 ** 20 });
      const model = new DualPerceptron<number>({ ...options, engine }).fit(rows, labels);
      const usual = new DualPerceptron<number>(options).fit(rows, labels);
      expect(JSON.stringify(model)).toBe(JSON.stringify(usual));
      expect([...model.decisionFunction(rows)]).toEqual([...usual.decisionFunction(rows)]);
      expect(model.diagnose(rows, labels)).toEqual(usual.diagnose(rows, labels));
      // A warm start needs a little more room than a fresh one: rows of the Gram matrix must leave it.
      expect(JSON.stringify(model.fit(rows, labels))).toBe(JSON.stringify(usual.fit(rows, labels)));
      expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
    }
  }
});

test('a memory too small for one row is named, not maxGramBytes', () => {
  const engine = createEngine({ maxMemoryBytes: 65536 });
  const n = 10_000;
  const rows = { data: new Float64Array(n).fill(1), rows: n, cols: 1 };
  refusesIn(
    engine,
    () => new DualPerceptron({ engine, gram: 'rows' }).fit(rows, mixed(n)),
    RangeError,
    /^gram: 'rows' needs 80,000 bytes for a single row of the 10000 × 10000 Gram matrix, the memory (is|allows) 65,536/,
  );
});

test('the smallest memory there is holds three rows, or says what its bytes are wanted for', () => {
  const engine = createEngine({ maxMemoryBytes: 65536 });
  expect(new Perceptron({ engine }).fit(X, y).predict(X)).toEqual(y);
  let message = '';
  try {
    expect(new DualPerceptron({ engine }).fit(X, y).predict(X)).toEqual(y);
  } catch (error) {
    checkError(error, RangeError, /^no room for /);
    message = (error as Error).message;
  }
  // The linear kernel has no norms, and those of three rows are no 798,800 bytes.
  expect(message).not.toMatch(/norms of 3 rows/);
});

test("gram 'full' in a memory that is mostly taken names 'rows' too", () => {
  const engine = createEngine({ maxMemoryBytes: 2 ** 20 });
  const { arena } = resolveEngine(engine);
  const rows = rowsFrom(0, 360);
  refusesIn(
    engine,
    () => new DualPerceptron({ engine, gram: 'full' }).fit(rows, mixed(360)),
    RangeError,
    /no room for the 360 × 360 Gram matrix: 1036800 bytes .*gram: 'rows'/,
  );
  expect(arena.usage.blocks).toBe(0);
});

test('gram() of more rows than the memory can pair says so', () => {
  const engine = createEngine({ maxMemoryBytes: 2 ** 20 });
  refusesIn(
    engine,
    () => gram(rowsFrom(0, 400), { engine }),
    RangeError,
    /^the Gram matrix of 400 rows takes 1,280,000 bytes, the memory holds at most 1,048,576; .*gram: 'rows'/,
  );
});

// Whichever allocation of an act fails, everything that was taken before is given back.

const needy: Record<string, (model: DualPerceptron<number>, kernel: Kernel) => unknown> = {
  "fit with gram 'full'": (_, kernel) =>
    new DualPerceptron<number>({ kernel, gram: 'full', maxEpochs: 2 }).fit(rowsFrom(0, 20), mixed(20)),
  "fit with gram 'rows'": (_, kernel) =>
    new DualPerceptron<number>({ kernel, gram: 'rows', maxEpochs: 2 }).fit(rowsFrom(0, 20), mixed(20)),
  'fit with a precomputed matrix': (_, kernel) => {
    using precomputed = gram(rowsFrom(0, 20), { kernel });
    new DualPerceptron<number>({ kernel, maxEpochs: 2 }).fit(rowsFrom(0, 20), mixed(20), { precomputed });
  },
  'fit from a warm start': (model) => model.fit(rowsFrom(0, 20), mixed(20)),
  'fit of other rows from a warm start': (model) => model.fit(rowsFrom(50, 20), mixed(20)),
  partialFit: (model) => model.partialFit(rowsFrom(50, 15), mixed(15)),
  predict: (model) => model.predict(rowsFrom(9, 9)),
  decisionFunction: (model) => model.decisionFunction(rowsFrom(9, 9)),
  predictOne: (model) => model.predictOne([1, 2, 3]),
  explain: (model) => model.explain([1, 2, 3]),
  score: (model) => model.score(rowsFrom(9, 9), mixed(9)),
  loss: (model) => model.loss(rowsFrom(9, 9), mixed(9)),
  diagnose: (model) => model.diagnose(rowsFrom(9, 9), mixed(9)),
  gram: (_, kernel) => gram(rowsFrom(0, 20), { kernel }).dispose(),
};

for (const [name, act] of Object.entries(needy)) {
  test.each(kernels)(`${name}, %s kernel: whichever allocation fails, nothing stays behind`, (_name, kernel) => {
    const options = { kernel, maxEpochs: 2, warmStart: true };
    const saved = JSON.stringify(new DualPerceptron<number>(options).fit(rowsFrom(0, 20), mixed(20)));
    const original = defaultArena.allocate.bind(defaultArena);
    const leaks: string[] = [];
    for (let failing = 0, what = 'the first'; what !== ''; failing++) {
      const model = DualPerceptron.fromJSON<number>(JSON.parse(saved));
      const { blocks } = defaultArena.usage;
      let calls = 0;
      what = '';
      const allocate = vi.spyOn(defaultArena, 'allocate').mockImplementation((bytes, of, zeroed) => {
        if (calls++ !== failing) return original(bytes, of, zeroed);
        what = of;
        throw new RangeError(`no room for ${of}`);
      });
      try {
        act(model, kernel);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect((error as Error).message.startsWith(`no room for ${what}`)).toBe(true);
        expect(JSON.stringify(model)).toBe(saved);
      } finally {
        allocate.mockRestore();
      }
      const left = defaultArena.usage.blocks - blocks;
      if (left !== 0) leaks.push(`no room for ${what}: ${left} blocks left`);
    }
    expect(leaks).toEqual([]);
  });
}

// ---- precomputed ------------------------------------------------------------------------------------

const SQUARE = 'expected 3 × 3: a row and a column for each row of X';
const G = () => gram(X);
const changedAt = (i: number, j: number, value: number, both = true): DenseMatrix => {
  const matrix = G();
  matrix.data[3 * i + j] = value;
  if (both) matrix.data[3 * j + i] = value;
  return matrix;
};

const badMatrices: [string, () => unknown, ErrorClass, string | RegExp][] = [
  ['null', () => null, TypeError, '"precomputed" must be a DenseMatrix, got null'],
  ['a number', () => 3, TypeError, '"precomputed" must be a DenseMatrix, got 3'],
  ['a string', () => 'gram', TypeError, '"precomputed" must be a DenseMatrix, got "gram"'],
  ['a function', () => gram, TypeError, '"precomputed" must be a DenseMatrix, got a function'],
  ['an object', () => ({}), TypeError, '"precomputed" must be a DenseMatrix, got an object'],
  ['an array of rows', () => [[18], [21], [6]], TypeError, '"precomputed" must be a DenseMatrix, got an array of 3'],
  [
    'a typed array',
    () => new Float64Array(9),
    TypeError,
    '"precomputed" must be a DenseMatrix, got a Float64Array of 9',
  ],
  ['its data an array', () => ({ data: new Array(9), rows: 3, cols: 3 }), TypeError, /^"precomputed" must be a Dense/],
  ['the rows themselves', () => DenseMatrix.from(X), RangeError, `"precomputed" is 3 × 2, ${SQUARE}`],
  ['of fewer rows', () => gram(X.slice(1)), RangeError, `"precomputed" is 2 × 2, ${SQUARE}`],
  ['of more rows', () => gram([...X, [1, 2]]), RangeError, `"precomputed" is 4 × 4, ${SQUARE}`],
  ['transposed oddly', () => DenseMatrix.allocate(9, 1), RangeError, `"precomputed" is 9 × 1, ${SQUARE}`],
  [
    'of float32',
    () => {
      using matrix = G();
      return DenseMatrix.from(matrix, { dtype: 'float32' });
    },
    RangeError,
    '"precomputed" must be of dtype \'float64\'',
  ],
  [
    'not symmetric',
    () => changedAt(2, 0, 7, false),
    RangeError,
    '"precomputed" is not symmetric: [2][0] is 7, [0][2] is 6; a Gram matrix is, see gram()',
  ],
  ['NaN on the diagonal', () => changedAt(1, 1, NaN), RangeError, 'precomputed[1][1] is NaN'],
  ['NaN on both sides', () => changedAt(2, 1, NaN), RangeError, /^precomputed\[(2\]\[1|1\]\[2)\] is NaN$/],
  ['NaN below the diagonal', () => changedAt(2, 1, NaN, false), RangeError, 'precomputed[2][1] is NaN'],
  ['NaN above the diagonal', () => changedAt(1, 2, NaN, false), RangeError, 'precomputed[1][2] is NaN'],
  ['infinite', () => changedAt(2, 0, Infinity), RangeError, /^precomputed\[(2\]\[0|0\]\[2)\] is Infinity$/],
  ['infinite at last', () => changedAt(2, 2, -Infinity), RangeError, 'precomputed[2][2] is -Infinity'],
  [
    'of another kernel',
    () => gram(X, { kernel: CUBIC }),
    RangeError,
    'precomputed[0][0] is 1000, but this kernel gives 18 for row 0 of X; was it made from other rows, or with another kernel?',
  ],
  [
    'of other rows',
    () => gram([[3, 3], [4, 3.001], X[2] as number[]]),
    RangeError,
    /^precomputed\[1\]\[1\] is 25\.00600.*, but this kernel gives 25 for row 1 of X; was it made from other rows, or with another kernel\?$/,
  ],
  [
    'zero on the diagonal',
    () => changedAt(2, 2, 0),
    RangeError,
    /^precomputed\[2\]\[2\] is 0, but this kernel gives 2 for row 2 of X/,
  ],
  [
    'disposed',
    () => {
      const matrix = G();
      matrix.dispose();
      return matrix;
    },
    Error,
    'this DenseMatrix was disposed',
  ],
];

for (const engine of engines) {
  test.each(badMatrices)(
    `${engine}: a precomputed matrix that is %s is refused`,
    async (_what, make, type, message) => {
      const precomputed = make() as DenseMatrix;
      try {
        for (const mode of modes) {
          refusesDual((m) => m.fit(X, y, { precomputed }), type, message, { engine, gram: mode });
          refusesDual((m) => m.fit(X, y, { precomputed }), type, message, { engine, gram: mode, warmStart: true });
        }
        const { blocks } = defaultArena.usage;
        checkError(await rejection(new DualPerceptron({ engine }).fitAsync(X, y, { precomputed })), type, message);
        expect(defaultArena.usage.blocks).toBe(blocks);
      } finally {
        precomputed?.dispose?.();
      }
    },
  );
}

test.each(curved)('a linear matrix is refused for the %s kernel', (_name, kernel) => {
  using precomputed = G();
  refusesDual((m) => m.fit(X, y, { precomputed }), RangeError, /^precomputed\[0\]\[0\] is 18, but this kernel gives /, {
    kernel,
  });
});

test('a matrix made with another gamma is refused, though the diagonal of every RBF matrix is 1', () => {
  using precomputed = gram(X, { kernel: { type: 'rbf', gamma: 0.5 } });
  refusesDual(
    (m) => m.fit(X, y, { precomputed }),
    RangeError,
    /was it made from other rows, or with another kernel\?$/,
    {
      kernel: { type: 'rbf', gamma: 0.05 },
    },
  );
});

test('a matrix made from rows in another order is refused, though their norms are the same', () => {
  const turned = [
    [1, 0],
    [0, 1],
    [-1, 0],
  ];
  using precomputed = gram(turned);
  const other = [turned[1], turned[2], turned[2]] as number[][];
  const message = /was it made from other rows, or with another kernel\?$/;
  refuses(() => new DualPerceptron().fit(other, y, { precomputed }), RangeError, message);
});

for (const engine of engines) {
  test.each(kernels)(
    `${engine}, %s kernel: NaN and infinities in X are found beside a precomputed matrix`,
    (_n, kernel) => {
      using precomputed = gram(X, { kernel });
      for (const value of bad) {
        for (const dtype of matrixForms) {
          using rows = DenseMatrix.from(X, { dtype });
          rows.data[5] = value;
          refusesDual((m) => m.fit(rows, y, { precomputed }), RangeError, `X[2][1] is ${value}`, { engine, kernel });
        }
      }
    },
  );
}

test('a precomputed matrix needs none of maxGramBytes', () => {
  using precomputed = G();
  const usual = new DualPerceptron().fit(X, y);
  for (const mode of ['auto', ...modes] as const) {
    const model = new DualPerceptron({ gram: mode, maxGramBytes: 1 });
    expect([...model.fit(X, y, { precomputed }).alphas]).toEqual([...usual.alphas]);
  }
});

test('a precomputed matrix is left as it was', () => {
  using precomputed = G();
  const before = [...precomputed.data];
  for (const order of orders) new DualPerceptron({ order }).fit(X, y, { precomputed });
  expect([...precomputed.data]).toEqual(before);
});

// ---- gram -------------------------------------------------------------------------------------------

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ colour: 1 }, RangeError, 'gram has no option "colour"; it has kernel, engine, out'],
  [{ threads: 2 }, RangeError, 'gram has no option "threads"; it has kernel, engine, out'],
  [null, TypeError, 'the options of gram must be an object, got null'],
  ['rbf', TypeError, 'the options of gram must be an object, got "rbf"'],
  [{ engine: 'gpu' }, RangeError, /^"engine" must be .*, got "gpu"$/],
  [{ engine: {} }, RangeError, /^"engine" must be .*, got an object$/],
])('gram refuses the options %o', (options, type, message) => {
  refuses(() => gram(X, options), type, message);
});

test.each<[string, () => Any, ErrorClass, string | RegExp]>([
  ['null', () => null, TypeError, '"out" must be a DenseMatrix, got null'],
  ['a number', () => 9, TypeError, '"out" must be a DenseMatrix, got 9'],
  ['an object', () => ({}), TypeError, '"out" must be a DenseMatrix, got an object'],
  ['a typed array', () => new Float64Array(9), TypeError, '"out" must be a DenseMatrix, got a Float64Array of 9'],
  ['an array', () => [[], [], []], TypeError, '"out" must be a DenseMatrix, got an array of 3'],
  ['too small', () => DenseMatrix.allocate(2, 2), RangeError, `"out" is 2 × 2, ${SQUARE}`],
  ['too large', () => DenseMatrix.allocate(4, 4), RangeError, `"out" is 4 × 4, ${SQUARE}`],
  ['not square', () => DenseMatrix.allocate(3, 2), RangeError, `"out" is 3 × 2, ${SQUARE}`],
  ['of as many values', () => DenseMatrix.allocate(9, 1), RangeError, `"out" is 9 × 1, ${SQUARE}`],
  [
    'of float32',
    () => DenseMatrix.allocate(3, 3, { dtype: 'float32' }),
    RangeError,
    '"out" must be of dtype \'float64\'',
  ],
  [
    'in another memory',
    () => DenseMatrix.allocate(3, 3, { engine: createEngine() }),
    RangeError,
    '"out" lies in another memory; make it with DenseMatrix.allocate(3, 3, { engine })',
  ],
  [
    'disposed',
    () => {
      const matrix = DenseMatrix.allocate(3, 3);
      matrix.dispose();
      return matrix;
    },
    Error,
    'this DenseMatrix was disposed',
  ],
])('gram refuses an "out" that is %s, and does not write to it', (_what, make, type, message) => {
  const out = make();
  const before = type !== Error && out?.data ? [...out.data] : undefined;
  for (const engine of engines) refuses(() => gram(X, { engine, out }), type, message);
  if (before) expect([...out.data]).toEqual(before);
  out?.dispose?.();
});

test('gram refuses an "out" that only looks like a matrix: what it returns would be none', () => {
  using matrix = DenseMatrix.allocate(3, 3);
  const out: Any = { data: matrix.data, rows: 3, cols: 3 };
  refuses(() => gram(X, { out }), TypeError, '"out" must be a DenseMatrix, got an object');
});

test.each(engines)('%s: gram refuses to write over X', (engine) => {
  using square = DenseMatrix.from([
    [1, 2],
    [3, 4],
  ]);
  const message = '"out" must not be the memory of X';
  refuses(() => gram(square, { engine, out: square }), RangeError, message);
  refuses(() => gram({ data: square.data, rows: 2, cols: 2 }, { engine, out: square }), RangeError, message);
  refuses(
    () => gram({ data: square.data.subarray(2), rows: 2, cols: 1 }, { engine, out: square }),
    RangeError,
    message,
  );
  expect([...square.data]).toEqual([1, 2, 3, 4]);
});

test.each(engines)('%s: a gram that fails gives its own matrix back and leaves yours to you', (engine) => {
  using out = DenseMatrix.allocate(3, 3);
  const rows = { data: Float64Array.of(1, 2, 3, NaN, 5, 6), rows: 3, cols: 2 };
  for (const [, kernel] of kernels) {
    refuses(() => gram(rows, { engine, kernel }), RangeError, 'X[1][1] is NaN');
    refuses(() => gram(rows, { engine, kernel, out }), RangeError, 'X[1][1] is NaN');
    using right = gram(X, { kernel });
    expect([...gram(X, { engine, kernel, out }).data]).toEqual([...right.data]);
  }
});

// ---- rows and labels, through every method ----------------------------------------------------------

const dualMethods = methods as unknown as Record<string, (model: Any, rows: Any, labels: Any) => unknown>;
const FORMS = 'X must be an array of rows, { data, rows, cols } or a DenseMatrix, got ';

function disposed(): DenseMatrix {
  const matrix = DenseMatrix.from(X);
  matrix.dispose();
  return matrix;
}

/** Whether a look at the shape is enough to tell. */
const shapeless = true;
const badRows: [string, () => Any, ErrorClass, string, boolean?][] = [
  ['undefined', () => undefined, TypeError, `${FORMS}undefined`, shapeless],
  ['null', () => null, TypeError, `${FORMS}null`, shapeless],
  ['a number', () => 3, TypeError, `${FORMS}3`, shapeless],
  ['a string', () => '1,2', TypeError, `${FORMS}"1,2"`, shapeless],
  ['an object without rows', () => ({}), TypeError, `${FORMS}an object`, shapeless],
  [
    'a flat Float64Array',
    () => new Float64Array(6),
    TypeError,
    'X is a flat Float64Array: pass { data: X, rows, cols } so that its shape is known',
    shapeless,
  ],
  ['a flat array', () => [1, 2, 3], TypeError, 'X row 0 must be an array of numbers, got 1', shapeless],
  ['no columns', () => [[], [], []], RangeError, 'X has no columns', shapeless],
  [
    'short data',
    () => ({ data: new Float64Array(5), rows: 3, cols: 2 }),
    RangeError,
    'X.data has 5 values, expected 6 (3 rows × 2 columns)',
    shapeless,
  ],
  [
    'a shape beyond all memory',
    () => ({ data: new Float64Array(6), rows: 2 ** 40, cols: 2 ** 40 }),
    RangeError,
    `X.data has 6 values, expected ${2 ** 80} (${2 ** 40} rows × ${2 ** 40} columns)`,
    shapeless,
  ],
  [
    'Int32Array data',
    () => ({ data: new Int32Array(6), rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got a Int32Array of 6',
    shapeless,
  ],
  [
    'rows as a string',
    () => ({ data: new Float64Array(6), rows: '3', cols: 2 }),
    TypeError,
    'X.rows must be an integer of at least 0, got "3"',
    shapeless,
  ],
  ['a disposed matrix', disposed, Error, 'this DenseMatrix was disposed', shapeless],
  ['rows that shrink', () => [[1, 2], [1], [1, 2]], RangeError, 'X row 1 has 1 values, expected 2'],
  ['a row that is null', () => [[1, 2], [3, 4], null], TypeError, 'X row 2 must be an array of numbers, got null'],
  [
    'a string value',
    () => [
      [1, 2],
      [1, '2'],
      [1, 2],
    ],
    TypeError,
    'X[1][1] must be a number, got "2"',
  ],
  ['a hole', () => [[1, 2], [1, 2], holed([1, 2], 0)], TypeError, 'X[2][0] must be a number, got undefined'],
  ['a BigInt row', () => [[1, 2], BigInt64Array.of(1n, 2n), [1, 2]], TypeError, 'X[1][0] must be a number, got 1n'],
];

test.each(badRows)(
  'X that is %s is refused by every method, gram, compare and chooseForm',
  (_w, make, type, message, isShape) => {
    for (const method of Object.values(dualMethods)) {
      for (const [, kernel] of kernels) refusesDual((m) => method(m, make(), y), type, message, { kernel });
    }
    refusesDual((m) => m.fit(make(), y), type, message, { warmStart: true });
    for (const mode of modes) refuses(() => new DualPerceptron<Any>({ gram: mode }).fit(make(), y), type, message);
    for (const [, kernel] of kernels) refuses(() => gram(make(), { kernel }), type, message);
    refuses(() => compare(make(), y, { budgetMs: 0 }), type, message);
    if (isShape) refuses(() => chooseForm(make()), type, message);
  },
);

test('no rows have no labels and no scores, and are refused by everything else', () => {
  const message = 'X is empty: it has no rows';
  for (const none of [[], { data: new Float64Array(), rows: 0, cols: 2 }]) {
    for (const [, kernel] of kernels) {
      const model = new DualPerceptron({ kernel }).fit(X, y);
      expect(model.predict(none)).toEqual([]);
      expect(model.decisionFunction(none)).toEqual(new Float64Array());
      for (const [name, method] of Object.entries(dualMethods)) {
        if (name === 'predict' || name === 'decisionFunction') continue;
        refusesDual((m) => method(m, none, []), RangeError, message, { kernel });
      }
      refuses(() => gram(none, { kernel }), RangeError, message);
    }
    refuses(() => chooseForm(none), RangeError, message);
    refuses(() => compare(none, [], { budgetMs: 0 }), RangeError, message);
  }
});

for (const engine of engines) {
  for (const [name, kernel] of kernels) {
    test(`${engine}, ${name} kernel: every method names the place of NaN, in every form of rows`, () => {
      for (const make of Object.values(forms)) {
        for (const [i, j] of [
          [0, 0],
          [2, 1],
        ] as const) {
          const rows = X.map((row) => [...row]);
          (rows[i] as number[])[j] = NaN;
          const message = `X[${i}][${j}] is NaN`;
          for (const mode of modes) {
            const options = { engine, kernel, gram: mode };
            for (const method of Object.values(dualMethods)) {
              refusesDual((m) => method(m, make(rows), y), RangeError, message, options);
            }
            refusesDual((m) => m.fit(make(rows), y), RangeError, message, { ...options, warmStart: true });
          }
          refuses(() => gram(make(rows), { engine, kernel }), RangeError, message);
        }
      }
      for (const dtype of matrixForms) {
        using matrix = DenseMatrix.from(X, { dtype });
        matrix.data[3] = NaN;
        for (const method of Object.values(dualMethods)) {
          refusesDual((m) => method(m, matrix, y), RangeError, 'X[1][1] is NaN', { engine, kernel });
        }
        refuses(() => gram(matrix, { engine, kernel }), RangeError, 'X[1][1] is NaN');
      }
    });

    test(`${engine}, ${name} kernel: every method names the place of an infinity`, () => {
      for (const value of [Infinity, -Infinity]) {
        for (const [i, j] of [
          [0, 0],
          [2, 1],
        ] as const) {
          const rows = X.map((row) => [...row]);
          (rows[i] as number[])[j] = value;
          const message = `X[${i}][${j}] is ${value}`;
          for (const form of ['number[][]', '{ data: Float64Array }', '{ data: Float32Array }']) {
            const given = forms[form]?.(rows);
            refuses(() => gram(given, { engine, kernel }), RangeError, message);
            for (const method of Object.values(dualMethods)) {
              refusesDual((m) => method(m, given, y), RangeError, message, { engine, kernel });
            }
          }
        }
      }
    });
  }

  test.each(orders)(`${engine}, order %s: NaN is found in rows that are far apart`, (order) => {
    const [n, cols] = [60, 37];
    const labels = Array.from({ length: n }, (_, i) => i % 2);
    for (const at of [0, 36, 5 * cols + 4, n * cols - 1]) {
      const data = new Float64Array(n * cols).fill(1);
      data[at] = NaN;
      for (const [, kernel] of kernels) {
        for (const mode of modes) {
          const model = new DualPerceptron({ engine, order, kernel, gram: mode, maxEpochs: 1 });
          const message = `X[${Math.floor(at / cols)}][${at % cols}] is NaN`;
          refuses(() => model.fit({ data, rows: n, cols }, labels), RangeError, message);
        }
      }
    }
  });

  test.each(modes)(`${engine}, gram '%s': an infinity that no kernel value shows is found all the same`, (mode) => {
    // exp(−∞) = 0: seen from afar the second row is merely far away, and it is never the mistake.
    const data = Float64Array.of(1, 1, 1, -Infinity, 9, 9);
    const model = new DualPerceptron({
      engine,
      gram: mode,
      kernel: { type: 'rbf', gamma: 1 },
      interceptScaling: 0.1,
      classWeight: { '-1': 0.5 },
    });
    refuses(() => model.fit({ data, rows: 3, cols: 2 }, [1, 1, -1]), RangeError, 'X[1][1] is -Infinity');
  });
}

test('a row held out is looked at too', () => {
  const labels = Array.from({ length: 20 }, (_, i) => i % 2);
  for (const [, kernel] of kernels) {
    for (let at = 0; at < 20; at += 3) {
      const data = Float64Array.from(labels, (label) => label * 2 - 1);
      data[at] = NaN;
      const model = new DualPerceptron({ kernel, validationFraction: 0.3 });
      refuses(() => model.fit({ data, rows: 20, cols: 1 }, labels), RangeError, `X[${at}][0] is NaN`);
    }
  }
});

const dualOneRow = oneRow as unknown as Record<string, (model: Any, x: Any) => unknown>;

for (const [name, kernel] of kernels) {
  test.each(Object.keys(oneRow))(`%s with the ${name} kernel refuses what is not a row of finite numbers`, (method) => {
    const act = (x: Any) => (m: Any) => dualOneRow[method]?.(m, x);
    for (const engine of engines) {
      const options = { kernel, engine };
      for (const value of bad) refusesDual(act([1, value]), RangeError, `x[1] is ${value}`, options);
      refusesDual(act(Float32Array.of(NaN, 1)), RangeError, 'x[0] is NaN', options);
      refusesDual(act([1, '2']), TypeError, 'x[1] must be a number, got "2"', options);
      refusesDual(act(holed([1, 2], 0)), TypeError, 'x[0] must be a number, got undefined', options);
      refusesDual(act(null), TypeError, 'x must be an array of numbers, got null', options);
      refusesDual(act('12'), TypeError, 'x must be an array of numbers, got "12"', options);
      refusesDual(act([1]), RangeError, 'x has 1 values, the model was fitted on 2 columns', options);
      refusesDual(act([1, 2, 3]), RangeError, 'x has 3 values, the model was fitted on 2 columns', options);
    }
  });

  test.each(['partialFit', 'predict', 'decisionFunction', 'score', 'loss', 'diagnose'])(
    `%s with the ${name} kernel refuses rows of another width`,
    (method) => {
      for (const width of [1, 3]) {
        const rows = X.map(() => new Array(width).fill(1));
        const message = `X has ${width} columns, the model was fitted on 2`;
        refusesDual((m) => dualMethods[method]?.(m, rows, y), RangeError, message, { kernel });
        using matrix = DenseMatrix.from(rows, { engine: createEngine() });
        refusesDual((m) => dualMethods[method]?.(m, matrix, y), RangeError, message, { kernel });
      }
    },
  );
}

test.each<[string, unknown, ErrorClass, string]>([
  ['missing', undefined, TypeError, 'y must be an array of labels, got undefined'],
  ['a string', 'abc', TypeError, 'y must be an array of labels, got "abc"'],
  ['too short', [1, -1], RangeError, 'y has 2 labels, X has 3 rows'],
  ['too long', Int8Array.of(1, 1, -1, -1), RangeError, 'y has 4 labels, X has 3 rows'],
  ['of numbers and strings', [1, '1', -1], TypeError, 'y[1] is "1", a string; the other labels are of type number'],
  ['NaN somewhere', [1, NaN, -1], RangeError, 'y[1] is NaN'],
  ['null somewhere', [1, null, -1], TypeError, 'y[1] must be a number, a string or a boolean, got null'],
])('y that is %s is refused by all methods that take it', (_what, labels, type, message) => {
  for (const [, kernel] of kernels) {
    for (const method of labelled) refusesDual((m) => dualMethods[method]?.(m, X, labels), type, message, { kernel });
  }
  refuses(() => new DualPerceptron<Any>({ gram: 'rows' }).fit(X, labels as Any), type, message);
  refuses(() => compare<Any>(X, labels as Any, { budgetMs: 0 }), type, message);
});

test.each([
  [['spam', 'spam', 'spam'], 'y has one class only ("spam"); a classifier needs two'],
  [
    [1, 2, 3],
    'y has 3 classes (1, 2, 3); this release has models for two: train one for each class, that class against the rest',
  ],
])('fit refuses the labels %j', (labels, message) => {
  for (const mode of modes) refusesDual((m) => m.fit(X, labels), RangeError, message, { gram: mode });
});

// ---- before fit -------------------------------------------------------------------------------------

const unfitted: Record<string, (model: DualPerceptron<Any>) => unknown> = {
  predict: (m) => m.predict(X),
  predictOne: (m) => m.predictOne([1, 2]),
  decisionFunction: (m) => m.decisionFunction(X),
  score: (m) => m.score(X, y),
  loss: (m) => m.loss(X, y),
  diagnose: (m) => m.diagnose(X, y),
  explain: (m) => m.explain([1, 2]),
  alphas: (m) => m.alphas,
  updateCounts: (m) => m.updateCounts,
  supportIndices: (m) => m.supportIndices,
  weights: (m) => m.weights,
  bias: (m) => m.bias,
  classes: (m) => m.classes,
  report: (m) => m.report,
  toJSON: (m) => m.toJSON(),
};

test.each(Object.entries(unfitted))('%s before fit is a NotFittedError that names DualPerceptron', (name, act) => {
  const what = name === 'score' ? '(score|predict)' : name;
  const message = new RegExp(`^this DualPerceptron is not fitted yet: call fit before ${what}$`);
  for (const [, kernel] of kernels) {
    const model = new DualPerceptron<Any>({ kernel });
    refuses(() => act(model), NotFittedError, message);
    // A fit that failed is no fit.
    expect(() => model.fit([[NaN]], [1])).toThrow(RangeError);
    expect(() => model.fit([[1e308], [1e307]], [0, 1])).toThrow(RangeError);
    refuses(() => act(model), NotFittedError, message);
  }
});

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
  const message = `"reference" needs the linear kernel: a plane in columns has no meaning to '${name}'`;
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
  [{ colour: 1 }, RangeError, 'diagnose has no option "colour"; it has reference, referenceBias'],
  [null, TypeError, 'the options of diagnose must be an object, got null'],
])('diagnose of a linear model refuses the options %o', (options, type, message) => {
  refusesDual((m) => m.diagnose(X, y, options), type, message);
});

// ---- going on ---------------------------------------------------------------------------------------

test('a warm start refuses other columns and other classes, a fresh fit takes them', () => {
  const wide = X.map((row) => [...row, 1]);
  for (const [, kernel] of kernels) {
    for (const mode of modes) {
      const options = { kernel, gram: mode, warmStart: true };
      refusesDual((m) => m.fit(wide, y), RangeError, 'X has 3 columns, the model was fitted on 2', options);
      refusesDual(
        (m) => m.fit(X, [2, 2, 3]),
        RangeError,
        'y[0] is 2, which is not one of the classes -1 and 1',
        options,
      );
      refusesDual(
        (m) => m.fit(X, ['a', 'b', 'b']),
        TypeError,
        'y[0] is "a", a string; the other labels are of type number',
        options,
      );
      const fresh = new DualPerceptron<Any>({ kernel, gram: mode }).fit(X, y).fit(wide, ['a', 'a', 'b']);
      expect(fresh.classes).toEqual(['a', 'b']);
    }
  }
});

test.each(['partialFit', 'loss', 'diagnose'])('%s refuses a label the model does not know', (method) => {
  const message = 'y[2] is 0, which is not one of the classes -1 and 1';
  for (const [, kernel] of kernels) {
    refusesDual((m) => dualMethods[method]?.(m, X, [1, -1, 0]), RangeError, message, { kernel });
  }
});

test('partialFit wants "classes" the first time, and the same ones ever after', () => {
  refuses(() => new DualPerceptron<number>().partialFit(X, y), RangeError, 'partialFit needs "classes" the first time');
  refusesDual((m) => m.partialFit(X, y, { classes: [1, 2] }), RangeError, '"classes" must stay -1 and 1, got 1 and 2');
  refusesDual(
    (m) => m.partialFit(X, y, { precomputed: null }),
    RangeError,
    'partialFit has no option "precomputed"; it has classes',
  );
  refusesDual((m) => m.partialFit(X, y, null), TypeError, 'the options of partialFit must be an object, got null');
});

test("partialFit refuses classWeight 'balanced'", () => {
  const options = { classWeight: 'balanced', classes: [-1, 1] } as const;
  const message = 'partialFit cannot balance classes it has not seen; give classWeight as numbers';
  refuses(() => new DualPerceptron<number>(options).partialFit(X, y), RangeError, message);
  refusesDual((m) => m.partialFit(X, y), RangeError, message, options);
});

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
        setTimeout(() => controller.abort(), 1);
        await model.fitAsync(rows, labels, { signal: controller.signal, keepPartial: true });
        expect(model.report.stopReason).toBe('aborted');
        expect(model.updateCounts.reduce((a, b) => a + b, 0)).toBe(model.report.mistakes);
        const copy = DualPerceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
        expect(copy.toJSON()).toEqual(model.toJSON());
        expect(JSON.stringify(copy.partialFit(rows, labels))).toBe(JSON.stringify(model.partialFit(rows, labels)));
        expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
      }
    },
  );

  test.each(modes)(`${kind}, gram '%s': whichever slice an abort comes in, nothing stays behind`, async (mode) => {
    const rows = rowsFrom(0, 20);
    const labels = mixed(20);
    // Time flies: every chance to let others have their turn is taken.
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      clock += 100;
      return clock;
    });
    try {
      for (const [what, start, end] of [
        ['fresh rows', 0, 0],
        ['the same rows again', 0, 20],
        ['other rows', 30, 20],
      ] as const) {
        for (const keepPartial of [false, true]) {
          for (let slices = 1, isAborted = true; isAborted && slices < 300; slices++) {
            const engine = createEngine({ kind });
            const options = { engine, gram: mode, kernel: RBF, warmStart: true, maxEpochs: 2 };
            const model = new DualPerceptron<number>({ ...options, classes: [-1, 1] });
            if (end > 0) model.fit(rows, labels);
            const before = end > 0 ? JSON.stringify(model) : '';
            const signal = signalAfter(slices);
            const promise = model.fitAsync(rowsFrom(start, 20), labels, { signal: signal as Any, keepPartial });
            const error = await rejection(promise);
            isAborted = signal.isAborted();
            const at = `${what}, aborted in slice ${slices}`;
            if (isAborted && !keepPartial) {
              expect(error, at).toBe(signal.reason);
              if (before) expect(JSON.stringify(model), at).toBe(before);
              else expect(() => model.report, at).toThrow(NotFittedError);
            } else {
              expect(error, at).toBeUndefined();
              const copy = DualPerceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
              expect(JSON.stringify(copy), at).toBe(JSON.stringify(model));
              const [own, others] = [model, copy].map((m) => JSON.stringify(m.partialFit(rowsFrom(start, 20), labels)));
              expect(others, at).toBe(own);
            }
            expect(resolveEngine(engine).arena.usage.blocks, at).toBe(0);
          }
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
  return {
    reason,
    isAborted: () => asked >= slices,
    get aborted() {
      return ++asked >= slices;
    },
    throwIfAborted() {
      if (asked >= slices) throw reason;
    },
  };
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
