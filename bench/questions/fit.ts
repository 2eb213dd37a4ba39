// How fast is a whole fit? Twenty passes over the rows of a DenseMatrix, against idiomatic JS. How many
// samples are mistakes decides how much of a pass is scanning, which the kernels do several rows at a time,
// and how much is updating, which ends such a group: so three sets.

import { DenseMatrix, type EngineKind, Perceptron } from 'perceptron-wasm';
import { fit } from '../baseline/perceptron.js';
import { type Generated, generate, type Recipe } from '../data/generate.js';
import { type Contestant, contest } from '../harness/measure.js';
import {
  answersOf,
  availableEngines,
  BASELINE,
  byMode,
  expectSame,
  type Findings,
  type Target,
  tell,
} from '../harness/question.js';
import { shapeText } from '../harness/words.js';

const COPIED = 'X copied in each time';
const EPOCHS = 20;
/** Rounds and seconds of each. */
const turns = byMode({ smoke: [2, 0.005], quick: [5, 0.03], full: [5, 0.35] }) as [number, number];
const shape = byMode({
  smoke: { rows: 300, cols: 20, seed: 2 },
  quick: { rows: 800, cols: 400, seed: 2 },
  full: { rows: 2000, cols: 1000, seed: 2 },
});
const size = shapeText(shape.rows, shape.cols);

interface Task {
  /** What is particular about the set. */
  name: string;
  recipe: Recipe;
  /** Beside 'auto', which is always there. */
  engines?: readonly EngineKind[];
  /** Whether to fit from the caller's own array too, which is copied in. */
  copied?: boolean;
  target?: Target;
}

function train({ name, recipe, engines = [], copied = false, target }: Task): Findings {
  const set = generate(recipe);
  const { data, y, rows, cols } = set;
  const X = DenseMatrix.from(set);
  const names = ['auto' as const, ...engines];
  const models = names.map((engine) => new Perceptron<number>({ engine, maxEpochs: EPOCHS }));
  const mistakes = check(set, X, models);
  const plain = new Perceptron<number>({ maxEpochs: EPOCHS });

  // Each row is read once a pass, and once more if it is a mistake; the rows are what must be read again and again.
  const looked = rows * EPOCHS + mistakes;
  const work = { flops: 2 * cols * looked, bytes: 8 * cols * rows * EPOCHS, resident: 8 * rows * cols };
  const contestants: Contestant[] = [
    { name: BASELINE, run: () => fit(data, y, cols, EPOCHS).bias },
    ...models.map((model, i) => ({
      name: i === 0 ? `auto, ${name}` : (names[i] as string),
      run: () => model.fit(X, y).bias,
    })),
  ];
  if (copied) contestants.push({ name: COPIED, run: () => plain.fit(set, y).bias });
  const timings = contest(
    contestants.map((contestant) => ({ ...contestant, work })),
    ...turns,
  );
  X.dispose();

  const what = `fit ${size}, ${name}`;
  const share = ((100 * mistakes) / (rows * EPOCHS)).toFixed(1);
  const notes = [`${mistakes.toLocaleString('en')} mistakes in ${EPOCHS} passes: ${share} % of the samples looked at`];
  if (copied) notes.push(`the copy alone: ${plain.report.timings.copyMs.toFixed(1)} ms of the last fit`);
  return { answers: answersOf({ what, timings, kind: 'train', ...(target && { target }) }), timings, notes };
}

/** Trains all of them once; throws unless they end with the same weights. Returns the mistakes made. */
function check(set: Generated, X: DenseMatrix, models: readonly Perceptron<number>[]): number {
  const expected = fit(set.data, set.y, set.cols, EPOCHS);
  for (const model of models) {
    const { engine, epochs, mistakes } = model.fit(X, set.y).report;
    if (epochs !== EPOCHS) throw new Error(`this set was to keep ${engine} busy for ${EPOCHS} passes, not ${epochs}`);
    expectSame(model.weights, expected.weights, `weights of ${engine}`);
    expectSame([model.bias, mistakes], [expected.bias, expected.mistakes], `bias and mistakes of ${engine}`);
  }
  return expected.mistakes;
}

tell(`How fast is a fit? (${size}, ${EPOCHS} passes, one label in ten wrong)`, () =>
  train({
    name: 'some mistakes',
    recipe: { ...shape, flips: 0.1 },
    engines: availableEngines().filter((engine) => engine !== 'wasm-simd'),
    copied: true,
    target: { atLeast: 4 },
  }),
);
tell(`And with labels by chance, so that mistakes are dense? (${size})`, () =>
  train({ name: 'dense mistakes', recipe: { ...shape, flips: 0.5 } }),
);
tell(`And with a wide margin and four contradictions, so that mistakes are rare? (${size})`, () =>
  train({ name: 'rare mistakes', recipe: { ...shape, margin: 3, contradictions: 4 } }),
);
