// From how many passes on is the dual form faster than our own primal, its Gram matrix included, and does chooseForm
// know? Whole fits of both forms, from rows that are there already, over a grid of N, d and passes; and of rows with
// several margins, which decide how many passes it takes until both stop by themselves.
//
// With d ≥ N any labels are separated after a few passes, so for the grid one row in twenty is there twice, with both
// labels: training goes on, and one sample in ten is a mistake, as with real wide sets (alon 62 × 2000: one in nine).

import { chooseForm, DenseMatrix, DualPerceptron, Perceptron } from 'perceptron-wasm';
import { type Generated, generate } from '../data/generate.js';
import { backwards, crossingOf, factorBetween } from '../harness/crossing.js';
import { consume, contestUntil, median, quantile, spreadOf } from '../harness/measure.js';
import {
  type Answer,
  asksAll,
  byMode,
  expectSame,
  type Findings,
  isFull,
  type Target,
  tell,
} from '../harness/question.js';
import type { Cell, Timing, Work } from '../harness/results.js';
import { timed, turnOf } from '../harness/turns.js';
import { grouped, shapeText } from '../harness/words.js';

const ROUNDS = byMode({ smoke: 3, quick: 5, full: 5 });
/** So many at most, where the times of one shape contradict each other. */
const MOST_ROUNDS = byMode({ smoke: 6, quick: 10, full: 20 });
/** No more of that after so many milliseconds: on a busy machine nothing ever settles, and somebody is waiting. */
const PATIENCE = byMode({ smoke: 1000, quick: 8000, full: 240_000 });
/** The middle round takes this many times one that was left alone: then the others were not. */
const APART = 1.25;
/** Milliseconds of a turn, at least: a short fit is repeated. */
const TURN = byMode({ smoke: 0.3, quick: 2, full: 10 });
const CHECKED_EPOCHS = 5;
/** Where separable rows must have been separated. */
const ENOUGH = 100_000;

const primal = (epochs: number) => new Perceptron<number>({ maxEpochs: epochs });
const dual = (epochs: number) => new DualPerceptron<number>({ maxEpochs: epochs });

/** Throws unless both forms end with the same weights: the values are on a grid, their sums are exact. */
function check(X: DenseMatrix, { y, rows, cols }: Generated, epochs: number): void {
  const [one, other] = [primal(epochs).fit(X, y), dual(epochs).fit(X, y)];
  expectSame(other.report.mistakesByEpoch, one.report.mistakesByEpoch, `mistakes of both forms, ${rows} × ${cols}`);
  expectSame(other.weights, one.weights, `weights of both forms, ${rows} × ${cols}`);
  expectSame([other.bias], [one.bias], `bias of both forms, ${rows} × ${cols}`);
}

/** Fits until what is JavaScript in them is compiled well. The first hundreds take up to eight times as long, and the
 *  smallest shapes, which come first, are hardly anything else. */
const WARM = byMode({ smoke: 20, quick: 500, full: 1000 });

function warmUp(): void {
  const set = generate({ rows: 20, cols: 10, seed: 9, contradictions: 1 });
  const X = DenseMatrix.from(set);
  for (const model of [primal(CHECKED_EPOCHS), dual(CHECKED_EPOCHS)]) {
    for (let i = 0; i < WARM; i++) consume(weigh(model.fit(X, set.y)));
  }
  X.dispose();
}

/** The dual form owes the weights too; ours may come when they are asked for. */
const weigh = ({ bias, weights }: { bias: number; weights: Float64Array }): number => bias + (weights[0] as number);

// ---- both forms, with several limits of passes ----

interface Fitted {
  epochs: number;
  mistakes: number;
  primal: Timing;
  dual: Timing;
}

/** Fits with each limit, all taking turns. Both forms must have made the same passes and mistakes. */
function fitBoth(X: DenseMatrix, set: Generated, limits: readonly number[]): Fitted[] {
  const pairs = limits.map((limit) => [primal(limit), dual(limit)] as const);
  const contestants = pairs.flatMap(([one, other], i) =>
    [one, other].map((model) => ({
      name: `${model === one ? 'primal' : 'dual'} fit ${shapeText(set.rows, set.cols)}, ${passes(limits[i] as number)}`,
      measure: turnOf(
        TURN,
        timed(() => weigh(model.fit(X, set.y))),
      ),
    })),
  );
  const timings = contestUntil(contestants, {
    rounds: ROUNDS,
    most: MOST_ROUNDS,
    isSettled: (times) => performance.now() > PATIENCE || (times.every(agrees) && isMonotone(times, limits)),
  });
  return pairs.map(([one, other], i) => {
    const { epochs, mistakes } = one.report;
    expectSame([other.report.epochs, other.report.mistakes], [epochs, mistakes], `passes and mistakes of both forms`);
    const work = workOf(set, epochs, mistakes);
    const [primalTiming, dualTiming] = [timings[2 * i] as Timing, timings[2 * i + 1] as Timing];
    return {
      epochs,
      mistakes,
      primal: { ...primalTiming, work: work.primal },
      dual: { ...dualTiming, work: work.dual },
    };
  });
}

const agrees = ({ rounds, ms }: Timing): boolean => quantile(rounds, 0.5) <= APART * ms;

/** Whether more passes took longer, in both forms; times in pairs, primal and dual, one for each limit. */
const isMonotone = (times: readonly Timing[], limits: readonly number[]): boolean =>
  [0, 1].every(
    (form) => backwards(limits.map((epochs, i) => ({ epochs, ms: (times[2 * i + form] as Timing).ms }))).length === 0,
  );

/** The rows in each pass and at each mistake; or once for the Gram matrix, and one of its rows at each mistake. */
function workOf({ rows, cols }: Generated, epochs: number, mistakes: number): { primal: Work; dual: Work } {
  const values = rows * cols;
  return {
    primal: { flops: 2 * epochs * values + 2 * mistakes * cols, bytes: 8 * epochs * values, resident: 8 * values },
    dual: {
      flops: (rows + 1) * values + mistakes * rows,
      bytes: 8 * values + 8 * mistakes * rows,
      resident: 8 * Math.max(values, rows * rows),
    },
  };
}

const passes = (epochs: number): string =>
  epochs === 1 ? '1 pass' : `${epochs < 10 ? Number(epochs.toFixed(1)) : grouped(Math.round(epochs))} passes`;

// ---- where they cross ----

interface Shape {
  rows: number;
  cols: number;
}

interface Group extends Shape {
  fitted: Fitted[];
  /** By chooseForm. */
  chosen: number;
  /** In passes; 0: before the first limit, Infinity: after the last. */
  crossing: number;
}

/** `limits` of the passes, which chooseForm's crossing may decide. */
function measureGroup({ rows, cols }: Shape, limits: (chosen: number) => number[]): Group {
  const set = generate({ rows, cols, seed: 9, contradictions: Math.ceil(rows / 20) });
  const X = DenseMatrix.from(set);
  check(X, set, CHECKED_EPOCHS);
  const chosen = chooseForm(X).crossover;
  const wanted = limits(chosen);
  const fitted = fitBoth(X, set, wanted);
  X.dispose();
  expectSame(
    fitted.map(({ epochs }) => epochs),
    wanted,
    'passes that contradictory rows were to keep both forms busy for',
  );
  return { rows, cols, fitted, chosen, crossing: crossingOf(fitted.map((f) => pointOf(f, (timing) => timing.ms))) };
}

const pointOf = ({ epochs, primal, dual }: Fitted, ms: (timing: Timing) => number) => ({
  epochs,
  primalMs: ms(primal),
  dualMs: ms(dual),
});

/** How far chooseForm is off, round by round; a crossing beyond the passes we tried, its own too, counts as one at their end. */
function answerOf({ rows, cols, fitted, chosen }: Group, target?: Target): Answer {
  const [first, last] = [fitted[0]?.epochs ?? 1, fitted.at(-1)?.epochs ?? 1];
  const within = (epochs: number): number => Math.min(Math.max(epochs, first), last);
  const factors = (fitted[0] as Fitted).primal.rounds.map((_, round) => {
    const crossing = crossingOf(fitted.map((f) => pointOf(f, ({ rounds }) => rounds[round] as number)));
    return factorBetween(within(crossing), within(chosen));
  });
  return {
    what: `chooseForm's crossover, ${shapeText(rows, cols)}`,
    ...spreadOf(factors),
    against: 'off',
    lowerIsBetter: true,
    ...(target && { target }),
  };
}

const isInside = ({ crossing }: Group): boolean => crossing > 0 && crossing < Infinity;

/** 0.21·N. */
const inRows = (epochs: number, rows: number): string => `${Number((epochs / rows).toPrecision(2))}·N`;

function groupLine({ rows, cols, fitted, chosen, crossing }: Group): string {
  const [first, last] = [fitted[0]?.epochs ?? 1, fitted.at(-1)?.epochs ?? 1];
  const measured =
    crossing === 0
      ? `from the start, ${passes(first)}`
      : crossing === Infinity
        ? `not within ${passes(last)}, ${inRows(last, rows)}`
        : `from ${inRows(crossing, rows)} passes on (${passes(crossing)})`;
  const said = chosen === Infinity ? 'never' : `${inRows(chosen, rows)} (${passes(chosen)})`;
  return `${shapeText(rows, cols)}: the dual form is faster ${measured}; chooseForm says ${said}`;
}

// ---- the grid ----

const ROWS = byMode({ smoke: [20], quick: [48, 160], full: [48, 200, 800] });
/** d / N. */
const WIDTHS = byMode({ smoke: [1, 4], quick: [1 / 4, 1, 4, 16, 64], full: [1 / 4, 1, 4, 16, 64] });
/** Passes / N. */
const LENGTHS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, ...(isFull() ? [4] : [])];
/** Values of X, and values that a primal fit reads: more would take too long. */
const MOST_VALUES = 1.1e7;
const MOST_READ = byMode({ smoke: 1e6, quick: 6e8, full: 2.5e9 });

function gridShapes(): Shape[] {
  const shapes = ROWS.flatMap((rows) => WIDTHS.map((width) => ({ rows, cols: Math.round(rows * width) })));
  return shapes.filter(({ rows, cols }) => rows * cols <= MOST_VALUES);
}

function gridLimits({ rows, cols }: Shape): number[] {
  const limits = LENGTHS.map((length) => Math.max(1, Math.round(rows * length)));
  return [...new Set(limits)].filter((epochs) => epochs * rows * cols <= MOST_READ);
}

function grid(): Findings {
  const groups = gridShapes().map((shape) => measureGroup(shape, () => gridLimits(shape)));
  const inside = groups.filter(isInside);
  const multiples = inside.map(({ crossing, rows }) => crossing / rows);
  return {
    answers: inside.map((group) => answerOf(group)),
    cells: groups.flatMap(({ rows, cols, chosen, fitted }) =>
      fitted.map((f): Cell => ({ rows, cols, data: 'endless', ...f, chosen: orNull(chosen) })),
    ),
    notes: [summary(groups.length, multiples), ...groups.map(groupLine)],
  };
}

const orNull = (crossover: number): number | null => (crossover === Infinity ? null : crossover);

function summary(shapes: number, multiples: readonly number[]): string {
  if (multiples.length === 0) return `in none of ${shapes} shapes do they cross within the passes tried`;
  const [low, high] = [Math.min(...multiples), Math.max(...multiples)];
  return `the dual form overtakes the primal after about ${inRows(median(multiples), 1)} passes (from ${inRows(low, 1)} to ${inRows(high, 1)}, in ${multiples.length} of ${shapes} shapes)`;
}

// ---- margins ----

/** Far from the origin, so that a narrow margin takes many passes. */
const OFFSET = 10;
const MARGINS = byMode({ smoke: [4, 2, 1], quick: [8, 4, 1], full: [8, 4, 1] });
/** With as many rows as the grid has, so that they can be seen beside it. */
const narrow: readonly Shape[] = [
  { rows: 48, cols: 192 },
  { rows: byMode({ smoke: 20, quick: 160, full: 200 }), cols: 800 },
];
const SEPARABLE: readonly Shape[] = byMode({
  smoke: [{ rows: 20, cols: 40 }],
  quick: narrow,
  full: [...narrow, { rows: 200, cols: 3200 }, { rows: 800, cols: 3200 }],
});

function separableCell({ rows, cols }: Shape, margin: number): Cell {
  const set = generate({ rows, cols, seed: 9, margin, offset: OFFSET });
  const X = DenseMatrix.from(set);
  check(X, set, ENOUGH);
  const chosen = orNull(chooseForm(X).crossover);
  const [fitted] = fitBoth(X, set, [ENOUGH]) as [Fitted];
  X.dispose();
  if (fitted.epochs === ENOUGH) throw new Error(`${shapeText(rows, cols)} with margin ${margin} was to be separable`);
  const named = (timing: Timing, form: string): Timing => ({
    ...timing,
    name: `${form} fit ${shapeText(rows, cols)}, margin ${margin}`,
  });
  const timings = { primal: named(fitted.primal, 'primal'), dual: named(fitted.dual, 'dual') };
  return { rows, cols, data: 'separable', margin, ...fitted, ...timings, chosen };
}

function cellLine({ rows, cols, margin, epochs, primal, dual, chosen }: Cell): string {
  const ratio = primal.ms / dual.ms;
  const winner = ratio > 1 ? `the dual form is ${ratio.toFixed(1)}x` : `the primal is ${(1 / ratio).toFixed(1)}x`;
  const right = epochs >= (chosen ?? Infinity) === ratio > 1;
  return `${shapeText(rows, cols)}, margin ${margin}: separated after ${passes(epochs)}; ${winner} as fast, chooseForm takes ${right ? 'it' : 'the other'}`;
}

function separable(): Findings {
  const cells = SEPARABLE.flatMap((shape) => MARGINS.map((margin) => separableCell(shape, margin)));
  return { answers: [], cells, notes: cells.map(cellLine) };
}

// ---- single shapes ----

/** Limits around chooseForm's crossing; a crossing further away counts as one there. */
const around = (chosen: number): number[] => [
  ...new Set([1 / 3, 2 / 3, 4 / 3, 8 / 3].map((times) => Math.max(1, Math.round(times * chosen)))),
];

function single(shape: Shape, target?: Target): Findings {
  const group = measureGroup(shape, around);
  return {
    answers: [answerOf(group, target)],
    timings: group.fitted.flatMap(({ primal, dual }) => [primal, dual]),
    notes: [groupLine(group)],
  };
}

warmUp();
tell('From how many passes on is the dual form faster? (N, d and passes on a grid, Gram matrix included)', grid);
tell('And where rows can be separated, with wide margins and narrow ones?', separable);
if (asksAll()) {
  const shapes: [Shape, Target?][] = byMode<[Shape, Target?][]>({
    smoke: [[{ rows: 20, cols: 400 }]],
    quick: [],
    full: [[{ rows: 200, cols: 50_000 }, { atMost: 1.5 }], [{ rows: 500, cols: 2000 }], [{ rows: 1000, cols: 1000 }]],
  });
  for (const [shape, target] of shapes) {
    tell(`And at ${shapeText(shape.rows, shape.cols)}?`, () => single(shape, target));
  }
}
