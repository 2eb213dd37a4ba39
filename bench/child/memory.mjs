// A process that trains once and says how large it became. Plain JavaScript, run by node alone.
// Usage: node bench/child/memory.mjs WAY ROWS COLS
//
// The peak is of the whole process, so nothing else happens in it: the rows are made one number at a time, straight
// into whatever WAY keeps them in, and the small fit before them has compiled what there is to compile.

import { DenseMatrix, DualPerceptron, Perceptron, SparseMatrix } from 'perceptron-wasm';

const [way, rows, cols] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const EPOCHS = 3;
/** One value in a hundred is stored of sparse rows. */
const APART = 100;

const y = Int8Array.from({ length: rows }, (_, i) => (i % 2 === 0 ? 1 : -1));
const value = (i, k) => (((i * 7919 + k * 104_729) % 1024) - 512) / 512;

function fill(data) {
  for (let i = 0, at = 0; i < rows; i++) for (let k = 0; k < cols; k++) data[at++] = value(i, k);
  return data;
}

function sparseParts() {
  const each = Math.ceil(cols / APART);
  const [values, indices] = [new Float64Array(rows * each), new Uint32Array(rows * each)];
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, i) => i * each);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let k = 0; k < each; k++, at++) {
      values[at] = value(i, k) || 1;
      indices[at] = Math.min(k * APART + (i % APART), cols - each + k);
    }
  }
  return { values, indices, indptr, rows, cols };
}

/** What one may train on, and the bytes of the rows in it. */
const WAYS = {
  matrix: () => trained(new Perceptron({ maxEpochs: EPOCHS }), inPlace('float64')),
  float32: () => trained(new Perceptron({ maxEpochs: EPOCHS }), inPlace('float32')),
  flat: () => trained(new Perceptron({ maxEpochs: EPOCHS }), { data: fill(new Float64Array(rows * cols)), rows, cols }),
  nested: () =>
    trained(
      new Perceptron({ maxEpochs: EPOCHS }),
      Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, k) => value(i, k))),
    ),
  sparse: () => trained(new Perceptron({ maxEpochs: EPOCHS }), SparseMatrix.from(sparseParts())),
  dual: () => trained(new DualPerceptron({ maxEpochs: EPOCHS }), inPlace('float64')),
  js: () => plain(fill(new Float64Array(rows * cols))),
};

function inPlace(dtype) {
  const matrix = DenseMatrix.allocate(rows, cols, { dtype });
  fill(matrix.data);
  return matrix;
}

function trained(model, X) {
  model.fit(X, y);
  return { plane: [...model.weights, model.bias], X };
}

/** The same by a loop. */
function plain(data) {
  const weights = new Float64Array(cols);
  let bias = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = 0; i < rows; i++) {
      let sum = bias;
      for (let k = 0; k < cols; k++) sum += data[i * cols + k] * weights[k];
      if (y[i] * sum > 0) continue;
      for (let k = 0; k < cols; k++) weights[k] += y[i] * data[i * cols + k];
      bias += y[i];
    }
  }
  return { plane: [...weights, bias], X: data };
}

new Perceptron({ maxEpochs: EPOCHS }).fit([[1, 2], [2, 1]], [1, -1]); // biome-ignore format: two points
/** As large as this process has been. */
const largest = () => Math.max(process.resourceUsage().maxRSS * 1024, process.memoryUsage().rss);
/** Rows that found room in what starting up had left take nothing that could be seen: less than a page. */
const PAGE = 4096;
const beforeBytes = largest();
const { plane } = WAYS[way]();
const peakBytes = Math.max(PAGE, largest() - beforeBytes);
console.log(JSON.stringify({ peakBytes, plane }));
