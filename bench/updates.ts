// The table of docs/choosing.md: averaged perceptron against passive-aggressive updates, held out, ten epochs, five folds.
// `npm run updates` prints it, from the real sets that are beside the project and the first digits of MNIST: the mean of the accuracy
// over five seeds, and its smallest and largest. The seed is that of the folds; options are the defaults, none was searched for.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Label, MulticlassPerceptron, Perceptron, Pipeline, Scaler } from 'perceptron-wasm';
import { readLibsvm, readTable } from 'perceptron-wasm/io';
import { TextVectorizer } from 'perceptron-wasm/prepare';
import { crossValidate } from 'perceptron-wasm/select';
import { mnist } from './data/mnist.js';
import { realSet } from './data/real.js';

const FOLDER = new URL('../shared/data/', import.meta.resolve('perceptron-wasm/package.json'));
const DENSE = ['golub_train', 'alon', 'sonar', 'spambase'];
const WAYS = {
  'averaged perceptron': { average: true },
  'PA-I': { update: 'pa1' },
  'PA-I, averaged': { update: 'pa1', average: true },
  'PA-II, averaged': { update: 'pa2', average: true },
} as const;
const DIGITS = 2000;
const SHARED = { order: 'shuffle', maxEpochs: 10 } as const;

type Options = (typeof WAYS)[keyof typeof WAYS];
type Judge = (options: Options) => Promise<string>;

/** The accuracy on rows held out of five folds: mean, smallest and largest over five seeds. */
async function accuracyOf(
  judge: (seed: number) => Promise<{ mean: Readonly<Record<string, number | undefined>> }>,
): Promise<string> {
  const found: number[] = [];
  for (let seed = 0; seed < 5; seed++) found.push((await judge(seed)).mean.accuracy as number);
  const mean = found.reduce((a, b) => a + b, 0) / found.length;
  return `${mean.toFixed(3)} (${Math.min(...found).toFixed(3)}, ${Math.max(...found).toFixed(3)})`;
}

function dense(name: string): Judge | undefined {
  const set = realSet(name);
  if (!set) return undefined;
  return (options) =>
    accuracyOf((seed) => {
      const model = new Pipeline(
        new Scaler({ kind: 'standardize' }),
        new Perceptron<number>({ ...SHARED, ...options }),
      );
      return crossValidate(model, set, Array.from(set.y), { seed });
    });
}

async function heart(): Promise<Judge | undefined> {
  const path = fileURLToPath(new URL('heart_scale', FOLDER));
  if (!existsSync(path)) return undefined;
  const { X, y } = await readLibsvm(path);
  return (options) =>
    accuracyOf((seed) => crossValidate(new Perceptron<Label>({ ...SHARED, ...options }), X, y, { seed }));
}

function digits(): Judge {
  const { X, y } = mnist('train', DIGITS);
  return (options) =>
    accuracyOf((seed) => crossValidate(new MulticlassPerceptron<number>({ ...SHARED, ...options }), X, y, { seed }));
}

async function agaricus(): Promise<Judge | undefined> {
  const path = fileURLToPath(new URL('agaricus.txt.train', FOLDER));
  if (!existsSync(path)) return undefined;
  const { X, y } = await readLibsvm(path);
  const trainer = { ...SHARED, interceptScaling: 0.1 };
  return (options) =>
    accuracyOf((seed) => crossValidate(new Perceptron<Label>({ ...trainer, ...options }), X, y, { seed }));
}

async function descriptions(): Promise<Judge | undefined> {
  const path = fileURLToPath(new URL('debian-packages.tsv.gz', FOLDER));
  if (!existsSync(path)) return undefined;
  const { columns } = await readTable(path);
  const texts = Array.from(columns.description as ArrayLike<string>);
  const X = new TextVectorizer({ method: 'vocabulary', weighting: 'tf-idf' }).fitTransform(texts);
  const y = Array.from(columns.section as ArrayLike<string>);
  const trainer = { ...SHARED, interceptScaling: 0.1 };
  return (options) =>
    accuracyOf((seed) => crossValidate(new MulticlassPerceptron<string>({ ...trainer, ...options }), X, y, { seed }));
}

const sets: [string, Judge | undefined][] = [
  ...DENSE.map((name): [string, Judge | undefined] => [name, dense(name)]),
  ['heart_scale', await heart()],
  [`MNIST, the first ${DIGITS} digits (one-vs-rest)`, digits()],
  ['agaricus (sparse)', await agaricus()],
  ['Debian descriptions, 12 sections (sparse, TF-IDF, one-vs-rest)', await descriptions()],
];
console.log(`| | ${Object.keys(WAYS).join(' | ')} |\n|---|${'---|'.repeat(Object.keys(WAYS).length)}`);
for (const [name, judge] of sets) {
  if (!judge) continue;
  const cells: string[] = [];
  for (const options of Object.values(WAYS)) cells.push(await judge(options));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
