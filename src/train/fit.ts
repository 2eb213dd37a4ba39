// One session of training, from checked input to a new state. It works on a draft in the arena and
// publishes nothing: whoever asked for it takes the state at the end, or leaves the model as it was.

import { done, finish, inOneGo, type Pace, PIECE, type Sliced } from '../async/sliced.js';
import { type ArenaRows, findBad } from '../data/arenarows.js';
import {
  type Classes,
  type ClassLimit,
  checkLabels,
  classesOf,
  type Encoded,
  encode,
  type Label,
  type Labels,
  listed,
  onlyOne,
} from '../data/labels.js';
import { bringIn, type Rows } from '../data/rows.js';
import { wholeOrInWindows } from '../data/window.js';
import type { BoundEngine } from '../engine/contract.js';
import { type Advice, type FitReport, type StopReason, together } from '../model/report.js';
import type { ModelState, RunState } from '../model/state.js';
import { adviceFor } from './advice.js';
import { holdOut } from './holdout.js';
import { sliceOf } from './loop.js';
import type { Epoch } from './options.js';
import { type Member, type Pass, Run, type RunContext } from './run.js';
import type { Settings } from './settings.js';
import { inTurns, oneByOne } from './turns.js';

/** Rows and labels, checked, and what to make of them. */
export interface Task<L extends Label> extends Encoded {
  readonly X: ArenaRows;
  readonly classes: Classes<L>;
}

/** What trains on a task: one learner, or one for each class; and what their states make together. */
export interface Crew<S, Learned> {
  readonly members: readonly Member<Learned>[];
  stateOf(runs: readonly (RunState & Learned)[], model: ModelState, pace: Pace): Sliced<S>;
  /** Whether passes of the members must be kept in step: they share the look at a row. */
  readonly inStep?: boolean;
  /** Whether the members have nothing in common that changes: they may be trained at the same time. */
  readonly isIndependent?: boolean;
  readonly gramMode?: FitReport['gram'] | undefined;
  /** Time spent on the Gram matrix so far. */
  gramMs?(): number;
  /** Gives back what the members share. */
  release?(): void;
}

/** @typeParam S the state it comes to; @typeParam Learned what one learner learns */
export interface Session<L extends Label, S extends ModelState<L>, Learned> {
  readonly settings: Settings<L>;
  readonly engine: BoundEngine;
  readonly X: Rows;
  readonly y: Labels<L>;
  /** The state to go on from; none to start afresh. */
  readonly from: S | undefined;
  readonly classes: Classes<L> | undefined;
  readonly limit: ClassLimit;
  readonly maxEpochs: number;
  /** Whether this is one block of several: it may lack a class, and nothing is held out. */
  readonly isBlock: boolean;
  /** Whether this block goes on with the pass of the block before. */
  readonly goesOn: boolean;
  readonly pace: Pace;
  /** Told of every pass, and whether training has not gone on since: only then is its snapshot that of the pass. */
  readonly onEpoch: ((epoch: Epoch<L>, isNow: boolean) => void | boolean) | undefined;
  /** Milliseconds until it wants to hear of one now, where that is not each. */
  readonly untilTold?: (() => number) | undefined;
  /** Whether the crew can do with rows that come in a window, where there is no room for all. */
  readonly inWindows: boolean;
  /** Who trains. */
  readonly crewFor: (task: Task<L>, pace: Pace) => Sliced<Crew<S, Learned>>;
  /** A model of this state, for snapshot(). */
  readonly modelOf: (state: S) => ReturnType<Epoch<L>['snapshot']>;
}

/** Training under way. */
export interface Draft<S> {
  /** Does the work: each step is a slice; the end says why. */
  readonly steps: Sliced<StopReason>;
  /** The state as it stands now. @throws RangeError if training has overflowed */
  state(stopReason: StopReason): Sliced<S>;
  /** Whether training has come to look at a sample: before, there is nothing to keep. */
  hasBegun(): boolean;
  /** How far the pass is. */
  progress(): { epoch: number; done: number; total: number };
  /** Passes that were closed, and the samples of one. */
  total(): { epochs: number; total: number };
  readonly copyMs: number;
  /** Time spent on the Gram matrix so far. */
  gramMs(): number;
  readonly gramMode: FitReport['gram'] | undefined;
  release(): void;
}

/** Checks everything, brings the rows in, and is ready to run. Whatever it took is released if it throws or is ended. */
export function* beginFit<L extends Label, S extends ModelState<L>, Learned>(
  session: Session<L, S, Learned>,
): Sliced<Draft<S>> {
  const started = performance.now();
  const { arena } = session.engine;
  const { X, pace } = session;
  return session.inWindows
    ? yield* wholeOrInWindows(X, arena, 'X', pace, (rows) => beginOn(rows, session, started))
    : yield* beginOn(yield* bringIn(X, arena, 'X', pace), session, started);
}

function* beginOn<L extends Label, S extends ModelState<L>, Learned>(
  X: ArenaRows,
  session: Session<L, S, Learned>,
  started: number,
): Sliced<Draft<S>> {
  const { pace } = session;
  let crew: Crew<S, Learned> | undefined;
  let draft: Draft<S> | undefined;
  try {
    checkWidth(session.settings, session.from, X.cols);
    const y = checkLabels(session.y, X.rows);
    const classes = session.classes ?? (yield* classesOf(y, session.limit, pace));
    const task = { X, classes, ...(yield* encode(y, X.rows, classes, pace)) };
    const present = task.counts.findIndex((count) => count > 0);
    if (!session.isBlock && task.counts[present] === X.rows) throw onlyOne(classes[present] as L);
    crew = yield* session.crewFor(task, pace);
    X.window?.open();
    draft = yield* draftOf(session, task, crew, started);
    return draft;
  } finally {
    if (!draft) {
      releaseCrew(crew);
      X.release();
    }
  }
}

function releaseCrew(crew: Crew<unknown, unknown> | undefined): void {
  for (const { learner } of crew?.members ?? []) learner.release();
  crew?.release?.();
}

function checkWidth<L extends Label>(settings: Settings<L>, from: { cols: number } | undefined, cols: number): void {
  if (from && from.cols !== cols) throw new RangeError(`X has ${cols} columns, the model was fitted on ${from.cols}`);
  const { featureNames } = settings;
  if (featureNames && featureNames.length !== cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${cols} columns`);
  }
}

function* draftOf<L extends Label, S extends ModelState<L>, Learned>(
  session: Session<L, S, Learned>,
  task: Task<L>,
  crew: Crew<S, Learned>,
  started: number,
): Sliced<Draft<S>> {
  const { settings, onEpoch, pace } = session;
  const { X, classes, codes } = task;
  const heldOut =
    settings.validationFraction > 0 && !session.isBlock ? yield* holdOut(settings, task, pace) : undefined;
  // Rows held out are scored only now and then, and perhaps never: look at all of them once.
  const bad = heldOut && (yield* findBad(X, pace));
  if (bad) throw bad;

  const trainingStarted = performance.now();
  const { members } = crew;
  const cost = members.reduce((sum, { learner }) => Math.max(sum, learner.costOfRow), 1);
  const slice = sliceOf(session.pace, crew.inStep ? cost * members.length : cost);
  function* adviceOn(stopReason: StopReason, epochs: number, pace: Pace): Sliced<Advice[]> {
    if (session.isBlock) return [];
    const evidence = {
      order: settings.order,
      average: settings.average,
      pocket: settings.pocket,
      codes,
      isOneVsRest: members.length > 1,
      X,
      epochs,
      stopReason,
      ...(yield* evidenceOf(crew, pace)),
    };
    return yield* adviceFor(evidence, pace);
  }
  let isReleased = false;
  /** Tells of a pass; answers why training ends, if it does. */
  const tell = ({ epoch, mistakes, loss }: Pass, isEnd: boolean, isNow: boolean): StopReason | undefined => {
    if (!onEpoch) return undefined;
    const elapsedMs = performance.now() - trainingStarted;
    const snapshot = () => {
      if (isReleased || pace.threads?.isAtWork)
        throw new Error('snapshot() is for inside onEpoch: training has gone on');
      return session.modelOf(finish(state(isEnd ? 'separated' : 'stopped', inOneGo)));
    };
    return onEpoch({ epoch, mistakes, loss, elapsedMs, snapshot }, isNow) === false ? 'stopped' : undefined;
  };
  const context: RunContext = {
    settings,
    maxEpochs: session.maxEpochs,
    goesOn: session.goesOn,
    classes: session.limit === 'many' ? classes : undefined,
    heldOut,
    slice,
    onPass: members.length === 1 && onEpoch ? tell : undefined,
    untilTold: session.untilTold,
    isOneOfMany: members.length > 1 && !session.isBlock,
    stopsAtPasses: members.length > 1 && (crew.inStep === true || onEpoch !== undefined),
  };
  const runs = members.map((member) => new Run(context, member));
  for (const run of runs) yield* run.open(slice);
  const single = members.length === 1 ? runs[0] : undefined;

  function* state(stopReason: StopReason, pace: Pace): Sliced<S> {
    const model = { classes, cols: X.cols };
    if (single) {
      const own = yield* single.state(stopReason, (epochs) => adviceOn(stopReason, epochs, pace), pace);
      return yield* crew.stateOf([own], { ...model, history: own.history }, pace);
    }
    const states: (RunState & Learned)[] = [];
    for (const run of runs) {
      states.push(yield* run.state(run.stopReason ?? stopReason, () => done([]), pace));
      if (pace.due()) yield;
    }
    const histories = states.map(({ history }) => history);
    const epochs = Math.max(...histories.map((h) => h.epochs));
    const history = together(histories, stopReason, yield* adviceOn(stopReason, epochs, pace));
    return yield* crew.stateOf(states, { ...model, history }, pace);
  }

  function* steps(): Sliced<StopReason> {
    for (const { learner } of members) yield* learner.prepare(slice);
    if (single) return yield* single.steps;
    const { isIndependent = false } = crew;
    if (!context.stopsAtPasses) return yield* oneByOne(runs, slice, isIndependent);
    return yield* inTurns(runs, slice, isIndependent, tell);
  }
  const running = steps();
  return {
    steps: running,
    state: (stopReason) => state(stopReason, pace),
    hasBegun: () => runs.some((run) => run.hasBegun()),
    progress: () => (runs.find((run) => run.stopReason === undefined) ?? (runs[0] as Run<Learned>)).progress(),
    total: () => ({
      epochs: Math.max(...runs.map((run) => run.epochs)),
      total: (runs[0] as Run<Learned>).progress().total,
    }),
    copyMs: trainingStarted - started,
    gramMs: () => crew.gramMs?.() ?? 0,
    gramMode: crew.gramMode,
    release() {
      isReleased = true;
      running.return('aborted'); // it may have been broken off while it held something
      for (const run of runs) run.steps.return('aborted');
      releaseCrew(crew);
      X.release();
    },
  };
}

/** What advice needs to know of the dual form: its kernel, and how many rows are supports of any class. */
function* evidenceOf(
  { members }: Crew<unknown, unknown>,
  pace: Pace,
): Sliced<{ kernel: string | undefined; supports: number }> {
  const kernel = members[0]?.learner.kernel;
  let supports = 0;
  if (kernel === undefined) return { kernel, supports };
  const countsNow = () => members.map(({ learner }) => learner.counts);
  let counts = countsNow();
  for (let i = 0; i < (counts[0]?.length ?? 0); i++) {
    if (counts.some((n) => (n[i] as number) > 0)) supports++;
    if (i % PIECE !== 0 || !pace.due()) continue;
    yield;
    counts = countsNow();
  }
  return { kernel, supports };
}

/** The classes of a block: known from before, given now, or an error that says so. */
export function blockClasses<L extends Label>(
  known: Classes<L> | undefined,
  given: Classes<L> | undefined,
  method: string,
): Classes<L> {
  if (known && given && !(known.length === given.length && known.every((label, k) => label === given[k]))) {
    throw new RangeError(`"classes" must stay ${listed(known)}, got ${listed(given)}`);
  }
  const classes = known ?? given;
  if (!classes) {
    const when = method === 'partialFit' ? ' the first time' : ': a class may come late in a stream';
    throw new RangeError(`${method} needs "classes"${when}`);
  }
  return classes;
}
