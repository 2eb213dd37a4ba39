import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { trainMixed } from '../../src/cluster/index.js';
import { DenseMatrix, DualPerceptron, MulticlassPerceptron, Perceptron, SparseMatrix } from '../../src/index.js';
import { readData } from '../../src/io/index.js';
import { Random } from '../../src/random.js';

const folder = mkdtempSync(join(tmpdir(), 'perceptron-mixing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Rows {
  X: number[][];
  y: number[];
}

/** Integer rows around a plane, so that no sum rounds; some of them on its wrong side. */
function rowsOf(count: number, cols: number, seed: number, classes = 2): Rows {
  const random = Random.seeded(seed);
  const X = Array.from({ length: count }, () => Array.from({ length: cols }, () => random.below(9) - 4));
  const y = X.map((x) =>
    random.below(20) === 0 ? random.below(classes) : Math.abs(x.reduce((a, v, j) => a + v * (j + 1), 0)) % classes,
  );
  return {
    X,
    y:
      classes === 2
        ? X.map((x, i) =>
            random.below(20) === 0 ? (y[i] as number) : (x[0] as number) + 2 * (x[1] as number) >= 0 ? 1 : 0,
          )
        : y,
  };
}

/** The algorithm as the paper has it, in plain loops. */
function textbook(shards: readonly Rows[], cols: number, epochs: number) {
  let w = new Array<number>(cols + 1).fill(0);
  const total = new Array<number>(cols + 1).fill(0);
  let seen = 0;
  const mistakesByEpoch: number[] = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    let mistakes = 0;
    const ends = shards.map(({ X, y }) => {
      const own = [...w];
      X.forEach((x, i) => {
        const sign = y[i] === 1 ? 1 : -1;
        const score = x.reduce((sum, v, j) => sum + v * (own[j] as number), own[cols] as number);
        if (sign * score <= 0) {
          mistakes++;
          x.forEach((v, j) => {
            own[j] = (own[j] as number) + sign * v;
          });
          own[cols] = (own[cols] as number) + sign;
        }
        own.forEach((v, j) => {
          total[j] = (total[j] as number) + v;
        });
        seen++;
      });
      return own;
    });
    w = w.map((_, j) => ends.reduce((sum, end) => sum + (end[j] as number), 0) / shards.length);
    mistakesByEpoch.push(mistakes);
    if (mistakes === 0) break;
  }
  return { w, mean: total.map((v) => v / seen), mistakesByEpoch };
}

const two = [rowsOf(60, 4, 1), rowsOf(35, 4, 2), rowsOf(50, 4, 3), rowsOf(20, 4, 4)];
const options = { classes: [0, 1], cols: 4 };

test('weights, mistakes and means are those of the paper’s algorithm', async () => {
  // With four shards and small integers, quarters and sixteenths are exact.
  const expected = textbook(two, 4, 6);
  const last = await trainMixed(new Perceptron({ maxEpochs: 6 }), { ...options, shards: two });
  expect([...last.model.weights, last.model.bias]).toEqual(expected.w);
  expect(last.report).toMatchObject({
    algorithm: 'mixing',
    shards: 4,
    rows: 165,
    mistakesByEpoch: expected.mistakesByEpoch,
  });
  const mean = await trainMixed(new Perceptron({ maxEpochs: 6, average: true }), { ...options, shards: two });
  [...mean.model.weights, mean.model.bias].forEach((w, j) => {
    expect(w).toBeCloseTo(expected.mean[j] as number, 10);
  });
});

test('one shard is training on all rows, to the bit; the model is left as it was', async () => {
  const [shard] = two as [Rows, ...Rows[]];
  const model = new Perceptron({ maxEpochs: 9 });
  const { model: mixed, report } = await trainMixed(model, { ...options, shards: [shard] });
  const serial = new Perceptron({ maxEpochs: 9 }).fit(shard.X, shard.y);
  expect(mixed.weights).toEqual(serial.weights);
  expect(report.mistakesByEpoch).toEqual(serial.report.mistakesByEpoch);
  expect(() => model.weights).toThrow(/not fitted/);
});

test('the form of a shard changes nothing: arrays, matrices, files, packed files', async () => {
  const text = ({ X, y }: Rows) =>
    X.map((x, i) => `${y[i]} ${x.flatMap((v, j) => (v ? [`${j + 1}:${v}`] : [])).join(' ')}`).join('\n');
  const paths = two.map((rows, k) => {
    const path = join(folder, `part-${k}.svm`);
    writeFileSync(path, `${text(rows)}\n`);
    return path;
  });
  const model = () => new Perceptron({ maxEpochs: 6, average: true });
  const expected = JSON.stringify((await trainMixed(model(), { ...options, shards: two })).model);
  const sparse = two.map(({ X, y }) => ({ X: SparseMatrix.fromDense(X), y }));
  const dense = two.map(({ X, y }) => ({ X: DenseMatrix.from(X), y }));
  for (const shards of [sparse, dense, paths, [paths[0] as string, ...dense.slice(1)]]) {
    expect(JSON.stringify((await trainMixed(model(), { ...options, shards, cacheBytes: 0 })).model)).toBe(expected);
  }
  for (const { X } of [...sparse, ...dense]) expect(X.rows).toBeGreaterThan(0); // the caller's are not disposed of
});

test('a large shard is passed over in blocks, with the bits of one pass', async () => {
  const cols = 600;
  const text = Array.from(
    { length: 2000 },
    (_, i) =>
      `${Array.from({ length: cols }, (_, j) => ((i * 31 + j * 17) % 7) - 3).join()},${(i * 13) % 5 > 1 ? 1 : 0}`,
  );
  const path = join(folder, 'large.csv');
  writeFileSync(path, `${text.join('\n')}\n`);
  const { model } = await trainMixed(new Perceptron({ maxEpochs: 2 }), {
    classes: [0, 1],
    cols,
    shards: [path],
    read: { header: false, label: -1 },
  });
  const { X, y } = await readData(path, { header: false, label: -1 });
  expect(model.weights).toEqual(new Perceptron({ maxEpochs: 2 }).fit(X, y as number[]).weights);
  X.dispose();
});

test.each(['one-vs-rest', 'multinomial'] as const)(
  'many classes, %s: a shard may lack some of them',
  async (strategy) => {
    const shards = [rowsOf(60, 3, 5, 3), rowsOf(40, 3, 6, 3)];
    const lacking = {
      X: (shards[0] as Rows).X.filter((_, i) => shards[0]?.y[i] === 2),
      y: (shards[0] as Rows).y.filter((label) => label === 2),
    };
    const model = new MulticlassPerceptron({ strategy, average: true, maxEpochs: 5 });
    const mixed = await trainMixed(model, { classes: [0, 1, 2], cols: 3, shards: [...shards, lacking] });
    expect(mixed.model.classes).toEqual([0, 1, 2]);
    expect(MulticlassPerceptron.fromJSON(mixed.model.toJSON()).predict([[1, 2, 3]])).toHaveLength(1);
    const one = await trainMixed(new MulticlassPerceptron({ strategy, maxEpochs: 3 }), {
      classes: [0, 1, 2],
      cols: 3,
      shards: [shards[0] as Rows],
    });
    const serial = new MulticlassPerceptron({ strategy, maxEpochs: 3 }).fit(
      (shards[0] as Rows).X,
      (shards[0] as Rows).y,
    );
    expect(one.model.weights).toEqual(serial.weights);
  },
);

test('a clean epoch keeps the common weights, and ends training', async () => {
  const shards = [
    { X: [[3], [-1]], y: [1, 0] },
    { X: [[2], [-2]], y: [1, 0] },
    { X: [[1], [-3]], y: [1, 0] },
  ];
  const { model, report } = await trainMixed(new Perceptron(), { classes: [0, 1], cols: 1, shards });
  expect(report).toMatchObject({ converged: true, stopReason: 'separated' });
  const before = await trainMixed(new Perceptron(), { classes: [0, 1], cols: 1, shards, maxEpochs: report.epochs - 1 });
  expect(before.report).toMatchObject({ converged: false, stopReason: 'max-epochs' });
  expect(model.weights).toEqual(before.model.weights);
});

test('the mixed model goes on, saves and proves as any other; the bracket of the margin holds', async () => {
  const shards = [rowsOf(40, 4, 8), rowsOf(40, 4, 9)].map(({ X }) => ({
    X,
    y: X.map((x) => ((x[0] as number) * 2 + 1 > 0 ? 1 : 0)),
  }));
  const { model } = await trainMixed(new Perceptron({ warmStart: true }), { ...options, shards });
  const all = { X: shards.flatMap(({ X }) => X), y: shards.flatMap(({ y }) => y) };
  const { margin, errors } = model.diagnose(all.X, all.y, { reference: [2, 0, 0, 0], referenceBias: 1 });
  expect(errors).toBe(0);
  expect(margin.upper).toBeGreaterThanOrEqual(margin.lower);
  expect(margin.upper).toBeGreaterThanOrEqual(
    model.diagnose(all.X, all.y, { reference: [2, 0, 0, 0], referenceBias: 1 }).reference?.margin as number,
  );
  expect(Perceptron.fromJSON(JSON.parse(JSON.stringify(model))).fit(all.X, all.y).report.converged).toBe(true);
});

test.each<[string, () => Promise<unknown>, string | RegExp]>([
  [
    'another trainer',
    () => trainMixed(new DualPerceptron(), { ...options, shards: two }),
    /^trainMixed mixes weights: the model must be a Perceptron/,
  ],
  [
    'another order',
    () => trainMixed(new Perceptron({ order: 'shuffle' }), { ...options, shards: two }),
    /does not go with order 'shuffle'/,
  ],
  [
    'no classes',
    () => trainMixed(new Perceptron(), { cols: 4, shards: two } as never),
    'trainMixed needs "classes": a shard may lack one',
  ],
  ['no shards', () => trainMixed(new Perceptron(), { ...options, shards: [] }), '"shards" must be 1 to 10000, got 0'],
  ['other columns', () => trainMixed(new Perceptron(), { ...options, cols: 5, shards: two }), /^shards\[0\]: .*(4|5)/],
  [
    'a label that is no class',
    () => trainMixed(new Perceptron(), { ...options, shards: [{ X: [[1, 2, 3, 4]], y: [7] }] }),
    /^shards\[0\]: .*7/,
  ],
  [
    'an unknown option',
    () => trainMixed(new Perceptron(), { ...options, shards: two, epochs: 3 } as never),
    /trainMixed has no option "epochs"/,
  ],
])('%s is refused by name', async (_, call, message) => {
  await expect(call()).rejects.toThrow(message);
});

test('a signal ends mixing with its reason', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const shards = [rowsOf(40, 3, 5), rowsOf(40, 3, 6)].map(({ X }, k) => ({ X, y: X.map((_, i) => (i + k) % 2) }));
  const call = trainMixed(new Perceptron(), {
    classes: [0, 1],
    cols: 3,
    shards,
    signal: controller.signal,
    onEpoch: () => controller.abort(reason),
  });
  await expect(call).rejects.toBe(reason);
});
