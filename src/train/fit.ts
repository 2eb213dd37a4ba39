// One session of training, from checked input to a new state. It works on a draft in the arena and
// publishes nothing: whoever asked for it takes the state at the end, or leaves the model as it was.

import * as at from '../../assembly/layout.js';
import { type Classes, checkLabels, classesOf, encode, type Label, type Labels, onlyOne } from '../data/labels.js';
import { type ArenaRows, bringIn, notFinite, type Rows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { show } from '../errors.js';
import type { FitReport, StopReason } from '../model/report.js';
import type { TrainingState } from '../model/state.js';
import { adviceFor } from './advice.js';
import { holdOut, type Validation } from './holdout.js';
import type { Learner } from './learner.js';
import { type Slice, trainingLoop } from './loop.js';
import { classWeights, type Epoch, type Settings } from './options.js';
import { Random } from './random.js';
import { Story } from './story.js';

/** @typeParam Learned what the learner learns, beside what every state has */
export interface Session<L extends Label, Learned> {
  readonly settings: Settings<L>;
  readonly engine: BoundEngine;
  readonly X: Rows;
  readonly y: Labels<L>;
  /** The state to go on from; none to start afresh. */
  readonly from: (TrainingState<L> & Learned) | undefined;
  readonly classes: Classes<L> | undefined;
  readonly maxEpochs: number;
  /** Whether this is one block of several: it may lack a class, and nothing is held out. */
  readonly isBlock: boolean;
  /** A slice, given how many values a row may cost. */
  readonly sliceFor: (values: number) => Slice;
  readonly onEpoch: ((epoch: Epoch<L>) => void | boolean) | undefined;
  /** What trains on these rows. */
  readonly learnerFor: (X: ArenaRows) => Learner<Learned, string>;
  /** A model of this state, for snapshot(). */
  readonly modelOf: (state: TrainingState<L> & Learned) => ReturnType<Epoch<L>['snapshot']>;
}

/** Training under way. */
export interface Draft<S> {
  /** Does the work: each step is a slice; the end says why. */
  readonly steps: Generator<void, StopReason>;
  /** The state as it stands now. @throws RangeError if training has overflowed */
  state(stopReason: StopReason): S;
  readonly copyMs: number;
  /** Time spent on the Gram matrix so far. */
  gramMs(): number;
  readonly gramMode: FitReport['gram'] | undefined;
  release(): void;
}

/** Checks everything, brings the rows in, and is ready to run. Whatever it took is released if it throws. */
export function beginFit<L extends Label, Learned>(session: Session<L, Learned>): Draft<TrainingState<L> & Learned> {
  const started = performance.now();
  const X = bringIn(session.X, session.engine.arena, 'X');
  let learner: Learner<Learned, string> | undefined;
  try {
    checkWidth(session.settings, session.from, X.cols);
    learner = session.learnerFor(X);
    return draftOf(session, X, learner, started);
  } catch (error) {
    learner?.release();
    X.release();
    throw error;
  }
}

function checkWidth<L extends Label>(settings: Settings<L>, from: { cols: number } | undefined, cols: number): void {
  if (from && from.cols !== cols) throw new RangeError(`X has ${cols} columns, the model was fitted on ${from.cols}`);
  const { featureNames } = settings;
  if (featureNames && featureNames.length !== cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${cols} columns`);
  }
}

function draftOf<L extends Label, Learned>(
  session: Session<L, Learned>,
  X: ArenaRows,
  learner: Learner<Learned, string>,
  started: number,
): Draft<TrainingState<L> & Learned> {
  const { settings, from } = session;
  const { record } = learner;
  const y = checkLabels(session.y, X.rows);
  const classes = session.classes ?? classesOf(y);
  const positives = encode(y, classes, learner.labels);
  const negatives = X.rows - positives;
  if (!session.isBlock && (positives === 0 || negatives === 0)) throw onlyOne(classes[positives === 0 ? 0 : 1]);
  const weights = classWeights(settings, classes, negatives, positives);
  learner.setSteps(settings.learningRate, weights);
  const random = from ? new Random(from.random) : Random.seeded(settings.seed);
  const heldOut: Validation | undefined =
    settings.validationFraction > 0 && !session.isBlock ? holdOut(settings, learner.labels) : undefined;
  // Rows held out are scored only now and then, and perhaps never: look at all of them once.
  const bad = heldOut && notFinite(X.view(), X.cols, 'X');
  if (bad) throw bad;
  const training = heldOut?.training;
  if (training) learner.restrictTo(training);

  const story = new Story(from?.history);
  const state = (stopReason: StopReason): TrainingState<L> & Learned => {
    const result = learner.result();
    const advice = (epochs: number) =>
      session.isBlock
        ? []
        : adviceFor({
            ...X,
            order: settings.order,
            average: settings.average,
            labels: learner.labels,
            values: X.view(),
            epochs,
            stopReason,
            ...learner.evidence,
          });
    const range = from?.classWeightRange ?? [Infinity, 0];
    return {
      classes,
      cols: X.cols,
      ...result,
      classWeightRange: [Math.min(range[0], ...weights), Math.max(range[1], ...weights)],
      random: random.state.slice(),
      history: story.history(stopReason, record.u32(at.MISTAKES), advice),
    };
  };

  const { onUpdate } = settings;
  const hasWeights = learner.weights !== undefined;
  const { onEpoch } = session;
  const trainingStarted = performance.now();
  const slice = session.sliceFor(learner.costOfRow);
  const loop = trainingLoop({
    steps: learner.steps,
    record,
    samples: record.u32(at.N),
    order: settings.order,
    maxEpochs: session.maxEpochs,
    random,
    slice,
    listSamples() {
      const order = learner.order;
      if (training) order.set(training);
      else for (let i = 0; i < order.length; i++) order[i] = i;
      return order;
    },
    onUpdate:
      onUpdate &&
      ((index) => {
        const mistakes = story.mistakes + record.u32(at.MISTAKES);
        const update = { index, epoch: story.epochs + 1, mistakes, bias: record.f64(at.BIAS) };
        if (hasWeights) Object.defineProperty(update, 'weights', { get: () => learner.weights, enumerable: true });
        onUpdate(update);
      }),
    passesTogether: !onEpoch && !heldOut,
    onPass(mistakes, loss, isEnd) {
      story.addPass(mistakes);
      let goOn = true;
      if (onEpoch) {
        const elapsedMs = performance.now() - trainingStarted;
        const snapshot = () => session.modelOf(state(isEnd ? 'separated' : 'stopped'));
        goOn = onEpoch({ epoch: story.epochs, mistakes, loss, elapsedMs, snapshot }) !== false;
      }
      if (isEnd) return undefined; // separated, whatever anybody says
      if (!goOn) return 'stopped';
      return heldOut?.isOver((rows) => learner.scoresAt(rows)) ? 'early-stop' : undefined;
    },
    bring: (index) => learner.bring(index, slice.due),
    confirm: learner.confirm?.bind(learner, slice.due),
    overflow: (index) => learner.overflow(index),
  });
  function* steps(): Generator<void, StopReason> {
    yield* learner.prepare(slice.due);
    return yield* loop;
  }
  const running = steps();
  return {
    steps: running,
    state,
    copyMs: trainingStarted - started,
    gramMs: () => learner.gramMs,
    gramMode: learner.gramMode,
    release() {
      running.return('aborted'); // it may have been broken off while it held something
      learner.release();
      X.release();
    },
  };
}

/** The classes of a block: known from before, given now, or an error that says so. */
export function blockClasses<L extends Label>(
  known: Classes<L> | undefined,
  given: Classes<L> | undefined,
): Classes<L> {
  if (known && given && (known[0] !== given[0] || known[1] !== given[1])) {
    throw new RangeError(`"classes" must stay ${known.map(show).join(' and ')}, got ${given.map(show).join(' and ')}`);
  }
  const classes = known ?? given;
  if (!classes) throw new RangeError('partialFit needs "classes" the first time');
  return classes;
}
