// A model whose JSON is longer than any string of V8: saves it, reads it, and prints what came of it. Run by
// large-models.long.test.ts with a heap that could hold neither the text nor its numbers as an array.
// Arguments: the path of the file, the rows and the columns of the model.

import { statSync } from 'node:fs';
import { DualPerceptron } from '../../dist/index.js';
import { readModel, saveModel } from '../../dist/io.js';

const [path, count, cols] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

/** Real numbers with all their digits, positive and negative; some are 0 and −0. */
function rowsOf() {
  const data = new Float64Array(count * cols);
  let state = 12345;
  for (let k = 0; k < data.length; k++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[k] = state % 1000 === 0 ? (state % 2000 === 0 ? -0 : 0) : (state / 2 ** 32 - 0.5) / 3;
  }
  return Array.from({ length: count }, (_, s) => data.subarray(s * cols, (s + 1) * cols));
}

function modelOf() {
  const of = (value) => new Array(count).fill(value);
  return DualPerceptron.fromJSON({
    type: 'dual-perceptron',
    version: 1,
    options: { kernel: { type: 'rbf', gamma: 1 } },
    classes: [0, 1],
    cols,
    supports: {
      indices: of(0).map((_, s) => s),
      signs: of(0).map((_, s) => (s % 2 === 0 ? 1 : -1)),
      alphas: of(1),
      counts: of(1),
      rows: rowsOf(),
    },
    bias: '-0',
    training: {
      seen: count,
      sigma: count,
      classWeightRange: [1, 1],
      random: [1, 2, 3, 4],
      converged: false,
      stopReason: 'max-epochs',
      epochs: 1,
      mistakes: count,
      mistakesByEpoch: [count],
      advice: [],
      samples: count,
      first: 0,
    },
  });
}

const bitsOf = (list) => Buffer.from(list.buffer, list.byteOffset, list.byteLength);

/** Whether two models have bit-identical support vectors. */
function isSame(a, b) {
  const [rows, others] = [a.packed().supports.rows, b.packed().supports.rows];
  let compared = 0;
  for (const row of rows) {
    const other = others.next().value;
    if (bitsOf(row).compare(bitsOf(other)) !== 0) return false;
    compared++;
  }
  return compared === count && others.next().done === true;
}

/** How much memory the process takes beyond what it had before, at most, while this runs; and how long it takes. */
async function measured(run) {
  // What made the model is gone, and its memory cannot hide that of the run. Buffers are freed in another thread.
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const rss = () => process.memoryUsage.rss();
  const before = rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 5);
  const started = performance.now();
  const value = await run();
  clearInterval(timer);
  return {
    value,
    peakMB: Math.round((Math.max(peak, rss()) - before) / 2 ** 20),
    ms: Math.round(performance.now() - started),
  };
}

const model = modelOf();
const { value: _, ...saving } = await measured(() => saveModel(model, path));
const { value: copy, ...reading } = await measured(() => readModel(path));
const rest = ({ supports: { rows: _, ...supports }, ...json }) => JSON.stringify({ ...json, supports });
console.log(
  JSON.stringify({
    bytes: statSync(path).size,
    isSame: isSame(model, copy) && rest(model.packed()) === rest(copy.packed()),
    saving,
    reading,
  }),
);
