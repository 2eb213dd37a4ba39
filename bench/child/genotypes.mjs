// A process that trains in dual form on genotypes, a byte each, and says how long that took and how large it became.
// Plain JavaScript, run by node alone. Usage: node bench/child/genotypes.mjs PEOPLE VARIANTS population|trait
//
// 0, 1 or 2 copies of a variant, whose frequency differs a little between two populations. The label is the population, which few
// support vectors tell apart, or a trait that nothing explains, for which nearly all rows become support vectors.

import { DenseMatrix, DualPerceptron } from 'perceptron-wasm';

const [rows, cols] = [Number(process.argv[2]), Number(process.argv[3])];
const isTrait = process.argv[4] === 'trait';

let state = 88_172_645;
/** 32 random bits (xorshift). */
function next() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state;
}

/** Of 256: how often a person of each population has no copy, and at most one. */
const none = [new Uint8Array(cols), new Uint8Array(cols)];
const atMostOne = [new Uint8Array(cols), new Uint8Array(cols)];
for (let k = 0; k < cols; k++) {
  const frequency = 0.1 + ((next() >>> 8) / 2 ** 24) * 0.8;
  for (let population = 0; population < 2; population++) {
    const p = frequency + (population === 0 ? 0.05 : -0.05);
    none[population][k] = Math.round(255 * (1 - p) ** 2);
    atMostOne[population][k] = Math.round(255 * (1 - p * p));
  }
}

const X = DenseMatrix.allocate(rows, cols, { dtype: 'uint8' });
function fillRow(row, low, high) {
  for (let k = 0; k < cols; k++) {
    const drawn = next() & 255;
    row[k] = (drawn >= low[k] ? 1 : 0) + (drawn >= high[k] ? 1 : 0);
  }
}
const y = new Int8Array(rows);
for (let i = 0; i < rows; i++) {
  const population = next() >>> 31;
  fillRow(X.row(i), none[population], atMostOne[population]);
  y[i] = isTrait ? next() >>> 31 : population;
}
y[0] = 0;
y[1] = 1;

const beforeBytes = process.memoryUsage().rss;
const cpu = process.cpuUsage();
const model = await new DualPerceptron({ maxEpochs: 100 }).fitAsync(X, y);
const { user, system } = process.cpuUsage(cpu);
const { gramMs, trainMs } = model.report.timings;
const { epochs, mistakes, converged, threads } = model.report;
console.log(
  JSON.stringify({
    peakBytes: Math.max(process.resourceUsage().maxRSS * 1024, process.memoryUsage().rss),
    beforeBytes,
    cpuMs: (user + system) / 1000,
    gramMs,
    trainMs,
    threads,
    epochs,
    mistakes,
    converged,
    supports: model.supportIndices.length,
  }),
);
process.exit(0);
