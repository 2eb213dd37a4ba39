// What another library puts on Object.prototype never reaches the memory of others.

import { expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, MulticlassPerceptron, SparseMatrix, verifyProof } from '../../src/index.js';
import { DataError, readCsv, readModel, readNpy, toSklearn } from '../../src/io/index.js';

const X = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 10],
];
const y = ['a', 'b', 'c'];

async function polluted<T>(name: string, value: unknown, call: () => T): Promise<Awaited<T>> {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await call();
  } finally {
    delete (Object.prototype as Record<string, unknown>)[name];
  }
}

test('a number of values that is none does not put blocks on top of each other', async () => {
  const canary = DenseMatrix.allocate(50, 16);
  canary.data.fill(1.5);
  const sparse = await polluted(
    'nonZeros',
    () => 5,
    () => SparseMatrix.fromDense(X),
  );
  const others = [DenseMatrix.from(X), DenseMatrix.allocate(100, 16)];
  for (const other of others) other.data.fill(7);
  expect(canary.data.every((value) => value === 1.5)).toBe(true);
  for (const matrix of [canary, sparse, ...others]) matrix.dispose();
});

test('the arena refuses to allocate what is not a number of bytes', () => {
  const { blocks } = defaultArena.usage;
  for (const bytes of [NaN, -1]) expect(() => defaultArena.allocate(bytes, 'a test')).toThrow(RangeError);
  expect(defaultArena.usage.blocks).toBe(blocks);
});

test('callbacks and options of Object.prototype are not taken', async () => {
  const make = () => new MulticlassPerceptron<string>({ maxEpochs: 5 });
  const expected = JSON.stringify(make().fit(X, y));
  expect(
    JSON.stringify(
      await polluted(
        'onEpoch',
        () => false,
        () => make().fit(X, y),
      ),
    ),
  ).toBe(expected);
  const model = make().fit(X, y);
  await polluted('prove', 1, () => expect(model.diagnose(X, y).proof).toBeUndefined());
  const bytes = new TextEncoder().encode(expected);
  expect(JSON.stringify(await polluted('maxBytes', 7, () => readModel(bytes)))).toBe(expected);
  await polluted('biases', 7, () => expect(toSklearn(model).classes_).toEqual(y));
  const proof = { separable: 'no', positive: 'a', intercept: true, samples: [], multipliers: [] };
  expect(await polluted('indptr', 7, () => verifyProof(X, y, proof))).toBe(false);
});

test('a reader takes an array of labels for labels, not for a stream', async () => {
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }".padEnd(117);
  const npy = Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0]),
    Buffer.from(`${header}\n`),
    Buffer.from(Float64Array.of(1, 2).buffer),
  ]);
  const data = await polluted(
    'getReader',
    () => {},
    () => readNpy(new Uint8Array(npy), { labels: ['a', 'b'] }),
  );
  expect(data.y).toEqual(['a', 'b']);
  data.X.dispose();
});

test('y of a frozen dataset can be read, and one that inherits from a dataset has its own', async () => {
  const data = await readCsv(new TextEncoder().encode('x,class\n1,a\n2,b\n'));
  const heir = Object.create(data) as typeof data;
  heir.y = ['c'];
  expect([data.y, heir.y]).toEqual([['a', 'b'], ['c']]);
  const frozen = Object.freeze(await readCsv(new TextEncoder().encode('x,class\n1,a\n2,b\n')));
  expect(frozen.y).toEqual(['a', 'b']);
  expect(frozen.y).toBe(frozen.y);
  data.X.dispose();
  frozen.X.dispose();
});

test('a model file of millions of short lists is refused before they fill the heap', async () => {
  const text = `{"type":"perceptron","x":[${'[1],'.repeat(2 ** 22)}1]}`;
  const error: unknown = await readModel(new TextEncoder().encode(text)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataError);
  // By their number, while they are read; not at the end, as a model without its fields.
  expect((error as DataError).message).toMatch(/more than \d+ values besides lists of numbers$/);
});
