// Pages without cross-origin isolation have no shared memory: growth then detaches every view. The same bits there, too.

import { expect, test, vi } from 'vitest';
import type { MulticlassPerceptronOptions } from '../src/index.js';
import { someEngines as engines } from './engines.js';
import { manyClasses, SQUARE_KERNEL } from './family-samples.js';

async function library(isolated: boolean) {
  vi.resetModules();
  vi.stubGlobal('crossOriginIsolated', isolated);
  try {
    const [all, { resolveEngine }] = await Promise.all([import('../src/index.js'), import('../src/engine/engine.js')]);
    await import('../src/scalar.js');
    expect(resolveEngine('auto').arena.backing.shared).toBe(isolated);
    return all;
  } finally {
    vi.unstubAllGlobals();
  }
}

const forms: [string, MulticlassPerceptronOptions<number>][] = [
  ['one-vs-rest', {}],
  ['one-vs-rest, whole Gram matrix', { kernel: SQUARE_KERNEL }],
  ['one-vs-rest, Gram rows', { kernel: SQUARE_KERNEL, gram: 'rows' }],
  ['one-vs-rest, blocks', { kernel: SQUARE_KERNEL, gram: 'blocks' }],
  ['multinomial', { strategy: 'multinomial' }],
  ['multinomial, kernel', { strategy: 'multinomial', kernel: SQUARE_KERNEL, gram: 'rows' }],
];

test.each(forms)('%s: memory that is not shared, and grows under our feet, changes nothing', async (_, options) => {
  const { X, y } = manyClasses(120, 5, 3, 9, 25);
  const shared = await library(true);
  const plain = await library(false);
  for (const order of ['cyclic', 'shuffle', 'random'] as const) {
    if (options.gram === 'blocks' && order === 'random') continue;
    const o = { ...options, order, maxEpochs: 3, average: true };
    const expected = JSON.stringify(new shared.MulticlassPerceptron<number>(o).fit(X, y));
    for (const engine of engines) {
      const grown: { dispose(): void }[] = [];
      let updates = 0;
      const onUpdate = () => {
        if (updates++ % 40 === 0) grown.push(plain.DenseMatrix.allocate(200, 200));
      };
      const own = plain.createEngine({ kind: engine });
      expect(JSON.stringify(new plain.MulticlassPerceptron<number>({ ...o, engine: own }).fit(X, y))).toBe(expected);
      expect(JSON.stringify(new plain.MulticlassPerceptron<number>({ ...o, engine, onUpdate }).fit(X, y))).toBe(
        expected,
      );
      for (const matrix of grown) matrix.dispose();
    }
  }
});

test.each(forms.filter(([, { gram }]) => gram !== 'blocks'))(
  '%s: sparse rows in memory that is not shared',
  async (_, options) => {
    const { X, y } = manyClasses(120, 5, 3, 9, 25);
    const shared = await library(true);
    const plain = await library(false);
    const o = { ...options, maxEpochs: 3 };
    const expected = JSON.stringify(
      new shared.MulticlassPerceptron<number>(o).fit(shared.SparseMatrix.fromDense(X), y),
    );
    for (const kind of engines) {
      const engine = plain.createEngine({ kind });
      const builder = new plain.SparseBuilder({ cols: 5, engine });
      const grown = X.map((row) => {
        builder.add([0, 1, 2, 3, 4], row);
        return plain.DenseMatrix.allocate(40, 40, { engine });
      });
      const sparse = plain.SparseMatrix.fromDense(builder.finish(), { engine });
      const model = new plain.MulticlassPerceptron<number>({ ...o, engine }).fit(sparse, y);
      expect(JSON.stringify(model)).toBe(expected);
      for (const matrix of grown) matrix.dispose();
    }
  },
);

test('pocket and random order in memory that is not shared', async () => {
  const { X, y } = manyClasses(150, 20, 2, 4, 20);
  const shared = await library(true);
  const plain = await library(false);
  for (const o of [{}, { ratchet: true }, { order: 'shuffle' as const }]) {
    const expected = JSON.stringify(new shared.PocketPerceptron<number>({ ...o, maxEpochs: 4 }).fit(X, y));
    for (const kind of engines) {
      const engine = plain.createEngine({ kind });
      expect(JSON.stringify(new plain.PocketPerceptron<number>({ ...o, engine, maxEpochs: 4 }).fit(X, y))).toBe(
        expected,
      );
    }
  }
});
