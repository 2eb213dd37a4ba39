// What do threads bring, and what do they cost? fitAsync and gramAsync against fit and gram, which work on the caller's thread
// alone, on the same DenseMatrix. How often a row is a mistake decides how far threads can look ahead: so a sweep of it.

import { availableParallelism } from 'node:os';
import { DenseMatrix, gram, gramAsync, MulticlassPerceptron, Perceptron, stopThreads } from 'perceptron-wasm';
import { fillUniform, fillWithMistakes, generate } from '../data/generate.js';
import { mnist } from '../data/mnist.js';
import { contestOfPromises, ratioOf } from '../harness/measure.js';
import {
  type Answer,
  asksAll,
  byMode,
  expectSame,
  type Findings,
  type Target,
  tellLater,
  whenFull,
} from '../harness/question.js';
import type { Timing, Work } from '../harness/results.js';
import { bytesText, shapeText } from '../harness/words.js';

const ALONE = 'one thread';
const ROUNDS = byMode({ smoke: 2, quick: 5, full: 5 });
const GRAM = byMode({
  smoke: { rows: 40, cols: 50 },
  quick: { rows: 640, cols: 2000 },
  full: { rows: 1920, cols: 5000 },
});
/** Two, as the targets say, and all processors where there are more. */
const THREADS = [...new Set([2, availableParallelism()])].filter((threads) => threads > 1);

type Fitted = Pick<Perceptron<number>, 'report'> & { toJSON(): unknown };

interface Fitting {
  name: string;
  fit: () => Fitted | Promise<Fitted>;
  /** Of one thread. */
  work?: Work;
}

/** Runs each once: all must end with the same model, to the bit. Tells how many threads worked. */
async function expectSameModels(fittings: readonly Fitting[]): Promise<string> {
  const used: string[] = [];
  let expected: string | undefined;
  for (const { name, fit } of fittings) {
    const model = await fit();
    const json = JSON.stringify(model.toJSON());
    expected ??= json;
    if (json !== expected) throw new Error(`${name} ends with another model than ${fittings[0]?.name}`);
    used.push(`${name}: ${model.report.threads}`);
  }
  return `threads that worked: ${used.join('; ')}`;
}

/** The contest of fits; the first is what the others are compared with. */
async function contestOfFits(fittings: readonly Fitting[], rounds: number) {
  const note = await expectSameModels(fittings);
  const contestants = fittings.map(({ fit, ...fitting }) => ({
    ...fitting,
    run: async () => (await fit()).report.mistakes,
  }));
  return { note, timings: await contestOfPromises(contestants, rounds) };
}

const answersOf = (what: string, [alone, ...others]: readonly Timing[], target?: Target): Answer[] =>
  others.map((timing, i) => ({
    what: `${what}, ${timing.name}`,
    ...ratioOf(alone as Timing, timing),
    against: ALONE,
    ...(i === 0 && target && whenFull({ target })),
  }));

// ---- the Gram matrix -------------------------------------------------------------------------------

async function gramMatrix(): Promise<Findings> {
  const { rows, cols } = GRAM;
  const X = DenseMatrix.allocate(rows, cols);
  const { data } = X;
  fillUniform(data, 7);
  for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) / 3; // rounded sums: the order of additions shows
  const out = DenseMatrix.allocate(rows, rows);
  const ways = [...THREADS, 'auto' as const, 1];
  const expected = new Float64Array(gram(X, { out }).data);
  for (const threads of ways) {
    out.data.fill(0);
    expectSame((await gramAsync(X, { out, threads })).data, expected, `Gram matrices, threads ${threads}`);
  }
  // Limits are those of one thread, so that the others have no share of them.
  const work = { flops: rows * (rows + 1) * cols, bytes: 8 * rows * cols, resident: 8 * rows * cols };
  const timings = await contestOfPromises(
    [
      { name: 'gram', work, run: () => gram(X, { out }).data[1] as number },
      ...ways.map((threads) => ({
        ...(threads === 1 && { work }),
        name: threads === 1 ? 'one, in slices' : threads === 'auto' ? "'auto'" : `${threads} threads`,
        run: async () => (await gramAsync(X, { out, threads })).data[1] as number,
      })),
    ],
    ROUNDS,
  );
  X.dispose();
  out.dispose();
  return { timings, answers: answersOf(`gramAsync ${shapeText(rows, cols)}`, timings, { atLeast: 1.8 }) };
}

// ---- passes of the primal form --------------------------------------------------------------------

interface Passes {
  rows: number;
  cols: number;
  /** Mistakes of each pass. */
  mistakes: number;
  epochs: number;
  rounds?: number;
  target?: Target;
}

async function passes({ rows, cols, mistakes, epochs, rounds = ROUNDS, target }: Passes): Promise<Findings> {
  const X = DenseMatrix.allocate(rows, cols);
  const { y, plane } = fillWithMistakes(X.data as Float64Array, { rows, cols, wrong: mistakes, seed: 11 });
  const make = () => new Perceptron<number>({ maxEpochs: epochs, initialWeights: plane });
  const work = {
    flops: 2 * cols * epochs * (rows + mistakes),
    bytes: 8 * rows * cols * epochs,
    resident: 8 * rows * cols,
  };
  const { report } = make().fit(X, y);
  if (report.mistakes !== mistakes * epochs || report.epochs !== epochs) {
    throw new Error(
      `${mistakes * epochs} mistakes in ${epochs} passes were meant: ${report.mistakes} in ${report.epochs}`,
    );
  }
  const { note, timings } = await contestOfFits(threadFits(make, X, y, work), rounds);
  X.dispose();
  const rate = Math.round(rows / mistakes).toLocaleString('en');
  const what = `${shapeText(rows, cols)} (${bytesText(8 * rows * cols)}), a mistake in ${rate} rows`;
  return {
    timings,
    answers: answersOf(what, timings, target),
    notes: [`${epochs} passes with ${mistakes} mistakes each; ${note}`],
  };
}

/** fit, fitAsync with each number of threads and with 'auto'. */
function threadFits(make: () => Perceptron<number>, X: DenseMatrix, y: Int8Array, work?: Work): Fitting[] {
  const one = work && { work };
  return [
    { name: 'fit', ...one, fit: () => make().fit(X, y) },
    ...THREADS.map((threads) => ({ name: `${threads} threads`, fit: () => make().fitAsync(X, y, { threads }) })),
    { name: "'auto'", fit: () => make().fitAsync(X, y) },
    { name: 'one, in slices', ...one, fit: () => make().fitAsync(X, y, { threads: 1 }) },
  ];
}

const FAR = { rows: 100_000, cols: 1000 };
const SHORT: Sweep = { rows: 30_000, cols: 100, apart: [10_000, 3000, 1000, 300, 100, 30], epochs: 60 };
const LONG: Sweep = { rows: 3000, cols: 1000, apart: [1000, 300, 100, 30, 5, 2], epochs: 60 };
const TINY = { rows: 120, apart: [30, 10], epochs: 4 };

interface Sweep extends Omit<Passes, 'mistakes' | 'target'> {
  /** Rows from one mistake to the next. */
  apart: readonly number[];
}

/** Several rates of mistakes; the worst of them has the target. */
async function sweep({ apart, ...task }: Sweep): Promise<Findings> {
  const found: Findings[] = [];
  for (const rows of apart) found.push(await passes({ ...task, mistakes: 2 * Math.round(task.rows / rows / 2) }));
  const helped = found.map(({ answers }) => answers[0] as Answer);
  const worst = helped.reduce((a, b) => (b.ratio < a.ratio ? b : a));
  return {
    answers: [
      ...found.flatMap(({ answers }) => answers),
      { ...worst, what: `${worst.what}: the worst rate`, ...whenFull({ target: { atLeast: 0.9 } }) },
    ],
    notes: found.flatMap(({ notes = [], timings = [] }) => [
      ...notes,
      timings.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', '),
    ]),
  };
}

const FEW = { rows: 300, cols: 100 };
const FITTED = { rows: 2000, cols: 1000 };
const CALLED = byMode({ smoke: { rows: 60, cols: 10 }, quick: FEW, full: FEW });
const LABELLED = byMode({ smoke: { rows: 200, cols: 20 }, quick: FITTED, full: FITTED });

/** Labels by chance: mistakes come as they do in life, in nearly half of the rows. */
async function byChance(): Promise<Findings> {
  const set = generate({ ...LABELLED, seed: 2, flips: 0.5 });
  const X = DenseMatrix.from(set);
  const epochs = 20;
  const make = () => new Perceptron<number>({ maxEpochs: epochs });
  const { note, timings } = await contestOfFits(threadFits(make, X, set.y), 7);
  const { mistakes } = make().fit(X, set.y).report;
  X.dispose();
  const share = ((100 * mistakes) / (set.rows * epochs)).toFixed(0);
  const what = `fit ${shapeText(set.rows, set.cols)}, labels by chance`;
  return {
    timings,
    answers: answersOf(what, timings, { atLeast: 0.9 }),
    notes: [`mistakes: ${share} % of the rows; ${note}`],
  };
}

/** As people call it: rows shuffled, and somebody told of passes. Few rows, so that a pass is short: many to an order. */
async function asCalled(): Promise<Findings> {
  const set = generate({ ...CALLED, seed: 2, flips: 0.1 });
  const X = DenseMatrix.from(set);
  const findings: Findings[] = [];
  for (const order of ['cyclic', 'shuffle'] as const) {
    const make = () => new Perceptron<number>({ maxEpochs: byMode({ smoke: 20, quick: 2000, full: 2000 }), order });
    let told = 0;
    const options = { threads: 2, onEpoch: () => void told++ };
    const { note, timings } = await contestOfFits(
      [
        { name: 'fit', fit: () => make().fit(X, set.y) },
        { name: '2 threads', fit: () => make().fitAsync(X, set.y, options) },
      ],
      ROUNDS,
    );
    if (told === 0) throw new Error('onEpoch was not told of any pass');
    const what = `fit ${shapeText(set.rows, set.cols)}, order '${order}', with onEpoch`;
    findings.push({ timings, answers: answersOf(what, timings, { atLeast: 0.9 }), notes: [note] });
  }
  X.dispose();
  return {
    answers: findings.flatMap(({ answers }) => answers),
    notes: findings.flatMap(({ notes = [], timings = [] }) => [
      ...notes,
      timings.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', '),
    ]),
  };
}

// ---- what a call costs ----------------------------------------------------------------------------

const ALLOWED_MS = 0.2;
const CALLS = byMode({ smoke: 10, quick: 100, full: 300 });

async function dispatch(): Promise<Findings> {
  const X = DenseMatrix.from([[3, 3], [4, 3], [1, 1]]); // biome-ignore format: three points
  const y = [1, 1, -1];
  const make = () => new Perceptron<number>();
  await stopThreads();
  const started = performance.now();
  await make().fitAsync(X, y, { threads: 2 });
  const firstMs = performance.now() - started;
  const fittings: Fitting[] = [
    { name: 'fit', fit: () => make().fit(X, y) },
    { name: "fitAsync, threads 'auto'", fit: () => make().fitAsync(X, y) },
    { name: 'fitAsync, 2 threads', fit: () => make().fitAsync(X, y, { threads: 2 }) },
  ];
  const note = await expectSameModels(fittings);
  const contestants = fittings.map(({ name, fit }) => ({ name, run: async () => (await fit()).report.mistakes }));
  await contestOfPromises(contestants, 2, CALLS); // until it is compiled
  const timings = await contestOfPromises(contestants, byMode({ smoke: 2, quick: 5, full: 9 }), CALLS);
  X.dispose();
  const [alone, ...others] = timings as [Timing, ...Timing[]];
  const answers = others.map((timing): Answer => {
    // Noise may make it less than nothing.
    const rounds = timing.rounds.map((ms, round) => Math.max(0, ms - (alone.rounds[round] as number)));
    const over = { ...timing, rounds };
    const allowed = { ...timing, rounds: timing.rounds.map(() => ALLOWED_MS) };
    const what = `what a call costs over fit, worked example, ${timing.name}`;
    const target = whenFull({ target: { atMost: 1 } });
    return { what, ...ratioOf(over, allowed), against: `${ALLOWED_MS} ms`, lowerIsBetter: true, ...target };
  });
  return {
    timings,
    answers,
    notes: [`the first call with 2 threads, which starts them: ${firstMs.toFixed(1)} ms`, note],
  };
}

// ---- several fits in one --------------------------------------------------------------------------

const DIGITS = byMode({ smoke: 200, quick: 20_000, full: 20_000 });

async function tenClasses(): Promise<Findings> {
  const { X: pixels, y } = mnist('train', DIGITS);
  const X = DenseMatrix.from(pixels);
  const make = () => new MulticlassPerceptron<number>({ maxEpochs: 3 });
  const { note, timings } = await contestOfFits(
    [
      { name: 'fit', fit: () => make().fit(X, y) },
      ...THREADS.map((threads) => ({ name: `${threads} threads`, fit: () => make().fitAsync(X, y, { threads }) })),
    ],
    5,
  );
  X.dispose();
  return {
    timings,
    answers: answersOf(`MNIST ${shapeText(DIGITS, pixels.cols)}, one-vs-rest, K = 10`, timings),
    notes: [note],
  };
}

const SEEDS = [0, 1, 2, 3];

async function fourSeeds(): Promise<Findings> {
  const set = generate({ ...LABELLED, seed: 2, flips: 0.1 });
  const X = DenseMatrix.from(set);
  const make = (seed: number) => new Perceptron<number>({ seed, order: 'shuffle', maxEpochs: 20 });
  const inTurn = () => SEEDS.map((seed) => make(seed).fit(X, set.y));
  const atOnce = (threads: number | 'auto') =>
    Promise.all(SEEDS.map((seed) => make(seed).fitAsync(X, set.y, { threads })));
  const json = (models: readonly Perceptron<number>[]) => JSON.stringify(models);
  const expected = json(inTurn());
  for (const threads of [1, ...THREADS, 'auto' as const]) {
    if (json(await atOnce(threads)) !== expected) throw new Error(`fits at once, threads ${threads}: other models`);
  }
  const mistakes = (models: readonly Perceptron<number>[]) =>
    models.reduce((sum, { report }) => sum + report.mistakes, 0);
  const timings = await contestOfPromises(
    [
      { name: 'one after the other', run: () => mistakes(inTurn()) },
      ...THREADS.map((threads) => ({
        name: `at once, ${threads} threads`,
        run: async () => mistakes(await atOnce(threads)),
      })),
      { name: "at once, 'auto'", run: async () => mistakes(await atOnce('auto')) },
    ],
    5,
  );
  X.dispose();
  return { timings, answers: answersOf(`${SEEDS.length} seeds, fit ${shapeText(set.rows, set.cols)}`, timings) };
}

await tellLater(`What do threads bring to the Gram matrix? (${shapeText(GRAM.rows, GRAM.cols)})`, gramMatrix);
const RARE = byMode<Omit<Passes, 'mistakes' | 'target'>[]>({
  smoke: [{ rows: 100, cols: 20, epochs: 4 }],
  quick: [{ rows: 3000, cols: 1000, epochs: 30 }],
  full: [3000, 1500].map((rows) => ({ rows, cols: 1000, epochs: 450_000 / rows, rounds: 7 })),
});
for (const size of RARE) {
  await tellLater(
    `What do threads bring to rows in the cache, when mistakes are rare? (${shapeText(size.rows, size.cols)})`,
    () => passes({ ...size, mistakes: 2, target: { atLeast: 1.6 } }),
  );
}
await tellLater('What does a small fit pay? (the worked example, 3 × 2)', dispatch);
if (asksAll()) await askTheRest();

async function askTheRest(): Promise<void> {
  const large = byMode({ smoke: { rows: 200, cols: 30 }, quick: FAR, full: FAR });
  await tellLater(`And to rows in memory? (${bytesText(8 * large.rows * large.cols)})`, () =>
    passes({ ...large, mistakes: 6, epochs: 6, target: { atLeast: 1.2 } }),
  );
  await tellLater('How rare must mistakes be? (24 MB of short rows)', () =>
    sweep(byMode({ smoke: { ...TINY, cols: 10 }, quick: SHORT, full: SHORT })),
  );
  await tellLater('And with longer rows? (24 MB)', () =>
    sweep(byMode({ smoke: { ...TINY, cols: 40 }, quick: LONG, full: LONG })),
  );
  await tellLater('Do threads cost where mistakes are dense?', byChance);
  await tellLater('Do short passes cost, shuffled and told of?', asCalled);
  await tellLater(`Are classes trained at the same time? (MNIST, ${shapeText(DIGITS, 784)}, three passes)`, tenClasses);
  await tellLater(
    `Are fits trained at the same time? (four seeds, ${shapeText(LABELLED.rows, LABELLED.cols)}, 20 passes, one label in ten wrong)`,
    fourSeeds,
  );
}
