// Properties of the dual form: the same mistakes as the primal one on integer data, the same bits over engines and
// memory modes, exact resume, Novikoff's bracket and bound in the space of a kernel.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DualPerceptron, type DualPerceptronOptions, type Kernel, Perceptron } from '../../src/index.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';
import { anyData, anyOptions, integer, orders, real } from '../samples.js';

const kernel: fc.Arbitrary<Kernel> = fc.constantFrom<Kernel>(
  'linear',
  { type: 'rbf', gamma: 0.01 },
  { type: 'rbf' },
  { type: 'polynomial', degree: 2, gamma: 0.1, coef0: 1 },
  { type: 'polynomial' },
);

const data = (value: fc.Arbitrary<number>) => anyData(value, { cols: 8, rows: 40 });
const options: fc.Arbitrary<DualPerceptronOptions<number> & { maxEpochs: number }> = fc
  .tuple(anyOptions, fc.option(kernel, { nil: undefined }))
  .map(([o, kernel]) => (kernel === undefined ? o : { ...o, kernel }));

test('primal and dual make the same mistakes in the same order on integer data, to the bit, in every order (SPEC §7)', () => {
  fc.assert(
    fc.property(
      data(integer),
      fc.record({
        learningRate: fc.constantFrom(1, 2, 0.5, 4),
        order: fc.constantFrom(...orders),
        seed: fc.integer({ min: 0, max: 1000 }),
        fitIntercept: fc.boolean(),
        interceptScaling: fc.constantFrom(1, 2, 0.5, 3),
        margin: fc.constantFrom(0, 1, 8),
        classWeight: fc.constantFrom({ '1': 2 }, { '-1': 0.25, '1': 8 }, {}),
      }),
      fc.constantFrom(...engines),
      fc.constantFrom('full' as const, 'rows' as const),
      ({ X, y }, o, engine, gram) => {
        const traces: number[][] = [[], []];
        const primal = new Perceptron<number>({
          ...o,
          engine,
          maxEpochs: 20,
          onUpdate: (u) => traces[0]?.push(u.index),
        });
        const dual = new DualPerceptron<number>({
          ...o,
          engine,
          gram,
          maxEpochs: 20,
          onUpdate: (u) => traces[1]?.push(u.index),
        });
        primal.fit(X, y);
        dual.fit(X, y);
        expect(traces[1]).toEqual(traces[0]);
        expect([...dual.weights, dual.bias].map((v) => v + 0)).toEqual(
          [...primal.weights, primal.bias].map((v) => v + 0),
        );
        expect(dual.report).toEqual({ ...primal.report, timings: dual.report.timings, gram });
        expect(dual.diagnose(X, y).margin).toEqual(primal.diagnose(X, y).margin);
      },
    ),
    { numRuns: runs(200) },
  );
});

test("all engines and memory modes give the same bits, with any options; 'rows' with room for one row too", () => {
  fc.assert(
    fc.property(data(real), options, ({ X, y }, o) => {
      const rowBytes = 8 * X.length;
      const modes = [
        { gram: 'full' },
        { gram: 'rows' },
        { gram: 'rows', maxGramBytes: rowBytes },
        { gram: 'rows', maxGramBytes: 3 * rowBytes },
      ] as const;
      const all = engines.flatMap((engine) =>
        modes.map((mode) => new DualPerceptron<number>({ ...o, engine, ...mode })),
      );
      const [first, ...others] = all.map((model) => JSON.stringify(model.fit(X, y)));
      for (const other of others) expect(other).toBe(first);
      const scores = all.map((model) => [...model.decisionFunction(X)]);
      for (const other of scores) expect(other).toEqual(scores[0]);
      const [diagnosis, ...diagnoses] = all.map((model) => model.diagnose(X, y));
      for (const other of diagnoses) expect(other).toEqual(diagnosis);
    }),
    { numRuns: runs(100) },
  );
});

test('some epochs, JSON, some more are as many epochs at once, to the bit, in every order', () => {
  let resumed = 0;
  fc.assert(
    fc.property(
      data(real),
      options,
      fc.constantFrom(...engines),
      fc.integer({ min: 1, max: 5 }),
      ({ X, y }, o, engine, more) => {
        const first = new DualPerceptron<number>({ ...o, engine, warmStart: true }).fit(X, y);
        fc.pre(!first.report.converged);
        resumed++;
        const saved = JSON.parse(JSON.stringify(first));
        saved.options.maxEpochs = more;
        const again = DualPerceptron.fromJSON<number>(saved).fit(X, y);
        const whole = new DualPerceptron<number>({ ...o, engine, maxEpochs: (o.maxEpochs as number) + more }).fit(X, y);
        expect({ ...again.toJSON(), options: null }).toEqual({ ...whole.toJSON(), options: null });
      },
    ),
    { numRuns: runs(300) },
  );
  expect(resumed).toBeGreaterThan(runs(50));
});

test('lower ≤ upper, and mistakes within the bound, in the space of any positive kernel and with any options (SPEC §4)', () => {
  let proven = 0;
  fc.assert(
    fc.property(
      data(fc.double({ min: -3, max: 3, noNaN: true })),
      options,
      fc.boolean(),
      ({ X: any, y }, o, isNarrow) => {
        // A narrow RBF kernel separates whatever has no two equal rows.
        const X = any.map(([first = 0, ...rest], i) => [first + 7 * i, ...rest]);
        const kernel = isNarrow ? { kernel: { type: 'rbf', gamma: 5 } as const } : {};
        const model = new DualPerceptron<number>({ ...o, ...kernel, maxEpochs: 100 }).fit(X, y);
        const d = model.diagnose(X, y);
        expect(d.margin.lower).toBeLessThanOrEqual(d.margin.upper + 1e-9 * d.radius);
        expect(d.errors).toBe(Math.round((1 - d.accuracy) * X.length));
        if (d.mistakeBound === null) return;
        proven++;
        expect(d.mistakes).toBeLessThanOrEqual(d.mistakeBound);
      },
    ),
    { numRuns: runs(300) },
  );
  expect(proven).toBeGreaterThan(runs(50));
});

test('predictOne gives the label of predict, with any kernel', () => {
  fc.assert(
    fc.property(data(real), kernel, ({ X, y }, kernel) => {
      const model = new DualPerceptron<number>({ maxEpochs: 5, kernel }).fit(X, y);
      expect(X.map((x) => model.predictOne(x))).toEqual(model.predict(X));
    }),
    { numRuns: runs(60) },
  );
});

test('nothing the caller passed in is changed', () => {
  fc.assert(
    fc.property(data(real), options, ({ X, y }, o) => {
      const copies = structuredClone({ X, y, o });
      const model = new DualPerceptron<number>(o).fit(X, y);
      const scores = [...model.decisionFunction(X)];
      model.alphas.fill(NaN);
      model.updateCounts.fill(0);
      model.supportIndices.fill(0);
      if (o.kernel === undefined || o.kernel === 'linear') model.weights.fill(NaN);
      expect([...model.decisionFunction(X)]).toEqual(scores);
      expect({ X, y, o }).toEqual(copies);
    }),
    { numRuns: runs(60) },
  );
});
