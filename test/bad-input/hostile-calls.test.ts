// Matrices to write to, options and models that change during a call: kernels get sizes that were checked, and no other.

import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { amongWitnesses, amongWitnessesAsync, fickle, lazy, refusesHostile } from './hostile.js';
import { type Any, X, y } from './refusals.js';

const product = [18, 21, 6, 21, 25, 7, 6, 7, 2];

// ---- out and precomputed ----------------------------------------------------------------------------

/** A matrix that answers to `key` differently after it was asked `asked` times. */
const forged = (matrix: DenseMatrix, key: string, asked: number, second: unknown) =>
  fickle(
    { rows: matrix.rows, cols: matrix.cols, data: matrix.data, dispose: () => {} },
    key,
    ...new Array(asked).fill(matrix[key as keyof DenseMatrix]),
    second,
  );

const changes: [string, (small: DenseMatrix) => unknown][] = [
  ['data', (small) => small.data],
  ['data', () => new Float64Array(9)],
  ['data', () => new Float32Array(9)],
  ['rows', () => 1],
  ['rows', () => 1000],
  ['rows', () => NaN],
  ['cols', () => 1],
  ['cols', () => 1000],
];

test('gram writes to the matrix that it checked', () => {
  for (const [key, second] of changes) {
    for (let asked = 1; asked < 12; asked++) {
      const outcome = amongWitnesses(() => {
        using small = DenseMatrix.allocate(1, 1);
        using out = DenseMatrix.allocate(3, 3);
        gram(X, { out: forged(out, key, asked, second(small)) });
        return [...out.data, ...small.data];
      });
      if (outcome instanceof Error) expect([TypeError, RangeError]).toContain(outcome.constructor);
      else expect(outcome).toEqual([...product, 0]);
    }
  }
});

test('gram and gramAsync read the option "out" once', async () => {
  for (let asked = 1; asked < 8; asked++) {
    const act = (run: (options: Any) => DenseMatrix | Promise<DenseMatrix>) => async () => {
      using out = DenseMatrix.allocate(3, 3);
      using small = DenseMatrix.allocate(1, 1);
      const made = await run(fickle({}, 'out', ...new Array(asked).fill(out), small));
      expect(made).toBe(out);
      return [...out.data];
    };
    expect(await amongWitnessesAsync(act((options) => gram(X, options)))).toEqual(product);
    expect(await amongWitnessesAsync(act((options) => gramAsync(X, options)))).toEqual(product);
  }
});

test('fit reads the Gram matrix that it checked', () => {
  const expected = new DualPerceptron<Any>().fit(X, y).toJSON();
  for (const [key, second] of changes) {
    for (let asked = 1; asked < 12; asked++) {
      const outcome = amongWitnesses(() => {
        using small = DenseMatrix.allocate(1, 1);
        using full = gram(X);
        const precomputed = forged(full, key, asked, second(small));
        return new DualPerceptron<Any>().fit(X, y, { precomputed }).toJSON();
      });
      // Its shape is read once: what it says later has no effect.
      if (key === 'data' && outcome instanceof Error) {
        expect([TypeError, RangeError]).toContain(outcome.constructor);
        expect(asked).toBe(1);
      } else expect(outcome).toEqual(expected);
    }
  }
});

test('a Gram matrix that reaches beyond its matrix is refused', () => {
  refusesHostile(() => {
    using small = DenseMatrix.allocate(1, 1);
    const { buffer, byteOffset } = small.data;
    const data = new Float64Array(buffer, byteOffset, 9);
    gram(X, { out: { rows: 3, cols: 3, data, dispose() {} } as Any });
  }, 'out.data reaches beyond the DenseMatrix that it is a view into');
});

// ---- a model that is trained again while it reads ---------------------------------------------------

const wide = Array.from({ length: 3 }, (_, i) => Array.from({ length: 300 }, (_, k) => (i === 2 ? -1 : 1) * (k + 1)));
const makers: Record<string, () => Any> = {
  Perceptron: () => new Perceptron<Any>(),
  'DualPerceptron, linear': () => new DualPerceptron<Any>(),
  'DualPerceptron, rbf': () => new DualPerceptron<Any>({ kernel: { type: 'rbf', gamma: 0.01 } }),
  'MulticlassPerceptron, one-vs-rest': () => new MulticlassPerceptron<Any>(),
  'MulticlassPerceptron, multinomial': () => new MulticlassPerceptron<Any>({ strategy: 'multinomial' }),
  'MulticlassPerceptron, rbf': () => new MulticlassPerceptron<Any>({ kernel: 'rbf' }),
};
const uses: Record<string, (model: Any, rows: Any, labels: Any, options: Any) => unknown> = {
  predict: (model, rows, _labels, options) => model.predict(rows, options),
  decisionFunction: (model, rows, _labels, options) => model.decisionFunction(rows, options),
  score: (model, rows, labels, options) => model.score(rows, labels, options),
  loss: (model, rows, labels) => model.loss(rows, labels),
  diagnose: (model, rows, labels) => model.diagnose(rows, labels),
  predictOne: (model, rows, _labels, options) => model.predictOne(rows[0], options),
  explain: (model, rows) => model.explain(rows[0]),
};

for (const [kind, make] of Object.entries(makers)) {
  test.each(Object.keys(uses))(`${kind}: %s uses one model, though a getter trains it on other columns`, (use) => {
    const run = uses[use] as (model: Any, rows: Any, labels: Any, options: Any) => unknown;
    for (const [before, after] of [
      [wide, X],
      [X, wide],
    ] as const) {
      const expected = run(make().fit(before, y), before, y, {});
      for (let at = 0; at < 12; at++) {
        const model = make().fit(before, y);
        let asked = 0;
        const ask = <T>(value: T): T => {
          if (asked++ === at) model.fit(after, y);
          return value;
        };
        const cols = (before[0] as number[]).length;
        const row = (i: number) => lazy(cols, (k) => (k === 0 ? ask(before[i]?.[k]) : before[i]?.[k]));
        const rows = lazy(3, (i) => ask(row(i)));
        const options = {
          get last() {
            return ask(at % 2 === 0);
          },
        };
        const labels = lazy(3, (i) => ask(y[i]));
        const outcome = amongWitnesses(() => run(model, rows, labels, options));
        if (outcome instanceof Error) expect([TypeError, RangeError]).toContain(outcome.constructor);
        else expect(outcome).toEqual(expected);
      }
    }
  });
}

test('a getter may train the model that is being trained', () => {
  for (const make of Object.values(makers)) {
    const model = make();
    const labels = lazy(3, (i) => {
      model.fit(wide, y);
      return y[i];
    });
    expect(amongWitnesses(() => model.fit(X, labels).toJSON())).toEqual(make().fit(X, y).toJSON());
  }
});

// ---- fitAsync ---------------------------------------------------------------------------------------

test('fitAsync reads each of its options once', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
  const labels = rows.map(([a = 0, b = 0]) => (a + b > 0.1 ? 1 : -1));
  const expected = new DualPerceptron<Any>({ maxEpochs: 3 }).fit(rows, labels).toJSON();
  for (const threads of [NaN, 2.5, -1, 'many', 1000]) {
    for (let asked = 1; asked < 5; asked++) {
      const options = fickle({}, 'threads', ...new Array(asked).fill(2), threads);
      const outcome = await amongWitnessesAsync(async () => {
        const model = await new DualPerceptron<Any>({ maxEpochs: 3 }).fitAsync(rows, labels, options);
        expect(model.report.threads).toBeLessThanOrEqual(2);
        return model.toJSON();
      });
      expect(outcome).toEqual(expected);
    }
  }
});

/** Rows that take several turns to copy. */
const ROWS = 60_000;
const many = Array.from({ length: ROWS }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 11]);
const half = many.map((_, i) => (i % 3 === 0 ? 1 : -1));

/** Calls `change` in every turn of the event loop until the promise settles. */
async function meanwhile<T>(change: () => void, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const again = () => {
    if (isOver) return;
    change();
    setImmediate(again);
  };
  setImmediate(again);
  try {
    return await promise;
  } finally {
    isOver = true;
  }
}

const settled = async (act: () => Promise<unknown>): Promise<void> => {
  const outcome = await amongWitnessesAsync(act);
  if (outcome instanceof Error) expect([TypeError, RangeError, Error]).toContain(outcome.constructor);
};

const trained = (rows: Any, labels: Any = half) => new Perceptron<Any>({ maxEpochs: 2 }).fitAsync(rows, labels);

test('parts that change while fitAsync copies them are refused, or taken as they were', async () => {
  const parts = {
    values: many.flat(),
    indices: Uint32Array.from({ length: 3 * ROWS }, (_, k) => k % 3),
    indptr: Uint32Array.from({ length: ROWS + 1 }, (_, i) => 3 * i),
    cols: 3,
  };
  await settled(() => meanwhile(() => parts.indices.fill(4_000_000_000), trained(parts)));
  expect(parts.indices[0]).toBe(4_000_000_000); // it did change
});

test('flat rows that are transferred or shrink while fitAsync copies them are refused', async () => {
  const Resizable = ArrayBuffer as Any;
  const big = 2 ** 22;
  const labels = new Int8Array(big / 2).map((_, i) => (i % 3 === 0 ? 1 : -1));
  for (const end of [
    (buffer: Any) => buffer.byteLength > 0 && structuredClone(buffer, { transfer: [buffer] }),
    (buffer: Any) => buffer.resize(16),
  ]) {
    const buffer = new Resizable(8 * big, { maxByteLength: 8 * big });
    const data = new Float64Array(buffer).fill(1);
    await settled(() => meanwhile(() => end(buffer), trained({ data, rows: big / 2, cols: 2 }, labels)));
    expect(data.length).toBeLessThan(big);
  }
});

test('a matrix that is disposed of during fitAsync is held to its end', async () => {
  const make = () => new Perceptron<Any>({ maxEpochs: 40 });
  const expected = make().fit(many, half).toJSON();
  for (const store of [() => DenseMatrix.from(many), () => SparseMatrix.fromDense(many)]) {
    const outcome = await amongWitnessesAsync(async () => {
      const matrix = store();
      let times = 0;
      const model = await meanwhile(
        () => {
          times++;
          matrix.dispose();
          DenseMatrix.from([new Float64Array(3 * ROWS).fill(7)]).dispose();
        },
        make().fitAsync(matrix, half),
      );
      expect(times).toBeGreaterThan(0);
      return model.toJSON();
    });
    expect(outcome).toEqual(expected);
  }
});

test('values of a matrix that change during fitAsync are values or an error, and nothing else', async () => {
  await settled(async () => {
    using matrix = DenseMatrix.from(many);
    let value = 1;
    await meanwhile(() => matrix.data.fill(value++ % 5 ? value : NaN), trained(matrix));
  });
});

test('what another thread writes meanwhile is checked where it was copied to', async () => {
  const shared = (count: number, bytes: number) => new SharedArrayBuffer(count * bytes);
  const [values, indices, indptr] = [shared(300, 8), shared(300, 4), shared(101, 4)];
  const stop = new SharedArrayBuffer(4);
  new Float64Array(values).fill(1);
  const script = `
    const { workerData: { values, indices, indptr, stop }, parentPort } = require('node:worker_threads');
    const [v, x, p, s] = [new Float64Array(values), new Uint32Array(indices), new Uint32Array(indptr), new Int32Array(stop)];
    const good = () => { for (let k = 0; k < x.length; k++) x[k] = k % 3; for (let i = 0; i < p.length; i++) p[i] = 3 * i; v.fill(1); };
    good();
    parentPort.postMessage('begun');
    for (let n = 0; Atomics.load(s, 0) === 0; n++) {
      good();
      x[n % 300] = 4000000 + n; v[n % 300] = n % 2 ? NaN : 1e300; p[n % 101] = n;
    }`;
  const worker = new Worker(script, { eval: true, workerData: { values, indices, indptr, stop } });
  try {
    await new Promise((resolve) => worker.once('message', resolve));
    const parts = {
      values: new Float64Array(values),
      indices: new Uint32Array(indices),
      indptr: new Uint32Array(indptr),
      cols: 3,
    };
    const flat = { data: new Float64Array(values), rows: 100, cols: 3 };
    const labels = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? 1 : -1));
    const acts: (() => unknown)[] = [
      () => SparseMatrix.from(parts).dispose(),
      () => DenseMatrix.from(parts).dispose(),
      () => DenseMatrix.from(flat).dispose(),
      () => DenseMatrix.from(flat, { dtype: 'float32' }).dispose(),
      () => SparseMatrix.fromDense(flat).dispose(),
      () => new Perceptron<Any>({ maxEpochs: 2 }).fit(parts, labels),
      () => new Perceptron<Any>({ maxEpochs: 2 }).fit(flat, labels),
      () => new MulticlassPerceptron<Any>({ maxEpochs: 2 }).fit([[1], [2], [3], [4]], parts.indices.subarray(0, 4)),
      () => gram(parts).dispose(),
    ];
    let refused = 0;
    for (let round = 0; round < 40; round++) {
      for (const act of acts) {
        const outcome = amongWitnesses(act);
        if (!(outcome instanceof Error)) continue;
        refused++;
        expect([TypeError, RangeError]).toContain(outcome.constructor);
        expect(outcome.message).not.toMatch(/is 1,? which float32/);
      }
    }
    expect(refused).toBeGreaterThan(0);
  } finally {
    Atomics.store(new Int32Array(stop), 0, 1);
    await worker.terminate();
  }
});

test('a pipeline scales rows that change between its two readings as rows of one width', async () => {
  const pipeline = () => new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron<Any>());
  const expected = pipeline().fit(X, y).toJSON();
  for (const second of [3, 1000, NaN, 2.5]) {
    for (let asked = 1; asked < 12; asked++) {
      const row = (i: number) => fickle({ ...X[i] }, 'length', ...new Array(asked).fill(2), second);
      const outcome = await amongWitnessesAsync(async () =>
        (await pipeline().fitAsync([row(0), row(1), row(2)], y)).toJSON(),
      );
      if (outcome instanceof Error) expect([TypeError, RangeError]).toContain(outcome.constructor);
      else expect(outcome).toEqual(expected);
    }
  }
});
