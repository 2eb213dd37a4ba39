// The table of docs/cluster.md: accuracy of trainMixed with 4 and 8 shards beside training on all rows, and beside one shard of four
// alone. `npm run mixing` prints it, from the real sets that are beside the project: 20 % held out, five splits, averaged
// weights, ten epochs, the training rows shuffled once. BASEHOCK and PCMAC are not at hand.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DenseMatrix, type Label, Perceptron, Scaler, type SparseMatrix } from 'perceptron-wasm';
import { trainMixed } from 'perceptron-wasm/cluster';
import { readLibsvm } from 'perceptron-wasm/io';
import { split } from 'perceptron-wasm/select';
import { Random } from '../src/random.js';
import { realSet } from './data/real.js';

const FOLDER = new URL('../shared/data/', import.meta.resolve('perceptron-wasm/package.json'));
const OPTIONS = { average: true, maxEpochs: 10 } as const;
const SPLITS = 5;

type Matrix = DenseMatrix | SparseMatrix;

interface Data {
  readonly X: Matrix;
  readonly y: readonly Label[];
}

/** Every K-th row, from row k on. */
function shard({ X, y }: Data, k: number, of: number): Data {
  const rows = Array.from({ length: Math.ceil((X.rows - k) / of) }, (_, i) => k + i * of);
  return { X: X.take(rows), y: rows.map((i) => y[i] as Label) };
}

/** The rows in another order: mixing visits the rows of a shard in theirs. */
function shuffled({ X, y }: Data, seed: number): Data {
  const order = Uint32Array.from({ length: X.rows }, (_, i) => i);
  Random.seeded(seed).shuffle(order);
  return { X: X.take(order), y: Array.from(order, (i) => y[i] as Label) };
}

async function accuracies({ X, y }: Data, seed: number): Promise<number[]> {
  const classes = [...new Set(y)];
  const { train: sorted, test } = split(X, y as Label[], { test: 0.2, seed });
  const train = shuffled(sorted, seed);
  const base = { classes, cols: X.cols };
  const on = (model: Perceptron<Label>) => 100 * model.score(test.X, test.y);
  const mixed = async (count: number) => {
    const shards = Array.from({ length: count }, (_, k) => shard(train, k, count));
    return on((await trainMixed(new Perceptron<Label>(OPTIONS), { ...base, shards })).model);
  };
  const alone = shard(train, 0, 4);
  return [
    on(new Perceptron<Label>(OPTIONS).fit(train.X, train.y) as Perceptron<Label>),
    await mixed(4),
    await mixed(8),
    on(new Perceptron<Label>(OPTIONS).fit(alone.X, alone.y as Label[]) as Perceptron<Label>),
  ];
}

async function agaricus(): Promise<Data | undefined> {
  const path = fileURLToPath(new URL('agaricus.txt.train', FOLDER));
  return existsSync(path) ? readLibsvm(path) : undefined;
}

function spambase(): Data | undefined {
  const set = realSet('spambase');
  if (!set) return undefined;
  const X = DenseMatrix.from(set);
  return { X: new Scaler({ kind: 'standardize' }).fit(X).transform(X) as DenseMatrix, y: Array.from(set.y) };
}

const sets: [string, Data | undefined][] = [
  ['agaricus', await agaricus()],
  ['spambase, standardised', spambase()],
];
console.log('| | serial | 4 shards | 8 shards | one of four alone |\n|---|---|---|---|---|');
for (const [name, data] of sets) {
  if (!data) continue;
  const all: number[][] = [];
  for (let seed = 0; seed < SPLITS; seed++) all.push(await accuracies(data, seed));
  const means = all[0]?.map((_, k) => all.reduce((sum, each) => sum + (each[k] as number), 0) / SPLITS) ?? [];
  console.log(`| ${name} | ${means.map((mean) => mean.toFixed(2)).join(' | ')} |`);
}
