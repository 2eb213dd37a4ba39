// How much memory does a fit take beside its matrix? From a DenseMatrix it should be a few vectors of N and
// d numbers, whatever N·d is: here 400 MB of rows.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DenseMatrix, Perceptron } from 'perceptron-wasm';
import { fillUniform } from '../data/generate.js';
import { consume, once } from '../harness/measure.js';
import { type Findings, tell } from '../harness/question.js';
import { shapeText } from '../harness/words.js';

const rows = 500;
const cols = 100_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Usage {
  rss: number;
  peakRss: number;
  external: number;
  arrayBuffers: number;
  heapUsed: number;
  arena: number;
}

function usage(matrix: DenseMatrix): Usage {
  collect();
  const { rss, external, arrayBuffers, heapUsed } = process.memoryUsage();
  const peakRss = process.resourceUsage().maxRSS * 1024;
  return { rss, peakRss, external, arrayBuffers, heapUsed, arena: matrix.data.buffer.byteLength };
}

const bytes = (n: number): string => `${n < 0 ? '−' : '+'}${Math.abs(n).toLocaleString('en')} bytes`;

function fitOnce(): Findings {
  const y = Array.from({ length: rows }, (_, i) => (i % 2 === 0 ? -1 : 1));
  // Code and small change first, so that they do not count.
  new Perceptron({ maxEpochs: 3 }).fit({ data: new Float64Array(40).fill(1), rows: 4, cols: 10 }, [1, -1, 1, -1]);
  const matrix = DenseMatrix.allocate(rows, cols);
  fillUniform(matrix.data, 4);
  const before = usage(matrix);
  const model = new Perceptron<number>({ maxEpochs: 3 }).fit(matrix, y);
  const after = usage(matrix);
  consume(model.bias);
  const { mistakes } = model.report;
  matrix.dispose();

  const matrixBytes = rows * cols * 8;
  const peak = after.peakRss - before.rss; // an upper bound: the peak may have been before

  const vectors = 8 * (rows + cols);
  const notes = [
    `matrix ${matrixBytes.toLocaleString('en')} bytes; 8·(N + d) = ${vectors.toLocaleString('en')} bytes; ${mistakes} mistakes`,
    `peak resident size ${bytes(peak)}, resident size afterwards ${bytes(after.rss - before.rss)}`,
    `heap ${bytes(after.heapUsed - before.heapUsed)}, external ${bytes(after.external - before.external)}, array buffers ${bytes(after.arrayBuffers - before.arrayBuffers)}`,
    `address space of the kernels' memory ${bytes(after.arena - before.arena)} (grown by half at a time; untouched pages cost nothing)`,
  ];
  const what = `memory of a fit beside its ${shapeText(rows, cols)} matrix, at the peak`;
  return { notes, answers: [{ what, ...once(peak / matrixBytes), against: "the matrix's bytes" }] };
}

tell('How much memory does a fit take beside its matrix? (500 × 100,000, 400 MB)', fitOnce);
