// crossValidate: equal to doing it by hand, for any number of threads; nothing of the held-out rows leaks into a fold.

import { afterAll, describe, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import {
  DenseMatrix,
  DualPerceptron,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import { TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { Random } from '../../src/random.js';
import { dealGroups } from '../../src/select/folds.js';
import { crossValidate, evaluate } from '../../src/select/index.js';
import { stratified } from './stratified.js';

afterAll(() => stopThreads());

/** Rows of three overlapping clouds. */
function clouds(rows: number, classes: number, seed = 1): { X: number[][]; y: string[] } {
  const random = Random.seeded(seed);
  const noise = () => (random.next() + random.next()) / 2 ** 32 - 1;
  const y = Array.from({ length: rows }, (_, i) => 'abc'[i % classes] as string);
  const X = y.map((label) => [0, 1, 2].map((k) => 2 * noise() + (label === 'abc'[k] ? 1 : 0)));
  return { X, y };
}

const two = clouds(90, 2);
const three = clouds(90, 3);

interface ByHand {
  fit(X: Rows, y: readonly Label[]): unknown;
  predict(X: Rows): Label[];
  decisionFunction(X: Rows): Float64Array | { data: Float64Array };
}

/** The same by hand: take, fit, evaluate. */
function byHand(make: () => ByHand, X: DenseMatrix | SparseMatrix, y: readonly string[], folds: number, seed = 0) {
  return stratified(y, folds, seed).map(({ train, test: held }) => {
    const model = make();
    model.fit(
      X.take(train),
      Array.from(train, (i) => y[i] as string),
    );
    const rows = X.take(held);
    const scores = model.decisionFunction(rows);
    const truth = Array.from(held, (i) => y[i] as string);
    const { accuracy, confusion } = evaluate(truth, model.predict(rows) as string[], {
      classes: [...new Set(y)].sort(),
    });
    return { accuracy, confusion, scores: Array.from('data' in scores ? scores.data : scores), held };
  });
}

const rbf = { kernel: { type: 'rbf', gamma: 0.5 } } as const;
const models: [string, () => Perceptron | DualPerceptron | MulticlassPerceptron, typeof two][] = [
  ['Perceptron', () => new Perceptron({ maxEpochs: 20, average: true, order: 'shuffle' }), two],
  ['PocketPerceptron', () => new PocketPerceptron({ maxEpochs: 10 }), two],
  ['DualPerceptron, linear', () => new DualPerceptron({ maxEpochs: 20 }), two],
  ['DualPerceptron, rbf', () => new DualPerceptron({ maxEpochs: 20, average: true, ...rbf }), two],
  ['DualPerceptron without a matrix', () => new DualPerceptron({ maxEpochs: 20, gram: 'rows', ...rbf }), two],
  ['MulticlassPerceptron', () => new MulticlassPerceptron({ maxEpochs: 20, strategy: 'multinomial' }), three],
  ['MulticlassPerceptron, rbf', () => new MulticlassPerceptron({ maxEpochs: 20, ...rbf }), three],
  ['MulticlassPerceptron of two classes', () => new MulticlassPerceptron({ maxEpochs: 20 }), two],
];

describe('crossValidate', () => {
  test.each(models)(
    'of a %s is what take, fit and evaluate give, on any number of threads',
    async (_, make, { X, y }) => {
      for (const matrix of [DenseMatrix.from(X), SparseMatrix.fromDense(X)]) {
        const expected = byHand(make as () => ByHand, matrix, y, 4);
        for (const threads of [1, 2, 3]) {
          const model = make();
          const found = await crossValidate(model, matrix, y, { folds: 4, threads });
          expect(found.folds.map(({ accuracy, confusion }) => ({ accuracy, confusion }))).toEqual(
            expected.map(({ accuracy, confusion }) => ({ accuracy, confusion })),
          );
          const cols = 'data' in found.scores ? found.scores.cols : 1;
          const data = 'data' in found.scores ? found.scores.data : found.scores;
          for (const { scores, held } of expected) {
            expect(Array.from(held).flatMap((i) => [...data.subarray(i * cols, (i + 1) * cols)])).toEqual(scores);
          }
          expect(() => model.classes).toThrow(/not fitted/); // the caller's model is not touched
        }
      }
    },
  );

  test('has the mean and the deviation over folds, and the majority of the training rows as baseline', async () => {
    const y = two.y.map((label, i) => (i % 5 ? label : 'b'));
    const { folds, mean, deviation, predictions } = await crossValidate(new Perceptron({ maxEpochs: 5 }), two.X, y);
    const shares = folds.map(({ accuracy }) => accuracy);
    const middle = shares.reduce((a, b) => a + b) / 5;
    expect(mean.accuracy).toBe(middle);
    expect(deviation.accuracy).toBeCloseTo(Math.sqrt(shares.reduce((sum, s) => sum + (s - middle) ** 2, 0) / 4), 14);
    expect(folds.every(({ baseline }) => baseline.label === 'b')).toBe(true);
    expect(predictions).toHaveLength(90);
    expect(Object.keys(mean)).toEqual(expect.arrayContaining(['macro.f1', 'rocAuc', 'matthews', 'baseline.accuracy']));
  });

  test('fits the steps of a pipeline in the fold: what is held out does not leak', async () => {
    // Each text has a word of its own: a vocabulary of all texts would have 90 columns more.
    const texts = two.y.map((label, i) => `${label}${label} unique${i}`);
    const seen: number[] = [];
    class Watching extends TextVectorizer {
      override unfitted() {
        return new Watching({ method: 'vocabulary' });
      }
      override fitting(list: ArrayLike<string> | Iterable<string>) {
        seen.push(new Set(Array.from(list).map((text) => text.split(' ')[1])).size);
        return super.fitting(list);
      }
    }
    const pipeline = new Pipeline(new Watching({ method: 'vocabulary' }), new Perceptron());
    const { mean } = await crossValidate(pipeline, texts, two.y, { folds: 3 });
    expect(mean.accuracy).toBe(1);
    expect(new Set(seen)).toEqual(new Set([60]));
  });

  test.each(['standardize', 'unit-ball'] as const)(
    'of a pipeline with a %s Scaler is the same by hand',
    async (kind) => {
      const make = () => new Pipeline(new Scaler({ kind }), new Perceptron({ maxEpochs: 10 }));
      const expected = byHand(make as () => ByHand, DenseMatrix.from(two.X), two.y, 5, 7);
      const { folds } = await crossValidate(make(), two.X, two.y, { seed: 7 });
      expect(folds.map(({ accuracy }) => accuracy)).toEqual(expected.map(({ accuracy }) => accuracy));
    },
  );

  test('takes tables', async () => {
    const table = two.X.map(([age], i) => ({ age: age as number, colour: two.y[i] === 'a' ? 'red' : 'blue' }));
    const pipeline = new Pipeline(new TableEncoder({ columns: { colour: 'category' } }), new Perceptron());
    const { mean } = await crossValidate(pipeline, table, two.y);
    expect(mean.accuracy).toBe(1);
    const columns = { age: table.map(({ age }) => age), colour: table.map(({ colour }) => colour) };
    expect((await crossValidate(pipeline, { columns }, two.y)).mean).toEqual(mean);
  });

  test('keeps the rows of a group in one fold', async () => {
    const groups = two.y.map((_, i) => Math.floor(i / 6));
    const { folds } = await crossValidate(new Perceptron({ maxEpochs: 3 }), two.X, two.y, { groups });
    expect(folds.map(({ rows }) => rows)).toEqual([18, 18, 18, 18, 18]);
    const uneven = two.y.map((_, i) => `${Math.min(7, Math.floor(Math.sqrt(i)))}`);
    const found = await crossValidate(new Perceptron({ maxEpochs: 3 }), two.X, two.y, { groups: uneven, folds: 3 });
    expect(found.folds.reduce((sum, { rows }) => sum + rows, 0)).toBe(90);
  });

  test('calls onFold for each fold, and the options of the model stay: callbacks, too', async () => {
    const [ended, epochs]: [number[], number[]] = [[], []];
    const onEpoch = ({ epoch }: { epoch: number }) => void epochs.push(epoch);
    const model = new Perceptron<string>({ maxEpochs: 2, onEpoch });
    await crossValidate(model, two.X, two.y, { threads: 1, onFold: ({ fold }) => ended.push(fold) });
    expect(ended).toEqual([0, 1, 2, 3, 4]);
    expect(epochs).toHaveLength(10);
  });

  test('stops when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const running = crossValidate(new Perceptron(), two.X, two.y, {
      signal: controller.signal,
      threads: 1,
      onFold: () => controller.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    await expect(crossValidate(new Perceptron(), two.X, two.y, { signal: controller.signal })).rejects.toBe(reason);
  });

  const abortable: [string, (onEpoch: () => void) => Perceptron | DualPerceptron | MulticlassPerceptron | Pipeline][] =
    [
      ['a Perceptron', (onEpoch) => new Perceptron({ onEpoch, maxEpochs: 9 })],
      ['a DualPerceptron', (onEpoch) => new DualPerceptron({ onEpoch, maxEpochs: 9, ...rbf })],
      ['a MulticlassPerceptron', (onEpoch) => new MulticlassPerceptron({ onEpoch, maxEpochs: 9, ...rbf })],
      [
        'a Pipeline',
        (onEpoch) => new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron({ onEpoch, maxEpochs: 9 })),
      ],
    ];

  test.each(abortable)('aborted in the middle of a fold, %s is as before, and no memory is held', async (_, make) => {
    const X = DenseMatrix.from(two.X);
    for (const threads of [1, 2, 3]) {
      const { blocks, liveBytes } = defaultArena.usage;
      const controller = new AbortController();
      const reason = new Error('enough');
      let epochs = 0;
      const model = make(() => {
        if (++epochs === 4) controller.abort(reason);
      });
      const running = crossValidate(model, X, two.y, { folds: 4, threads, signal: controller.signal });
      await expect(running).rejects.toBe(reason);
      await new Promise((resolve) => setImmediate(resolve));
      expect(defaultArena.usage).toMatchObject({ blocks, liveBytes });
      expect(() => model.classes).toThrow(/not fitted/);
    }
    X.dispose();
  });

  const inGroups: [string, (typeof models)[0][1]][] = [
    ...models.map(([name, make]): (typeof inGroups)[0] => [name, make]),
    ['Perceptron in random order', () => new Perceptron({ order: 'random', maxEpochs: 3 })],
    ['DualPerceptron with a pocket', () => new DualPerceptron({ pocket: true, maxEpochs: 3, ...rbf })],
    ['early stopping', () => new Perceptron({ validationFraction: 0.2, order: 'shuffle', maxEpochs: 9 })],
  ];

  test.each(inGroups)('groups and weights: a %s is what it is by hand, on any number of threads', async (_, make) => {
    const X = DenseMatrix.from(two.X);
    const groups = two.y.map((_, i) => Math.floor(i / 5));
    const sampleWeight = two.y.map((_, i) => (i % 11 === 0 ? 0 : 1 + (i % 3)));
    const at = <T>(list: readonly T[], rows: readonly number[]) => rows.map((i) => list[i] as T);
    const options = { folds: 3, groups, sampleWeight };
    const [one, ...more] = await Promise.all(
      [1, 2, 3].map((threads) => crossValidate(make(), X, two.y, { ...options, threads })),
    );
    for (const other of more) expect(other).toEqual(one);
    const codes = Uint32Array.from(two.y, (label) => 'ab'.indexOf(label));
    const foldOf = dealGroups(Uint32Array.from(groups), codes, 2, [1 / 3, 1 / 3, 1 / 3], 0);
    for (let fold = 0; fold < 3; fold++) {
      const rows = [...foldOf.keys()];
      const [train, held] = [rows.filter((i) => foldOf[i] !== fold), rows.filter((i) => foldOf[i] === fold)];
      const model = make() as Perceptron;
      model.fit(X.take(train), at(two.y, train), { sampleWeight: at(sampleWeight, train) });
      expect(at(one?.predictions as string[], held)).toEqual(model.predict(X.take(held)));
    }
    X.dispose();
  });

  test('a fold that fails says which it was, and its error is that of the first in order', async () => {
    const onEpoch = () => {
      throw new Error('no');
    };
    await expect(crossValidate(new Perceptron({ onEpoch }), two.X, two.y, { threads: 2 })).rejects.toThrow(
      'fold 0: no',
    );
  });

  test('steps of your own need a method unfitted', async () => {
    const step = { fit() {}, transform: (X: Rows) => X, toJSON: () => ({ type: 'mine' }) };
    const model = new Perceptron({ maxEpochs: 5 });
    await expect(crossValidate(new Pipeline(step, model), two.X, two.y)).rejects.toThrow(
      /steps\[0\] \(Object\) cannot be copied: give it a method unfitted\(\)/,
    );
    const copying = { ...step, unfitted: () => ({ ...step }) };
    const { mean } = await crossValidate(new Pipeline(copying, model), two.X, two.y);
    expect(mean).toEqual((await crossValidate(model, two.X, two.y)).mean);
  });

  class Mine extends Perceptron {}
  const { X, y } = two;
  test.each<[unknown, unknown, unknown, object, RegExp]>([
    [new Perceptron(), X, y, { folds: 1 }, /"folds" must be an integer of at least 2, got 1/],
    [new Perceptron(), X, y, { folds: 91 }, /"folds" is 91, but X has 90 rows/],
    [new Perceptron(), X, y, { folds: 50 }, /"folds" is 50, but class "a" has 45 rows/],
    [
      new Perceptron(),
      X,
      ['z', ...y.slice(1).map(() => 'b')],
      { stratify: false },
      /fold \d would be trained without rows of class "z"/,
    ],
    [new Perceptron(), X, y.map(() => 'a'), {}, /y has one class only \("a"\)/],
    [new Perceptron(), X, y.slice(1), {}, /y has 89 labels, X has 90 rows/],
    [new Perceptron(), X, y, { sampleWeight: [1] }, /sampleWeight has 1 values, expected 90/],
    [new Perceptron(), X, y, { sampleWeight: y.map(() => 0) }, /sampleWeight is 0 for every row/],
    [new Perceptron(), X, y, { sampleWeight: y.map(() => -1) }, /sampleWeight\[0\] must be a number ≥ 0, got -1/],
    [
      new Perceptron(),
      X,
      y,
      { sampleWeight: y.map(() => Number.NaN) },
      /sampleWeight\[0\] must be a number ≥ 0, got NaN/,
    ],
    [
      new Perceptron(),
      X,
      y,
      { sampleWeight: y.map((l) => (l === 'a' ? 1 : 0)) },
      /fold 0 would be trained without rows of class "b", whose other rows have weight 0/,
    ],
    [new Perceptron(), X, y, { groups: y }, /"folds" is 5, but "groups" has 2 groups/],
    [new Perceptron(), X, y, { threads: 0 }, /"threads" must be an integer of at least 1, or 'auto', got 0/],
    [new Perceptron(), X, y, { signal: 1 }, /"signal" must be an AbortSignal/],
    [new Perceptron(), X, y, { onFold: 1 }, /"onFold" must be a function, got 1/],
    [new Perceptron(), X, y, { fold: 3 }, /crossValidate has no option "fold": do you mean "folds"\?/],
    [new Perceptron(), 'rows', y, {}, /X must be/],
    [new Perceptron(), [[1], [Number.NaN]], [0, 1], { folds: 2 }, /X\[1\]\[0\] is NaN/],
    [new Mine(), X, y, {}, /a class of your own, which cannot be copied: Mine/],
    [{}, X, y, {}, /the model must be a Perceptron, .* or a Pipeline, got an object/],
    [undefined, X, y, {}, /the model must be .*, got undefined/],
  ])('refuses what cannot be validated (%#)', async (model, rows, labels, options, message) => {
    await expect(crossValidate(model as Perceptron, rows as Rows, labels as string[], options)).rejects.toThrow(
      message,
    );
  });
});
