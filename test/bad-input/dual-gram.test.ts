// What goes wrong with Gram matrices: the memory for them, and gram() itself.

import { expect, test, vi } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  type Kernel,
  NotFittedError,
  Perceptron,
} from '../../src/index.js';
import { someEngines as engines } from '../engines.js';
import {
  type Any,
  checkError,
  type ErrorClass,
  kernels,
  mixed,
  orders,
  RBF,
  refuses,
  refusesIn,
  rowsFrom,
  SQUARE,
  X,
  y,
} from './refusals.js';

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

// ---- gram -------------------------------------------------------------------------------------------

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ colour: 1 }, RangeError, 'gram has no option "colour"; it has kernel, engine, out'],
  [
    { threads: 2 },
    RangeError,
    'gram has no option "threads": it is an option of gramAsync; it has kernel, engine, out',
  ],
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
