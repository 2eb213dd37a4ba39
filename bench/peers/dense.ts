// Whole fits of dense rows, for bench/questions/peers.ts: a fixed number of passes, and wide rows until a pass is clean.

import { chooseForm, DenseMatrix, DualPerceptron, Perceptron } from 'perceptron-wasm';
import { fit } from '../baseline/perceptron.js';
import { generate } from '../data/generate.js';
import { expectSame } from '../harness/question.js';
import type { Work } from '../harness/results.js';
import { shapeText } from '../harness/words.js';
import { denseRows, type House, liblinear, share, sklearn, sorted } from './guests.js';
import { libsvm, nested, shareOf, wink } from './javascript.js';
import { BASELINE, expectPasses, OURS, type Prepared, planeOf, type Size } from './tasks.js';
import { calling } from './turns.js';

/** Beyond what any set here takes. */
const ENOUGH = 100_000;

/** Two operations for each number that is looked at, and for each of a row that was a mistake. */
const denseWork = ({ rows, cols, passes }: Size, mistakes: number): Work => ({
  flops: 2 * cols * (rows * passes + mistakes),
  bytes: 8 * cols * rows * passes,
  resident: 8 * cols * rows,
});

/** Passes that nobody can cut short: one row in twenty is there twice, with both labels. */
export async function denseTask(house: House, size: Size): Promise<Prepared> {
  const { rows, cols, passes } = size;
  const set = generate({ rows, cols, seed: 2, contradictions: Math.ceil(rows / 20) });
  const { data, y } = set;
  const shared = denseRows('dense', set);
  await share(house, shared);

  const [X, lists] = [DenseMatrix.from(set), nested(set)];
  const [model, copying, averaged] = [{}, {}, { average: true }].map(
    (options) => new Perceptron<number>({ maxEpochs: passes, ...options }),
  ) as [Perceptron<number>, Perceptron<number>, Perceptron<number>];
  const baseline = fit(data, y, cols, passes);
  const expected = planeOf(baseline);
  for (const one of [model.fit(X, y), copying.fit(lists, y)]) {
    expectPasses(one, passes);
    expectSame(planeOf(one), expected, `weights of ours and ${BASELINE}`);
  }
  const [plain, labels] = [model.predict(X), averaged.fit(X, y).predict(X)];
  const accuracy = shareOf(plain, y);
  const work = denseWork(size, baseline.mistakes);
  const rival = `${OURS}, averaged`;
  const { players, skipped } = sorted([
    { name: OURS, kind: 'ours', measure: calling(() => model.fit(X, y).bias), work },
    {
      name: `${OURS}, from lists of numbers`,
      kind: 'ours',
      measure: calling(() => copying.fit(lists, y).bias),
      note: 'number[][], checked and copied in each time; the others have their rows in the form they like best',
    },
    { name: rival, kind: 'ours', measure: calling(() => averaged.fit(X, y).bias), note: 'as wink-perceptron does' },
    {
      name: BASELINE,
      kind: 'javascript',
      measure: calling(() => fit(data, y, cols, passes).bias),
      against: BASELINE,
      work,
      note: 'the same weights, to the bit',
    },
    await wink(set, { passes, rival, labels }),
    sklearn(house, shared.name, {
      passes,
      intercept: true,
      expected,
      extra: { work, note: 'the same weights, to the bit' },
    }),
    await libsvm(set, accuracy),
    liblinear(house, shared, { intercept: true, ours: accuracy }),
  ]);
  return {
    what: `fit ${shapeText(rows, cols)}, dense`,
    rule: `${passes} passes`,
    players,
    skipped,
    dispose: () => X.dispose(),
  };
}

/** More columns than rows, far from the origin, as gene expressions are: it takes many passes, and chooseForm has a say. */
export async function wideTask(house: House, { rows, cols }: Omit<Size, 'passes'>): Promise<Prepared> {
  const set = generate({ rows, cols, seed: 2, margin: 3, offset: 10 });
  const { data, y } = set;
  const shared = denseRows('wide', set);
  await share(house, shared);

  const X = DenseMatrix.from(set);
  const primal = new Perceptron<number>({ maxEpochs: ENOUGH });
  const dual = new DualPerceptron<number>({ maxEpochs: ENOUGH });
  const chosen = () => (chooseForm(X).form === 'dual' ? dual : primal);
  const { epochs: passes, mistakes, converged } = primal.fit(X, y).report;
  if (!converged) throw new Error('the wide set was to be separable');
  const expected = planeOf(fit(data, y, cols, ENOUGH));
  expectSame(planeOf(primal), expected, `weights of ours and ${BASELINE}`);
  expectSame(planeOf(chosen().fit(X, y)), expected, `weights of the form that chooseForm chose and ${BASELINE}`);

  const work = denseWork({ rows, cols, passes }, mistakes);
  // The Gram matrix, and a row of it at each mistake.
  const dualWork = {
    flops: rows * (rows + 1) * cols + rows * mistakes,
    bytes: 8 * rows * cols + 8 * rows * mistakes,
    resident: 8 * rows * cols,
  };
  const { players, skipped } = sorted([
    {
      name: OURS,
      work: chosen() === dual ? dualWork : work,
      kind: 'ours',
      measure: calling(() => {
        const model = chosen().fit(X, y);
        return model.bias + (model.weights[0] as number);
      }),
      note: `the ${chosen() === dual ? 'dual' : 'primal'} form, as chooseForm says`,
    },
    { name: `${OURS}, primal`, kind: 'ours', measure: calling(() => primal.fit(X, y).bias), work },
    {
      name: BASELINE,
      kind: 'javascript',
      measure: calling(() => fit(data, y, cols, ENOUGH).bias),
      against: BASELINE,
      work,
      note: 'the same weights, to the bit',
    },
    sklearn(house, shared.name, {
      passes,
      intercept: true,
      expected,
      extra: { work, note: `told to make ${passes} passes, as it has no such rule; the same weights, to the bit` },
    }),
    await libsvm(set, 1),
    liblinear(house, shared, { intercept: true, ours: 1 }),
  ]);
  return {
    what: `fit ${shapeText(rows, cols)}, wide`,
    rule: `until a pass without a mistake (${passes} passes)`,
    players,
    skipped,
    dispose: () => X.dispose(),
  };
}
