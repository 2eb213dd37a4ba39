// Properties over examples: Novikoff's bracket and bound with every option of SPEC §4, the same bits on
// every engine and in every slicing, exact resume, η-invariance, inputs left alone.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DualPerceptron, Perceptron } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';
import { anyData, anyOptions, integer, orders, real } from '../samples.js';
import { fitInSlices } from '../slices.js';

/** The same without values so small that halving them rounds. */
const normal = real.map((v) => (Math.abs(v) < 1e-100 ? 0 : v));

/** Data that a plane through augmented space separates, with that plane. */
const separable = fc
  .tuple(anyData(real), fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 15, maxLength: 15 }))
  .map(([{ X }, plane]) => {
    const cols = (X[0] as number[]).length;
    const reference = plane.slice(0, cols);
    const referenceBias = plane[14] as number;
    const side = (x: number[]) => x.reduce((s, v, k) => s + v * (reference[k] as number), 0) + referenceBias;
    const kept = X.filter((x) => Math.abs(side(x)) > 5);
    return { X: kept, y: kept.map((x) => (side(x) > 0 ? 1 : -1)), reference, referenceBias };
  })
  .filter(({ y, reference }) => y.includes(1) && y.includes(-1) && reference.some((v) => v !== 0));

test('all engines give the same bits, with any options', () => {
  fc.assert(
    fc.property(anyData(real), anyOptions, ({ X, y }, o) => {
      const json = engines.map((engine) => JSON.stringify(new Perceptron({ ...o, engine }).fit(X, y)));
      expect(new Set(json).size).toBe(1);
      const scores = engines.map((engine) => [...new Perceptron({ ...o, engine }).fit(X, y).decisionFunction(X)]);
      expect(scores[1]).toEqual(scores[0]);
      expect(scores[2]).toEqual(scores[0]);
    }),
    { numRuns: runs(300) },
  );
});

test('all engines give the same bits, whole and in slices, with 1 to 67 columns', () => {
  const random = Random.seeded(3);
  const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);
  for (let cols = 1; cols <= 67; cols++) {
    const X = Array.from({ length: 40 }, () => Array.from({ length: cols }, draw));
    const y = X.map((_, i) => (i % 2 === 1 && random.next() % 4 > 0 ? 1 : -1));
    const options = { maxEpochs: 6, order: cols % 2 ? 'cyclic' : 'shuffle', average: cols % 3 === 0 } as const;
    const json = engines.map((engine) => JSON.stringify(new Perceptron({ ...options, engine }).fit(X, y)));
    const sliced = new Perceptron<number>({ ...options, engine: 'wasm-simd' });
    fitInSlices(sliced, X, y, 7);
    expect(new Set([...json, JSON.stringify(sliced)]).size, `${cols} columns`).toBe(1);
  }
});

test('a fit in slices of any size gives the bits of the whole, in both forms', () => {
  let slices = 0;
  fc.assert(
    fc.property(
      anyData(real),
      anyOptions,
      fc.constantFrom(...engines),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom<'primal' | 'full' | 'rows'>('primal', 'full', 'rows'),
      ({ X, y }, o, engine, rows, form) => {
        const make = () =>
          form === 'primal'
            ? new Perceptron<number>({ ...o, engine })
            : new DualPerceptron<number>({
                ...o,
                engine,
                gram: form,
                maxGramBytes: 8 * X.length * (form === 'rows' ? 3 : X.length),
              });
        const sliced = make();
        slices += fitInSlices(sliced, X, y, rows);
        expect(JSON.stringify(sliced)).toBe(JSON.stringify(make().fit(X, y)));
      },
    ),
    { numRuns: runs(300) },
  );
  expect(slices).toBeGreaterThan(runs(300));
});

test('some epochs, JSON, some more are as many epochs at once, to the bit, in every order', () => {
  fc.assert(
    fc.property(
      anyData(real),
      anyOptions,
      fc.constantFrom(...engines),
      fc.integer({ min: 1, max: 5 }),
      ({ X, y }, o, engine, more) => {
        const first = new Perceptron<number>({ ...o, engine, warmStart: true }).fit(X, y);
        // A fit that ended by itself made its clean pass: going on only makes another one.
        fc.pre(!first.report.converged);
        const saved = JSON.parse(JSON.stringify(first));
        saved.options.maxEpochs = more;
        const resumed = Perceptron.fromJSON<number>(saved).fit(X, y);
        const whole = new Perceptron<number>({ ...o, engine, maxEpochs: (o.maxEpochs as number) + more }).fit(X, y);
        const [a, b] = [resumed.toJSON(), whole.toJSON()];
        expect({ ...a, options: null }).toEqual({ ...b, options: null });
      },
    ),
    { numRuns: runs(300) },
  );
});

test('a model survives JSON to the bit', () => {
  fc.assert(
    fc.property(anyData(real), anyOptions, ({ X, y }, o) => {
      const model = new Perceptron<number>(o).fit(X, y);
      const copy = Perceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
      expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
      expect([...copy.decisionFunction(X)]).toEqual([...model.decisionFunction(X)]);
      expect(copy.diagnose(X, y)).toEqual(model.diagnose(X, y));
      expect(structuredClone(model.toJSON())).toEqual(model.toJSON());
    }),
    { numRuns: runs(150) },
  );
});

test('lower ≤ γ of any plane ≤ upper on the training rows, with any options (SPEC §4)', () => {
  fc.assert(
    fc.property(separable, anyOptions, ({ X, y, reference, referenceBias }, o) => {
      const model = new Perceptron<number>(o).fit(X, y);
      const intercept = o.fitIntercept ?? true;
      const d = model.diagnose(X, y, { reference, ...(intercept && { referenceBias }) });
      const slack = 1e-9 * d.radius;
      expect(d.margin.lower).toBeLessThanOrEqual(d.margin.upper + slack);
      // The known plane is one candidate: the best margin is at least its own, the bracket's top at least that.
      expect(d.reference?.margin ?? -Infinity).toBeLessThanOrEqual(d.margin.upper + slack);
      expect(d.margin.lower).toBeLessThanOrEqual(d.radius + slack);
    }),
    { numRuns: runs(300) },
  );
});

test('mistakes never exceed the bound, from the model or from a known plane, with any options (SPEC §4)', () => {
  let proven = 0;
  fc.assert(
    fc.property(separable, anyOptions, fc.boolean(), ({ X, y, reference, referenceBias }, o, startsElsewhere) => {
      const cols = (X[0] as number[]).length;
      const start = startsElsewhere ? { initialWeights: reference.map((v) => -3 * v) } : {};
      const model = new Perceptron<number>({ ...o, ...start, maxEpochs: 50 }).fit(X, y);
      expect(model.weights).toHaveLength(cols);
      const intercept = o.fitIntercept ?? true;
      const d = model.diagnose(X, y, { reference, ...(intercept && { referenceBias }) });
      for (const bound of [d.mistakeBound, d.reference?.mistakeBound ?? null]) {
        if (bound === null) continue;
        proven++;
        expect(d.mistakes).toBeLessThanOrEqual(bound * (1 + 1e-9));
      }
      if (o.order === 'batch') expect(d.mistakeBound).toBeNull();
    }),
    { numRuns: runs(300) },
  );
  expect(proven).toBeGreaterThan(runs(100));
});

test('the defaults keep cos(w̃, u) ≥ √T γ / R (SPEC §4)', () => {
  fc.assert(
    fc.property(separable, ({ X, y, reference, referenceBias }) => {
      const model = new Perceptron<number>({ maxEpochs: 20 }).fit(X, y);
      const { reference: against, mistakes, radius } = model.diagnose(X, y, { reference, referenceBias });
      if (!against || against.margin <= 0) return;
      expect(against.cosine).toBeGreaterThanOrEqual((Math.sqrt(mistakes) * against.margin) / radius - 1e-9);
    }),
  );
});

test('from zero with μ = 0 a learning rate of 2^k only rescales, to the bit (SPEC §2)', () => {
  fc.assert(
    fc.property(anyData(normal), fc.constantFrom(...orders), fc.integer({ min: -8, max: 8 }), ({ X, y }, order, k) => {
      const one = new Perceptron<number>({ order, maxEpochs: 6 }).fit(X, y);
      const other = new Perceptron<number>({ order, maxEpochs: 6, learningRate: 2 ** k }).fit(X, y);
      expect(other.report.mistakesByEpoch).toEqual(one.report.mistakesByEpoch);
      expect([...other.weights, other.bias]).toEqual([...one.weights, one.bias].map((v) => v * 2 ** k));
    }),
  );
});

test('an update never makes its own sample worse (SPEC §2)', () => {
  fc.assert(
    fc.property(anyData(integer), ({ X, y }) => {
      let before = { w: (X[0] as number[]).map(() => 0), b: 0 };
      new Perceptron<number>({
        maxEpochs: 3,
        onUpdate({ index, weights, bias }) {
          const x = X[index] as number[];
          const at = (w: ArrayLike<number>, b: number) =>
            (y[index] as number) * (x.reduce((s, v, k) => s + v * (w[k] as number), 0) + b);
          const grown = at(weights ?? [], bias) - at(before.w, before.b);
          expect(grown).toBe(x.reduce((s, v) => s + v * v, 0) + 1);
          before = { w: [...(weights ?? [])], b: bias };
        },
      }).fit(X, y);
    }),
  );
});

test('nothing the caller passed in is changed', () => {
  fc.assert(
    fc.property(anyData(real), anyOptions, ({ X, y }, o) => {
      const copies = structuredClone({ X, y, o });
      const flat = { data: Float64Array.from(X.flat()), rows: X.length, cols: (X[0] as number[]).length };
      const flatCopy = flat.data.slice();
      const model = new Perceptron<number>(o).fit(X, y);
      model.diagnose(X, y);
      new Perceptron<number>(o).fit(flat, y).predict(flat);
      model.weights.fill(NaN); // the caller's own copy: the model does not care
      expect(model.decisionFunction(X).every(Number.isFinite)).toBe(true);
      expect({ X, y, o }).toEqual(copies);
      expect(flat.data).toEqual(flatCopy);
    }),
    { numRuns: runs(60) },
  );
});

test('predictOne has the score of predict to the bit: rows of 1 to 67 values in any list, and sparse ones', () => {
  const random = Random.seeded(4);
  const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);
  const list = (cols: number) => Array.from({ length: cols }, () => Math.fround(draw())); // exact as float32, too
  for (let cols = 1; cols <= 67; cols++) {
    const json = new Perceptron({ fitIntercept: false }).fit([list(cols), list(cols)], ['below', 'above']).toJSON();
    const [weights, x] = [list(cols), list(cols)];
    const score = Perceptron.fromJSON({ ...json, weights }).decisionFunction([x])[0] as number;
    const indices = x.map((_, k) => k);
    // A bias of −score gives 0, and the next smaller number something below it: no other sum does both.
    const [bits] = new BigInt64Array(Float64Array.of(-score).buffer) as unknown as [bigint];
    const [less] = new Float64Array(BigInt64Array.of(bits + (score > 0 ? 1n : -1n)).buffer) as unknown as [number];
    for (const [bias, expected] of [
      [-score, json.classes[1]],
      [less, json.classes[0]],
    ] as const) {
      const model = Perceptron.fromJSON({ ...json, options: {}, weights, bias });
      for (const row of [x, Float64Array.from(x), Float32Array.from(x), { indices, values: x }]) {
        expect(model.predictOne(row), `${cols} columns`).toBe(expected);
      }
    }
  }
});

test('predictOne gives the label and the bits of predict', () => {
  fc.assert(
    fc.property(anyData(real), ({ X, y }) => {
      const model = new Perceptron<number>({ maxEpochs: 5 }).fit(X, y);
      expect(X.map((x) => model.predictOne(x))).toEqual(model.predict(X));
    }),
  );
});
