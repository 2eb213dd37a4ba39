// Dense rows whose answers change while they are read: an error, or the result of rows that they once were; other matrices keep
// every byte, and no block stays.

import { afterEach, expect, test, vi } from 'vitest';
import {
  chooseForm,
  compare,
  DenseMatrix,
  DualPerceptron,
  gram,
  MulticlassPerceptron,
  Perceptron,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { anotherCopy } from '../data/copies.js';
import { amongWitnesses, fickle, lazy, refusesHostile } from './hostile.js';
import { type Any, X, y } from './refusals.js';

afterEach(() => vi.unstubAllGlobals());

const primal = new Perceptron<Any>().fit(X, y);
const rbf = new DualPerceptron<Any>({ kernel: { type: 'rbf', gamma: 1 } }).fit(X, y);
const many = new MulticlassPerceptron<Any>().fit(X, y);
const scaler = new Scaler({ kind: 'standardize' }).fit(X);

/** Every call that takes rows. What it returns can be compared; matrices are disposed of. */
const calls: Record<string, (rows: Any) => unknown> = {
  fit: (rows) => new Perceptron<Any>().fit(rows, y).toJSON(),
  'fit with a pocket': (rows) => new Perceptron<Any>({ order: 'shuffle' }).fit(rows, y).toJSON(),
  'fit in dual form': (rows) => new DualPerceptron<Any>().fit(rows, y).toJSON(),
  'fit of several classes': (rows) => new MulticlassPerceptron<Any>().fit(rows, y).toJSON(),
  partialFit: (rows) => new Perceptron<Any>({ classes: [-1, 1] }).partialFit(rows, y).toJSON(),
  predict: (rows) => primal.predict(rows),
  'predict in dual form': (rows) => rbf.predict(rows),
  'predict of several classes': (rows) => many.predict(rows),
  diagnose: (rows) => primal.diagnose(rows, y),
  'diagnose in dual form': (rows) => rbf.diagnose(rows, y),
  'diagnose of several classes': (rows) => many.diagnose(rows, y),
  loss: (rows) => primal.loss(rows, y),
  'loss of several classes': (rows) => many.loss(rows, y),
  score: (rows) => primal.score(rows, y),
  gram: (rows) => contentOf(gram(rows)),
  'DenseMatrix.from': (rows) => contentOf(DenseMatrix.from(rows)),
  'DenseMatrix.from, float32': (rows) => contentOf(DenseMatrix.from(rows, { dtype: 'float32' })),
  'SparseMatrix.fromDense': (rows) => contentOf(SparseMatrix.fromDense(rows)),
  'Scaler.fit': (rows) => new Scaler({ kind: 'centre' }).fit(rows).toJSON(),
  'Scaler.transform': (rows) => contentOf(scaler.transform(rows)),
  chooseForm: (rows) => chooseForm(rows).form,
  compare: (rows) => compare(rows, y, { budgetMs: 0 }).results.map(({ mistakes }) => mistakes),
};

function contentOf(matrix: DenseMatrix | SparseMatrix): unknown {
  const content = matrix instanceof DenseMatrix ? [...matrix.data] : matrix.toParts();
  matrix.dispose();
  return content;
}

const names = Object.keys(calls);
const call = (name: string, rows: Any) => (calls[name] as (rows: Any) => unknown)(rows);

// ---- lengths ----------------------------------------------------------------------------------------

const lengths = [NaN, 2.5, -1, 2 ** 32, 2 ** 53, Infinity, -Infinity];

for (const length of lengths) {
  test.each(names)(`%s refuses ${length} rows`, (name) => {
    const message = `X.length must be an integer from 0 to 4294967295, got ${length}`;
    refusesHostile(() => call(name, { ...X, length }), message);
  });

  test.each(names)(`%s refuses a row of ${length} values`, (name) => {
    const message = `X row 0.length must be an integer from 0 to 4294967295, got ${length}`;
    const row = { 0: 3, 1: 3, length };
    refusesHostile(() => call(name, [row, row, row]), message);
  });

  test.each(names)(`%s refuses a later row of ${length} values`, (name) => {
    if (name === 'chooseForm') return expect(chooseForm(X).form).toBe('primal'); // it reads the first row only
    const rows = [X[0], { 0: 3, 1: 3, length }, X[2]];
    refusesHostile(() => call(name, rows), `X row 1 has ${length} values, expected 2`);
  });
}

const narrow = X.map((row) => row.slice(0, 1));

/** An error that says something of X, or the result of rows that X once was. */
function sameOrRefused(name: string, rows: Any, ...snapshots: Any[]): void {
  const outcome = amongWitnesses(() => call(name, rows));
  if (outcome instanceof Error) {
    expect([TypeError, RangeError]).toContain(outcome.constructor);
    expect(outcome.message).toMatch(/^(X|y)\b/);
  } else {
    expect(snapshots.map((once) => amongWitnesses(() => call(name, once)))).toContainEqual(outcome);
  }
}

test.each(names)('%s reads rows whose length changes as if it had been one of them', (name) => {
  for (const [first, second] of [
    [3, 2],
    [3, 1000],
    [3, NaN],
    [2, 3],
    [1000, 3],
  ] as const) {
    for (let asked = 1; asked < 8; asked++) {
      const rows = fickle({ ...X }, 'length', ...new Array(asked).fill(first), second);
      sameOrRefused(name, rows, X, X.slice(0, 2));
    }
  }
});

test.each(names)('%s reads rows that are wider the second time as if they had been one of them', (name) => {
  for (const second of [1, 3, 1000, NaN, 2.5]) {
    for (let asked = 1; asked < 8; asked++) {
      const rows = X.map((row) => fickle({ ...row }, 'length', ...new Array(asked).fill(2), second));
      const wider = second > 2 ? [X.map(() => new Float64Array(second))] : [];
      sameOrRefused(name, rows, X, narrow, ...wider);
    }
  }
});

test.each(names)('%s reads flat rows of which a field changes as if they had been one of them', (name) => {
  const flat = { data: Float64Array.from(X.flat()), rows: 3, cols: 2 };
  const answers: [string, unknown, unknown][] = [
    ['rows', 3, 1000],
    ['rows', 3, 2.5],
    ['cols', 2, 1000],
    ['cols', 2, NaN],
    ['cols', 2, 1],
    ['data', flat.data, new Float64Array(2)],
    ['data', flat.data, Float32Array.from(X.flat())],
    ['data', flat.data, [1, 2, 3, 4, 5, 6]],
  ];
  for (const [key, first, second] of answers) {
    for (let asked = 1; asked < 8; asked++) {
      const single = { ...flat, data: Float32Array.from(X.flat()) };
      const rows = fickle(flat, key, ...new Array(asked).fill(first), second);
      sameOrRefused(name, rows, X, single, { ...flat, cols: 1 });
    }
  }
});

// ---- typed arrays that lie --------------------------------------------------------------------------

const six = () => Float64Array.from(X.flat());
const lies: Record<string, (view: Float64Array) => Any> = {
  length: (view) => Object.defineProperty(view, 'length', { value: 4000 }),
  byteLength: (view) => Object.defineProperty(view, 'byteLength', { value: 0 }),
  BYTES_PER_ELEMENT: (view) => Object.defineProperty(view, 'BYTES_PER_ELEMENT', { value: 4 }),
  byteOffset: (view) => Object.defineProperty(view, 'byteOffset', { value: 8 }),
  buffer: (view) => Object.defineProperty(view, 'buffer', { value: new ArrayBuffer(8) }),
  subarray: (view) => Object.defineProperty(view, 'subarray', { value: () => [7, 7, 7, 7] }),
  constructor: (view: Float64Array) =>
    Object.defineProperty(view, 'constructor', { value: { [Symbol.species]: () => [7] } }),
  name: (view) => Object.defineProperty(view, Symbol.toStringTag, { value: 'Float32Array' }),
};

for (const [lie, tell] of Object.entries(lies)) {
  test.each(names)(`%s does not believe a typed array about its ${lie}`, (name) => {
    const expected = call(name, X);
    expect(amongWitnesses(() => call(name, { data: tell(six()), rows: 3, cols: 2 }))).toEqual(expected);
    expect(
      amongWitnesses(() => {
        using matrix = DenseMatrix.from(X);
        tell(matrix.data as Float64Array);
        return call(name, matrix);
      }),
    ).toEqual(expected);
  });
}

test.each(names)('%s refuses flat rows beyond the end of a typed array that lies', (name) => {
  const data = lies.length?.(six());
  const message = 'X.data has 6 values, expected 4000 (2000 rows × 2 columns)';
  refusesHostile(() => call(name, { data, rows: 2000, cols: 2 }), message);
  refusesHostile(() => {
    using matrix = DenseMatrix.from(X);
    call(name, { data: lies.length?.(matrix.data as Float64Array), rows: 2000, cols: 2 });
  }, message);
});

test.each(names)('%s refuses Int32 values that call themselves Float64', (name) => {
  const data = Object.defineProperty(new Int32Array(6), Symbol.toStringTag, { value: 'Float64Array' });
  refusesHostile(
    () => call(name, { data, rows: 3, cols: 2 }),
    /^X\.data must be a Float64Array or a Float32Array, got /,
  );
});

test.each(['fit', 'predict', 'gram', 'diagnose'])('%s refuses a view that reaches beyond its matrix', (name) => {
  refusesHostile(() => {
    using matrix = DenseMatrix.from(X);
    const { buffer, byteOffset } = matrix.data;
    call(name, { data: new Float64Array(buffer, byteOffset, 600), rows: 300, cols: 2 });
  }, 'X.data reaches beyond the DenseMatrix that it is a view into');
});

test('the shape of a matrix cannot be changed', () => {
  using dense = DenseMatrix.allocate(3, 2, { dtype: 'float32' });
  using sparse = SparseMatrix.fromDense(X);
  for (const [matrix, fields] of [
    [dense, { rows: 1e6, cols: 1e6, dtype: 'float64' }],
    [sparse, { rows: 1e6, cols: 1e6, nonZeros: 1e6 }],
  ] as const) {
    for (const [key, value] of Object.entries(fields)) {
      expect(() => Object.assign(matrix, { [key]: value })).toThrow(TypeError);
      expect(() => Object.defineProperty(matrix, key, { value })).toThrow(TypeError);
    }
  }
  expect(dense.data).toHaveLength(6);
  expect(() => sparse.row(3)).toThrow(RangeError);
  expect(() => sparse.take([3])).toThrow(RangeError);
});

// ---- buffers that go away ---------------------------------------------------------------------------

const transferred = (view: Float64Array) => structuredClone(view.buffer, { transfer: [view.buffer] });

test.each(names)('%s refuses flat rows whose buffer is transferred by a getter of theirs', (name) => {
  const data = six();
  const rows = {
    data,
    rows: 3,
    get cols() {
      if (data.length > 0) transferred(data);
      return 2;
    },
  };
  refusesHostile(
    () => call(name, rows),
    'X.data has 0 values, expected 6 (3 rows × 2 columns); its buffer is empty or detached',
  );
});

test.each(names)('%s refuses typed rows that are detached while an earlier row is read', (name) => {
  if (name === 'chooseForm') return expect(chooseForm(X).form).toBe('primal'); // it reads the first row only
  const rows = X.map((row) => Float64Array.from(row));
  const list = lazy(3, (i) => {
    const last = rows[2] as Float64Array;
    if (i === 1 && last.length > 0) transferred(last);
    return rows[i] as Float64Array;
  });
  refusesHostile(() => call(name, list), 'X row 2 has 0 values, expected 2');
});

test.each(names)('%s refuses flat rows in a buffer that has shrunk', (name) => {
  const Resizable = ArrayBuffer as Any;
  const buffer = new Resizable(48, { maxByteLength: 64 });
  const views = [new Float64Array(buffer), new Float64Array(buffer, 0, 6)];
  buffer.resize(40);
  for (const [data, length] of [
    [views[0], 5],
    [views[1], 0],
  ] as const) {
    refusesHostile(
      () => call(name, { data, rows: 3, cols: 2 }),
      `X.data has ${length} values, expected 6 (3 rows × 2 columns)`,
    );
  }
});

// ---- getters that call back -------------------------------------------------------------------------

const oops = new RangeError('a getter of the caller failed');

test.each(names)('%s passes on what a getter throws, wherever it throws', (name) => {
  for (let at = 0; at < 40; at++) {
    let asked = 0;
    const ask = <T>(value: T): T => {
      if (asked++ === at) throw oops;
      return value;
    };
    const row = (values: readonly number[]) =>
      new Proxy([...values], { get: (target, key) => ask(Reflect.get(target, key)) });
    const rows = new Proxy(X.map(row), { get: (target, key) => ask(Reflect.get(target, key)) });
    const outcome = amongWitnesses(() => call(name, rows));
    if (asked > at) expect(outcome).toBe(oops);
    else expect(outcome).toEqual(call(name, X));
  }
});

test.each(names)('%s gives the same result if every read trains, predicts and allocates', (name) => {
  const other = new Perceptron();
  const held: DenseMatrix[] = [];
  const busy = lazy(3, (i) =>
    lazy(2, (k) => {
      other.fit(X, y).predict(X);
      gram(X).dispose();
      SparseMatrix.fromDense(X).dispose();
      if (held.length < 20) held.push(DenseMatrix.allocate(50, 50));
      return X[i]?.[k] as number;
    }),
  );
  const expected = call(name, X);
  const outcome = amongWitnesses(() => {
    try {
      return call(name, busy);
    } finally {
      for (const matrix of held.splice(0)) matrix.dispose();
    }
  });
  expect(outcome).toEqual(expected);
});

test('rows are what their getters said although the getters make memory grow that is not shared', async () => {
  const { DenseMatrix: Dense, Perceptron: Primal, SparseMatrix: Sparse, gram: gramOf } = await anotherCopy(false);
  const matrices: { dispose(): void }[] = [];
  const grows = (at: number) => {
    let asked = 0;
    return lazy(3, (i) =>
      lazy(2, (k) => {
        if (asked++ === at) matrices.push(Dense.allocate(400, 1000));
        return X[i]?.[k] as number;
      }),
    );
  };
  const expected = new Primal<number>().fit(X, y);
  const before = [...gramOf(X).data];
  for (let at = 0; at < 6; at++) {
    const model = new Primal<number>().fit(grows(at), y);
    expect(model.toJSON()).toEqual(expected.toJSON());
    expect([...expected.decisionFunction(grows(at))]).toEqual([...expected.decisionFunction(X)]);
    expect([...Dense.from(grows(at)).data]).toEqual(X.flat());
    expect([...Sparse.fromDense(grows(at)).toParts().values]).toEqual(X.flat());
    expect([...gramOf(grows(at)).data]).toEqual(before);
    for (const matrix of matrices.splice(0)) matrix.dispose();
  }
});

test('sparse rows become integers although a getter makes memory grow that is not shared', async () => {
  const { DenseMatrix: Dense } = await anotherCopy(false);
  const values = [5, -7, 100];
  for (let at = 0; at < values.length; at++) {
    let asked = 0;
    let large: { dispose(): void } | undefined;
    const grows = lazy(values.length, (k) => {
      if (asked++ === at) large = Dense.allocate(400, 1000);
      return values[k] as number;
    });
    const matrix = Dense.from({ values: grows, indices: [0, 1, 1], indptr: [0, 2, 3], cols: 2 }, { dtype: 'int8' });
    expect([...matrix.data]).toEqual([5, -7, 0, 100]);
    matrix.dispose();
    large?.dispose();
  }
});

test('a getter of y may dispose of the matrix that is trained on', () => {
  const expected = new Perceptron<Any>().fit(X, y).toJSON();
  for (const make of [() => DenseMatrix.from(X), () => SparseMatrix.fromDense(X)]) {
    const outcome = amongWitnesses(() => {
      const matrix = make();
      const labels = lazy(3, (i) => {
        matrix.dispose();
        DenseMatrix.from([[7, 7, 7, 7, 7, 7]]).dispose(); // it may take the place of what was released
        return y[i] as number;
      });
      return new Perceptron<Any>().fit(matrix, labels).toJSON();
    });
    expect(outcome).toEqual(expected);
  }
});
