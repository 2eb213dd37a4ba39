// How fast is the Gram matrix X·Xᵀ? Against idiomatic JS and from shape to shape; against OpenBLAS: peers.ts.
// Flops are N(N+1)d: one multiplication and one addition for each number of each pair, a pair counted once.

import { DenseMatrix, gram } from 'perceptron-wasm';
import { gramMatrix } from '../baseline/gram.js';
import { fillUniform } from '../data/generate.js';
import { type Contestant, consume, contestInRounds, contestOfCalls, ratioOf } from '../harness/measure.js';
import {
  type Answer,
  answersOf,
  availableEngines,
  BASELINE,
  byMode,
  expectSame,
  type Findings,
  tell,
  whenFull,
} from '../harness/question.js';
import { BEST_SIZE, type Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const FRESH = 'a new matrix each time';
const { rows, cols } = byMode({
  smoke: { rows: 20, cols: 50 },
  quick: { rows: 160, cols: 4000 },
  full: { rows: 480, cols: 10_000 },
});
const ROUNDS = byMode({ smoke: 2, quick: 5, full: 5 });

interface Shape {
  rows: number;
  cols: number;
  dtype?: DenseMatrix['dtype'];
  /** Of the best shape's speed. */
  atLeast?: number;
}

const SHAPES: readonly Shape[] = byMode<Shape[]>({
  smoke: [
    { rows, cols },
    { rows: 21, cols: 49 },
  ],
  quick: [
    { rows, cols },
    { rows: 161, cols: 3999 },
    { rows: 320, cols: 4096 },
    { rows: 40, cols: 7128 },
    { rows, cols, dtype: 'float32' },
  ],
  full: [
    { rows, cols },
    { rows: 481, cols: 9999, atLeast: 0.85 }, // nothing divides by the size of a tile
    { rows: 479, cols: 10_007, atLeast: 0.85 },
    { rows: 480, cols: 8192 }, // rows a power of two apart: they fall on the same lines of the cache
    { rows: 1920, cols: 5000, atLeast: 0.85 },
    { rows: 200, cols: 50_000 },
    { rows: 40, cols: 7128 },
    { rows, cols, dtype: 'float32' },
  ],
});

/** Rows with numbers that no power of two divides: sums of their products are rounded, so the order of additions shows. */
function makeRows({ rows, cols, dtype = 'float64' }: Shape): DenseMatrix {
  const X = DenseMatrix.allocate(rows, cols, { dtype });
  const { data } = X;
  fillUniform(data, 7);
  for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) / 3;
  return X;
}

/** Each row is read once at least; what is read again and again is a tile of them, which the first cache holds. */
const workOf = (shape: Shape) => ({
  flops: 1e9 * gigaflops(shape),
  bytes: (shape.dtype === 'float32' ? 4 : 8) * shape.rows * shape.cols,
  resident: (shape.dtype === 'float32' ? 4 : 8) * shape.rows * shape.cols,
});

const gigaflops = ({ rows, cols }: Shape): number => (rows * (rows + 1) * cols) / 1e9;

/** Throws unless the n × n numbers agree to 1e-12 of ‖x_i‖·‖x_j‖: the orders of addition differ. */
function expectClose(G: ArrayLike<number>, expected: Float64Array, n: number, what: string): void {
  if (G.length !== n * n) throw new Error(`${what}: ${G.length} numbers instead of ${n} × ${n}`);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [one, other] = [G[i * n + j] as number, expected[i * n + j] as number];
      const norms = Math.sqrt((expected[i * n + i] as number) * (expected[j * n + j] as number));
      if (!(Math.abs(one - other) <= 1e-12 * norms))
        throw new Error(`${what} differ at ${i}, ${j}: ${one} against ${other}`);
    }
  }
}

function againstBaseline(): Findings {
  const X = makeRows({ rows, cols });
  const plain = new Float64Array(X.data);
  const out = DenseMatrix.allocate(rows, rows);
  const engines = availableEngines();
  const expected = gramMatrix(plain, rows, cols);
  let first: Float64Array | undefined;
  for (const engine of engines) {
    const { data } = gram(X, { engine, out });
    expectClose(data, expected, rows, `Gram matrices of ${engine} and ${BASELINE}`);
    first ??= new Float64Array(data);
    expectSame(data, first, `Gram matrices of ${engine} and ${engines[0]}`);
  }

  const fresh = (): number => {
    const G = gram(X);
    const value = G.data[1] as number;
    G.dispose();
    return value;
  };
  const contestants: Contestant[] = [
    { name: BASELINE, run: () => gramMatrix(plain, rows, cols)[1] as number },
    ...engines.map((engine) => ({ name: engine, run: () => gram(X, { engine, out }).data[1] as number })),
    { name: FRESH, run: fresh },
  ];
  const timings = contestOfCalls(
    contestants.map((contestant) => ({ ...contestant, work: workOf({ rows, cols }) })),
    ROUNDS,
  );
  X.dispose();
  out.dispose();

  const what = `Gram matrix ${shapeText(rows, cols)}`;
  const baselineMs = (timings[0] as Timing).ms;
  return {
    answers: answersOf({ what, timings, target: { atLeast: 12 } }),
    timings,
    notes: [
      `${BASELINE}: ${(gigaflops({ rows, cols }) / (baselineMs / 1000)).toFixed(2)} GFLOP/s`,
      'the engines write into one `out`; the baseline makes an array each time, 1.8 MB, which is nothing beside its sums',
    ],
  };
}

interface Task extends Shape {
  name: string;
  X: DenseMatrix;
  out: DenseMatrix;
}

function makeTask(shape: Shape): Task {
  const X = makeRows(shape);
  const out = DenseMatrix.allocate(shape.rows, shape.rows);
  const name = `${shapeText(shape.rows, shape.cols)}${shape.dtype ? `, ${shape.dtype}` : ''}`;
  return { ...shape, name, X, out };
}

/** Compares some rows, the first and the last among them (the edges of tiles), with the baseline: all would take it a minute. */
function checkTask({ name, rows, cols, X, out }: Task): void {
  const G = gram(X, { out }).data;
  const some = [0, 1, 2, 3, rows >> 2, rows >> 1, rows - 5, rows - 4, rows - 3, rows - 2, rows - 1];
  const n = some.length;
  const data = new Float64Array(n * cols);
  some.forEach((row, i) => {
    data.set(X.row(row), i * cols);
  });
  const entries = some.flatMap((i) => some.map((j) => G[i * rows + j] as number));
  expectClose(entries, gramMatrix(data, n, cols), n, `Gram matrices ${name}`);
}

function bySize(): Findings {
  const tasks = SHAPES.map(makeTask);
  tasks.forEach(checkTask); // and warm them up
  const timings = contestInRounds(
    tasks.map((task) => ({ name: task.name, work: workOf(task), measure: () => timeTask(task) })),
    ROUNDS,
  );
  for (const { X, out } of tasks) {
    X.dispose();
    out.dispose();
  }

  // Milliseconds a gigaflop, so that ratios of times are ratios of speeds.
  const perGigaflop = timings.map((timing, i): Timing => {
    const scale = 1 / gigaflops(tasks[i] as Task);
    return { ...timing, ms: timing.ms * scale, rounds: timing.rounds.map((ms) => ms * scale) };
  });
  const best = perGigaflop
    .filter(
      (_, i) =>
        (tasks[i] as Task).rows >= byMode({ smoke: 20, quick: 160, full: 200 }) &&
        (tasks[i] as Task).dtype === undefined,
    )
    .reduce((a, b) => (b.ms < a.ms ? b : a));
  const answers = perGigaflop.map((timing, i): Answer => {
    const { atLeast } = tasks[i] as Task;
    const answer = { what: `Gram ${timing.name}, speed`, ...ratioOf(best, timing), against: BEST_SIZE };
    return atLeast === undefined ? answer : { ...answer, ...whenFull({ target: { atLeast } }) };
  });
  const speeds = perGigaflop.map(({ name, ms }) => `${name}: ${(1000 / ms).toFixed(1)} GFLOP/s`);
  return {
    answers,
    timings,
    notes: [...speeds, `the best size: ${best.name} (of those in float64 with 200 rows or more)`],
  };
}

/** Milliseconds a call; of several calls where one is short. */
function timeTask(task: Task): number {
  const calls = Math.ceil(byMode({ smoke: 0.0001, quick: 0.1, full: 0.5 }) / gigaflops(task));
  const started = performance.now();
  for (let call = 0; call < calls; call++) consume(gram(task.X, { out: task.out }).data[1] as number);
  return (performance.now() - started) / calls;
}

tell(`How fast is the Gram matrix? (${shapeText(rows, cols)})`, againstBaseline);
tell('Is it as fast at other sizes?', bySize);
