// Sparse rows, labels and indices whose answers change while they are read: no kernel gets a column that was not checked.

import { expect, test } from 'vitest';
import {
  chooseForm,
  DenseMatrix,
  DualPerceptron,
  gram,
  MulticlassPerceptron,
  Perceptron,
  Scaler,
  SparseBuilder,
  SparseMatrix,
} from '../../src/index.js';
import { amongWitnesses, fickle, lazy, refusesHostile } from './hostile.js';
import { type Any, checkError, refuses, X, y } from './refusals.js';

const good = { values: [3, 3, 4, 3, 1, 1], indices: [0, 1, 0, 1, 0, 1], indptr: [0, 2, 4, 6], cols: 2 };
/** Parts that differ from `good` in every field, and are as good. */
const wide = { values: [5, 6, 7], indices: [900, 901, 999], indptr: [0, 1, 2, 3], cols: 1000 };

const rbf = new DualPerceptron<Any>({ kernel: { type: 'rbf', gamma: 1 } }).fit(X, y);
const primal = new Perceptron<Any>().fit(X, y);
const ball = new Scaler({ kind: 'unit-ball' }).fit(X);

function contentOf(matrix: DenseMatrix | SparseMatrix): unknown {
  const content = matrix instanceof DenseMatrix ? [...matrix.data] : matrix.toParts();
  matrix.dispose();
  return content;
}

const calls: Record<string, (rows: Any) => unknown> = {
  fit: (rows) => new Perceptron<Any>().fit(rows, y).toJSON(),
  'fit with averages': (rows) => new Perceptron<Any>({ average: true, order: 'shuffle' }).fit(rows, y).toJSON(),
  'fit in dual form': (rows) => new DualPerceptron<Any>().fit(rows, y).toJSON(),
  'fit of several classes': (rows) => new MulticlassPerceptron<Any>({ strategy: 'multinomial' }).fit(rows, y).toJSON(),
  predict: (rows) => primal.predict(rows),
  'predict in dual form': (rows) => rbf.predict(rows),
  diagnose: (rows) => primal.diagnose(rows, y),
  loss: (rows) => primal.loss(rows, y),
  gram: (rows) => contentOf(gram(rows)),
  'DenseMatrix.from': (rows) => contentOf(DenseMatrix.from(rows)),
  'SparseMatrix.from': (rows) => contentOf(SparseMatrix.from('toParts' in rows ? rows.toParts() : rows)),
  'SparseMatrix.fromDense': (rows) => contentOf(SparseMatrix.fromDense(rows)),
  'Scaler.transform': (rows) => contentOf(ball.transform(rows)),
  chooseForm: (rows) => chooseForm(rows).form,
};
const names = Object.keys(calls);
const call = (name: string, rows: Any) => (calls[name] as (rows: Any) => unknown)(rows);

/** What a call makes of parts, or its message. */
const outcomeOf = (name: string, rows: Any): unknown => {
  try {
    return call(name, rows);
  } catch (error) {
    return (error as Error).message;
  }
};

/** An error of a known class, or what some good parts give. */
function sameOrRefused(name: string, rows: Any, ...snapshots: Any[]): void {
  const outcome = amongWitnesses(() => call(name, rows));
  if (outcome instanceof Error) expect([TypeError, RangeError]).toContain(outcome.constructor);
  else expect(snapshots.map((parts) => outcomeOf(name, parts))).toContainEqual(outcome);
}

test.each(names)('%s takes the columns of parts from where it takes the number of columns', (name) => {
  for (let asked = 1; asked < 6; asked++) {
    const cols = [...new Array(asked).fill(2), 1000];
    const indices = [0, 1, 0, 1, 0, 999];
    sameOrRefused(name, fickle({ ...good, indices }, 'cols', ...cols), { ...good, indices, cols: 1000 });
    sameOrRefused(name, fickle(good, 'cols', ...cols), good, { ...good, cols: 1000 });
  }
});

test.each(names)('%s takes all parts of a matrix of another library from one answer', (name) => {
  for (let asked = 1; asked < 6; asked++) {
    for (const [first, second] of [
      [good, wide],
      [wide, good],
      [good, { ...good, indptr: [0, 6] }],
    ]) {
      let asks = 0;
      const foreign = { toParts: () => (asks++ < asked ? first : second) };
      sameOrRefused(name, foreign, first, second);
    }
  }
});

test.each(names)('%s reads every part once', (name) => {
  for (const key of ['values', 'indices', 'indptr'] as const) {
    for (let asked = 1; asked < 8; asked++) {
      sameOrRefused(name, fickle(good, key, ...new Array(asked).fill(good[key]), wide[key]), good);
    }
  }
});

const lengths = [NaN, 2.5, -1, 2 ** 32, 2 ** 53, Infinity];

for (const key of ['values', 'indices', 'indptr'] as const) {
  test.each(names)(`%s refuses ${key} of an impossible length`, (name) => {
    for (const length of lengths) {
      const list = { ...good[key], length };
      const prefix = name === 'SparseMatrix.from' ? '' : 'X.';
      refusesHostile(
        () => call(name, { ...good, [key]: list }),
        `${prefix}${key}.length must be an integer from 0 to 4294967295, got ${length}`,
      );
    }
  });

  test.each(names)(`%s is not misled by ${key} whose length changes`, (name) => {
    const { length } = good[key];
    for (const second of [NaN, 2.5, -1, 0, 1, length + 1, 1000, 2 ** 53]) {
      for (let asked = 1; asked < 8; asked++) {
        const list = fickle({ ...good[key] }, 'length', ...new Array(asked).fill(length), second);
        sameOrRefused(name, { ...good, [key]: list }, good);
      }
    }
  });
}

test.each(names)('%s checks the very columns that it stores', (name) => {
  for (const bad of [2, 1000, -1, 2 ** 32, NaN]) {
    for (let k = 0; k < 6; k++) {
      for (let asked = 1; asked < 4; asked++) {
        const indices = fickle(
          { ...good.indices, length: 6 },
          String(k),
          ...new Array(asked).fill(good.indices[k]),
          bad,
        );
        sameOrRefused(name, { ...good, indices }, good);
        const values = fickle({ ...good.values, length: 6 }, String(k), ...new Array(asked).fill(good.values[k]), NaN);
        sameOrRefused(name, { ...good, values }, good);
      }
    }
  }
});

test.each(names)('%s checks where rows begin and end, however often it is asked', (name) => {
  for (const bad of [1000, -1, 2 ** 32, 2 ** 32 + 2, NaN]) {
    for (let k = 0; k < 4; k++) {
      const indptr = fickle({ ...good.indptr, length: 4 }, String(k), good.indptr[k], bad);
      sameOrRefused(name, { ...good, indptr }, good);
    }
  }
});

test('more values than an index can number are refused, not numbered from 0 again', () => {
  const list = { length: 2 ** 32 };
  refusesHostile(
    () => SparseMatrix.from({ values: list, indices: list, indptr: [0, 2 ** 32], cols: 2 }),
    'values.length must be an integer from 0 to 4294967295, got 4294967296',
  );
});

test.each(names)('%s passes on what a getter throws, wherever it throws', (name) => {
  const oops = new RangeError('a getter of the caller failed');
  for (let at = 0; at < 60; at++) {
    let asked = 0;
    const ask = <T>(value: T): T => {
      if (asked++ === at) throw oops;
      return value;
    };
    const asking = <T extends object>(list: T): T =>
      new Proxy(list, { get: (target, key) => ask(Reflect.get(target, key)) });
    const parts = asking({
      values: asking([...good.values]),
      indices: asking([...good.indices]),
      indptr: asking([...good.indptr]),
      cols: 2,
    });
    const outcome = amongWitnesses(() => call(name, parts));
    if (asked > at) expect(outcome).toBe(oops);
    else expect(outcome).toEqual(call(name, good));
  }
});

test.each(names)('%s gives the same result if every read builds other sparse rows', (name) => {
  const busy = (list: readonly number[]) =>
    lazy(list.length, (k) => {
      SparseMatrix.from(wide).dispose();
      new SparseBuilder().add([7, 900], [1, 0.1]).dispose();
      return list[k] as number;
    });
  const parts = { values: busy(good.values), indices: busy(good.indices), indptr: busy(good.indptr), cols: 2 };
  expect(amongWitnesses(() => call(name, parts))).toEqual(call(name, good));
});

// ---- SparseBuilder ----------------------------------------------------------------------------------

test('add keeps its own row if a getter adds another to the same builder', () => {
  const parts = amongWitnesses(() => {
    using builder = new SparseBuilder();
    const values = lazy(2, (k) => {
      if (k === 1) expect(() => builder.add([1000, -1], [7, 7])).toThrow(RangeError);
      return k + 1;
    });
    builder.add([0, 1], values);
    const again = lazy(2, (k) => {
      if (k === 1) builder.add([3], [9]);
      return k + 1;
    });
    builder.add([0, 1], again);
    using matrix = builder.finish();
    return matrix.toParts();
  });
  expect(parts).toEqual({
    values: Float64Array.of(1, 2, 9, 1, 2),
    indices: Uint32Array.of(0, 1, 3, 0, 1),
    indptr: Uint32Array.of(0, 2, 3, 5),
    cols: 4,
  });
});

test('the columns of a failed row are never stored', () => {
  const scores = amongWitnesses(() => {
    using builder = new SparseBuilder();
    const spoil = lazy(2, (k) => {
      if (k === 1) expect(() => builder.add([4000, -1], [7, 7])).toThrow(RangeError);
      return k;
    });
    for (let i = 0; i < 3; i++) builder.add(spoil, X[i] as number[]);
    using matrix = builder.finish();
    return [matrix.cols, new Perceptron<Any>().fit(matrix, y).toJSON()];
  });
  expect(scores).toEqual([2, new Perceptron<Any>().fit(X, y).toJSON()]);
});

test('finish counts the rows that a getter of its options adds', () => {
  refusesHostile(() => {
    using builder = new SparseBuilder().add([0, 1], [3, 3]);
    const options = {
      get cols() {
        builder.add([4000], [7]);
        return 2;
      },
    };
    builder.finish(options).dispose();
  }, '"cols" must be at least 4001: column 4000 has a value; got 2');
});

test('a builder that a getter finishes or disposes of takes no row more', () => {
  for (const end of [(b: SparseBuilder) => b.finish().dispose(), (b: SparseBuilder) => b.dispose()]) {
    const error = amongWitnesses(() => {
      const builder = new SparseBuilder().add([0], [1]);
      builder.add(
        lazy(1, () => {
          end(builder);
          return 0;
        }),
        [1],
      );
    });
    checkError(error, Error, 'this SparseBuilder is finished or disposed');
  }
});

test('the columns of a builder are those that were checked', () => {
  for (let asked = 1; asked < 4; asked++) {
    const options = fickle({}, 'cols', ...new Array(asked).fill(2), 2 ** 40);
    using builder = new SparseBuilder(options);
    expect(() => builder.add([2], [1])).toThrow('a column must be an integer from 0 to 1, got 2');
  }
});

test.each(lengths)('add refuses lists of length %d', (length) => {
  using builder = new SparseBuilder();
  builder.add([0], [1]);
  refuses(() => builder.add({ 0: 1, 1: 2, length }, { 0: 1, 1: 2, length }), RangeError, /integer/);
  expect(builder.rows).toBe(1);
});

// ---- one row, indices, labels, options --------------------------------------------------------------

const oneRows: Record<string, (x: Any) => unknown> = {
  predictOne: (x) => primal.predictOne(x),
  explain: (x) => primal.explain(x),
  'predictOne in dual form': (x) => rbf.predictOne(x),
  'explain in dual form': (x) => rbf.explain(x),
};

test.each(Object.keys(oneRows))('%s reads a row once', (name) => {
  const ask = oneRows[name] as (x: Any) => unknown;
  const expected = ask([4, 5]);
  const sparse = { indices: [0, 1], values: [4, 5] };
  expect(ask(sparse)).toEqual(expected);
  for (const length of lengths) {
    refusesHostile(() => ask({ 0: 4, 1: 5, length }), `x has ${length} values, the model was fitted on 2 columns`);
    refusesHostile(
      () => ask({ ...sparse, indices: { 0: 0, 1: 1, length } }),
      `x.indices.length must be an integer from 0 to 4294967295, got ${length}`,
    );
    refusesHostile(
      () => ask({ ...sparse, values: { 0: 0, 1: 1, length } }),
      `x.values.length must be an integer from 0 to 4294967295, got ${length}`,
    );
  }
  for (let asked = 1; asked < 6; asked++) {
    for (const second of [NaN, 0, 1, 3, 1000, 2.5]) {
      const list = (values: number[]) =>
        fickle({ ...values }, 'length', ...new Array(asked).fill(values.length), second);
      for (const x of [list([4, 5]), { ...sparse, indices: list([0, 1]) }, { ...sparse, values: list([4, 5]) }]) {
        const outcome = amongWitnesses(() => ask(x));
        if (outcome instanceof Error) expect([TypeError, RangeError]).toContain(outcome.constructor);
        else expect(outcome).toEqual(expected);
      }
    }
    const indices = fickle({ 0: 0, length: 2 }, '1', ...new Array(asked).fill(1), 1000);
    expect(amongWitnesses(() => ask({ ...sparse, indices }))).toEqual(expected);
  }
});

test('take refuses indices of an impossible length, and checks the numbers that it uses', () => {
  using dense = DenseMatrix.from(X);
  using sparse = SparseMatrix.fromDense(X);
  for (const matrix of [dense, sparse]) {
    for (const length of lengths) {
      refusesHostile(
        () => matrix.take({ 0: 1, 1: 2, length }),
        `indices.length must be an integer from 0 to 4294967295, got ${length}`,
      );
    }
    for (const second of [0, NaN, 1000, 1.5]) {
      const list = fickle({ 0: 2, 1: 0 }, 'length', 2, 2, second);
      expect(amongWitnesses(() => contentOf(matrix.take(list)))).toEqual(contentOf(matrix.take([2, 0])));
    }
    const indices = fickle({ 0: 2, length: 2 }, '1', 0, 1000);
    expect(amongWitnesses(() => contentOf(matrix.take(indices)))).toEqual(contentOf(matrix.take([2, 0])));
  }
  for (const make of [() => DenseMatrix.from(X), () => SparseMatrix.fromDense(X)]) {
    const error = amongWitnesses(() => {
      const matrix = make();
      matrix.take(
        lazy(2, () => {
          matrix.dispose();
          return 0;
        }),
      );
    });
    expect((error as Error).message).toMatch(/^this (Dense|Sparse)Matrix was disposed$/);
  }
});

test('labels are of one type, whatever the first of them says later', () => {
  const rows = 40_000;
  const flat = { data: new Float64Array(rows).fill(1), rows, cols: 1 };
  let asked = 0;
  const labels = lazy(rows, (i) => (i === 0 ? (asked++ < 2 ? 1 : '1') : i < 20_000 ? i % 2 : String(i % 2)));
  return expect(new MulticlassPerceptron<Any>().fitAsync(flat, labels)).rejects.toThrow(
    /^y\[\d+\] is "\d", a string; the other labels are of type number$/,
  );
});

test.each(lengths)('labels, weights and planes of length %d are refused', (length) => {
  refusesHostile(() => new Perceptron<Any>().fit(X, { ...y, length }), `y has ${length} labels, X has 3 rows`);
  refusesHostile(
    () => new Perceptron<Any>({ initialWeights: { 0: 1, 1: 1, length } as Any }),
    `initialWeights.length must be an integer from 0 to 4294967295, got ${length}`,
  );
  refusesHostile(
    () => primal.diagnose(X, y, { reference: { 0: 1, 1: 1, length } as Any }),
    `reference.length must be an integer from 0 to 4294967295, got ${length}`,
  );
});

test('names of features are the strings that were checked', () => {
  const names = new Proxy(['a', 'b'], {
    get: (target, key) => (key === Symbol.iterator ? () => [1, 2][Symbol.iterator]() : Reflect.get(target, key)),
  });
  refuses(() => new Perceptron({ featureNames: names }), TypeError, 'featureNames[0] must be a string, got 1');
  const holes = ['a', 'b'];
  delete holes[0];
  refuses(() => new Perceptron({ featureNames: holes }), TypeError, 'featureNames[0] must be a string, got undefined');
});
