// The training of a model for many classes: one learner for each class against the rest, or one learner for all of them.

import type { ArenaRows } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import { joinKept, keepRows, NO_ROWS, partOfKept, takeKept } from '../data/kept.js';
import type { Label } from '../data/labels.js';
import type { BoundEngine } from '../engine/contract.js';
import { Gram, type GramPlan, planGram } from '../gram/gramrows.js';
import { placesOf } from '../model/multi.js';
import type { History } from '../model/report.js';
import type { Dual, ModelState, MultiState, RunState, SupportRows, Supports } from '../model/state.js';
import { Random } from '../random.js';
import { DualLearner } from './dual.js';
import { isLatestBlock } from './dualscores.js';
import { ManyInStep } from './instep.js';
import { type EarlierSupports, KernelBlocks } from './kernelblocks.js';
import type { Learner, Target } from './learner.js';
import type { Training } from './loop.js';
import { MultinomialPrimal } from './multinomial.js';
import { MultinomialDual } from './multinomialdual.js';
import { OneVsRest } from './onevsrest.js';
import { PrimalLearner } from './primal.js';
import type { FitRequest, Problem } from './problem.js';
import { type MulticlassSettings, whyNotBlocks } from './settings.js';

/** Settings with a kernel. */
type WithKernel<L extends Label> = MulticlassSettings<L> & { kernel: NonNullable<MulticlassSettings['kernel']> };

/** The plan of the Gram matrix, with a kernel. @throws RangeError if it is impossible */
export function planFor<L extends Label>(
  settings: MulticlassSettings<L>,
  rows: number,
  isSparse: boolean,
  from: MultiState<L> | undefined,
  engine: BoundEngine,
  precomputed: DenseMatrix | undefined,
): GramPlan {
  const { gram, maxGramBytes } = settings;
  if (isSparse && gram === 'blocks') {
    throw new RangeError(
      "gram: 'blocks' multiplies blocks of dense rows; with sparse rows use gram: 'rows', or 'full'",
    );
  }
  // 'auto' avoids a matrix that is too large, if it can. It decides by the options only, because results depend on it.
  const mayBlock = gram === 'auto' && !isSparse && !whyNotBlocks(settings);
  const wasBlocks = from?.kind === 'supports' && from.isByBlocks; // training continues without a matrix if it began without
  const isBlocks = mayBlock && (wasBlocks || 8 * rows * rows > maxGramBytes);
  return planGram({ gram: isBlocks ? 'blocks' : gram, maxGramBytes }, rows, engine.arena, precomputed);
}

/** The training of a model for many classes. */
export function multiclassTraining<L extends Label>(
  engine: BoundEngine,
  problem: Problem<L>,
  settings: MulticlassSettings<L>,
  { from, precomputed }: Pick<FitRequest<L, MultiState<L>>, 'from' | 'precomputed'>,
): Training<MultiState<L>> {
  const { X } = problem;
  const isMultinomial = settings.strategy === 'multinomial';
  if (settings.kernel) {
    const plan = planFor(settings, X.rows, X.store !== undefined, from, engine, precomputed);
    const make = isMultinomial ? multinomialDual : dualClasses;
    return make(engine, problem, settings as WithKernel<L>, from, plan);
  }
  if (!isMultinomial) return primalClasses(engine, problem, settings, from);
  const before = from?.kind === 'multinomial planes' ? from.runs[0] : undefined;
  return new MultinomialPrimal(engine, problem, settings, before) as unknown as Training<MultiState<L>>;
}

function multinomialDual<L extends Label>(
  engine: BoundEngine,
  problem: Problem<L>,
  settings: WithKernel<L>,
  from: MultiState<L> | undefined,
  plan: GramPlan,
): Training<MultiState<L>> {
  const before = from?.kind === 'multinomial supports' ? from.runs[0] : undefined;
  const gram = new Gram(engine, problem.X, settings.kernel, plan);
  try {
    return new MultinomialDual(engine, problem, settings, before, gram) as unknown as Training<MultiState<L>>;
  } catch (error) {
    gram.release();
    throw error;
  }
}

/** A learner for each class. If one fails, releases those made before, and what they share. */
function learnersFor<T extends { release(): void }>(
  { classes, weights }: Problem,
  random: Random | undefined,
  shared: { release(): void } | undefined,
  make: (target: Target, k: number) => T,
): T[] {
  const made: T[] = [];
  try {
    for (let k = 0; k < classes.length; k++) {
      const target = { positive: k, weights: [1, weights[k] as number], isNamed: true, isOneOfMany: true, random };
      made.push(make(target, k));
    }
  } catch (error) {
    for (const learner of made) learner.release();
    shared?.release();
    throw error;
  }
  return made;
}

/** The generator that all classes share: that of the class with the most epochs. */
function sharedRandom(seed: number, before: readonly RunState[] | undefined): Random {
  if (!before) return Random.seeded(seed);
  const longest = before.reduce((a, b) => (b.history.epochs > a.history.epochs ? b : a));
  return new Random(longest.random);
}

function primalClasses<L extends Label>(
  engine: BoundEngine,
  problem: Problem<L>,
  settings: MulticlassSettings<L>,
  from: MultiState<L> | undefined,
): Training<MultiState<L>> {
  const { X, classes } = problem;
  const before = from?.kind === 'planes' ? from.runs : undefined;
  const isInStep = settings.order === 'cyclic' || settings.order === 'shuffle';
  const random = isInStep ? sharedRandom(settings.seed, before) : undefined;
  // In step they share the shuffled order, and need no lists of their own.
  const own = isInStep ? { ...settings, order: 'cyclic' as const } : settings;
  const zero = { weights: new Float64Array(X.cols), bias: 0 };
  const start = { last: zero, plane: undefined, sums: undefined, seen: 0, sigma: 0 };
  const inStep = isInStep ? new ManyInStep(engine, X, settings.order === 'shuffle' ? random : undefined) : undefined;
  const members = learnersFor(
    problem,
    random,
    inStep,
    (target, k) => new PrimalLearner(engine, problem, own, target, before?.[k], before?.[k] ?? start),
  );
  return new OneVsRest(members, inStep, undefined, (runs, history) => {
    return { classes, cols: X.cols, history, kind: 'planes', runs };
  });
}

function dualClasses<L extends Label>(
  engine: BoundEngine,
  problem: Problem<L>,
  settings: WithKernel<L>,
  from: MultiState<L> | undefined,
  plan: GramPlan,
): Training<MultiState<L>> {
  const { X, codes, classes } = problem;
  const before = from?.kind === 'supports' ? from : undefined;
  const isSame =
    before !== undefined &&
    isLatestBlock(X, before.runs[0] as Dual, before.rows, (i, s) => codes[i] === before.rows.codes[s]);
  const isByBlocks = plan.mode === 'blocks';
  const stateOf = (runs: (RunState & Dual)[], history: History): MultiState<L> => {
    const model: ModelState<L> = { classes, cols: X.cols, history };
    return { ...model, kind: 'supports', isByBlocks, ...gathered(runs, X, codes, before) };
  };
  const starts = before?.runs.map((run) => withData(run, before.rows));
  if (isByBlocks) {
    const random = sharedRandom(settings.seed, before?.runs);
    const earlier = before && earlierThan(before, isSame ? (before.runs[0] as Dual).first : Infinity);
    const shuffling = settings.order === 'shuffle' ? random : undefined;
    const blocks = new KernelBlocks(engine, X, codes, settings.kernel, earlier, shuffling);
    const own = { ...settings, order: 'cyclic' as const };
    const members = learnersFor(
      problem,
      random,
      blocks,
      (target, k) => new DualLearner(engine, problem, own, target, starts?.[k], undefined, isSame),
    );
    return new OneVsRest(members, blocks, undefined, stateOf);
  }
  const gram = new Gram(engine, X, settings.kernel, plan);
  const members = learnersFor(
    problem,
    undefined,
    gram,
    (target, k) => new DualLearner(engine, problem, settings, target, starts?.[k], gram, isSame),
  );
  return new OneVsRest(members as Learner<Dual>[], undefined, gram, stateOf);
}

/** The support vectors with numbers below `first`, and their coefficients in each class. */
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

/** A run with the rows of its support vectors, taken from those of all classes. */
function withData(run: RunState & Dual, { data, indices }: SupportRows): RunState & Dual {
  return { ...run, supports: { ...run.supports, data: takeKept(data, placesOf(run.supports.indices, indices)) } };
}

/** The support vectors of all classes, each once, and the runs without their rows. */
function gathered(
  runs: readonly (RunState & Dual)[],
  X: ArenaRows,
  codes: Uint32Array,
  before: SupportState | undefined,
): { rows: SupportRows; runs: (RunState & Dual)[] } {
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
  const data = joinKept(before ? takeKept(before.rows.data, earlier) : NO_ROWS, keepRows(X, recent));
  const bare = (supports: Supports): Supports => ({ ...supports, data: NO_ROWS });
  return {
    rows: { data, indices, codes: own },
    runs: runs.map((run) => ({ ...run, supports: bare(run.supports) })),
  };
}
