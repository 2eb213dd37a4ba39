// A model of several classes: a score for each class, the class of the largest score, and the diagnosis.

import type { ArenaRows } from '../data/arenarows.js';
import type { BoundEngine } from '../engine/contract.js';
import { type KernelChoice, type KernelFunction, kernelFor } from '../gram/kernel.js';
import { get } from '../own.js';
import { lengthOf, radiusOf, scoreError } from './bracket.js';
import { around, conclude, type Diagnosis, type Measured, movedBy, type Proof } from './diagnosis.js';
import { type Expansion, kernelScores, planeOf } from './dual.js';
import { type KernelPlane, kernelPlanes, kernelRadius } from './kernelbounds.js';
import { scoresOf } from './linear.js';
import type { ScoreTable } from './model.js';
import {
  type Dual,
  type MultiDual,
  type MultiState,
  meanOf,
  type Plane,
  type RunState,
  type SupportRows,
} from './state.js';

/** What predicts: a plane for each class, or for each class the coefficients of shared support vectors. */
export type Predictor =
  | { readonly planes: readonly Plane[]; readonly rows: undefined; readonly kernel: undefined }
  | {
      readonly rows: SupportRows;
      readonly kernel: KernelFunction;
      readonly expansions: readonly Expansion[];
      /** Only if the kernel is linear. */
      readonly planes: readonly Plane[] | undefined;
    };

const linear = (planes: readonly Plane[]): Predictor => ({ planes, rows: undefined, kernel: undefined });

/** The predictor of a state: the mean of the weights if averaging is on and `last` is false, else the last weights. */
export function predictorOf(state: MultiState, choice: KernelChoice | undefined, last: boolean): Predictor {
  if (state.kind === 'planes') return linear(state.runs.map((run) => (last ? run.last : run.plane)));
  if (state.kind === 'multinomial planes') {
    return linear(state.runs[0].planes.map((p) => (last ? p.last : p.plane)));
  }
  const rows = state.kind === 'supports' ? state.rows : state.runs[0].supports;
  const expansions =
    state.kind === 'supports'
      ? state.runs.map((run) => spreadOf(run, state.rows, last))
      : expansionsOf(state.runs[0], last);
  const kernel = kernelFor(choice as KernelChoice, state.cols);
  const isLinear = choice?.type === 'linear';
  const planes = isLinear ? expansions.map((e) => planeOf(e, rows, state.cols)) : undefined;
  return { rows, kernel, expansions, planes };
}

/** The coefficients of one class for the support vectors of all classes. */
function spreadOf(
  { supports, bias, biasSum, seen }: RunState & Dual,
  { indices }: SupportRows,
  last: boolean,
): Expansion {
  const coefficients = new Float64Array(indices.length);
  const { alphas, signs, sums } = supports;
  const places = placesOf(supports.indices, indices);
  places.forEach((place, s) => {
    const alpha = alphas[s] as number;
    const value = sums && !last ? meanOf(alpha, sums[s] as number, seen) : alpha;
    coefficients[place] = value * (signs[s] as number);
  });
  return { coefficients, bias: sums && !last ? meanOf(bias, biasSum, seen) : bias };
}

/** The positions of ascending `indices` in ascending `all`. */
export function placesOf(indices: Uint32Array, all: Uint32Array): Uint32Array {
  let place = 0;
  return indices.map((index) => {
    while ((all[place] as number) < index) place++;
    return place;
  });
}

function expansionsOf({ supports, biases, biasSums, seen }: RunState & MultiDual, last: boolean): Expansion[] {
  const { betas, sums } = supports;
  return betas.map((list, k) => {
    const bias = biases[k] as number;
    const sum = sums?.[k];
    if (!sum || last) return { coefficients: list, bias };
    return {
      coefficients: list.map((beta, s) => meanOf(beta, sum[s] as number, seen)),
      bias: meanOf(bias, biasSums[k] as number, seen),
    };
  });
}

/** The scores of each row for each class. @throws RangeError naming the first value or row that is not finite */
export function tableOf(predictor: Predictor, rows: ArenaRows, engine: BoundEngine): ScoreTable {
  const { planes } = predictor;
  const columns = planes
    ? planes.map((plane) => scoresOf(plane, rows, engine))
    : predictor.rows
      ? kernelScores(predictor.expansions, predictor.rows, predictor.kernel, rows, engine)
      : [];
  const cols = columns.length;
  const data = new Float64Array(rows.rows * cols);
  columns.forEach((scores, k) => {
    for (let i = 0; i < scores.length; i++) data[i * cols + k] = scores[i] as number;
  });
  return { data, rows: rows.rows, cols };
}

/** The class with the largest score in row i; the first one among equals. */
export function bestOf({ data, cols }: ScoreTable, i: number): number {
  let best = 0;
  for (let k = 1; k < cols; k++) if ((data[i * cols + k] as number) > (data[i * cols + best] as number)) best = k;
  return best;
}

/** s_y minus the best other score, for each row. */
export function marginsOf({ data, rows, cols }: ScoreTable, codes: Uint32Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    const own = codes[i] as number;
    let best = -Infinity;
    for (let k = 0; k < cols; k++) if (k !== own) best = Math.max(best, data[i * cols + k] as number);
    return (data[i * cols + own] as number) - best;
  });
}

/** How many rows are predicted wrongly. */
export function errorsOf(table: ScoreTable, codes: Uint32Array): number {
  let errors = 0;
  for (let i = 0; i < table.rows; i++) if (bestOf(table, i) !== codes[i]) errors++;
  return errors;
}

/** Whether every class is separable from the rest; nothing if no proof was asked for. */
function separableOf(byClass: readonly Diagnosis[]): Pick<Diagnosis, 'separable'> {
  const answers = byClass.flatMap((each) => get(each, 'separable') ?? []);
  if (answers.length === 0) return {};
  return { separable: answers.includes('no') ? 'no' : answers.includes('unknown') ? 'unknown' : 'yes' };
}

/** Combines the diagnoses of the classes: bounds of the smallest of their best margins, and the mistakes of all. */
export function combined(byClass: readonly Diagnosis[], errors: number): Diagnosis {
  const [first] = byClass as readonly [Diagnosis];
  const sum = (of: (d: Diagnosis) => number) => byClass.reduce((total, d) => total + of(d), 0);
  const least = (of: (d: Diagnosis) => number) => Math.min(...byClass.map(of));
  return {
    samples: first.samples,
    errors,
    accuracy: (first.samples - errors) / first.samples,
    loss: sum((d) => d.loss),
    distance: sum((d) => d.distance),
    radius: first.radius,
    margin: { lower: least((d) => d.margin.lower), upper: least((d) => d.margin.upper) },
    mistakeBound: byClass.some((d) => d.mistakeBound === null) ? null : sum((d) => d.mistakeBound as number),
    mistakes: sum((d) => d.mistakes),
    ...separableOf(byClass),
  };
}

/**
 * The diagnosis of the multinomial update: Novikoff's theorem for the vector with x̃ at its own class and −x̃ at another, of
 * length √2·‖x̃‖, against the weights of all classes as one vector.
 */
export function multinomialDiagnosis(
  proof: Proof,
  predictor: Predictor,
  last: Predictor,
  rows: ArenaRows,
  codes: Uint32Array,
  engine: BoundEngine,
): Diagnosis {
  const { scaling } = proof;
  const table = tableOf(predictor, rows, engine);
  const { radius, mostRadius } = radiiOf(predictor, rows, scaling, engine);
  const [own, moved] = sizesOf([predictor, last], scaling, mostRadius, rows, engine) as [KernelPlane, KernelPlane];
  const measured: Measured = {
    scores: marginsOf(table, codes),
    error: own.error,
    length: own.length,
    plain: own.plain,
    ...movedBy(moved.length[1], rows.cols, proof, mostRadius, 0),
    start: 0,
    radius,
    mostRadius,
  };
  const diagnosis = conclude(proof, measured, new Int8Array(rows.rows).fill(1));
  const errors = errorsOf(table, codes);
  const known = { ...diagnosis, errors, accuracy: (rows.rows - errors) / rows.rows };
  // With a negative coef0 nothing is proven, as for two classes.
  if (predictor.rows && predictor.kernel.coef0 < 0) {
    return { ...known, margin: { lower: -diagnosis.radius, upper: Infinity }, mistakeBound: null };
  }
  return known;
}

/** The size of the weights of all classes, of each predictor; both have the same support vectors. */
function sizesOf(
  predictors: readonly Predictor[],
  scaling: number,
  radius: number,
  rows: ArenaRows,
  engine: BoundEngine,
): KernelPlane[] {
  const [{ rows: supports, kernel }] = predictors as [Predictor & { kernel: KernelFunction }];
  const planes = predictors.flatMap((each) => each.planes ?? []);
  if (planes.length === 0 && supports) {
    const groups = predictors.map((each) => (each as { expansions: readonly Expansion[] }).expansions);
    return kernelPlanes(groups, supports.data, kernel, scaling, rows, engine);
  }
  return predictors.map(({ planes = [] }) => {
    const length = around(lengthOf(planes, scaling), rows.cols + planes.length);
    return { plain: lengthOf(planes, 0), length, error: scoreError(length[1], radius, rows.cols) };
  });
}

/** √2·R: that of the vector with x̃ at its own class and −x̃ at another. */
function radiiOf(predictor: Predictor, rows: ArenaRows, scaling: number, engine: BoundEngine) {
  if (predictor.rows) return kernelRadius(rows, predictor.kernel, scaling, engine, 2);
  const radius = radiusOf(rows, scaling, engine, 2);
  return { radius, mostRadius: around(radius, rows.cols)[1] };
}
