// What does cross-validation cost? Ten folds on two threads against one; a search over options of one kernel, which share a Gram
// matrix, against the same cross-validations by hand: take, fit and score, on one thread.

import { DenseMatrix, DualPerceptron, Perceptron, stopThreads } from 'perceptron-wasm';
import { crossValidate, search } from 'perceptron-wasm/select';
import { generate } from '../data/generate.js';
import { contestOfPromises, ratioOf } from '../harness/measure.js';
import { byMode, type Findings, tellLater, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const ROUNDS = byMode({ smoke: 2, quick: 3, full: 5 });
const LARGE = byMode({
  smoke: { rows: 200, cols: 10 },
  quick: { rows: 20_000, cols: 500 },
  full: { rows: 20_000, cols: 500 },
});
const KERNELS = byMode({
  smoke: { rows: 60, cols: 5 },
  quick: { rows: 1000, cols: 50 },
  full: { rows: 2000, cols: 50 },
});

async function tenFolds(): Promise<Findings> {
  const set = generate({ ...LARGE, seed: 3, flips: 0.05 });
  const X = DenseMatrix.from(set);
  const model = new Perceptron({ order: 'shuffle', maxEpochs: 20 });
  const run = async (threads: number) =>
    (await crossValidate(model, X, set.y, { folds: 10, threads })).mean.accuracy ?? 0;
  if ((await run(1)) !== (await run(2))) throw new Error('two threads give other results than one');
  const timings = await contestOfPromises(
    [1, 2].map((threads) => ({ name: threads === 1 ? 'one thread' : 'two threads', run: () => run(threads) })),
    ROUNDS,
  );
  X.dispose();
  const [one, two] = timings as [Timing, Timing];
  const what = `10 folds of ${shapeText(set.rows, set.cols)}, two threads`;
  return {
    timings,
    answers: [{ what, ...ratioOf(one, two), against: 'one thread', ...whenFull({ target: { atLeast: 1.7 } }) }],
  };
}

const GRID = { learningRate: [1, 0.5], average: [true, false], maxEpochs: [5, 10, 20] } as const;
const FOLDS = 5;

async function kernelOptions(): Promise<Findings> {
  const set = generate({ ...KERNELS, seed: 5, flips: 0.1 });
  const X = DenseMatrix.from(set);
  const kernel = { type: 'rbf', gamma: 0.5 / set.cols } as const;
  const foldOf = Array.from(set.y, (_, i) => i % FOLDS);
  const rowsWhere = (isWanted: (fold: number) => boolean) =>
    Uint32Array.from(foldOf.keys()).filter((i) => isWanted(foldOf[i] as number));
  const byHand = async (): Promise<number> => {
    let right = 0;
    for (const learningRate of GRID.learningRate) {
      for (const average of GRID.average) {
        for (const maxEpochs of GRID.maxEpochs) {
          for (let fold = 0; fold < FOLDS; fold++) {
            const [train, held] = [rowsWhere((other) => other !== fold), rowsWhere((other) => other === fold)];
            const [rows, others] = [X.take(train), X.take(held)];
            const model = new DualPerceptron<number>({ kernel, learningRate, average, maxEpochs });
            await model.fitAsync(
              rows,
              Array.from(train, (i) => set.y[i] as number),
              { threads: 1 },
            );
            right += model.score(
              others,
              Array.from(held, (i) => set.y[i] as number),
            );
            rows.dispose();
            others.dispose();
          }
        }
      }
    }
    return right;
  };
  const searched = async (threads: number) =>
    (await search(new DualPerceptron({ kernel }), GRID, X, set.y, { folds: FOLDS, threads })).best.score;
  const timings = await contestOfPromises(
    [
      { name: 'twelve cross-validations by hand, one thread', run: byHand },
      { name: 'search, one thread', run: () => searched(1) },
      { name: 'search, two threads', run: () => searched(2) },
    ],
    ROUNDS,
  );
  X.dispose();
  const [alone, ...ours] = timings as [Timing, ...Timing[]];
  return {
    timings,
    answers: ours.map((timing) => ({
      what: `12 options of an rbf kernel, ${shapeText(set.rows, set.cols)}, ${timing.name}`,
      ...ratioOf(alone, timing),
      against: 'twelve cross-validations by hand, one thread',
      ...whenFull({ target: { atLeast: 3 } }),
    })),
  };
}

await tellLater('What do two threads bring to ten folds?', tenFolds);
await tellLater('What does a search over options of a kernel save?', kernelOptions);
await stopThreads();
