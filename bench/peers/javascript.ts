// Peers that npm installs. Each is given the rows in the form it likes best, made before the clock starts.

import { createRequire } from 'node:module';
import type { Generated } from '../data/generate.js';
import { expectSame } from '../harness/question.js';
import type { Work } from '../harness/results.js';
import { calling, callingChecked, type Player } from './turns.js';

const { devDependencies } = createRequire(import.meta.url)('perceptron-wasm/package.json') as {
  devDependencies: Record<string, string>;
};

const versioned = (name: string): string => `${name} ${devDependencies[name]?.replace(/^\D+/, '') ?? ''}`.trimEnd();

export type Skipped = { name: string; why: string };

/** A player, or why there is none: the package may not be installed. */
export async function guest(name: string, make: () => Promise<Player>): Promise<Player | Skipped> {
  try {
    return await make();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      return { name, why: `not installed: ${message}` };
    throw error;
  }
}

/** Imports all of them ahead of time; who is not there is left out later, by `guest`. */
export async function importAll(): Promise<void> {
  await Promise.allSettled([import('wink-perceptron'), loadLibsvm(), import('ml-matrix'), import('numpy-ts')]);
}

/** Rows as lists of numbers. */
export const nested = ({ data, rows, cols }: Generated): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

/** The share of rows whose label is that of `y`. */
export function shareOf(labels: ArrayLike<number>, y: ArrayLike<number>): number {
  let same = 0;
  for (let i = 0; i < y.length; i++) if (labels[i] === y[i]) same++;
  return same / y.length;
}

/**
 * A perceptron for any number of classes, averaged: one plane a class, and its mean is over the updates where ours is over the
 * samples, so it is checked by what it says of the rows, against `labels` of ours, averaged.
 */
export const wink = (
  set: Generated,
  { passes, rival, labels }: { passes: number; rival: string; labels: ArrayLike<number> },
): Promise<Player | Skipped> =>
  guest('wink-perceptron', async () => {
    const { default: perceptron } = await import('wink-perceptron');
    const examples = nested(set).map((row, i): [Record<string, number>, { label: string }] => [
      Object.fromEntries(row.entries()), // numbers as names: faster for it than 'x0', 'x1' …
      { label: String(set.y[i]) },
    ]);
    let model = perceptron();
    const learn = (): number => {
      model = perceptron();
      model.defineConfig({ shuffleData: false, maxIterations: passes });
      return model.learn(examples);
    };
    return {
      name: versioned('wink-perceptron'),
      kind: 'javascript',
      measure: calling(learn),
      against: 'wink-perceptron',
      rival,
      note: () => {
        const said = examples.map(([features]) => Number(model.predict(features)));
        const same = shareOf(said, labels);
        if (same < 0.9) throw new Error(`wink-perceptron and ours, averaged, agree about ${same} of the rows only`);
        return (
          `training accuracy ${shareOf(said, set.y).toFixed(3)}, ours averaged ${shareOf(labels, set.y).toFixed(3)}, ` +
          `the same label for ${(100 * same).toFixed(0)} % of the rows; one plane a class, ties go to the later label, ` +
          'the mean is over updates and rounded to three decimals: other weights than ours'
        );
      },
    };
  });

/**
 * A kernel perceptron. It has no intercept, so 1 is added to the kernel; and the kernel is a function, as its own
 * 'polynomial' does not multiply the first column.
 */
export const aiOnBrowser = (
  set: Generated,
  { passes, counts }: { passes: number; counts: ArrayLike<number> },
): Promise<Player | Skipped> =>
  guest(AI_ON_BROWSER, async () => {
    const { default: KernelizedPerceptron } = await import(
      '@ai-on-browser/data-analysis-models/lib/model/kernelized_perceptron'
    );
    const rows = nested(set);
    const labels = Array.from(set.y) as (1 | -1)[];
    const kernel = (a: number[], b: number[]): number => {
      let product = 0;
      for (let k = 0; k < a.length; k++) product += (a[k] as number) * (b[k] as number);
      return (1 + product) ** 2 + 1;
    };
    const learn = (): number[] => {
      const model = new KernelizedPerceptron(1, kernel);
      model.init(rows, labels);
      for (let pass = 0; pass < passes; pass++) model.fit();
      return model._i; // the row of each mistake, in order
    };
    return {
      name: versioned(AI_ON_BROWSER),
      kind: 'javascript',
      measure: callingChecked(
        learn,
        (mistakes) => {
          const theirs = new Float64Array(rows.length);
          for (const row of mistakes) theirs[row] = (theirs[row] as number) + 1;
          expectSame(theirs, counts, `mistakes of ${AI_ON_BROWSER} and ours`);
        },
        (mistakes) => mistakes.length,
      ),
      against: AI_ON_BROWSER,
      note: 'the same mistakes; a kernel value for each earlier mistake at each look at a row',
    };
  });

const AI_ON_BROWSER = '@ai-on-browser/data-analysis-models';

/** Another algorithm: a support vector machine with a linear kernel, by LIBSVM compiled to WebAssembly. */
export const libsvm = (set: Generated, ours: number): Promise<Player | Skipped> =>
  guest('libsvm-js', async () => {
    const SVM = await loadLibsvm();
    const rows = nested(set);
    const labels = Array.from(set.y);
    const { C_SVC: type } = SVM.SVM_TYPES;
    const { LINEAR: kernel } = SVM.KERNEL_TYPES;
    const machine = new SVM({ type, kernel, cost: 1, quiet: true });
    return {
      name: versioned('libsvm-js'),
      kind: 'javascript',
      otherAlgorithm: true,
      measure: calling(() => {
        machine.train(rows, labels); // frees what was there before
        return machine.predictOne(rows[0] as number[]);
      }),
      note: () => {
        const accuracy = shareOf(machine.predict(rows), labels);
        machine.free();
        return `linear C-SVC, C = 1, until its own tolerance of 0.001; ${accuracyText(accuracy, ours)}`;
      },
    };
  });

export const accuracyText = (theirs: number, ours: number): string =>
  `training accuracy ${theirs.toFixed(3)}, ours ${ours.toFixed(3)}`;

/** It tries to compile while downloading from a path, and complains that this fails: without that function it reads the file. */
async function loadLibsvm() {
  const { instantiateStreaming } = WebAssembly;
  Reflect.deleteProperty(WebAssembly, 'instantiateStreaming');
  try {
    const { default: loading } = await import('libsvm-js');
    return await loading;
  } finally {
    Object.assign(WebAssembly, { instantiateStreaming });
  }
}

export interface GramPeer {
  data: Float64Array;
  rows: number;
  cols: number;
  /** What all are to answer, to the bit: the rows are on the grid. */
  expected: Float64Array;
  work: Work;
}

export const mlMatrix = ({ data, rows, cols, expected, work }: GramPeer): Promise<Player | Skipped> =>
  guest('ml-matrix', async () => {
    const { Matrix } = await import('ml-matrix');
    const X = Matrix.from1DArray(rows, cols, data);
    return {
      name: versioned('ml-matrix'),
      kind: 'javascript',
      measure: callingChecked(
        () => X.mmulByTranspose(),
        (G) => expectSame(G.to1DArray(), expected, 'Gram matrices of ml-matrix and ours'),
        (G) => G.get(0, 1),
      ),
      against: 'ml-matrix',
      work,
      note: 'mmulByTranspose(), faster for it than mmul(X.transpose())',
    };
  });

export const numpyTs = ({ data, rows, cols, expected, work }: GramPeer): Promise<Player | Skipped> =>
  guest('numpy-ts', async () => {
    const np = await import('numpy-ts');
    const X = np.frombuffer(data, 'float64').reshape(rows, cols);
    const gram = () => {
      const G = np.inner(X, X);
      if (!(G instanceof np.NDArray)) throw new Error('numpy-ts made no matrix of two');
      return G;
    };
    return {
      name: versioned('numpy-ts'),
      kind: 'javascript',
      measure: callingChecked(
        gram,
        (G) => expectSame(G.data as Float64Array, expected, 'Gram matrices of numpy-ts and ours'),
        (G) => {
          const value = G.data[1] as number;
          G.dispose();
          return value;
        },
      ),
      against: 'numpy-ts',
      work,
      note: 'inner(X, X), faster for it than matmul(X, X.T), whose second factor is a view',
    };
  });
