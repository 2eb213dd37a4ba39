// Where fit has just enough memory, fitAsync has too, however many threads are asked for: on fewer of them, or on none.

import { afterAll, expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  type FlatRows,
  MulticlassPerceptron,
  type SparseParts,
  stopThreads,
} from '../../src/index.js';
import { someOf } from '../effort.js';
import { pairOf } from '../sparse-samples.js';
import { type AnyTrainer, flatRows, outcomeOf } from './helpers.js';

afterAll(stopThreads);

const PAGE = 2 ** 16;
const wide = flatRows({ rows: 300, cols: 512, noise: 0.1 });
const { sparse, signs } = pairOf({ rows: 700, cols: 300, density: 0.05, seed: 3 });
const codes = wide.y.map((_, i) => i % 5);

type Make = (engine: Engine) => AnyTrainer;
const cases: [string, Make, FlatRows | SparseParts, ArrayLike<number>][] = [
  [
    'Gram matrix',
    (engine) => new DualPerceptron<number>({ engine, gram: 'full', maxEpochs: 3 }) as never,
    wide.X,
    wide.y,
  ],
  [
    'Gram rows',
    (engine) => new DualPerceptron<number>({ engine, gram: 'rows', maxGramBytes: 8 * 300 * 20, maxEpochs: 2 }) as never,
    wide.X,
    wide.y,
  ],
  [
    'Gram matrix of sparse rows',
    (engine) => new DualPerceptron<number>({ engine, gram: 'full', maxEpochs: 3 }) as never,
    sparse,
    signs,
  ],
  ['one-vs-rest', (engine) => new MulticlassPerceptron<number>({ engine, maxEpochs: 2 }) as never, wide.X, codes],
  [
    'one-vs-rest, shuffle',
    (engine) => new MulticlassPerceptron<number>({ engine, maxEpochs: 2, order: 'shuffle' }) as never,
    wide.X,
    codes,
  ],
  [
    'blocks',
    (engine) => new MulticlassPerceptron<number>({ engine, maxEpochs: 2, kernel: 'rbf', gram: 'blocks' }) as never,
    wide.X,
    codes,
  ],
];

test.each(cases)('%s', async (_, make, rows, y) => {
  /** The rows in a memory of so many pages: no windows on them. */
  const inPages = (pages: number) => {
    const engine = createEngine({ maxMemoryBytes: pages * PAGE });
    const X = 'indptr' in rows ? rows : DenseMatrix.from(rows, { engine });
    return { engine, X, model: make(engine) };
  };
  const whole = (pages: number): string | undefined => {
    try {
      const { model, X } = inPages(pages);
      model.fit(X, y);
      return outcomeOf(model);
    } catch {
      return undefined;
    }
  };
  let [least, most] = [0, 256];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (whole(middle) === undefined) least = middle;
    else most = middle;
  }
  const expected = whole(most);
  expect(expected).not.toBe(undefined);
  for (const pages of someOf([most, most + 2], [most])) {
    for (const threads of someOf([2, 12], [12])) {
      const { model, X, engine } = inPages(pages);
      await model.fitAsync(X, y, { threads });
      expect(outcomeOf(model) === expected, `${pages} pages, ${threads} threads`).toBe(true);
      if (X instanceof DenseMatrix) X.dispose();
      expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
      await stopThreads();
    }
  }
});

test('one-vs-rest of rows for which memory has no room has the bits of fit', async () => {
  const make = () =>
    new MulticlassPerceptron<number>({ engine: createEngine({ maxMemoryBytes: 10 * PAGE }), maxEpochs: 2 });
  const expected = outcomeOf(make().fit(wide.X, codes) as never);
  for (const threads of [2, 3]) {
    expect(outcomeOf((await make().fitAsync(wide.X, codes, { threads })) as never) === expected).toBe(true);
  }
});

test('the Gram matrix of 1000 × 512 values in 14 MiB, with eight threads', async () => {
  const { X, y } = flatRows({ rows: 1000, cols: 512, noise: 0.1 });
  const make = () =>
    new DualPerceptron<number>({ engine: createEngine({ maxMemoryBytes: 14 * 2 ** 20 }), gram: 'full', maxEpochs: 3 });
  const expected = outcomeOf(make().fit(X, y) as never);
  const model = await make().fitAsync(X, y, { threads: 8 });
  expect(outcomeOf(model as never) === expected).toBe(true);
  expect(model.report.threads).toBeGreaterThan(1);
});
