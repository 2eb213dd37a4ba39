// Scores that are kept up to date (src/train/keptscores.ts) count the mistakes that a scan counts: with and without them a fit has
// the same bits, whatever the rows are and however little memory there is.

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { finish, NEVER } from '../../src/async/pausing.js';
import { copyIn } from '../../src/data/rows.js';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  type Engine,
  type EngineKind,
  Perceptron,
  PocketPerceptron,
  type Rows,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { KeptScores } from '../../src/train/keptscores.js';
import { RowProducts } from '../../src/train/rowproducts.js';
import { engines } from '../engines.js';
import { fitInSlices } from '../slices.js';

/** How values are drawn: whole numbers have margins of exactly μ, tiny ones are lost beside others. */
const kinds = {
  real: (random: Random) => random.next() / 2 ** 31 - 1,
  whole: (random: Random) => random.below(7) - 3,
  tiny: (random: Random) => (random.next() / 2 ** 31 - 1) * ([1, 1e-30, 1e-160, 1e-310][random.below(4)] as number),
  huge: (random: Random) => (random.next() / 2 ** 31 - 1) * ([1, 1e100, 1e139, 1e150][random.below(4)] as number),
};

interface Shape {
  readonly rows: number;
  readonly cols: number;
  readonly kind: keyof typeof kinds;
  readonly seed: number;
}

function dataOf({ rows, cols, kind, seed }: Shape): { X: number[][]; y: number[] } {
  const random = Random.seeded(seed);
  const value = () => (random.below(3) === 0 ? 0 : kinds[kind](random));
  const X = Array.from({ length: rows }, () => Array.from({ length: cols }, value));
  return { X, y: X.map((_, i) => (i < 2 ? 2 * i - 1 : 2 * random.below(2) - 1)) };
}

function sparseOf(X: number[][]): Rows {
  const [values, indices, indptr]: number[][] = [[], [], [0]];
  for (const x of X) {
    x.forEach((v, k) => {
      if (v === 0) return;
      values?.push(v);
      indices?.push(k);
    });
    indptr?.push(values?.length as number);
  }
  return { values, indices, indptr, cols: X[0]?.length } as Rows;
}

const storages: Record<string, (X: number[][]) => Rows> = {
  float64: (X) => X,
  float32: (X) => DenseMatrix.from(X, { dtype: 'float32' }),
  sparse: sparseOf,
};

/** Does work without kept scores: every count is a scan. */
function byScans<T>(work: () => T): T {
  const count = vi.spyOn(KeptScores.prototype, 'count').mockImplementation(function* () {
    yield* [];
    return undefined;
  });
  const pick = vi.spyOn(KeptScores.prototype, 'pick').mockReturnValue(false);
  try {
    return work();
  } finally {
    count.mockRestore();
    pick.mockRestore();
  }
}

const shape = fc.record({
  rows: fc.integer({ min: 2, max: 90 }),
  cols: fc.integer({ min: 16, max: 24 }),
  kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
  seed: fc.nat({ max: 9999 }),
});
const options = fc.record({
  learningRate: fc.constantFrom(1, 0.1, 1e-3, 1e-300, 1e120),
  margin: fc.constantFrom(0, 0.5, 100),
  classWeight: fc.constantFrom(undefined, { '-1': 3, 1: 0.1 }),
  initialWeights: fc.constantFrom(undefined, 0.3, 1e-200),
  fitIntercept: fc.boolean(),
  maxEpochs: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat({ max: 99 }),
});
const ways = [{ order: 'random' }, { order: 'cyclic' }, { order: 'shuffle' }, { ratchet: true }] as const;

describe.each(Object.entries(storages))('%s rows', (storage, store) => {
  test.each(engines)(
    '%s: fits have the bits of fits that scan, also resumed, in slices, and in a small memory',
    (kind) => {
      fc.assert(
        fc.property(
          shape.filter((s) => storage !== 'float32' || s.kind !== 'huge'),
          options,
          fc.constantFrom(...ways),
          fc.boolean(),
          fc.boolean(),
          (s, { initialWeights, classWeight, ...o }, way, hasPocket, hasAbsent) => {
            const { X, y } = dataOf(s);
            const rows = store(X);
            // Rows of weight 0 are not counted.
            const sampleWeight = hasAbsent ? Float64Array.from(y, (_, i) => (i < 2 || i % 3 ? 1 : 0)) : undefined;
            const weights = { ...(sampleWeight && { sampleWeight }) };
            const small = createEngine({ kind, maxMemoryBytes: 128 * 1024 });
            const make = (engine: Engine | EngineKind) => {
              const all = {
                ...o,
                engine,
                warmStart: true,
                ...(classWeight && { classWeight }),
                ...(initialWeights && { initialWeights: Array.from({ length: s.cols }, () => initialWeights) }),
              };
              return hasPocket || 'ratchet' in way
                ? new PocketPerceptron<number>({ ...all, ...way })
                : new Perceptron<number>({ ...all, order: 'random' });
            };
            /** A fit, and one that goes on from it; or what went wrong: huge numbers overflow. */
            const outcome = (fit: () => PocketPerceptron<number> | Perceptron<number>) => {
              try {
                return JSON.stringify(fit().fit(rows, y, weights));
              } catch (error) {
                return String(error);
              }
            };
            const expected = byScans(() => outcome(() => make(kind).fit(rows, y, weights)));
            expect(outcome(() => make(kind).fit(rows, y, weights))).toBe(expected);
            expect(outcome(() => make(small).fit(rows, y, weights))).toBe(expected);
            const sliced = () => {
              const model = make(kind);
              fitInSlices(model, rows, y, 7, weights.sampleWeight);
              return model;
            };
            expect(outcome(sliced)).toBe(expected);
            expect(resolveEngine(small).arena.usage.blocks).toBe(0);
            if (rows instanceof DenseMatrix) rows.dispose();
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  test.each(engines)('%s: products of rows are computed when they are needed, and kept while there is room', (kind) => {
    const { X } = dataOf({ rows: 70, cols: 21, kind: 'whole', seed: 3 });
    for (const engine of [createEngine({ kind }), createEngine({ kind, maxMemoryBytes: 65536 })]) {
      const bound = resolveEngine(engine);
      const rows = copyIn(store(X), bound.arena, 'X');
      const products = new RowProducts(bound, rows);
      for (let j = 0; j < 70; j++) {
        finish(products.ensureRow(j, NEVER));
        const expected = X.map((x) => x.reduce((sum, v, k) => sum + v * (X[j]?.[k] as number), 0));
        expect([...bound.arena.f64(products.at(j), 70)].map((v) => v + 0)).toEqual(expected.map((v) => v + 0));
      }
      // A quarter of the small memory: 16 KiB, or 29 rows of 560 bytes.
      const kept = X.filter((_, j) => products.has(j)).length;
      if (bound.arena.maxBytes === 65536) expect(kept).toBeLessThanOrEqual(29);
      else expect(kept).toBe(70);
      products.release();
      rows.release();
      expect(bound.arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
    }
  });
});

test('a scan does where the longest row is no usual number, or there is no room for scores', () => {
  const { X, y } = dataOf({ rows: 60, cols: 20, kind: 'real', seed: 8 });
  for (const factor of [1e-130, 1, 1e141]) {
    const release = vi.spyOn(KeptScores.prototype, 'release');
    const model = new Perceptron<number>({ order: 'random', maxEpochs: 1 });
    const rows = X.map((x) => x.map((v) => v * factor));
    model.fit(rows, y);
    expect(release.mock.calls.length).toBe(factor === 1 ? 1 : 2); // at the end of the fit, and when it gives up
    release.mockRestore();
    const scanned = byScans(() => new Perceptron<number>({ order: 'random', maxEpochs: 1 }).fit(rows, y));
    expect(JSON.stringify(model)).toBe(JSON.stringify(scanned));
  }
});
