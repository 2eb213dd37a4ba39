// Options, rows and model JSON are read from the caller's own objects: what another library put on Object.prototype is not
// an option of ours.

import { afterEach, expect, test } from 'vitest';
import {
  chooseForm,
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
} from '../../src/index.js';
import { csvLines, fromSklearn, readCsv, readLibsvm, readNpy } from '../../src/io/index.js';
import { loadPredictor } from '../../src/predict/index.js';

const X = [[3, 3], [4, 3], [1, 1], [0, 2]]; // biome-ignore format: four points
const y = ['a', 'a', 'b', 'b'];
const flat = () => ({ data: Float64Array.from(X.flat()), rows: 4, cols: 2 });
const parts = () => ({ values: [3, 3, 4, 3], indices: [0, 1, 0, 1], indptr: [0, 2, 4], cols: 2 });
const csv = () => new TextEncoder().encode('u,v,k\n3,3,a\n4,3,a\n1,1,b\n');
const npy = () => {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }`.padEnd(117).concat('\n');
  const start = Uint8Array.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
  return Buffer.concat([start, Buffer.from(header), Buffer.from(Float64Array.of(1, 2, 3, 4).buffer)]);
};
const kernel = { type: 'polynomial', degree: 2 } as const;

const saved = {
  perceptron: JSON.stringify(new Perceptron({ average: true }).fit(X, y)),
  dual: JSON.stringify(new DualPerceptron({ kernel }).fit(X, y)),
  pocket: JSON.stringify(new PocketPerceptron({ maxEpochs: 3 }).fit(X, y)),
  multiclass: JSON.stringify(new MulticlassPerceptron().fit(X, y)),
  kernels: JSON.stringify(new MulticlassPerceptron({ kernel }).fit(X, y)),
  pipeline: JSON.stringify(new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron()).fit(X, y)),
};
const matrices = { dense: DenseMatrix.from(X), sparse: SparseMatrix.fromDense(X) };

/** What callers do, each with a result to compare. Objects are made inside: they inherit what is there then. */
const works: Record<string, () => unknown> = {
  Perceptron: () => new Perceptron().fit(X, y),
  'Perceptron with options': () => new Perceptron({ average: true, seed: 3, order: 'shuffle' }).fit(X, y),
  'flat rows': () => new Perceptron().fit(flat(), y),
  'CSR parts': () => new Perceptron().fit(parts(), ['a', 'b']),
  'a DenseMatrix': () => new Perceptron().fit(matrices.dense, y),
  'a SparseMatrix': () => new Perceptron().fit(matrices.sparse, y),
  'DenseMatrix.from': () => [...DenseMatrix.from(X).data],
  'SparseMatrix.from': () => SparseMatrix.from(parts()).toParts(),
  SparseBuilder: () => new SparseBuilder().add([0, 3], [1, 2]).finish().toParts(),
  DualPerceptron: () => new DualPerceptron().fit(X, y),
  'a kernel': () => new DualPerceptron({ kernel: { type: 'polynomial' } }).fit(X, y),
  PocketPerceptron: () => new PocketPerceptron({ maxEpochs: 3 }).fit(X, y),
  MulticlassPerceptron: () => new MulticlassPerceptron().fit(X, y),
  multinomial: () => new MulticlassPerceptron({ strategy: 'multinomial' }).fit(X, y),
  partialFit: () => new Perceptron<string>({ classes: ['a', 'b'] }).partialFit(X, y),
  fitAsync: () => new Perceptron().fitAsync(X, y),
  'fitAsync, dual': () => new DualPerceptron().fitAsync(X, y, {}),
  'fitAsync, many classes': () => new MulticlassPerceptron().fitAsync(X, y),
  fitStream: () =>
    new Perceptron<string>({ classes: ['a', 'b'] }).fitStream(
      (async function* () {
        yield { X, y };
      })(),
    ),
  Scaler: () => new Scaler({ kind: 'standardize' }).fit(X),
  Pipeline: () => new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()).fit(X, y),
  'Pipeline, fitAsync': () => new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()).fitAsync(X, y),
  predict: () => new Perceptron().fit(X, y).predict(X),
  explain: () => new Perceptron().fit(X, y).explain([1, 2]),
  'explain, a sparse row': () => new Perceptron().fit(X, y).explain({ indices: [1], values: [2] }),
  diagnose: () => new Perceptron().fit(X, y).diagnose(X, y),
  'diagnose, dual': () => new DualPerceptron().fit(X, y).diagnose(X, y),
  gram: () => [...gram(X).data],
  gramAsync: async () => [...(await gramAsync(X)).data],
  chooseForm: () => chooseForm(X),
  createEngine: () => createEngine().kind,
  loadModel: () => Object.values(saved).map((text) => loadModel(JSON.parse(text))),
  loadPredictor: () => Object.values(saved).map((text) => loadPredictor(JSON.parse(text)).predict(X)),
  'loadPredictor, flat rows': () => loadPredictor(JSON.parse(saved.perceptron)).predict(flat()),
  'loadPredictor, CSR parts': () => loadPredictor(JSON.parse(saved.perceptron)).predict(parts()),
  readCsv: async () => (await readCsv(csv())).y,
  readLibsvm: async () => (await readLibsvm(new TextEncoder().encode('1 1:2\n0 2:3\n'))).X.cols,
  readNpy: async () => (await readNpy(npy())).X.cols,
  csvLines: () => [...csvLines(X, y)],
  fromSklearn: () => fromSklearn({ coef_: [[1, 2]], intercept_: [1], classes_: [0, 1] }),
};

const NAMES: readonly [names: string, value: unknown][] = [
  ['maxEpochs epochs degree top patience maxCols cols rows threads version', 1],
  ['learningRate margin gamma coef0 interceptScaling validationFraction initialBias referenceBias', 0.5],
  ['average warmStart ratchet pocket last keepPartial header', true],
  ['fitIntercept', false],
  ['order', 'batch'],
  ['kernel', 'rbf'],
  ['strategy', 'multinomial'],
  ['gram', 'rows'],
  ['dtype', 'float32'],
  ['engine', 'js'],
  ['kind', 'js'],
  ['type', 'rbf'],
  ['format', 'libsvm'],
  ['label', 'u'],
  ['classWeight', 'balanced'],
  ['seed maxGramBytes maxBytes budgetMs maxMemoryBytes', 7],
  ['onUpdate onEpoch onBlock onProgress', () => false],
  ['classes initialWeights reference featureNames labels ignore', [1, 2]],
  ['data values indices indptr', [1]],
  ['options scaler model supports training report sums ratchets', { kind: 'unit-ball' }],
  ['toParts', () => ({})],
  ['signal out precomputed module workerUrl start from', 'odd'],
];

const polluted: string[] = [];
function pollute(name: string, value: unknown): void {
  polluted.push(name);
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
}
const clean = () => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name);
};
afterEach(clean);

/** The result as text; times aside, which differ from run to run. */
const told = (result: unknown): string => JSON.stringify(result);

async function outcome(work: () => unknown): Promise<string> {
  let result: unknown;
  try {
    result = await work();
  } catch (error) {
    clean();
    return String(error);
  }
  clean();
  return told(result);
}

test.each(Object.entries(works))('%s reads no inherited option', async (_, work) => {
  const expected = await outcome(work);
  const others: string[] = [];
  for (const [names, value] of NAMES) {
    for (const name of names.split(' ')) {
      pollute(name, value);
      const found = await outcome(work);
      if (found !== expected) others.push(`${name}: ${found.slice(0, 150)}`);
    }
  }
  expect(others).toEqual([]);
});
