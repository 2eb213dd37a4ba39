// How fast is the first fit of a process, before any compiler has warmed up? A fresh process a measurement.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DenseMatrix, Perceptron } from 'perceptron-wasm';
import { fit } from '../baseline/perceptron.js';
import { generate } from '../data/generate.js';
import { contestInRounds, ratioOf } from '../harness/measure.js';
import { BASELINE, byMode, expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const EPOCHS = 20;
const ROUNDS = byMode({ smoke: 1, quick: 5, full: 5 });
const large = { rows: 2000, cols: 1000 };
const { rows, cols } = byMode({ smoke: { rows: 100, cols: 20 }, quick: large, full: large });
const size = shapeText(rows, cols);

interface First {
  ms: number;
  plane: number[];
}

/** In the child: the first fit of this process, the data being there already. */
function first(name: string): First {
  const set = generate({ rows, cols, seed: 2, flips: 0.1 });
  if (name === BASELINE) {
    const started = performance.now();
    const { weights, bias } = fit(set.data, set.y, set.cols, EPOCHS);
    return { ms: performance.now() - started, plane: [...weights, bias] };
  }
  const X = DenseMatrix.from(set);
  const started = performance.now();
  const { weights, bias } = new Perceptron<number>({ maxEpochs: EPOCHS }).fit(X, set.y);
  return { ms: performance.now() - started, plane: [...weights, bias] };
}

function firstOfMany(): Findings {
  const planes: number[][] = [];
  const start = (name: string): number => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), name];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the process for ${name} failed: ${stderr}`);
    const { ms, plane } = JSON.parse(stdout) as First;
    planes.push(plane);
    return ms;
  };
  // The least: a row that was a mistake is read once more, which is not counted here.
  const work = { flops: 2 * rows * cols * EPOCHS, bytes: 8 * rows * cols * EPOCHS, resident: 8 * rows * cols };
  const timings = contestInRounds(
    [BASELINE, 'engine auto'].map((name) => ({ name, work, measure: () => start(name) })),
    ROUNDS,
  );
  for (const plane of planes) expectSame(plane, planes[0] as number[], 'weights of two first fits');
  const [baseline, auto] = timings as [Timing, Timing];
  return {
    timings,
    answers: [
      // Of rows that fit.ts has trained on, so it does not count for the headline once more.
      { what: `first fit of a process, ${size}`, ...ratioOf(baseline, auto), against: BASELINE },
    ],
  };
}

const name = process.argv[2];
if (name === undefined) tell(`How fast is the first fit of a process? (${size}, ${EPOCHS} passes)`, firstOfMany);
else console.log(JSON.stringify(first(name)));
