// How fast is the first fit of a process, before any compiler has warmed up? A fresh process a measurement.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DenseMatrix, Perceptron } from 'perceptron-wasm';
import { fit } from '../baseline/perceptron.js';
import { generate } from '../data/generate.js';
import { contestInRounds, ratioOf } from '../harness/measure.js';
import { BASELINE, expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';

const EPOCHS = 20;
const ROUNDS = 5;

interface First {
  ms: number;
  plane: number[];
}

/** In the child: the first fit of this process, the data being there already. */
function first(name: string): First {
  const set = generate({ rows: 2000, cols: 1000, seed: 2, flips: 0.1 });
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
  const timings = contestInRounds(
    [BASELINE, 'engine auto'].map((name) => ({ name, measure: () => start(name) })),
    ROUNDS,
  );
  for (const plane of planes) expectSame(plane, planes[0] as number[], 'weights of two first fits');
  const [baseline, auto] = timings as [Timing, Timing];
  return {
    timings,
    answers: [
      { what: 'first fit of a process, 2000 × 1000', ...ratioOf(baseline, auto), against: BASELINE, kind: 'train' },
    ],
  };
}

const name = process.argv[2];
if (name === undefined) tell('How fast is the first fit of a process? (2000 × 1000, 20 passes)', firstOfMany);
else console.log(JSON.stringify(first(name)));
