// Sparse rows that are not: every refusal by class and message, model and memory as they were.

import { expect, test } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  gram,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  Scaler,
  SparseBuilder,
  SparseMatrix,
  type SparseParts,
} from '../../src/index.js';
import { engines } from '../engines.js';
import {
  type Any,
  CUBIC,
  checkError,
  type ErrorClass,
  labelled,
  methods,
  orders,
  RBF,
  refuses,
  refusesDual,
  refusesFitted,
  refusesIn,
  rejection,
  y,
} from './refusals.js';

/** The worked example of SPEC §10. */
const good = { values: [3, 3, 4, 3, 1, 1], indices: [0, 1, 0, 1, 0, 1], indptr: [0, 2, 4, 6], cols: 2 };

/** What another copy of the library would hand over. */
const foreign = (parts: Any) => ({ rows: parts.indptr.length - 1, cols: parts.cols, toParts: () => parts });

/** What lives in an engine's memory. */
const usageOf = (engine: Engine) => {
  const { liveBytes, blocks } = resolveEngine(engine).arena.usage;
  return { liveBytes, blocks };
};

// ---- parts ------------------------------------------------------------------------------------------

/** Parts that are wrong in one place, and what is said of it after `prefix`. */
const wrongParts: [string, Partial<Record<keyof SparseParts, unknown>>, ErrorClass, string][] = [
  ['no values', { values: undefined }, TypeError, 'values must be an array of numbers, got undefined'],
  ['values that are a number', { values: 3 }, TypeError, 'values must be an array of numbers, got 3'],
  ['indices that are text', { indices: '010101' }, TypeError, 'indices must be an array of numbers, got "010101"'],
  ['indptr that is null', { indptr: null }, TypeError, 'indptr must be an array of numbers, got null'],
  [
    'values in a DataView',
    { values: new DataView(new ArrayBuffer(48)) },
    TypeError,
    'values must be an array of numbers, got a DataView of 48',
  ],
  ['no columns', { cols: 0 }, RangeError, 'cols must be an integer of at least 1, got 0'],
  ['columns below 0', { cols: -2 }, RangeError, 'cols must be an integer of at least 1, got -2'],
  ['half a column', { cols: 2.5 }, RangeError, 'cols must be an integer of at least 1, got 2.5'],
  ['NaN columns', { cols: NaN }, RangeError, 'cols must be an integer of at least 1, got NaN'],
  ['columns as text', { cols: '2' }, TypeError, 'cols must be an integer of at least 1, got "2"'],
  ['no cols', { cols: undefined }, TypeError, 'cols must be an integer of at least 1, got undefined'],
  ['too many columns', { cols: 2 ** 31 }, RangeError, 'cols must be at most 2147483647, got 2147483648'],
  ['an index too few', { indices: [0, 1, 0, 1, 0] }, RangeError, 'values has 6 entries, {}indices 5: one each'],
  ['a value too few', { values: [1, 2, 3, 4, 5] }, RangeError, 'values has 5 entries, {}indices 6: one each'],
  ['an empty indptr', { indptr: [] }, RangeError, 'indptr is empty: it has one entry more than there are rows'],
  ['a start that is not 0', { indptr: [1, 2, 4, 6] }, RangeError, 'indptr[0] must be 0, got 1'],
  ['a start that is no number', { indptr: ['0', 2, 4, 6] }, TypeError, 'indptr[0] must be 0, got "0"'],
  ['indptr of big integers', { indptr: BigInt64Array.of(0n, 6n) }, TypeError, 'indptr[0] must be 0, got 0n'],
  ['indptr that descends', { indptr: [0, 4, 2, 6] }, RangeError, 'indptr[2] must be an integer of at least 4, got 2'],
  [
    'indptr with a fraction',
    { indptr: [0, 1.5, 4, 6] },
    RangeError,
    'indptr[1] must be an integer of at least 0, got 1.5',
  ],
  ['indptr with NaN', { indptr: [0, 2, NaN, 6] }, RangeError, 'indptr[2] must be an integer of at least 2, got NaN'],
  [
    'indptr with Infinity',
    { indptr: [0, 2, 4, Infinity] },
    RangeError,
    'indptr[3] must be an integer of at least 4, got Infinity',
  ],
  [
    'indptr with a hole',
    { indptr: [0, 2, undefined, 6] },
    TypeError,
    'indptr[2] must be an integer of at least 2, got undefined',
  ],
  [
    'indptr that ends early',
    { indptr: [0, 2, 4, 5] },
    RangeError,
    'indptr ends with 5, expected 6: as many as there are values',
  ],
  [
    'indptr that ends late',
    { indptr: [0, 2, 4, 7] },
    RangeError,
    'indptr ends with 7, expected 6: as many as there are values',
  ],
  [
    'indptr beyond 2³²',
    { indptr: [0, 2, 4, 2 ** 32 + 6] },
    RangeError,
    `indptr ends with ${2 ** 32 + 6}, expected 6: as many as there are values`,
  ],
];

/** The same for entries. */
const wrongEntries: [string, Partial<Record<keyof SparseParts, unknown>>, ErrorClass, string][] = [
  [
    'a column beyond the last',
    { indices: [0, 1, 0, 1, 0, 2] },
    RangeError,
    'indices[5] must be an integer from 0 to 1, got 2',
  ],
  [
    'a column below 0',
    { indices: [-1, 1, 0, 1, 0, 1] },
    RangeError,
    'indices[0] must be an integer from 0 to 1, got -1',
  ],
  [
    'half a column',
    { indices: [0, 0.5, 0, 1, 0, 1] },
    RangeError,
    'indices[1] must be an integer from 0 to 1, got 0.5',
  ],
  [
    'a column that is NaN',
    { indices: [0, 1, NaN, 1, 0, 1] },
    RangeError,
    'indices[2] must be an integer from 0 to 1, got NaN',
  ],
  [
    'a column beyond 2³²',
    { indices: [0, 1, 0, 2 ** 32 + 1, 0, 1] },
    RangeError,
    'indices[3] must be an integer from 0 to 1, got 4294967297',
  ],
  [
    'a column as text',
    { indices: [0, 1, 0, 1, '0', 1] },
    TypeError,
    'indices[4] must be an integer from 0 to 1, got "0"',
  ],
  [
    'a column that is missing',
    { indices: [0, 1, 0, 1, 0, undefined] },
    TypeError,
    'indices[5] must be an integer from 0 to 1, got undefined',
  ],
  [
    'a column twice',
    { indices: [0, 1, 1, 1, 0, 1] },
    RangeError,
    'indices[3] is 1, after 1: the columns of a row (here row 1) must ascend',
  ],
  [
    'columns that descend',
    { indices: [0, 1, 0, 1, 1, 0] },
    RangeError,
    'indices[5] is 0, after 1: the columns of a row (here row 2) must ascend',
  ],
  ['NaN', { values: [3, 3, NaN, 3, 1, 1] }, RangeError, 'values[2] is NaN'],
  ['Infinity', { values: [3, 3, 4, 3, 1, Infinity] }, RangeError, 'values[5] is Infinity'],
  ['−Infinity', { values: Float32Array.of(-Infinity, 3, 4, 3, 1, 1) }, RangeError, 'values[0] is -Infinity'],
  ['a value as text', { values: [3, '3', 4, 3, 1, 1] }, TypeError, 'values[1] must be a number, got "3"'],
  ['a value that is null', { values: [3, null, 4, 3, 1, 1] }, TypeError, 'values[1] must be a number, got null'],
  [
    'a value that is missing',
    { values: [3, 3, 4, undefined, 1, 1] },
    TypeError,
    'values[3] must be a number, got undefined',
  ],
  [
    'big integers',
    { values: BigInt64Array.of(3n, 3n, 4n, 3n, 1n, 1n) },
    TypeError,
    'values[0] must be a number, got 3n',
  ],
];

test.each([...wrongParts, ...wrongEntries])('SparseMatrix.from refuses %s', (_what, change, type, message) => {
  const parts = { ...good, ...change } as SparseParts;
  refuses(() => SparseMatrix.from(parts), type, message.replace('{}', ''));
});

test.each([...wrongParts, ...wrongEntries])('every method refuses parts with %s', (_what, change, type, message) => {
  const parts = { ...good, ...change } as Any;
  const said = `X.${message.replace('{}', 'X.')}`;
  for (const [name, act] of Object.entries(methods)) {
    refusesFitted((m) => act(m, parts, y), type, said);
    refusesDual((m) => act(m, parts, y), type, said, { kernel: RBF });
    // What another copy of the library hands over is not trusted either.
    if (name === 'fit' && Array.isArray(parts.indptr) && parts.indptr.length === 4 && parts.cols > 0) {
      refusesFitted((m) => act(m, foreign(parts), y), type, said);
    }
  }
  for (const act of [
    () => DenseMatrix.from(parts),
    () => SparseMatrix.fromDense(parts),
    () => gram(parts),
    () => gram(parts, { kernel: RBF }),
    () => new Scaler({ kind: 'unit-ball' }).fit(parts),
    () => chooseForm(parts),
  ]) {
    refuses(act, type, said);
  }
});

test('compare names X, as all others do', () => {
  for (const [, change, type, message] of [...wrongParts, ...wrongEntries]) {
    const parts = { ...good, ...change } as Any;
    refuses(() => compare(parts, y, { budgetMs: 0 }), type, `X.${message.replace('{}', 'X.')}`);
  }
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 3, '3'],
  ['text', 'rows', '"rows"'],
])('SparseMatrix.from refuses %s', (_what, parts, shown) => {
  const message = `the parts must be { values, indices, indptr, cols }, got ${shown}`;
  refuses(() => SparseMatrix.from(parts as SparseParts), TypeError, message);
});

test('options there are not, and engines there are not, are refused', () => {
  const engine = /^"engine" must be 'auto', .*, got "gpu"$/;
  refuses(
    () => SparseMatrix.from(good, { dtype: 'float32' } as Any),
    RangeError,
    'SparseMatrix.from has no option "dtype"; it has engine',
  );
  refuses(
    () => SparseMatrix.fromDense([[1]], { cols: 3 } as Any),
    RangeError,
    'SparseMatrix.fromDense has no option "cols"; it has engine',
  );
  refuses(
    () => new SparseBuilder({ rows: 3 } as Any),
    RangeError,
    'SparseBuilder has no option "rows"; it has cols, engine',
  );
  refuses(
    () => SparseMatrix.from(good, null as Any),
    TypeError,
    'the options of SparseMatrix.from must be an object, got null',
  );
  refuses(() => SparseMatrix.from(good, { engine: 'gpu' as Any }), RangeError, engine);
  refuses(() => SparseMatrix.fromDense([[1]], { engine: 'gpu' as Any }), RangeError, engine);
  refuses(() => new SparseBuilder({ engine: 'gpu' as Any }), RangeError, engine);
});

test.each<[string, Any, ErrorClass, string | RegExp]>([
  [
    'NaN',
    [
      [1, 2],
      [3, NaN],
    ],
    RangeError,
    'X[1][1] is NaN',
  ],
  [
    'Infinity in a flat array',
    { data: Float64Array.of(1, 2, 3, -Infinity), rows: 2, cols: 2 },
    RangeError,
    'X[1][1] is -Infinity',
  ],
  ['NaN in a flat float32 array', { data: Float32Array.of(NaN, 2), rows: 1, cols: 2 }, RangeError, 'X[0][0] is NaN'],
  ['a ragged row', [[1, 2], [3]], RangeError, 'X row 1 has 1 values, expected 2'],
  ['text', [[1, '2']], TypeError, 'X[0][1] must be a number, got "2"'],
  ['no rows', [], RangeError, 'X is empty: it has no rows'],
  ['no columns', [[], []], RangeError, 'X has no columns'],
  ['no rows at all', 7, TypeError, /^X must be an array of rows, .* a DenseMatrix or a SparseMatrix, got 7$/],
  ['null', null, TypeError, /^X must be an array of rows, .*, got null$/],
])('SparseMatrix.fromDense refuses %s', (_what, rows, type, message) => {
  refuses(() => SparseMatrix.fromDense(rows), type, message);
});

test('a bad row late in many leaves nothing of the rows before it', () => {
  const rows = Array.from({ length: 4000 }, (_, i) => [i, 1]);
  rows[3999] = [1, NaN];
  for (const kind of engines) {
    const engine = createEngine({ kind });
    refusesIn(engine, () => SparseMatrix.fromDense(rows, { engine }), RangeError, 'X[3999][1] is NaN');
  }
});

// ---- the builder ------------------------------------------------------------------------------------

const wrongRows: [string, [Any, Any, Any?], ErrorClass, string | RegExp, number?][] = [
  ['fewer values than columns', [[0, 1], [1]], RangeError, 'row 1 has 2 columns and 1 values, expected 2 of both'],
  ['fewer than `count`', [[0, 1], [1, 2], 3], RangeError, 'row 1 has 2 columns and 2 values, expected 3 of both'],
  ['a column below 0', [[-1], [1]], RangeError, 'row 1: a column must be an integer from 0 to 2147483646, got -1'],
  [
    'half a column',
    [
      [0, 0.5],
      [1, 2],
    ],
    RangeError,
    'row 1: a column must be an integer from 0 to 2147483646, got 0.5',
  ],
  [
    'a column that is NaN',
    [[NaN], [1]],
    RangeError,
    'row 1: a column must be an integer from 0 to 2147483646, got NaN',
  ],
  [
    'a column that is too large',
    [[2 ** 31 - 1], [1]],
    RangeError,
    'row 1: a column must be an integer from 0 to 2147483646, got 2147483647',
  ],
  [
    'a column beyond 2³²',
    [[2 ** 32], [1]],
    RangeError,
    'row 1: a column must be an integer from 0 to 2147483646, got 4294967296',
  ],
  ['a column beyond `cols`', [[5], [1]], RangeError, 'row 1: a column must be an integer from 0 to 4, got 5', 5],
  ['a column as text', [['0'], [1]], TypeError, 'row 1: a column must be an integer from 0 to 2147483646, got "0"'],
  [
    'a column that is missing',
    [[undefined], [1]],
    TypeError,
    'row 1: a column must be an integer from 0 to 2147483646, got undefined',
  ],
  [
    'a column twice',
    [
      [2, 2],
      [1, 1],
    ],
    RangeError,
    'row 1: column 2 comes after 2: columns must ascend',
  ],
  [
    'columns that descend',
    [
      [0, 3, 1],
      [1, 1, 1],
    ],
    RangeError,
    'row 1: column 1 comes after 3: columns must ascend',
  ],
  [
    'NaN',
    [
      [0, 4],
      [1, NaN],
    ],
    RangeError,
    'row 1: the value of column 4 is NaN',
  ],
  ['−Infinity', [[0], Float64Array.of(-Infinity)], RangeError, 'row 1: the value of column 0 is -Infinity'],
  [
    'a value as text',
    [
      [0, 4],
      [1, '2'],
    ],
    TypeError,
    'row 1: the value of column 4 must be a number, got "2"',
  ],
  ['a big integer', [[0], [1n]], TypeError, 'row 1: the value of column 0 must be a number, got 1n'],
  ['a value that is null', [[0], [null]], TypeError, 'row 1: the value of column 0 must be a number, got null'],
  ['a count below 0', [[0, 1], [1, 2], -1], RangeError, /count|expected -1/],
  ['half a count', [[0, 1], [1, 2], 1.5], RangeError, /count|expected 1\.5/],
  ['a count that is NaN', [[0, 1], [1, 2], NaN], RangeError, /count|expected NaN/],
  ['no columns', [undefined, [1]], TypeError, /columns/],
  ['no values', [[0], undefined], TypeError, /values/],
  ['columns that are null', [null, [1]], TypeError, /columns/],
  ['columns that are a number', [3, [1]], TypeError, /columns/],
];

test.each(wrongRows)('SparseBuilder.add refuses %s, and the rows before it stay', (_what, row, type, message, cols) => {
  const options = cols === undefined ? {} : { cols };
  const builder = new SparseBuilder(options).add([1, 4], [7, -0]);
  refuses(() => builder.add(...(row as [Any, Any, Any])), type, message);
  expect([builder.rows, builder.nonZeros]).toEqual([1, 2]);
  using X = builder.add([0], [5]).finish();
  const { values, indices, indptr } = X.toParts();
  expect([[...values], [...indices], [...indptr]]).toEqual([
    [7, -0, 5],
    [1, 4, 0],
    [0, 2, 3],
  ]);
});

test.each<[Any, ErrorClass, string]>([
  [0, RangeError, '"cols" must be an integer of at least 1, got 0'],
  [-1, RangeError, '"cols" must be an integer of at least 1, got -1'],
  [1.5, RangeError, '"cols" must be an integer of at least 1, got 1.5'],
  [NaN, RangeError, '"cols" must be an integer of at least 1, got NaN'],
  ['3', TypeError, '"cols" must be an integer of at least 1, got "3"'],
  [null, TypeError, '"cols" must be an integer of at least 1, got null'],
  [2 ** 31, RangeError, '"cols" must be at most 2147483647, got 2147483648'],
])('a builder refuses cols: %o, at its start and at its end', (cols, type, message) => {
  refuses(() => new SparseBuilder({ cols }), type, message);
  const builder = new SparseBuilder().add([0], [1]);
  refuses(() => builder.finish({ cols }), type, message);
  using X = builder.add([2], [1]).finish();
  expect([X.rows, X.cols]).toEqual([2, 3]);
});

test('finish refuses fewer columns than came, and options there are not; the builder goes on', () => {
  const builder = new SparseBuilder().add([5], [1]);
  refuses(() => builder.finish({ cols: 3 }), RangeError, '"cols" must be at least 6: column 5 has a value; got 3');
  refuses(() => builder.finish({ rows: 3 } as Any), RangeError, 'finish has no option "rows"; it has cols');
  using X = builder.add([0], [2]).finish({ cols: 6 });
  expect([X.rows, X.cols, X.nonZeros]).toEqual([2, 6, 2]);
});

// ---- rows for a model -------------------------------------------------------------------------------

test('other columns than those of the model are refused', () => {
  using wide = SparseMatrix.from({ ...good, cols: 3 });
  using narrow = SparseMatrix.from({ values: [1, 2, 3], indices: [0, 0, 0], indptr: [0, 1, 2, 3], cols: 1 });
  for (const [name, act] of Object.entries(methods)) {
    if (name === 'fit') continue;
    for (const X of [wide, narrow]) {
      const message = `X has ${X.cols} columns, the model was fitted on 2`;
      refusesFitted((m) => act(m, X, y), RangeError, message);
      refusesDual((m) => act(m, X, y), RangeError, message);
      refusesDual((m) => act(m, X, y), RangeError, message, { kernel: RBF });
    }
  }
  const message = 'X has 3 columns, the model was fitted on 2';
  refusesFitted((m) => m.fit(wide, y), RangeError, message, { warmStart: true });
  refusesDual((m) => m.fit(wide, y), RangeError, message, { warmStart: true });
});

test('no rows are refused where something is learned or measured, and nothing is predicted of them', () => {
  using none = SparseMatrix.from({ values: [], indices: [], indptr: [0], cols: 2 });
  for (const X of [none, { values: [], indices: [], indptr: [0], cols: 2 }]) {
    for (const method of labelled) {
      refusesFitted((m) => methods[method]?.(m, X, []), RangeError, 'X is empty: it has no rows');
    }
    const model = new Perceptron<number>().fit(good, y);
    expect(model.predict(X)).toEqual([]);
    expect([...model.decisionFunction(X)]).toEqual([]);
  }
});

test.each(engines)('%s: labels that do not suit sparse rows are refused', (engine) => {
  using X = SparseMatrix.from(good);
  for (const method of labelled) {
    refusesFitted((m) => methods[method]?.(m, X, [1, 1]), RangeError, /^y has 2 labels, /, { engine });
  }
  refusesFitted((m) => m.fit(X, [1, 1, 1]), RangeError, /^y has one class only \(1\)/, { engine });
});

test.each(engines)('%s: NaN in dense rows is named by a model of sparse rows, whatever columns it knows', (engine) => {
  const X = { values: [3, 3, 4, -3, 1, 1], indices: [0, 1, 0, 1, 0, 1], indptr: [0, 2, 4, 6], cols: 4 };
  const data = Float64Array.of(1, 2, 3, 4, 4, 3, 2, NaN); // in a column that no row of the model has a value in
  const rows = { data, rows: 2, cols: 4 };
  const right = (model: DualPerceptron<number>) => model.predict({ ...rows, data: data.map((v) => v || 0) });
  for (const kernel of ['linear', RBF, CUBIC] as const) {
    for (const mode of ['full', 'rows'] as const) {
      const model = new DualPerceptron<number>({ engine, kernel, gram: mode }).fit(X, [1, -1, -1]);
      for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose', 'partialFit']) {
        // Labels that are right, so that the row is no mistake; and wrong.
        for (const y of [right(model), right(model).map((label) => -label)]) {
          refuses(() => (methods[method] as Any)(model, rows, y), RangeError, 'X[1][3] is NaN');
        }
      }
    }
  }
  const many = new MulticlassPerceptron<number>({ engine, kernel: CUBIC }).fit(X, [1, 2, 3]);
  for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose', 'partialFit']) {
    refuses(() => (methods[method] as Any)(many, rows, [1, 2]), RangeError, 'X[1][3] is NaN');
  }
});

test('a foreign matrix whose shape is not that of its parts is refused, or taken by its parts: nothing else', () => {
  for (const [rows, cols] of [
    [2, 2],
    [4, 2],
    [3, 1],
    [3, 5],
    [NaN, 2],
    [3, 0],
    [-1, 2],
    [1e9, 1e9],
  ] as const) {
    // biome-ignore format: shapes
    const X = { rows, cols, toParts: () => good } as unknown as SparseMatrix;
    for (const act of [
      () => DenseMatrix.from(X),
      () => SparseMatrix.fromDense(X),
      () => gram(X),
      () => new Perceptron<number>().fit(X, y),
      () => new DualPerceptron<number>({ kernel: RBF }).fit(X, y),
      () => new Perceptron<number>().fit(good, y).predict(X),
    ]) {
      const before = defaultArena.usage.blocks;
      let answer: Any;
      const error = thrownBy(() => {
        answer = act();
      });
      if (error) {
        checkError(error, error instanceof TypeError ? TypeError : RangeError, /^X/);
        expect(defaultArena.usage.blocks).toBe(before);
      } else if (answer instanceof DenseMatrix || answer instanceof SparseMatrix) {
        expect(answer.rows).toBe(3);
        answer.dispose();
      }
    }
  }
});

// ---- fits that fail ---------------------------------------------------------------------------------

/** A row for each column, so large that two of them are too much. */
const huge = {
  values: [1e308, 1e308, -1e308, 1e308, 1e308, -1e308],
  indices: [0, 1, 0, 1, 0, 1],
  indptr: [0, 2, 4, 6],
  cols: 40,
};
const OVERFLOW =
  /^training overflowed: .* is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight$/;
type Trainer = Perceptron<number> | DualPerceptron<number> | MulticlassPerceptron<number>;
const trainers: [string, (o: object) => Trainer][] = [
  ['Perceptron', (o) => new Perceptron<number>(o)],
  ['PocketPerceptron', (o) => new PocketPerceptron<number>(o)],
  ['DualPerceptron', (o) => new DualPerceptron<number>(o)],
  ['DualPerceptron, Gram rows', (o) => new DualPerceptron<number>({ ...o, gram: 'rows' })],
  ['one-vs-rest', (o) => new MulticlassPerceptron<number>(o)],
  ['one-vs-rest, kernel', (o) => new MulticlassPerceptron<number>({ ...o, kernel: 'linear' })],
  ['multinomial', (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial' })],
  ['multinomial, kernel', (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial', kernel: 'linear' })],
];

/** What an act throws. */
function thrownBy(act: () => unknown): Any {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

for (const engine of engines) {
  test.each(trainers)(
    `${engine}, %s: a fit that overflows says so as with dense rows, and costs nothing`,
    (_name, make) => {
      const labels = [0, 1, 1];
      const small = { ...huge, values: [3, 3, 4, 3, -1, -1] };
      using X = SparseMatrix.from(huge);
      using dense = DenseMatrix.from(huge);
      for (const order of orders) {
        const expected = thrownBy(() => make({ engine, order }).fit(dense, labels));
        checkError(expected, RangeError, /./);
        const model = make({ engine, order }).fit(small, [0, 1, 0]);
        const before = JSON.stringify(model);
        for (const rows of [X, huge, foreign(huge) as unknown as SparseMatrix]) {
          refuses(() => model.fit(rows, labels), RangeError, expected.message);
        }
        expect(JSON.stringify(model)).toBe(before);
        expect(model.predict(small)).toHaveLength(3);
        expect(X.toParts().values).toEqual(Float64Array.from(huge.values));
      }
    },
  );

  test(`${engine}: a weight that overflows in a column no later row has is not published`, () => {
    // The second update makes w₀ infinite; the third row does not look at it, and there is no pass after this one.
    const rows = { values: [1, 1, 1], indices: [0, 0, 1], indptr: [0, 1, 2, 3], cols: 2 };
    const dense = [[1, 0], [1, 0], [0, 1]]; // biome-ignore format: three rows
    for (const average of [false, true]) {
      const options = { engine, average, maxEpochs: 1, learningRate: 1.7e308, margin: 1.79e308, fitIntercept: false };
      refuses(() => new Perceptron<number>(options).fit(dense, [1, 1, -1]), RangeError, OVERFLOW);
      refuses(() => new Perceptron<number>(options).fit(rows, [1, 1, -1]), RangeError, OVERFLOW);
    }
  });

  test(`${engine}: a score that overflows at prediction names the row`, () => {
    const model = new Perceptron<number>({ engine }).fit([[1e10], [-1e10]], [1, 0]);
    const rows = { values: [1, 1e308], indices: [0, 0], indptr: [0, 1, 1, 2], cols: 1 };
    const message = 'the score of X row 2 is Infinity: its values are too large';
    for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose']) {
      refuses(() => methods[method]?.(model, rows, [1, 0, 1]), RangeError, message);
    }
  });

  test(`${engine}: kernels that overflow are said as with dense rows`, () => {
    const far = { values: [1e200, 2e200], indices: [3, 3], indptr: [0, 1, 1, 2], cols: 9 };
    for (const kernel of ['linear', RBF, { type: 'polynomial', degree: 2 }] as const) {
      const dense = thrownBy(() => gram(DenseMatrix.from(far), { kernel, engine }));
      checkError(dense, RangeError, /./);
      refuses(() => gram(far, { kernel, engine }), RangeError, dense.message);
      for (const mode of ['full', 'rows'] as const) {
        const make = () => new DualPerceptron<number>({ kernel, engine, gram: mode });
        const expected = thrownBy(() => make().fit(DenseMatrix.from(far), [1, -1, 1]));
        checkError(expected, RangeError, /./);
        refuses(() => make().fit(far, [1, -1, 1]), RangeError, expected.message);
      }
    }
  });
}

test.each(trainers)(
  '%s: a callback that throws, or an abort, leaves model, rows and memory as they were',
  async (_name, make) => {
    const engine = createEngine();
    const X = SparseMatrix.from(good, { engine });
    const problem = new Error('stop');
    const fail = () => {
      throw problem;
    };
    for (const options of [{ onEpoch: fail }, { onUpdate: fail }]) {
      const model = make({ engine, ...options });
      refusesIn(engine, () => model.fit(X, y), Error, 'stop');
      refusesIn(engine, () => model.fit(good, y), Error, 'stop');
      expect(() => model.predict(X)).toThrow(/not fitted yet/);
      const before = usageOf(engine);
      expect(await rejection(model.fitAsync(X, y))).toBe(problem);
      expect(usageOf(engine)).toEqual(before);
    }
    const signal = AbortSignal.abort(problem);
    const model = make({ engine }).fit(X, y);
    const json = JSON.stringify(model);
    expect(await rejection(model.fitAsync(X, y, { signal }))).toBe(problem);
    expect(JSON.stringify(model)).toBe(json);
    const blocks = [{ X, y }, { X: { ...good, indices: [0, 1, 0, 1, 1, 0] }, y }]; // biome-ignore format: two blocks
    if (!(model instanceof PocketPerceptron)) {
      const stream = make({ engine, classes: [-1, 1] });
      const error = await rejection(stream.fitStream(blocks));
      const message = 'block 1: X.indices[5] is 0, after 1: the columns of a row (here row 2) must ascend';
      checkError(error, RangeError, message);
      expect(stream.predict(X)).toHaveLength(3); // as far as it got
    }
    X.dispose();
    expect(usageOf(engine)).toEqual({ liveBytes: 0, blocks: 0 });
  },
);

// ---- rooms that are too small ------------------------------------------------------------------------

for (const kind of engines) {
  test.each(trainers)(`${kind}, %s: no room is said, and the model stays as it was`, (_name, make) => {
    const engine = createEngine({ kind, maxMemoryBytes: 2 ** 20 });
    const length = 9_000;
    const rows = 12;
    const large = {
      values: new Float64Array(rows * length).fill(0.1),
      indices: Uint32Array.from({ length: rows * length }, (_, k) => k % length),
      indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => i * length),
      cols: length,
    };
    const labels = Array.from({ length: rows }, (_, i) => i % 2);
    const model = make({ engine }).fit(good, [0, 0, 1]);
    const json = JSON.stringify(model);
    const noRoom = /^no room for .* asked for, .* of at most 1 MiB/;
    refusesIn(engine, () => model.fit(large, labels), RangeError, noRoom);
    refusesIn(engine, () => model.fit({ ...good, cols: 400_000 }, [0, 0, 1]), RangeError, noRoom);
    expect(JSON.stringify(model)).toBe(json);
    expect(JSON.stringify(model.fit(good, [0, 0, 1]))).toBe(json);
  });
}

test.each(trainers)(
  '%s: more columns than any memory has room for weights of are refused, not the rows',
  (_name, make) => {
    using X = SparseMatrix.from({ values: [1, 2], indices: [0, 2 ** 31 - 2], indptr: [0, 1, 2], cols: 2 ** 31 - 1 });
    const error = thrownBy(() => make({}).fit(X, [0, 1]));
    checkError(error, RangeError, /^no room for /);
    refuses(() => make({}).fit(X, [0, 1]), RangeError, error.message);
    expect(X.row(1)).toEqual({ indices: Uint32Array.of(2 ** 31 - 2), values: Float64Array.of(2) });
  },
);

// ---- the scaler -------------------------------------------------------------------------------------

test.each(['standardize', 'centre'] as const)("a Scaler of kind '%s' refuses sparse rows and says why", (kind) => {
  using X = SparseMatrix.from(good);
  using dense = DenseMatrix.from(good);
  const why = (who: string) =>
    `${who} subtracts means, which would fill every zero of sparse rows; use kind 'unit-ball', or DenseMatrix.from(X) where memory holds it`;
  for (const rows of [X, good, foreign(good) as unknown as SparseMatrix]) {
    refuses(() => new Scaler({ kind }).fit(rows), RangeError, why(`kind '${kind}'`));
    refuses(() => new Scaler({ kind }).fitTransform(rows), RangeError, why(`kind '${kind}'`));
    const fitted = new Scaler({ kind }).fit(dense);
    const before = JSON.stringify(fitted);
    refuses(() => fitted.transform(rows), RangeError, why('this Scaler'));
    refuses(() => fitted.fit(rows), RangeError, why(`kind '${kind}'`));
    expect(JSON.stringify(fitted)).toBe(before);
  }
});

test("a Scaler of kind 'unit-ball' refuses rows that are too long, or not its own", () => {
  const scaler = new Scaler({ kind: 'unit-ball' });
  const far = { values: [1, 1e200], indices: [1, 4], indptr: [0, 1, 2], cols: 5 };
  refuses(() => scaler.fit(far), RangeError, 'row 1 of X has values too large to scale: its length is Infinity');
  scaler.fit(good);
  refuses(() => scaler.transform(far), RangeError, 'X has 5 columns, the scaler was fitted on 2');
  const tiny = new Scaler({ kind: 'unit-ball' }).fit({ values: [1e-150], indices: [0], indptr: [0, 1], cols: 1 });
  refuses(
    () => tiny.transform({ values: [1, 1e200], indices: [0, 0], indptr: [0, 1, 2], cols: 1 }),
    RangeError,
    'X[1][0] is too large: scaled it is Infinity',
  );
});
