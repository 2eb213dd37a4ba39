// From how many passes on is the dual form faster than our own primal, its Gram matrix included, and does
// chooseForm know? Both forms are fitted with several limits of passes; where their times cross is the answer.
//
// With d ≥ N any labels are separated after a few passes, so one row in twenty is there twice, with both labels:
// training goes on, and one sample in ten is a mistake, as with real wide sets (alon 62 × 2000: one in nine).

import { chooseForm, DenseMatrix, DualPerceptron, Perceptron } from 'perceptron-wasm';
import { type Generated, generate } from '../data/generate.js';
import { consume, median, spreadOf } from '../harness/measure.js';
import { expectSame, type Findings, type Target, tell } from '../harness/question.js';
import { shapeText } from '../harness/words.js';

const ROUNDS = 5;
const FIRST_EPOCHS = 5;
/** Where we stop looking for a crossing; one further away, or none, counts as one here. */
const LAST_EPOCHS = 20_000;

interface Task {
  rows: number;
  cols: number;
  target?: Target;
}

interface Point {
  epochs: number;
  primalMs: number;
  dualMs: number;
}

function crossing({ rows, cols, target }: Task): Findings {
  const set = generate({ rows, cols, seed: 9, contradictions: rows / 20 });
  const X = DenseMatrix.from(set);
  const chosen = chooseForm(X).crossover;
  check(X, set);
  const high = firstWonByDual(X, set);

  // Times grow with the passes on a straight line, so three points around the crossing are enough for each round.
  const limits = [high / 4, high / 2, high].map(Math.ceil);
  const rounds = Array.from({ length: ROUNDS }, () => limits.map((epochs) => timeBoth(X, set, epochs)));
  X.dispose();

  const crossings = rounds.map(crossingOf);
  const factors = crossings.map((epochs) => Math.max(epochs / within(chosen), within(chosen) / epochs));
  const what = `crossover of primal and dual, ${shapeText(rows, cols)}`;
  const answer = {
    what,
    ...spreadOf(factors),
    against: "chooseForm's",
  };
  return {
    answers: [target ? { ...answer, target } : answer],
    notes: [
      ...limits.map((_, i) => pointLine(rounds.map((points) => points[i] as Point))),
      `they cross at ${passes(median(crossings))} (${crossings.map((epochs) => epochs.toFixed(0)).join(', ')}); chooseForm says ${passes(chosen)}`,
    ],
  };
}

const within = (epochs: number): number => Math.min(Math.max(epochs, 1), LAST_EPOCHS);

const passes = (epochs: number): string =>
  epochs === Infinity ? 'never' : `${epochs >= 10 ? epochs.toFixed(0) : epochs.toFixed(1)} passes`;

const primal = (epochs: number) => new Perceptron<number>({ maxEpochs: epochs });
const dual = (epochs: number) => new DualPerceptron<number>({ maxEpochs: epochs });

/** Throws unless both forms end with the same weights: the values are on a grid, their sums are exact. */
function check(X: DenseMatrix, { y, rows, cols }: Generated): void {
  const [one, other] = [primal(FIRST_EPOCHS).fit(X, y), dual(FIRST_EPOCHS).fit(X, y)];
  expectSame(other.report.mistakesByEpoch, one.report.mistakesByEpoch, `mistakes of both forms, ${rows} × ${cols}`);
  expectSame(other.weights, one.weights, `weights of both forms, ${rows} × ${cols}`);
  expectSame([other.bias], [one.bias], `bias of both forms, ${rows} × ${cols}`);
}

/** Whole fits from the rows, the Gram matrix included. */
function timeBoth(X: DenseMatrix, { y }: Generated, epochs: number): Point {
  const [primalMs, dualMs] = [primal(epochs), dual(epochs)].map((model) => {
    const started = performance.now();
    const fitted = model.fit(X, y);
    // The dual form owes the weights too; ours may come when they are asked for.
    consume(fitted.bias + (fitted.weights[0] as number));
    const elapsed = performance.now() - started;
    if (fitted.report.epochs !== epochs) throw new Error(`this set was to keep both forms busy for ${epochs} passes`);
    return elapsed;
  }) as [number, number];
  return { epochs, primalMs, dualMs };
}

/** 5, 10, 20, 40 … passes: the first at which the dual form is faster; the last we try if it never is. */
function firstWonByDual(X: DenseMatrix, set: Generated): number {
  for (let epochs = FIRST_EPOCHS; epochs < LAST_EPOCHS; epochs *= 2) {
    const { primalMs, dualMs } = timeBoth(X, set, epochs);
    if (dualMs < primalMs) return epochs;
  }
  return LAST_EPOCHS;
}

/** Where the line through dual − primal (least squares) is 0. */
function crossingOf(points: readonly Point[]): number {
  const meanEpochs = points.reduce((sum, { epochs }) => sum + epochs, 0) / points.length;
  const meanLead = points.reduce((sum, { dualMs, primalMs }) => sum + dualMs - primalMs, 0) / points.length;
  let [xx, xy] = [0, 0];
  for (const { epochs, dualMs, primalMs } of points) {
    xx += (epochs - meanEpochs) ** 2;
    xy += (epochs - meanEpochs) * (dualMs - primalMs - meanLead);
  }
  // Where the dual form gains nothing by more passes they never cross.
  return xy < 0 ? within(meanEpochs - (meanLead * xx) / xy) : LAST_EPOCHS;
}

function pointLine(points: readonly Point[]): string {
  const ms = (of: 'primalMs' | 'dualMs'): string => median(points.map((point) => point[of])).toFixed(1);
  return `${passes((points[0] as Point).epochs)}: primal ${ms('primalMs')} ms, dual ${ms('dualMs')} ms`;
}

tell('From how many passes on is the dual form faster? (200 × 50,000, Gram matrix included)', () =>
  crossing({ rows: 200, cols: 50_000, target: { atMost: 1.5 } }),
);
tell('And at 500 × 2000?', () => crossing({ rows: 500, cols: 2000 }));
tell('And at 1000 × 1000?', () => crossing({ rows: 1000, cols: 1000 }));
