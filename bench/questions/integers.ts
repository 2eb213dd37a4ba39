// What do small integers bring? Pixels, counts and genotypes in a byte each: scores against float64 storage of the same
// values, the Gram matrix against OpenBLAS, an epoch of MNIST against scikit-learn, who both have them in float64, and
// how much memory a dual fit of genotypes takes.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DenseMatrix, gram, gramAsync, MulticlassPerceptron, Perceptron } from 'perceptron-wasm';
import { Random } from '../data/generate.js';
import { mnistBytes } from '../data/mnist.js';
import { contestOfCalls, ratioOf } from '../harness/measure.js';
import { type Answer, byMode, expectSame, type Findings, tell, tellLater, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { withFolderLater } from '../harness/temporary.js';
import { bytesText, shapeText } from '../harness/words.js';
import { denseRows, type House, openblas, share, sklearn, sorted } from '../peers/guests.js';
import { openNative } from '../peers/native.js';
import { OURS, type Prepared } from '../peers/tasks.js';
import { calling, play } from '../peers/turns.js';

const PACE = { rounds: byMode({ smoke: 2, quick: 5, full: 7 }), turnMs: byMode({ smoke: 0, quick: 10, full: 200 }) };

interface Shape {
  rows: number;
  cols: number;
  atLeast: number;
}

const SCORED = byMode<Shape[]>({
  smoke: [{ rows: 40, cols: 100, atLeast: 2 }],
  quick: [{ rows: 1000, cols: 10_000, atLeast: 2 }],
  full: [
    { rows: 1000, cols: 100_000, atLeast: 2 },
    { rows: 60_000, cols: 784, atLeast: 1.8 },
  ],
});
const GRAM = byMode({
  smoke: { rows: 20, cols: 50 },
  quick: { rows: 160, cols: 4000 },
  full: { rows: 480, cols: 10_000 },
});
const DIGITS = byMode({ smoke: 200, quick: 5000, full: 60_000 });
const PEOPLE = byMode({
  smoke: { rows: 20, cols: 200 },
  quick: { rows: 200, cols: 10_000 },
  full: { rows: 2000, cols: 1_000_000 },
});
const GENOTYPES = fileURLToPath(new URL('../child/genotypes.mjs', import.meta.url));
/** Bytes of a process that may hold PEOPLE at full size. */
const ROOM = 3e9;
const K = 10;
/** With which weights are made that rows are scored by. */
const TRAINED = 20;

function fillBytes(data: Uint8Array): void {
  const random = new Random(3);
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(random.next() * 256);
}

function bytesOf({ rows, cols }: { rows: number; cols: number }): {
  bytes: DenseMatrix<'uint8'>;
  values: Float64Array;
} {
  const bytes = DenseMatrix.allocate(rows, cols, { dtype: 'uint8' });
  fillBytes(bytes.data);
  return { bytes, values: Float64Array.from(bytes.data) };
}

function score({ rows, cols, atLeast }: Shape): { answer: Answer; timings: Timing[] } {
  const { bytes, values } = bytesOf({ rows, cols });
  const wide = DenseMatrix.from({ data: values, rows, cols });
  const few = bytes.slice(0, TRAINED);
  const model = new Perceptron<number>({ maxEpochs: 5 }).fit(
    few,
    Array.from({ length: TRAINED }, (_, i) => i % 2),
  );
  expectSame(model.decisionFunction(bytes), model.decisionFunction(wide), 'scores of uint8 and float64');
  const shape = shapeText(rows, cols);
  const timings = contestOfCalls([
    { name: `float64, ${shape}`, run: () => model.decisionFunction(wide)[0] as number },
    { name: `uint8, ${shape}`, run: () => model.decisionFunction(bytes)[0] as number },
  ]);
  for (const X of [bytes, wide, few]) X.dispose();
  const [float64, uint8] = timings as [Timing, Timing];
  const ratio = ratioOf(float64, uint8);
  return {
    answer: { what: `uint8, scoring ${shape}`, ...ratio, against: 'float64', ...whenFull({ target: { atLeast } }) },
    timings,
  };
}

async function gramOfBytes(house: House): Promise<Prepared> {
  const { rows, cols } = GRAM;
  const { bytes, values } = bytesOf(GRAM);
  const out = DenseMatrix.allocate(rows, rows);
  const expected = new Float64Array(gram(bytes, { out }).data);
  const shared = { name: 'bytes', rows, cols, arrays: { x: values } };
  await share(house, shared);
  const work = { flops: rows * (rows + 1) * cols, bytes: rows * cols, resident: rows * cols };
  const both = `${OURS}, 2 threads`;
  const theirs = (suffix: string, rival: string, atLeast: number) => {
    const player = openblas(house, shared.name, { expected, work, kernels: suffix });
    return 'measure' in player ? { ...player, rival, ...whenFull({ target: { atLeast } }) } : player;
  };
  const { players, skipped } = sorted([
    // Without its work: it multiplies integers, and the limit is that of doubles.
    { name: OURS, kind: 'ours', measure: calling(() => gram(bytes, { out }).data[1] as number) },
    {
      name: both,
      kind: 'ours',
      measure: async (calls) => {
        const times: number[] = [];
        for (let call = 0; call < calls; call++) {
          const started = performance.now();
          const G = await gramAsync(bytes, { threads: 2 });
          times.push(performance.now() - started);
          G.dispose();
        }
        return times;
      },
      note: 'a new matrix each time',
    },
    theirs('', OURS, 1.5),
    theirs(', beside two threads of ours', both, 2.5),
  ]);
  return {
    what: `Gram of uint8 ${shapeText(rows, cols)}, speed`,
    rule: 'all pairs of rows',
    players,
    skipped,
    dispose: () => {
      bytes.dispose();
      out.dispose();
    },
  };
}

async function epochOfDigits(house: House): Promise<Prepared> {
  const { X, y } = mnistBytes('train', DIGITS);
  const bytes = DenseMatrix.allocate(X.rows, X.cols, { dtype: 'uint8' });
  bytes.data.set(X.data);
  const values = Float64Array.from(X.data);
  const model = new MulticlassPerceptron<number>({ maxEpochs: 1 }).fit(bytes, y);
  const wide = DenseMatrix.from({ data: values, rows: X.rows, cols: X.cols });
  const expected = Float64Array.from([...model.weights.flatMap((row) => Array.from(row)), ...model.biases]);
  const same = new MulticlassPerceptron<number>({ maxEpochs: 1 });
  same.fit(wide, y).weights.forEach((row, k) => {
    expectSame(row, model.weights[k] as Float64Array, `weights of ${k} from uint8 and float64`);
  });
  const shared = denseRows('digits', { data: values, rows: X.rows, cols: X.cols, y: Int8Array.from(y) });
  await share(house, shared);
  const { players, skipped } = sorted([
    { name: OURS, kind: 'ours', measure: calling(() => model.fit(bytes, y).biases[0] as number), note: 'uint8' },
    {
      name: `${OURS}, float64`,
      kind: 'ours',
      measure: calling(() => same.fit(wide, y).biases[0] as number),
    },
    sklearn(house, shared.name, {
      passes: 1,
      intercept: true,
      expected,
      extra: { note: 'float64; the same weights, to the bit', ...whenFull({ target: { atLeast: 5 } }) },
    }),
  ]);
  return {
    what: `an epoch of MNIST ${shapeText(X.rows, X.cols)}, K = ${K}, from uint8`,
    rule: '1 epoch, one-vs-rest',
    players,
    skipped,
    dispose: () => {
      bytes.dispose();
      wide.dispose();
    },
  };
}

/** What a process that trains on genotypes says of itself (child/genotypes.mjs). */
interface Told {
  peakBytes: number;
  gramMs: number;
  trainMs: number;
  threads: number;
  epochs: number;
  supports: number;
}

function genotypes(): Findings {
  const { rows, cols } = PEOPLE;
  const found = (['population', 'trait'] as const).map((label) => {
    const args = [GENOTYPES, String(rows), String(cols), label];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the process that trains on genotypes failed: ${stderr}`);
    return { label, ...(JSON.parse(stdout) as Told) };
  });
  const named = (label: string) =>
    label === 'population' ? 'labels that the rows explain' : 'labels that nothing explains';
  return {
    answers: found.map(({ label, peakBytes }): Answer => {
      const ratio = peakBytes / ROOM;
      return {
        what: `memory of a process with a dual fit of genotypes, ${shapeText(rows, cols)}, ${named(label)}`,
        ...{ ratio, low: ratio, high: ratio, rounds: 1 },
        against: bytesText(ROOM),
        lowerIsBetter: true,
        ...(label === 'population' && whenFull({ target: { atMost: 1 } })),
      };
    }),
    notes: found.map(
      ({ label, peakBytes, gramMs, trainMs, threads, epochs, supports }) =>
        `genotypes, ${named(label)}: ${bytesText(peakBytes)} at the peak, the process included; Gram matrix ${(gramMs / 1000).toFixed(1)} s on ${threads} threads, ` +
        `${epochs} epochs ${(trainMs / 1000).toFixed(2)} s; ${supports} of ${rows} rows are support vectors, of which the model keeps copies`,
    ),
  };
}

tell('What do small integers bring? (memory of a dual fit)', genotypes);

tell('What do small integers bring? (scores, beside float64 storage)', (): Findings => {
  const found = SCORED.map(score);
  return { answers: found.map(({ answer }) => answer), timings: found.flatMap(({ timings }) => timings) };
});

await withFolderLater(async (folder) => {
  const native = await openNative();
  const house: House = { native, folder };
  try {
    for (const [name, prepare] of [
      ['the Gram matrix beside OpenBLAS', gramOfBytes],
      ['ten classes beside scikit-learn', epochOfDigits],
    ] as const) {
      await tellLater(`What do small integers bring? (${name})`, async () => {
        const task = await prepare(house);
        const played = await play(task, PACE);
        await task.dispose?.();
        return { tasks: [played.task], answers: played.answers };
      });
    }
  } finally {
    if (!('missing' in native)) await native.close();
  }
});
