// Who trains a model of many classes: a learner for each class against the rest, or one for all.

import { done, type Pace, type Sliced } from '../async/sliced.js';
import type { ArenaRows } from '../data/arenarows.js';
import { joinKept, keepRows, NO_ROWS, partOfKept, takeKept } from '../data/kept.js';
import { type Label, signsFor } from '../data/labels.js';
import { Random } from '../data/random.js';
import { isSparse, type Rows, shapeOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { placesOf } from '../model/multi.js';
import type {
  Dual,
  Linear,
  ModelState,
  MultiDual,
  MultiLinear,
  MultiState,
  RunState,
  SupportRows,
  Supports,
} from '../model/state.js';
import { DualLearner } from './dual.js';
import { isLatestBlock } from './earlier.js';
import type { Crew, Task } from './fit.js';
import { crewWith, Gram, type GramPlan, planGram } from './gramrows.js';
import { type EarlierSupports, KernelLockstep } from './kernelblocks.js';
import type { Learner } from './learner.js';
import { type Joined, RowLockstep } from './lockstep.js';
import { MultinomialPrimal } from './multinomial.js';
import { MultinomialDual } from './multinomialdual.js';
import { PrimalLearner } from './primal.js';
import type { Member } from './run.js';
import { classWeights, type MulticlassSettings, whyNotBlocks } from './settings.js';

/** What any learner of many classes learns. */
export type AnyLearned = Linear | Dual | MultiLinear | MultiDual;

type AnyCrew<L extends Label> = Crew<MultiState<L>, AnyLearned>;

/** The crew for these settings. What cannot be had is said before anything is allocated. */
export function crewOf<L extends Label>(
  settings: MulticlassSettings<L>,
  X: Rows,
  from: MultiState<L> | undefined,
): (task: Task<L>, pace: Pace) => Sliced<AnyCrew<L>> {
  const engine = resolveEngine(settings.engine);
  const { rows } = shapeOf(X, 'X');
  const plan = settings.kernel && planGram(gramOf(settings, X, rows, from), rows, engine.arena, undefined);
  return (task, pace) => {
    const weights = classWeights(settings, task.classes, task.counts);
    const crew = settings.strategy === 'multinomial' ? multinomial : oneVsRest;
    return crew({ settings, engine, task, weights, plan, from, pace });
  };
}

/** 'auto' does without a matrix that is too large, where it can. By the options alone: the bits depend on it. */
function gramOf<L extends Label>(
  settings: MulticlassSettings<L>,
  X: Rows,
  rows: number,
  from: MultiState<L> | undefined,
) {
  const { gram, maxGramBytes } = settings;
  if (isSparse(X)) {
    if (gram !== 'blocks') return settings;
    throw new RangeError(
      "gram: 'blocks' multiplies blocks of dense rows; with sparse rows use gram: 'rows', or 'full'",
    );
  }
  if (gram !== 'auto' || whyNotBlocks(settings)) return settings;
  // What was begun without a matrix goes on without.
  const wasBlocks = from?.kind === 'supports' && from.isByBlocks;
  return wasBlocks || 8 * rows * rows > maxGramBytes ? { gram: 'blocks' as const, maxGramBytes } : settings;
}

interface Hiring<L extends Label> {
  readonly settings: MulticlassSettings<L>;
  readonly engine: BoundEngine;
  readonly task: Task<L>;
  readonly weights: readonly number[];
  readonly plan: GramPlan | undefined;
  readonly from: MultiState<L> | undefined;
  readonly pace: Pace;
}

/** Settings that have a kernel. */
type WithKernel<L extends Label> = MulticlassSettings<L> & { kernel: NonNullable<MulticlassSettings['kernel']> };

// ---- multinomial ------------------------------------------------------------------------------------

function* multinomial<L extends Label>(hiring: Hiring<L>): Sliced<AnyCrew<L>> {
  const { settings, engine, task, weights, plan, from, pace } = hiring;
  const steps = weights.map((weight) => settings.learningRate * weight);
  const ballot = { codes: task.codes, steps };
  if (!plan) {
    const before = from?.kind === 'multinomial planes' ? from.runs[0] : undefined;
    const learner = new MultinomialPrimal(engine, task.X, settings, ballot, before);
    return single(learner, settings, weights, before, (run, model) => ({
      ...model,
      kind: 'multinomial planes',
      runs: [run as RunState & MultiLinear],
    }));
  }
  const before = from?.kind === 'multinomial supports' ? from.runs[0] : undefined;
  const kernel = settings as WithKernel<L>;
  const gram = new Gram(engine, task.X, kernel.kernel, plan);
  const hire = () => {
    const learner = new MultinomialDual(engine, task.X, kernel, ballot, gram, before);
    const crew = single(learner, settings, weights, before, (run, model) => ({
      ...model,
      kind: 'multinomial supports',
      runs: [run as RunState & MultiDual],
    }));
    return done(crew);
  };
  return yield* crewWith(gram, hire, pace);
}

function single<L extends Label>(
  learner: Learner<AnyLearned, string>,
  settings: MulticlassSettings<L>,
  weights: readonly number[],
  from: (RunState & AnyLearned) | undefined,
  stateOf: (run: RunState & AnyLearned, model: ModelState<L>) => MultiState<L>,
): AnyCrew<L> {
  try {
    // Each class has a step of its own; this is for the check that all are numbers > 0.
    learner.setSteps(settings.learningRate, Math.min(...weights), Math.max(...weights));
    learner.labels.fill(1);
  } catch (error) {
    learner.release();
    throw error;
  }
  return {
    members: [{ learner, from, weights }],
    stateOf: ([run], model) => done(stateOf(run as RunState & AnyLearned, model as ModelState<L>)),
  };
}

// ---- one-vs-rest ------------------------------------------------------------------------------------

function oneVsRest<L extends Label>(hiring: Hiring<L>): Sliced<AnyCrew<L>> {
  const { settings } = hiring;
  const inStep = settings.order === 'cyclic' || settings.order === 'shuffle';
  return hiring.plan ? dualMembers(hiring, hiring.plan) : primalMembers(hiring, inStep);
}

/** Hires a learner for each class; those hired before a failure are released. */
function* hire<L extends Label, Learned extends AnyLearned>(
  { settings, task, weights, pace }: Hiring<L>,
  learnerFor: (k: number) => Learner<Learned, string>,
  rest: (k: number) => Omit<Member<Learned>, 'learner' | 'weights' | 'code'>,
): Sliced<Member<Learned>[]> {
  const members: Member<Learned>[] = [];
  let isDone = false;
  try {
    for (let k = 0; k < task.classes.length; k++) {
      const learner = learnerFor(k);
      const weight = weights[k] as number;
      members.push({ learner, weights: [1, weight], code: k, ...rest(k) });
      signsFor(task.codes, k, learner.labels);
      learner.setSteps(settings.learningRate, 1, weight);
      if (pace.due()) yield;
    }
    isDone = true;
    return members;
  } finally {
    if (!isDone) for (const { learner } of members) learner.release();
  }
}

function* primalMembers<L extends Label>(hiring: Hiring<L>, inStep: boolean): Sliced<AnyCrew<L>> {
  const { settings, engine, task, from } = hiring;
  const { X, classes, codes } = task;
  const before = from?.kind === 'planes' ? from.runs : undefined;
  const random = inStep ? sharedRandom(settings.seed, before) : undefined;
  const shared = { random: settings.order === 'shuffle' ? random : undefined, codes, pace: hiring.pace };
  // In step they share how samples are shuffled, and need no lists of their own.
  const own = inStep ? { ...settings, order: 'cyclic' as const } : settings;
  const nothing: Linear = {
    plane: { weights: new Float64Array(X.cols), bias: 0 },
    last: { weights: new Float64Array(X.cols), bias: 0 },
    sums: undefined,
  };
  const rows = inStep ? new RowLockstep(engine, X, classes.length, shared) : undefined;
  let members: Member<Linear>[] | undefined;
  try {
    members = yield* hire<L, Linear>(
      hiring,
      (k) => {
        const start = before?.[k] ?? { ...nothing, seen: 0, sigma: 0 };
        const place = rows ? rows.weights + k * rows.stride : 0;
        const learner = new PrimalLearner(engine, X, own, start, place);
        if (rows) learner.lockstep = rows.join(learner.record.offset, k);
        return learner;
      },
      (k) => ({ from: before?.[k], ...(random && { random, order: 'cyclic' as const }) }),
    );
  } finally {
    if (!members) rows?.release();
  }
  return {
    members,
    inStep,
    isIndependent: !inStep,
    stateOf: (runs, model) =>
      done({ ...(model as ModelState<L>), kind: 'planes', runs: runs as readonly (RunState & Linear)[] }),
    release: () => rows?.release(),
  };
}

/** The generator of all classes: that of the one that has drawn most. */
function sharedRandom(seed: number, before: readonly RunState[] | undefined): Random {
  if (!before) return Random.seeded(seed);
  const longest = before.reduce((a, b) => (b.history.epochs > a.history.epochs ? b : a));
  return new Random(longest.random);
}

function* dualMembers<L extends Label>(hiring: Hiring<L>, plan: GramPlan): Sliced<AnyCrew<L>> {
  const { engine, task, from, pace } = hiring;
  const settings = hiring.settings as WithKernel<L>;
  const before = from?.kind === 'supports' ? from : undefined;
  const isSame =
    before !== undefined &&
    (yield* isLatestBlock(
      task.X,
      before.runs[0] as Dual,
      before.rows,
      (i, s) => task.codes[i] === before.rows.codes[s],
      pace,
    ));
  const stateOf: AnyCrew<L>['stateOf'] = function* (runs, model, pace) {
    const members = runs as readonly (RunState & Dual)[];
    const isByBlocks = plan.mode === 'blocks';
    const rows = yield* gathered(members, task, before, pace);
    return { ...(model as ModelState<L>), kind: 'supports', isByBlocks, ...rows };
  };
  const starts = before?.runs.map((run) => withData(run, before.rows));
  if (plan.mode === 'blocks') {
    const random = sharedRandom(settings.seed, before?.runs);
    const shared = { random: settings.order === 'shuffle' ? random : undefined, codes: task.codes, pace };
    const earlier = before && earlierThan(before, isSame ? (before.runs[0] as Dual).first : Infinity);
    const lockstep = new KernelLockstep(engine, task.X, settings.kernel, earlier, shared);
    const own = { ...settings, order: 'cyclic' as const };
    const members = yield* hire<L, Dual>(
      hiring,
      (k) => {
        const shared = { isSame, lockstep: undefined as Joined | undefined };
        const learner = new DualLearner(engine, task.X, own, undefined, starts?.[k], shared);
        shared.lockstep = lockstep.join(learner.record.offset, k);
        return learner;
      },
      (k) => ({ from: before?.runs[k], random, order: 'cyclic' }),
    );
    return {
      members,
      inStep: true,
      stateOf,
      gramMode: 'blocks',
      gramMs: () => lockstep.ms,
      release: () => lockstep.release(),
    };
  }
  const gram = new Gram(engine, task.X, settings.kernel, plan);
  const all = function* () {
    const members = yield* hire<L, Dual>(
      hiring,
      (k) => new DualLearner(engine, task.X, settings, gram, starts?.[k], { isSame }),
      (k) => ({ from: before?.runs[k] }),
    );
    return { members, stateOf };
  };
  const crew = yield* crewWith(gram, all, pace);
  return { ...crew, isIndependent: crew.gramMode === 'full' };
}

/** Supports with numbers below `first`, and their coefficients in each class. */
function earlierThan({ rows, runs }: SupportState, first: number): EarlierSupports {
  const found = rows.indices.findIndex((index) => index >= first);
  const count = found < 0 ? rows.indices.length : found;
  const indices = rows.indices.slice(0, count);
  return {
    rows: { indices, codes: rows.codes.slice(0, count), data: partOfKept(rows.data, 0, count) },
    coefficients: runs.map(({ supports }) => {
      const own = new Float64Array(count);
      placesOf(supports.indices, rows.indices).forEach((place, s) => {
        if (place < count) own[place] = (supports.alphas[s] as number) * (supports.signs[s] as number);
      });
      return own;
    }),
  };
}

type SupportState = MultiState & { kind: 'supports' };

/** A run with the rows of its supports, taken from those of all classes. */
function withData(run: RunState & Dual, { data, indices }: SupportRows): RunState & Dual {
  return { ...run, supports: { ...run.supports, data: takeKept(data, placesOf(run.supports.indices, indices)) } };
}

/** The rows of all supports once, and runs without theirs. */
function* gathered(
  runs: readonly (RunState & Dual)[],
  { X, codes }: { readonly X: ArenaRows; readonly codes: Uint32Array },
  before: SupportState | undefined,
  pace: Pace,
): Sliced<{ rows: SupportRows; runs: (RunState & Dual)[] }> {
  const first = Math.max(...runs.map((run) => run.first));
  const all = new Set<number>();
  for (const { supports } of runs) for (const index of supports.indices) all.add(index);
  const indices = Uint32Array.from(all).sort();
  const old = before && new Map(Array.from(before.rows.indices, (index, s) => [index, s]));
  const earlier = Array.from(
    indices.filter((index) => index < first),
    (index) => old?.get(index) as number,
  );
  const recent = Array.from(
    indices.filter((index) => index >= first),
    (index) => index - first,
  );
  const own = Uint32Array.from([
    ...earlier.map((place) => before?.rows.codes[place] as number),
    ...recent.map((place) => codes[place] as number),
  ]);
  const data = joinKept(before ? takeKept(before.rows.data, earlier) : NO_ROWS, yield* keepRows(X, recent, pace));
  const bare = (supports: Supports): Supports => ({ ...supports, data: NO_ROWS });
  return {
    rows: { data, indices, codes: own },
    runs: runs.map((run) => ({ ...run, supports: bare(run.supports) })),
  };
}
