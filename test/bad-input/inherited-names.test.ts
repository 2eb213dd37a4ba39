// No name that the library uses inside is read from Object.prototype: another library may have put anything there. Every word of the
// sources is a getter on Object.prototype here; it notes who reads it, and answers undefined.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
  SparseBuilder,
  SparseMatrix,
  verifyProof,
} from '../../src/index.js';
import {
  csvLines,
  fromLiblinear,
  fromSklearn,
  libsvmLines,
  readCsv,
  readData,
  readLibsvm,
  readModel,
  saveModel,
  toLiblinear,
  toSklearn,
} from '../../src/io/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import type { Any } from './refusals.js';

const root = join(import.meta.dirname, '../../src');
const saved = join(tmpdir(), `perceptron-names-${process.pid}.json`);
afterAll(() => {
  for (const end of ['', '.gz']) rmSync(saved + end, { force: true });
});

/** Words that the language itself reads from any object: property descriptors, iterators, promises, JSON. */
const LANGUAGE = 'get set value writable enumerable configurable return then toJSON'.split(' ');

const names = new Set(
  (readdirSync(root, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !file.startsWith('cli'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []),
);
for (const name of [...LANGUAGE, ...Object.getOwnPropertyNames(Object.prototype)]) names.delete(name);

const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 11]);
const [two, three] = [X.map((_, i) => (i % 3 === 0 ? 1 : -1)), X.map((_, i) => i % 3)];
const points = [[3, 3], [4, 3], [1, 1], [0, 2]]; // biome-ignore format: four points
const sides = [1, 1, -1, -1];
const bytes = (text: string) => new TextEncoder().encode(text);

const kinds: Record<string, (more?: object) => Any> = {
  Perceptron: (more) => new Perceptron({ maxEpochs: 4, ...more }),
  'Perceptron, batch': (more) => new Perceptron({ maxEpochs: 4, order: 'batch', ...more }),
  'Perceptron, shuffle': (more) => new Perceptron({ maxEpochs: 4, order: 'shuffle', average: true, ...more }),
  'Perceptron, random': (more) => new Perceptron({ maxEpochs: 4, order: 'random', margin: 0.1, ...more }),
  'Perceptron, rows held out': (more) => new Perceptron({ maxEpochs: 4, validationFraction: 0.3, ...more }),
  DualPerceptron: (more) => new DualPerceptron({ maxEpochs: 4, ...more }),
  'DualPerceptron, random': (more) => new DualPerceptron({ maxEpochs: 4, order: 'random', ...more }),
  'DualPerceptron, rbf': (more) => new DualPerceptron({ maxEpochs: 4, kernel: 'rbf', gram: 'rows', ...more }),
  'DualPerceptron, pocket': (more) => new DualPerceptron({ maxEpochs: 4, pocket: true, average: false, ...more }),
  PocketPerceptron: (more) => new PocketPerceptron({ maxEpochs: 4, ...more }),
  'PocketPerceptron, ratchet': (more) => new PocketPerceptron({ maxEpochs: 4, ratchet: true, ...more }),
  MulticlassPerceptron: (more) => new MulticlassPerceptron({ maxEpochs: 4, ...more }),
  'MulticlassPerceptron, batch': (more) => new MulticlassPerceptron({ maxEpochs: 4, order: 'batch', ...more }),
  'MulticlassPerceptron, rbf': (more) => new MulticlassPerceptron({ maxEpochs: 4, kernel: 'rbf', ...more }),
  'MulticlassPerceptron, blocks': (more) =>
    new MulticlassPerceptron({ maxEpochs: 4, kernel: 'rbf', gram: 'blocks', ...more }),
  multinomial: (more) => new MulticlassPerceptron({ maxEpochs: 4, strategy: 'multinomial', ...more }),
  'multinomial, random, rbf': (more) =>
    new MulticlassPerceptron({ maxEpochs: 4, strategy: 'multinomial', kernel: 'rbf', order: 'random', ...more }),
};

/** What callers do. Refusals are fine: they read names, too. */
const works: Record<string, () => unknown> = {
  matrices: () => {
    using dense = DenseMatrix.from(points);
    using single = DenseMatrix.from(points, { dtype: 'float32' });
    using sparse = SparseMatrix.fromDense(points);
    using built = new SparseBuilder().add([0, 3], [1, 2]).finish();
    for (const matrix of [dense, single, sparse, built]) matrix.take([0]).dispose();
    new Perceptron().fit(sparse, sides).predict(sparse.toParts());
    gram(dense).dispose();
    return chooseForm(dense);
  },
  gramAsync: async () => (await gramAsync(X, { kernel: 'rbf' })).dispose(),
  compare: () => compare(points, sides, { budgetMs: 0 }),
  createEngine: () => createEngine(),
  scalers: () => {
    for (const kind of ['standardize', 'centre', 'unit-ball'] as const) new Scaler({ kind }).fit(points).toJSON();
  },
  Pipeline: async () => {
    const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron());
    await pipeline.fitAsync(points, sides);
    return pipeline.fit(points, sides).predict(points);
  },
  proofs: () => {
    for (const [rows, labels] of [
      [X, two],
      [points, sides],
    ] as const) {
      // biome-ignore format: a pair each
      const model = new Perceptron({ maxEpochs: 5 }).fit(rows, labels);
      verifyProof(rows, labels, model.diagnose(rows, labels, { prove: true }).proof);
    }
  },
  readers: async () => {
    for (const read of [
      () => readCsv(bytes('u,v,k\n3,3,a\n4,3,a\n1,1,b\n')),
      () => readLibsvm(bytes('1 1:2\n0 2:3\n')),
      () => readData(bytes('1 1:2\n0 2:3\n')),
      () => readCsv(bytes('u,v\n3,x\n,')),
    ]) {
      await read().then(({ X, y }) => [X.dispose(), y.length], String);
    }
  },
  'other formats': () => {
    const model = new Perceptron().fit(points, sides);
    fromLiblinear(toLiblinear(model));
    fromSklearn(toSklearn(model));
    return [...csvLines(points, sides), ...libsvmLines(points, sides)];
  },
  refusals: () => {
    for (const refused of [{ foo: 1 }, { maxEpochs: -1 }, { order: 'odd' }])
      expectThrow(() => new Perceptron(refused as Any));
    expectThrow(() => new Perceptron().fit([[1, NaN]], [1]));
    expectThrow(() => new Perceptron().fit([[1], [1, 2]], [1, 0]));
  },
};

function expectThrow(act: () => unknown): void {
  try {
    act();
  } catch {
    return;
  }
  throw new Error('nothing was thrown');
}

for (const [kind, make] of Object.entries(kinds)) {
  const isMany = /Multi|multi/.test(kind);
  const [y, classes] = isMany ? [three, [0, 1, 2]] : [two, [-1, 1]];
  const possible = async (act: () => unknown) => Promise.resolve().then(act).catch(String);
  works[kind] = async () => {
    const model = make().fit(X, y);
    make({ engine: 'js' }).fit(X, y);
    await possible(() => make().fit(SparseMatrix.fromDense(X), y));
    make({ onUpdate: () => {}, onEpoch: () => {} }).fit(X, y);
    await make().fitAsync(X, y, { onEpoch: () => {} });
    await possible(() => make({ classes }).partialFit(X, y).partialFit(X, y));
    await possible(() => make({ classes, warmStart: true }).fit(X, y).fit(X, y));
    await possible(() => make({ classes }).fitStream([{ X, y }] as Any, { epochs: 2 }));
    await possible(() => model.diagnose(X, y, { prove: true }));
    for (const use of ['predict', 'decisionFunction']) model[use](X);
    for (const use of ['score', 'loss', 'diagnose']) model[use](X, y);
    for (const use of ['predictOne', 'explain']) model[use](X[0]);
    const text = JSON.stringify(model);
    loadModel(JSON.parse(text)).predict(X as Any);
    loadPredictor(JSON.parse(text)).predict(X);
    for (const end of ['', '.gz']) {
      await saveModel(model, saved + end);
      await readModel(saved + end);
    }
  };
}

/** Names that were read from Object.prototype, and where; empty if there are none. */
async function readFromPrototype(work: () => unknown): Promise<string[]> {
  const found = new Map<string, number>();
  const limit = Error.stackTraceLimit;
  let isBusy = false;
  const note = (name: string) => {
    if (isBusy) return;
    isBusy = true;
    Error.stackTraceLimit = 3;
    const where = new Error().stack?.split('\n')[3] ?? '';
    Error.stackTraceLimit = limit;
    const at = where.indexOf(root);
    if (at >= 0) found.set(`${name} ${where.slice(at + root.length + 1)}`, 1);
    isBusy = false;
  };
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => note(name),
      set(value) {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
      },
    });
  }
  try {
    await work();
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  }
  return [...found.keys()];
}

test.each(Object.entries(works))('%s', async (_, work) => {
  await work(); // what is made at first use is not what this is about
  expect(await readFromPrototype(work)).toEqual([]);
});

test('a fit is the same with a function for every name', async () => {
  const fit = () =>
    Object.entries(kinds).map(([kind, make]) => JSON.stringify(make().fit(X, /ulti/.test(kind) ? three : two)));
  const expected = fit();
  for (const name of 'prepare confirm random makeCounter keep countKept isOneOfMany isNamed rows counts base plane memory'.split(
    ' ',
  )) {
    Object.defineProperty(Object.prototype, name, { value: () => 7, configurable: true, writable: true });
    let found: string[];
    try {
      found = fit();
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
    expect(found, name).toEqual(expected);
  }
});
