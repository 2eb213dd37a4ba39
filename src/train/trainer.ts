// What all trainers have: fit in one go, block by block, from a stream or in slices; score and report. A trainer adds who
// learns, and how that predicts.

import { inSlices, whereRoom } from '../async/calls.js';
import { TimeSlices } from '../async/drive.js';
import { checkThreads } from '../async/options.js';
import { done, finish, inOneGo, type Sliced } from '../async/sliced.js';
import { type ClassLimit, checkLabels, countEqual, type Label, type Labels, orderClasses } from '../data/labels.js';
import { type Rows, shapeOf } from '../data/rows.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, expectSignal, NotFittedError, show } from '../errors.js';
import { expectLength } from '../model/json.js';
import { type HardSample, hardestOf, type PredictOptions } from '../model/model.js';
import type { FitReport, History, StopReason, Timings } from '../model/report.js';
import type { ModelState, Supports } from '../model/state.js';
import { Threads } from '../worker/threads.js';
import { count as atLeastOne, boolean, callback, scaling } from './checks.js';
import { beginFit, blockClasses, type Draft, type Session } from './fit.js';
import type { Epoch, FitAsyncOptions } from './options.js';
import { classWeights, type Settings } from './settings.js';
import { type Blocks, type FitStreamOptions, inBlocks, streamOptions } from './stream.js';

/** What a method must say of a session; the rest has defaults. */
export type Request<L extends Label, S extends ModelState<L>, Learned> = Pick<
  Session<L, S, Learned>,
  'X' | 'y' | 'from' | 'classes' | 'maxEpochs' | 'isBlock'
> &
  Partial<Session<L, S, Learned>>;

/** How far a fit is: training, once it has begun; and what to call its end. */
interface Way<S> {
  draft?: Draft<S>;
  started?: number;
  outcome?: StopReason | undefined;
  /** Called when training has come to its end. */
  atEnd?: () => void;
}

/** How long to go on after an abort, where there is nothing to keep yet. */
const LAST_MS = 30;

/** onEpoch at a human rate. */
const EPOCH_INTERVAL_MS = 50;

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/** @typeParam S the state of its models; @typeParam Learned what one of its learners learns */
export abstract class Trainer<L extends Label, S extends ModelState<L>, Learned> {
  /** @internal */
  protected abstract settings: Settings<L>;
  #state: S | undefined;
  #report: FitReport | undefined;

  /** Who trains on rows that were brought in; `session` says what to go on from. @internal */
  protected abstract crewFor(session: Request<L, S, Learned>): Session<L, S, Learned>['crewFor'];
  /** Another trainer with these settings, not fitted. @internal */
  protected abstract another(): Trainer<L, S, Learned> & ReturnType<Epoch<L>['snapshot']>;
  /** How often rows were the mistake. @internal */
  protected abstract updateCountsOf(state: S): Iterable<readonly [index: number, updates: number]>;
  /** The class of each row; none for no rows. */
  abstract predict(X: Rows, options?: PredictOptions): L[];

  /** How many classes a model can have. @internal */
  protected get limit(): ClassLimit {
    return 'two';
  }

  /** Whether it trains on rows that are not all in memory, and predicts them. @internal */
  protected get inWindows(): boolean {
    return false;
  }

  /** One pass over these rows, going on from where the model stands. */
  partialFit(X: Rows, y: Labels<L>, options: { classes?: readonly L[] } = {}): this {
    expectOptions(options, ['classes'], 'partialFit');
    this.expectBlocks('partialFit');
    const classes = this.#classesOfBlocks(options.classes, this.#state, 'partialFit');
    return this.train({ X, y, from: this.#state, classes, maxEpochs: 1, isBlock: true });
  }

  /**
   * Trains on blocks of rows as they come: one pass over all of them, with the same bits as `fit` with one epoch on all rows.
   * Starts afresh unless `warmStart`. The model is that of the blocks so far, at any time: a stream that fails, changes its
   * width or is aborted costs nothing but its rest.
   * @throws RangeError for an order that needs all rows at once, for the pocket, and for classes that are not known
   */
  async fitStream(blocks: Blocks<L>, options: FitStreamOptions<L> = {}): Promise<this> {
    const { epochs, signal, onBlock } = streamOptions(options, blocks);
    this.expectStream();
    let from = this.settings.warmStart ? this.#state : undefined;
    const classes = this.#classesOfBlocks(options.classes, from, 'fitStream');
    signal?.throwIfAborted();
    const started = performance.now();
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const before = from?.history.mistakes ?? 0;
      let loss = 0;
      for await (const { block, X, y } of inBlocks(blocks)) {
        signal?.throwIfAborted();
        const mistakes = from?.history.mistakes ?? 0;
        const onEpoch = (pass: Epoch<L>) => {
          loss += pass.loss;
        };
        try {
          const session = { X, y, from, classes, maxEpochs: 1, isBlock: true, goesOn: block.isLater, onEpoch };
          this.train(session, 'aborted'); // until it turns out not to be
        } catch (error) {
          throw block.failed(error);
        }
        from = this.fitted('fitStream');
        onBlock?.({ block: block.number, rows: block.rows, mistakes: from.history.mistakes - mistakes });
      }
      const mistakes = (from as S).history.mistakes - before;
      const goesOn =
        this.settings.onEpoch?.({
          epoch: (from as S).history.epochs,
          mistakes,
          loss,
          elapsedMs: performance.now() - started,
          snapshot: () => this.#copyOf(from as S),
        }) !== false;
      const outcome = mistakes === 0 ? 'separated' : goesOn ? 'max-epochs' : 'stopped';
      this.adopt(this.concluded(from as S, outcome), this.report.timings, this.report.gram);
      from = this.fitted('fitStream');
      if (outcome !== 'max-epochs') break;
    }
    return this;
  }

  #classesOfBlocks(given: readonly L[] | undefined, from: S | undefined, method: string) {
    const named = given === undefined ? this.settings.classes : orderClasses(given, 'classes', this.limit);
    return blockClasses(from?.classes, named, method);
  }

  /** The share of rows predicted rightly; a label the model does not know is simply not right. */
  score(X: Rows, y: Labels<L>, options: PredictOptions = {}): number {
    const predicted = this.predict(X, options);
    shapeOf(X, 'X'); // the accuracy on no rows is no number
    return countEqual(predicted, checkLabels(y, predicted.length)) / predicted.length;
  }

  /**
   * The rows that were the mistake most often, which are those nearest the plane (SPEC §7), or on the wrong side of any. In dual
   * form of all rows trained on; with weights of those of the latest call (a stream is one), and not after loading: files do not
   * keep it.
   */
  hardest(count = 10): HardSample[] {
    atLeastOne(count, 'count');
    return hardestOf(this.updateCountsOf(this.fitted('hardest')), count);
  }

  /** The classes in order; of two, the second is +1. */
  get classes(): readonly L[] {
    return this.fitted('classes').classes;
  }

  /** How training went. */
  get report(): FitReport {
    this.fitted('report');
    return this.#report as FitReport;
  }

  /** Trains with this constant feature B from now on; gives back the one so far. For pipelines. @internal */
  useInterceptScaling(value: number): number {
    const { settings } = this;
    this.settings = Object.freeze({ ...settings, interceptScaling: scaling(value, 'interceptScaling') });
    return settings.interceptScaling;
  }

  // ---- for trainers ---------------------------------------------------------------------------------

  /** @internal */
  protected fitted(what: string): S {
    if (!this.#state) {
      throw new NotFittedError(`this ${this.constructor.name} is not fitted yet: call fit before ${what}`);
    }
    return this.#state;
  }

  /** Refuses to be trained block by block, where that makes no sense. @internal */
  protected expectBlocks(method: string): void {
    if (this.settings.classWeight === 'balanced') {
      throw new RangeError(`${method} cannot balance classes it has not seen; give classWeight as numbers`);
    }
  }

  /** Refuses to be trained on a stream, where that makes no sense. @internal */
  protected expectStream(): void {
    const { order, pocket, validationFraction } = this.settings;
    if (pocket) {
      throw new RangeError(
        'fitStream does not go with the pocket: it counts mistakes over all rows after every update',
      );
    }
    this.expectBlocks('fitStream');
    if (order !== 'cyclic') {
      throw new RangeError(`fitStream needs order 'cyclic', got '${order}': it would need all rows at once`);
    }
    if (validationFraction > 0) {
      throw new RangeError('fitStream does not go with "validationFraction": rows of a stream cannot be held out');
    }
  }

  #copyOf(state: S): ReturnType<Epoch<L>['snapshot']> {
    const model = this.another();
    model.adopt(state);
    return model;
  }

  /** The state of a stream that is over. @internal */
  protected concluded(state: S, stopReason: StopReason): S {
    return { ...state, history: conclude(state.history, stopReason) };
  }

  /** What `fit` and `fitAsync` ask of a session. @internal */
  protected wholeFit(X: Rows, y: Labels<L>): Request<L, S, Learned> {
    const from = this.settings.warmStart ? this.#state : undefined;
    const classes = from?.classes ?? this.settings.classes;
    return { X, y, from, classes, maxEpochs: this.settings.maxEpochs, isBlock: false };
  }

  /** Checks everything and is ready to run. @internal */
  protected begin(session: Request<L, S, Learned>): Sliced<Draft<S>> {
    const { settings } = this;
    return beginFit({
      settings,
      engine: resolveEngine(settings.engine),
      limit: this.limit,
      inWindows: this.inWindows,
      goesOn: false,
      pace: inOneGo,
      onEpoch: settings.onEpoch,
      modelOf: (state) => this.#copyOf(state),
      ...session,
      crewFor: session.crewFor ?? this.crewFor(session),
    });
  }

  /** Trains in one go. `outcome`: what to call the end, whatever it is. @internal */
  protected train(session: Request<L, S, Learned>, outcome?: StopReason): this {
    finish(this.#trained(session, { outcome }))();
    return this;
  }

  /** All of a fit, from its rows to a state, which the answer takes as the model's own; `way` says how far it is. */
  *#trained(session: Request<L, S, Learned>, way: Way<S>): Sliced<(threads?: Threads) => void> {
    const draft = yield* this.begin(session);
    try {
      way.draft = draft;
      way.started = performance.now();
      const reason = yield* draft.steps;
      way.outcome ??= reason;
      way.atEnd?.();
      return yield* this.#ending(way, draft);
    } finally {
      draft.release();
    }
  }

  /** Trains a slice at a time: timers, input and painting go on in between. @internal */
  protected async trainInSlices(session: Request<L, S, Learned>, options: FitAsyncOptions<L>): Promise<this> {
    const { signal, onEpoch, onProgress, threads } = options;
    if (onEpoch !== undefined) callback(onEpoch, 'onEpoch');
    if (onProgress !== undefined) callback(onProgress, 'onProgress');
    const keepPartial = options.keepPartial !== undefined && boolean(options.keepPartial, 'keepPartial');
    expectSignal(signal);
    checkThreads(threads, options.workerUrl);
    signal?.throwIfAborted();
    const own = this.settings.onEpoch;
    let told = -Infinity;
    let isTold = false;
    /** A pass that onEpoch was not told of. */
    let latest: Epoch<L> | undefined;
    const untilTold = () => told + EPOCH_INTERVAL_MS - performance.now();
    const both = (epoch: Epoch<L>, isNow: boolean): boolean => {
      isTold = true;
      let goOn = own?.(epoch) !== false;
      latest = epoch;
      if (onEpoch && isNow && untilTold() <= 0) {
        told = performance.now();
        latest = undefined;
        goOn = onEpoch(epoch) !== false && goOn;
      }
      return goOn;
    };
    const engine = resolveEngine(this.settings.engine);
    const crowd = new Threads(
      engine,
      threads ?? 'auto',
      options.workerUrl,
      signal,
      this.settings.onUpdate !== undefined,
    );
    const slices = new TimeSlices(crowd);
    const request = {
      ...session,
      onEpoch: own || onEpoch ? both : undefined,
      untilTold: onEpoch && !own ? untilTold : undefined,
      pace: slices,
    };
    let shown = -Infinity;
    const fit = async () => {
      const way: Way<S> = {
        atEnd: () => {
          if (latest) onEpoch?.(latest);
          const { total, epochs } = (way.draft as Draft<S>).total();
          onProgress?.({ epoch: epochs, done: total, total });
        },
      };
      const tell = () => {
        isTold ||= way.draft !== undefined && this.settings.onUpdate !== undefined;
        if (!onProgress || !way.draft || performance.now() - shown < EPOCH_INTERVAL_MS) return;
        shown = performance.now();
        onProgress(way.draft.progress());
      };
      const work = this.#trained(request, way);
      const instead = () => {
        if (!keepPartial) return undefined;
        if (!way.draft?.hasBegun()) {
          // Nothing to keep yet; but small data is soon in.
          slices.begin(LAST_MS);
          const step = work.next();
          if (step.done) return done(step.value);
        }
        return way.draft?.hasBegun() ? this.#ending(way, way.draft) : undefined;
      };
      const take = await inSlices(work, slices, signal, tell, instead);
      if (!keepPartial) signal?.throwIfAborted();
      take(crowd);
    };
    await whereRoom(engine.arena, signal, fit, () => !isTold);
    return this;
  }

  /** The state of a draft; the answer takes it. */
  *#ending({ outcome = 'aborted', started = 0 }: Way<S>, draft: Draft<S>): Sliced<(threads?: Threads) => void> {
    const gramMs = draft.gramMs();
    const timings = { copyMs: draft.copyMs, gramMs, trainMs: performance.now() - started - gramMs };
    const { gramMode } = draft;
    const state = yield* draft.state(outcome);
    return (threads) => this.adopt(state, timings, gramMode, threads);
  }

  /** Takes a state as its own. @internal */
  protected adopt(
    state: S,
    timings: Timings = NO_TIME,
    gram?: FitReport['gram'],
    threads?: Pick<Threads, 'used' | 'reason'>,
  ): void {
    const engine = resolveEngine(this.settings.engine);
    this.#state = state;
    this.#report = Object.freeze({
      ...state.history,
      engine: engine.kind,
      ...(engine.reason !== undefined && { engineReason: engine.reason }),
      threads: threads?.used ?? 1,
      ...(threads?.reason !== undefined && { threadsReason: threads.reason }),
      ...(gram !== undefined && { gram }),
      timings: Object.freeze(timings),
    });
  }

  /** Takes a state that came from a file, if it suits the options that came with it. @internal */
  protected load(state: S): void {
    const { featureNames, classes } = this.settings;
    if (featureNames) expectLength(featureNames, state.cols, 'options.featureNames');
    if (classes) blockClasses(state.classes, classes, 'partialFit');
    classWeights(
      this.settings,
      state.classes,
      state.classes.map(() => 1),
    );
    this.adopt(state);
  }
}

/** `fit` takes X and y: whatever else was given would be ignored. */
export function expectNothing(rest: readonly unknown[]): void {
  if (rest.length > 0 && rest.some((value) => value !== undefined)) {
    throw new TypeError(
      `fit takes X and y, got ${show(rest[0])} too; options go to the constructor, and weights of rows by class (classWeight)`,
    );
  }
}

/** A history that ended so. */
export const conclude = (history: History, stopReason: StopReason): History =>
  Object.freeze({ ...history, converged: stopReason === 'separated', stopReason });

/** n of each row, where it was kept. */
export function keptCounts(counts: Uint32Array | undefined): Iterable<[number, number]> {
  if (!counts) throw new Error('a saved model of weights does not keep which rows were hard: train it here');
  return counts.entries();
}

/** n of each support. */
export function* supportCounts({ indices, counts }: Pick<Supports, 'indices' | 'counts'>): Generator<[number, number]> {
  for (const [s, index] of indices.entries()) yield [index, counts[s] as number];
}
