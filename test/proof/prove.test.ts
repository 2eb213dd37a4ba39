// Proofs that a plane separates two classes, or that none does; each is replayed by verifyProof.

import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iris } from '../../bench/data/iris.js';
import {
  DenseMatrix,
  type Diagnosis,
  DualPerceptron,
  describe,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
  SparseMatrix,
  verifyProof,
} from '../../src/index.js';
import { prove } from '../../src/proof/prove.js';
import { Random } from '../../src/random.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';

const xor = {
  X: [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ],
  y: [-1, -1, 1, 1],
};

/** One epoch is enough: a proof does not depend on training. */
const proven = (X: number[][], y: readonly number[], fitIntercept = true): Diagnosis =>
  new Perceptron<number>({ maxEpochs: 1, fitIntercept }).fit(X, y).diagnose(X, y, { prove: true });

test.each(engines)('XOR is not separable: all four rows prove it, with equal parts, on %s', (engine) => {
  const model = new Perceptron<number>({ engine, maxEpochs: 10 }).fit(xor.X, xor.y);
  const d = model.diagnose(xor.X, xor.y, { prove: true });
  expect(d.separable).toBe('no');
  if (d.proof?.separable !== 'no') throw new Error('the proof is of another kind');
  expect(d.proof).toMatchObject({ positive: 1, intercept: true, multipliers: ['1', '1', '1', '1'] });
  expect([...d.proof.samples].sort()).toEqual([0, 1, 2, 3]);
  expect(verifyProof(xor.X, xor.y, JSON.parse(JSON.stringify(d.proof)))).toBe(true);
  expect(describe(model.report, d)).toMatch(/; proven by 4 rows: no plane separates these rows\./);
});

test('nothing is proven unless it is asked for', () => {
  const model = new Perceptron<number>({ maxEpochs: 3 }).fit(xor.X, xor.y);
  expect(Object.keys(model.diagnose(xor.X, xor.y))).not.toContain('separable');
  expect(model.diagnose(xor.X, xor.y, { prove: false })).toEqual(model.diagnose(xor.X, xor.y));
});

test('a model that separates its rows is itself the proof', () => {
  const X = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const y = ['yes', 'yes', 'no'];
  const model = new Perceptron().fit(X, y);
  const d = model.diagnose(X, y, { prove: true });
  expect(d.separable).toBe('yes');
  expect(d.proof).toEqual({ separable: 'yes', positive: 'yes', intercept: true, weights: [1, 1], bias: -3 });
  expect(verifyProof(X, y, d.proof)).toBe(true);
  expect(describe(model.report, d)).toMatch(/; proven: a plane separates these rows;/);
});

test('equal rows of two classes prove it alone, in any number of columns', () => {
  const row = Array.from({ length: 3000 }, (_, k) => Math.sin(k));
  const X = [row.map((v) => v + 1), [...row], row.map((v) => v - 1), [...row]];
  const d = proven(X, [1, 1, -1, -1]);
  expect(d.proof).toMatchObject({ separable: 'no', samples: [1, 3], multipliers: ['1', '1'] });
});

test('without an intercept, a row of zeros proves it alone', () => {
  const X = [
    [1, 2],
    [0, 0],
    [-1, 3],
  ];
  expect(proven(X, [1, 1, -1], false).proof).toMatchObject({ separable: 'no', samples: [1], multipliers: ['1'] });
  expect(proven(X, [1, 1, -1]).separable).toBe('yes');
});

/** Rows of 1 to 6 columns whose values are of one kind; labels of either class. */
const values = {
  'real numbers': fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((v) => v / 3 / 2 ** 31),
  'tenths, which doubles only approximate': fc.integer({ min: -10, max: 10 }).map((v) => v / 10),
  'small integers, where many planes touch many rows': fc.integer({ min: -2, max: 2 }),
  'numbers of any size': fc.double({ noNaN: true, noDefaultInfinity: true }).filter((v) => Math.abs(v) < 1e150),
};
const dataOf = (value: fc.Arbitrary<number>) =>
  fc.integer({ min: 1, max: 6 }).chain((cols) =>
    fc.record({
      X: fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: 2, maxLength: 30 }),
      intercept: fc.boolean(),
      plane: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: cols + 1, maxLength: cols + 1 }),
      bits: fc.infiniteStream(fc.boolean()),
    }),
  );

test.each(Object.entries(values))('every answer about %s is one that verifyProof confirms', (name, value) => {
  const answers = { yes: 0, no: 0, unknown: 0 };
  fc.assert(
    fc.property(dataOf(value), ({ X, intercept, bits }) => {
      const y: number[] = X.map(() => (bits.next().value ? 1 : -1));
      [y[0], y[1]] = [1, -1];
      const { separable, proof } = proven(X, y, intercept);
      if (!separable) throw new Error('no answer');
      answers[separable]++;
      expect(proof === undefined).toBe(separable === 'unknown');
      if (proof) expect(verifyProof(X, y, proof)).toBe(true);
    }),
    { numRuns: runs(800) },
  );
  // There is no answer only where a plane needs more than doubles.
  if (name !== 'numbers of any size') expect(answers.unknown).toBe(0);
  expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(runs(800) / 20);
});

test('rows that a plane separates are always proven to be', () => {
  fc.assert(
    fc.property(dataOf(values['real numbers']), ({ X, plane }) => {
      const scores = X.map((x) => x.reduce((s, v, k) => s + v * (plane[k] as number), plane[x.length] as number));
      const kept = X.flatMap((_, i) => (Math.abs(scores[i] as number) > 1e-9 ? [i] : []));
      const y = kept.map((i) => ((scores[i] as number) > 0 ? 1 : -1));
      fc.pre(new Set(y).size === 2);
      const rows = kept.map((i) => X[i] as number[]);
      const { separable, proof } = proven(rows, y);
      expect(separable).toBe('yes');
      expect(verifyProof(rows, y, proof)).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

test('0.1 + 0.2 is not 0.3: rows are what their doubles are', () => {
  // In decimals the third row is between the others; in doubles it is 2⁻⁵⁴ beside the line.
  const X = [
    [0, 0],
    [0.3, 0.1 + 0.2],
    [0.1, 0.1],
  ];
  const { separable, proof } = proven(X, [1, 1, -1]);
  expect(separable).toBe('yes');
  expect(verifyProof(X, [1, 1, -1], proof)).toBe(true);
  const straight = [...X.slice(0, 1), [0.2, 0.2], [0.1, 0.1]];
  expect(proven(straight, [1, 1, -1]).separable).toBe('no');
});

test('all storages and trainers give a proof for the caller’s rows', () => {
  const { X, y } = xor;
  const options = { maxEpochs: 5 };
  for (const model of [
    new Perceptron<number>(options),
    new PocketPerceptron<number>(options),
    new DualPerceptron<number>(options),
  ]) {
    model.fit(X, y);
    const sparse = SparseMatrix.fromDense(X);
    const dense = DenseMatrix.from(X, { dtype: 'float32' });
    const flat = { data: Float64Array.from(X.flat()), rows: 4, cols: 2 };
    for (const rows of [X, sparse, dense, flat, sparse.toParts()]) {
      const { separable, proof } = model.diagnose(rows, y, { prove: true });
      expect(separable).toBe('no');
      for (const same of [X, sparse, dense, flat, sparse.toParts()]) expect(verifyProof(same, y, proof)).toBe(true);
    }
    sparse.dispose();
    dense.dispose();
  }
});

test('iris, one-vs-rest: setosa is separable, the others are not, each with a proof', () => {
  const { X, y } = iris();
  const model = new MulticlassPerceptron<string>({ maxEpochs: 20 }).fit(X, y);
  const { separable, proof, byClass = [] } = model.diagnose(X, y, { prove: true });
  expect([separable, proof]).toEqual(['no', undefined]);
  expect(byClass.map((d) => d.separable)).toEqual(['yes', 'no', 'no']);
  byClass.forEach((d, k) => {
    expect(d.proof?.positive).toBe(model.classes[k]);
    expect(verifyProof(X, y, d.proof)).toBe(true);
  });
});

test('iris: no plane separates versicolor from virginica, as six flowers prove', () => {
  const { X, y } = iris();
  const [rows, labels] = [X.slice(50), y.slice(50)];
  const { proof } = new Perceptron({ maxEpochs: 5 }).fit(rows, labels).diagnose(rows, labels, { prove: true });
  if (proof?.separable !== 'no') throw new Error('the proof is of another kind');
  expect(proof.samples).toHaveLength(6);
  expect(verifyProof(rows, labels, proof)).toBe(true);
});

test('"prove" is refused where it has no meaning, by name', () => {
  const { X, y } = xor;
  const rbf = new DualPerceptron<number>({ kernel: 'rbf' }).fit(X, y);
  expect(() => rbf.diagnose(X, y, { prove: true })).toThrow(
    new RangeError(`"prove" needs the linear kernel, got 'rbf'`),
  );
  const many = new MulticlassPerceptron<number>({ kernel: 'polynomial', maxEpochs: 3 }).fit(X, y);
  expect(() => many.diagnose(X, y, { prove: true })).toThrow(
    new RangeError(`"prove" needs the linear kernel, got 'polynomial'`),
  );
  const multinomial = new MulticlassPerceptron<number>({ strategy: 'multinomial', maxEpochs: 3 }).fit(X, y);
  expect(() => multinomial.diagnose(X, y, { prove: true })).toThrow(
    new RangeError(`"prove" needs strategy 'one-vs-rest': it is about two classes, got 'multinomial'`),
  );
  const plain = new Perceptron<number>({ maxEpochs: 3 }).fit(X, y);
  expect(() => plain.diagnose(X, y, { prove: 1 as unknown as boolean })).toThrow(
    new TypeError('"prove" must be true or false, got 1'),
  );
});

/** 60 rows of two overlapping classes. */
function overlapping() {
  const random = Random.seeded(7);
  const X = Array.from({ length: 60 }, () => [random.next() / 2 ** 32, random.next() / 2 ** 32, random.below(9)]);
  const y = X.map(([a = 0]) => (a + random.next() / 2 ** 32 > 1 ? 1 : -1));
  const visit = (i: number, see: (k: number, value: number) => void) => {
    for (const [k, value] of (X[i] as number[]).entries()) see(k, value);
  };
  return { X, y, rows: { rows: 60, cols: 3, visit } };
}
const EFFORT = { values: 2 ** 20, columns: 99, search: 2 ** 30, integers: 2 ** 30 };

test('the effort is bounded: beyond it the answer is unknown', () => {
  const { y, rows } = overlapping();
  const answer = (effort: Partial<typeof EFFORT>) =>
    prove(rows, Int8Array.from(y), true, [], 1, { ...EFFORT, ...effort });
  expect(answer({}).separable).toBe('no');
  expect(answer({ columns: 3 })).toEqual({ separable: 'unknown' });
  expect(answer({ integers: 0 })).toEqual({ separable: 'unknown' });
  expect(answer({ integers: 2000 })).toEqual({ separable: 'unknown' });
  // Whatever the search in doubles leaves undone, integers finish.
  expect(answer({ search: 0 }).separable).toBe('no');
});

test('of rows that are too many to copy, some prove it for all', () => {
  const { X, y, rows } = overlapping();
  const { separable, proof } = prove(rows, Int8Array.from(y), true, [], 1, { ...EFFORT, values: 60 * 4 - 1 });
  expect(separable).toBe('no');
  if (proof?.separable !== 'no') throw new Error('the proof is of another kind');
  expect(proof.samples.every((i) => i % 2 === 0)).toBe(true);
  expect(verifyProof(X, y, proof)).toBe(true);
});

test('rows of one class prove nothing', () => {
  const model = new Perceptron<number>({ maxEpochs: 3 }).fit(xor.X, xor.y);
  expect(model.diagnose(xor.X.slice(0, 2), [-1, -1], { prove: true })).toMatchObject({ separable: 'unknown' });
  expect(describe(model.report, { ...model.diagnose(xor.X, xor.y), separable: 'unknown' })).toMatch(
    /whether a plane separates these rows is not proven/,
  );
});

const folder = new URL('../../../shared/data/', import.meta.url);

function dense(name: string) {
  const bytes = readFileSync(new URL(`${name}.X.f64`, folder));
  const data = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const y = Array.from(new Int8Array(readFileSync(new URL(`${name}.y.i8`, folder))));
  return { X: { data, rows: y.length, cols: data.length / y.length }, y };
}

/** heart_scale, LIBSVM text of 13 columns. */
function heart() {
  const lines = readFileSync(new URL('heart_scale', folder), 'utf8').trim().split('\n');
  const X = lines.map((line) => {
    const row = new Array<number>(13).fill(0);
    for (const [, k, v] of line.matchAll(/(\d+):(\S+)/g)) row[Number(k) - 1] = Number(v);
    return row;
  });
  return { X, y: lines.map((line) => Number.parseInt(line, 10)) };
}

const real = [
  { name: 'heart_scale', load: heart, separable: 'no', support: 14 },
  { name: 'spambase', load: () => dense('spambase'), separable: 'no', support: 2 },
  { name: 'sonar', load: () => dense('sonar'), separable: 'yes', support: undefined },
] as const;

test.skipIf(!existsSync(folder)).each(real)('$name: separable is $separable', ({ load, separable, support }) => {
  const { X, y } = load();
  const d = new Perceptron<number>({ maxEpochs: 2 }).fit(X, y).diagnose(X, y, { prove: true });
  expect(d.separable).toBe(separable);
  if (d.proof?.separable === 'no') expect(d.proof.samples).toHaveLength(support as number);
  expect(verifyProof(X, y, d.proof)).toBe(true);
});

test.skipIf(!existsSync(folder))('spambase is not separable without its equal rows of two classes either', () => {
  const { X, y } = dense('spambase');
  const labelsOf = new Map<string, Set<number>>();
  const texts = y.map((_, i) => X.data.subarray(i * X.cols, (i + 1) * X.cols).join());
  texts.forEach((text, i) => {
    labelsOf.set(text, (labelsOf.get(text) ?? new Set()).add(y[i] as number));
  });
  const kept = y.flatMap((_, i) => (labelsOf.get(texts[i] as string)?.size === 1 ? [i] : []));
  expect(kept).toHaveLength(4595);
  const rows = kept.map((i) => X.data.subarray(i * X.cols, (i + 1) * X.cols));
  const labels = kept.map((i) => y[i] as number);
  const d = new Perceptron<number>({ maxEpochs: 2 }).fit(rows, labels).diagnose(rows, labels, { prove: true });
  if (d.proof?.separable !== 'no') throw new Error('there is no proof');
  expect(d.proof.samples.length).toBeLessThanOrEqual(59);
  expect(verifyProof(rows, labels, d.proof)).toBe(true);
});

test('a pipeline proves nothing: its rows are scaled, and not those of the caller', () => {
  const model = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron<number>({ maxEpochs: 3 }));
  model.fit(xor.X, xor.y);
  expect(model.diagnose(xor.X, xor.y)).not.toHaveProperty('separable');
});
