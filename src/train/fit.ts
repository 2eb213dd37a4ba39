// One session of training, from checked input to a new state. It works on a draft in the arena and
// publishes nothing: whoever asked for it takes the state at the end, or leaves the model as it was.

import * as at from '../../assembly/layout.js';
import { type Classes, checkLabels, classesOf, encode, type Label, type Labels, onlyOne } from '../data/labels.js';
import { type ArenaRows, bringIn, notFinite, type Rows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { show } from '../errors.js';
import type { StopReason } from '../model/report.js';
import type { LinearState, Plane } from '../model/state.js';
import { adviceFor } from './advice.js';
import { holdOut, type Validation } from './holdout.js';
import { type Slice, trainingLoop } from './loop.js';
import { classWeights, type Epoch, type Settings } from './options.js';
import { PrimalLearner } from './primal.js';
import { Random } from './random.js';
import { Story } from './story.js';

export interface Session<L extends Label> {
  readonly settings: Settings<L>;
  readonly engine: BoundEngine;
  readonly X: Rows;
  readonly y: Labels<L>;
  /** The state to go on from; none to start afresh. */
  readonly from: LinearState<L> | undefined;
  readonly classes: Classes<L> | undefined;
  readonly maxEpochs: number;
  /** Whether this is one block of several: it may lack a class, and nothing is held out. */
  readonly isBlock: boolean;
  readonly sliceFor: (cols: number) => Slice;
  readonly onEpoch: ((epoch: Epoch<L>) => void | boolean) | undefined;
  /** A model of this state, for snapshot(). */
  readonly modelOf: (state: LinearState<L>) => ReturnType<Epoch<L>['snapshot']>;
}

/** Training under way. */
export interface Draft<L extends Label> {
  /** Does the work: each step is a slice; the end says why. */
  readonly steps: Generator<void, StopReason>;
  /** The state as it stands now. @throws RangeError if weights have overflowed */
  state(stopReason: StopReason): LinearState<L>;
  readonly copyMs: number;
  release(): void;
}

/** Checks everything, brings the rows in, and is ready to run. Whatever it took is released if it throws. */
export function beginFit<L extends Label>(session: Session<L>): Draft<L> {
  const started = performance.now();
  const { engine } = session;
  const X = bringIn(session.X, engine.arena, 'X');
  let learner: PrimalLearner | undefined;
  try {
    checkWidth(session, X);
    learner = new PrimalLearner(engine.arena, X, session.settings);
    return draftOf(session, X, learner, started);
  } catch (error) {
    learner?.release();
    X.release();
    throw error;
  }
}

function checkWidth<L extends Label>({ settings, from }: Session<L>, X: ArenaRows): void {
  if (from && from.last.weights.length !== X.cols) {
    throw new RangeError(`X has ${X.cols} columns, the model was fitted on ${from.last.weights.length}`);
  }
  const { initialWeights, featureNames } = settings;
  if (initialWeights && initialWeights.length !== X.cols) {
    throw new RangeError(`"initialWeights" has ${initialWeights.length} values, X has ${X.cols} columns`);
  }
  if (featureNames && featureNames.length !== X.cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${X.cols} columns`);
  }
}

function draftOf<L extends Label>(
  session: Session<L>,
  X: ArenaRows,
  learner: PrimalLearner,
  started: number,
): Draft<L> {
  const { settings, engine, from } = session;
  const { record } = learner;
  const y = checkLabels(session.y, X.rows);
  const classes = session.classes ?? classesOf(y);
  const positives = encode(y, classes, learner.labels);
  const negatives = X.rows - positives;
  if (!session.isBlock && (positives === 0 || negatives === 0)) throw onlyOne(classes[positives === 0 ? 0 : 1]);
  const weights = classWeights(settings, classes, negatives, positives);
  learner.setSteps(settings.learningRate, weights);
  learner.start(
    from ?? {
      last: { weights: settings.initialWeights ?? new Float64Array(X.cols), bias: settings.initialBias },
      sums: undefined,
      seen: 0,
      sigma: 0,
    },
  );
  const random = from ? new Random(from.random) : Random.seeded(settings.seed);
  const heldOut: Validation | undefined =
    settings.validationFraction > 0 && !session.isBlock ? holdOut(settings, learner.labels) : undefined;
  // Rows held out are scored only now and then, and perhaps never: look at all of them once.
  const bad = heldOut && notFinite(X.view(), X.cols, 'X');
  if (bad) throw bad;
  const training = heldOut?.training;
  if (training) learner.restrictTo(training);

  const story = new Story(from?.history);
  const state = (stopReason: StopReason): LinearState<L> => {
    const result = learner.result();
    checkFinite(result.plane, X);
    checkFinite(result.last, X);
    if (!Number.isFinite(result.sigma)) throw overflowed('the sum of all steps');
    const needsAdvice = stopReason === 'max-epochs' && !session.isBlock;
    const advice = (epochs: number) =>
      needsAdvice ? adviceFor({ ...X, order: settings.order, labels: learner.labels, values: X.view(), epochs }) : [];
    const range = from?.classWeightRange ?? [Infinity, 0];
    return {
      classes,
      ...result,
      classWeightRange: [Math.min(range[0], ...weights), Math.max(range[1], ...weights)],
      random: random.state.slice(),
      history: story.history(stopReason, record.u32(at.MISTAKES), advice),
    };
  };

  const kernels = engine.kernels();
  const { onUpdate } = settings;
  const { onEpoch } = session;
  const trainingStarted = performance.now();
  const steps = trainingLoop({
    kernels,
    record,
    samples: record.u32(at.N),
    order: settings.order,
    maxEpochs: session.maxEpochs,
    random,
    slice: session.sliceFor(X.cols),
    listSamples() {
      const order = learner.order;
      if (training) order.set(training);
      else for (let i = 0; i < order.length; i++) order[i] = i;
      return order;
    },
    onUpdate:
      onUpdate &&
      ((index) =>
        onUpdate({
          index,
          epoch: story.epochs + 1,
          mistakes: story.mistakes + record.u32(at.MISTAKES),
          get weights() {
            return learner.weights;
          },
          bias: record.f64(at.BIAS),
        })),
    passesTogether: !onEpoch && !heldOut,
    onPass(mistakes, loss) {
      story.addPass(mistakes);
      const elapsedMs = performance.now() - trainingStarted;
      const snapshot = () => session.modelOf(state(mistakes === 0 ? 'separated' : 'stopped'));
      const goOn = onEpoch?.({ epoch: story.epochs, mistakes, loss, elapsedMs, snapshot }) !== false;
      if (mistakes === 0) return undefined; // separated, whatever anybody says
      if (!goOn) return 'stopped';
      return heldOut?.isOver(kernels, X, learner, engine.arena) ? 'early-stop' : undefined;
    },
    overflow: (index) => notFinite(X.view(), X.cols, 'X') ?? overflowed(`the score of row ${index}`),
  });
  return {
    steps,
    state,
    copyMs: trainingStarted - started,
    release() {
      learner.release();
      X.release();
    },
  };
}

function overflowed(what: string): RangeError {
  return new RangeError(
    `training overflowed: ${what} is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight`,
  );
}

/** The last update of a fit has no score after it that would show an overflow. */
function checkFinite({ weights, bias }: Plane, X: ArenaRows): void {
  const k = weights.findIndex((w) => !Number.isFinite(w));
  if (k < 0 && Number.isFinite(bias)) return;
  throw notFinite(X.view(), X.cols, 'X') ?? overflowed(k < 0 ? 'the bias' : `the weight of column ${k}`);
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
