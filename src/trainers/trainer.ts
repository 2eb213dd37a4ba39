// What all trainers have: fit in one go, block by block, from a stream or in slices; score and report. A trainer adds who
// learns, and how that predicts.

import { finish, type Pausing } from '../async/pausing.js';
import { drive, firstTurn, runStagesInTurns, SliceClock } from '../async/turns.js';
import {
  type ClassLimit,
  checkLabels,
  classesIn,
  countEqual,
  encode,
  type Label,
  type Labels,
  listed,
  orderClasses,
} from '../data/labels.js';
import { partOfRows, type Rows, rowsOfPart, shapeOf } from '../data/rows.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, expectSignal, NotFittedError, show } from '../errors.js';
import { isNoRoom } from '../memory/arena.js';
import { expectLength } from '../model/json.js';
import { type HardSample, hardestOf, type PredictOptions } from '../model/model.js';
import type { FitReport, History, StopReason, Timings } from '../model/report.js';
import type { ModelState, Supports } from '../model/state.js';
import { count as atLeastOne, boolean, callback, scaling } from '../train/checks.js';
import type { EpochDone, Hooks, Training } from '../train/loop.js';
import type { Epoch, FitAsyncOptions, Progress } from '../train/options.js';
import { type Intake, intake, type Problem, type Request, takeIn } from '../train/problem.js';
import { classWeights, type Settings } from '../train/settings.js';
import { ALONE, checkThreads, Threads } from '../worker/threads.js';
import { type Blocks, blockClasses, type FitStreamOptions, inBlocks, streamOptions } from './stream.js';

/** onEpoch and onProgress at a human rate. */
const TOLD_MS = 50;

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/** @typeParam S what its models keep */
export abstract class Trainer<L extends Label, S extends ModelState<L>> {
  /** @internal */
  protected abstract settings: Settings<L>;
  #state: S | undefined;
  #report: FitReport | undefined;

  constructor() {
    // Node's console.log asks for it. Not declared as a method: bundlers keep a class that has a computed name, used or not.
    const prototype: Record<symbol, unknown> = Trainer.prototype as never;
    prototype[Symbol.for('nodejs.util.inspect.custom')] ??= function (this: Trainer<L, S>) {
      return this.#told();
    };
  }

  /** What was learned, in a line. */
  #told(): string {
    const { name } = this.constructor;
    if (!this.#state) return `${name} (not fitted)`;
    const { cols, classes, history } = this.#state;
    const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const outcome = `${history.converged ? '' : 'not '}separated after ${many(history.epochs, 'epoch')} and ${many(history.mistakes, 'mistake')}`;
    return `${name} { ${many(cols, 'column')}, classes ${listed(classes)}, ${outcome} }`;
  }

  /** What trains on a problem. @internal */
  protected abstract learnerFor(problem: Problem<L>, request: Request<L, S>): Training<S>;
  /** Another trainer with these settings, not fitted. @internal */
  protected abstract another(): Trainer<L, S> & ReturnType<Epoch<L>['snapshot']>;
  /** How often rows were the mistake. @internal */
  protected abstract updateCountsOf(state: S): Iterable<readonly [index: number, updates: number]>;
  /** The class of each row; none for no rows. */
  abstract predict(X: Rows, options?: PredictOptions): L[];

  /** How many classes a model can have. @internal */
  protected get limit(): ClassLimit {
    return 'two';
  }

  /** Refuses a call before anything is allocated, where it cannot be done. @internal */
  protected expectPossible(_X: Rows, _request: Request<L, S>): void {}

  /** One pass over these rows, going on from where the model stands. */
  partialFit(X: Rows, y: Labels<L>, options: { classes?: readonly L[] } = {}): this {
    expectOptions(options, ['classes'], 'partialFit');
    this.expectBlocks('partialFit');
    const classes = this.#classesOfBlocks(options.classes, this.#state, 'partialFit');
    return this.fitNow(X, y, { from: this.#state, classes, maxEpochs: 1, isBlock: true, goesOn: false });
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
        const addLoss = (epoch: EpochDone) => {
          loss += epoch.loss;
          return undefined;
        };
        try {
          const request = { from, classes, maxEpochs: 1, isBlock: true, goesOn: block.isLater };
          this.fitNow(X, y, request, addLoss, 'aborted'); // unless the stream comes to its end
        } catch (error) {
          throw block.failed(error);
        }
        from = this.fitted('fitStream');
        onBlock?.({ block: block.number, rows: block.rows, mistakes: from.history.mistakes - mistakes });
      }
      const outcome = this.#endOfEpoch(from as S, before, loss, started);
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

  /** What `fit` and `fitAsync` ask for. @internal */
  protected wholeFit(): Request<L, S> {
    const from = this.settings.warmStart ? this.#state : undefined;
    const classes = from?.classes ?? this.settings.classes;
    return { from, classes, maxEpochs: this.settings.maxEpochs, isBlock: false, goesOn: false };
  }

  /**
   * Trains now: rows and labels in, a learner for them, the loop, the state out. A failure leaves the model as it was.
   * `outcome`: what to call the end, whatever it is. @internal
   */
  protected fitNow(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    onEpoch?: Hooks['onEpoch'],
    outcome?: StopReason,
  ): this {
    const started = performance.now();
    const phase = { isOver: false };
    this.expectPossible(X, request);
    const { arena } = resolveEngine(this.settings.engine);
    const problem = takeIn(X, y, this.settings, request, this.limit, arena);
    try {
      const learner = this.learnerFor(problem, request);
      try {
        const begun = performance.now();
        const { onUpdate } = this.settings;
        const told = onEpoch ?? this.#teller(learner, begun, phase, this.settings.onEpoch);
        const why = finish(learner.train({ ...ALONE, maxEpochs: request.maxEpochs, onUpdate, onEpoch: told }));
        this.#adoptFrom(learner, outcome ?? why, started, begun);
      } finally {
        phase.isOver = true;
        learner.release();
      }
    } finally {
      problem.release();
    }
    return this;
  }

  /** Whether rows that do not fit into the memory may be trained on part by part. @internal */
  protected get trainsInParts(): boolean {
    return false;
  }

  /**
   * Trains part by part on rows that do not fit into the memory, as `fitStream` does: an epoch over all parts has the bits of an
   * epoch of `fit`. `error` is what the arena said.
   */
  *#fitInParts(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    error: unknown,
    onEpoch = this.settings.onEpoch,
    onProgress?: (progress: Progress) => void,
    keepPartial = false,
  ): Pausing<void> {
    const { arena } = resolveEngine(this.settings.engine);
    const together = isNoRoom(error) && this.trainsInParts ? rowsOfPart(X, arena) : undefined;
    if (!together) throw error;
    const { order, pocket, validationFraction } = this.settings;
    if (order !== 'cyclic' || pocket || validationFraction > 0) {
      const what = pocket ? 'the pocket' : validationFraction > 0 ? '"validationFraction"' : `order '${order}'`;
      throw new RangeError(
        `${what} needs all rows in memory, and they do not fit: store X as float32 (dtype 'float32'), or train without it, ` +
          "in order 'cyclic' or block by block with fitStream",
        { cause: error },
      );
    }
    const { rows } = shapeOf(X, 'X');
    const { classes, counts } = encode(y, rows, request.classes ?? classesIn(y, rows, this.limit));
    const before = [this.#state, this.#report] as const;
    const started = performance.now();
    let from = request.from;
    let [isDone, hasFailed] = [false, false];
    try {
      for (let left = request.maxEpochs; left > 0; left--) {
        const mistakes = from?.history.mistakes ?? 0;
        let loss = 0;
        const addLoss = (epoch: EpochDone) => {
          loss += epoch.loss;
          return undefined;
        };
        for (let at = 0; at < rows; at += together) {
          const to = Math.min(rows, at + together);
          const own = { from, classes, counts, maxEpochs: 1, isBlock: true, goesOn: at > 0 };
          this.fitNow(partOfRows(X, at, to), Array.prototype.slice.call(y, at, to) as L[], own, addLoss, 'aborted');
          from = this.fitted('fit');
          onProgress?.({ epoch: from.history.epochs, done: to, total: rows });
          yield;
        }
        const outcome = this.#endOfEpoch(from as S, mistakes, loss, started, onEpoch);
        from = this.fitted('fit');
        if (outcome !== 'max-epochs') break;
        yield;
      }
      isDone = true;
    } catch (failure) {
      hasFailed = true;
      throw failure;
    } finally {
      // A fit that fails leaves the model as it was; one that is aborted too, unless it is to be kept.
      if (!isDone && (hasFailed || !keepPartial)) {
        if (before[0]) this.adopt(before[0]); // so that copies which callers were given meanwhile are made anew
        [this.#state, this.#report] = before;
      }
    }
  }

  /** Ends an epoch over blocks of rows: tells `onEpoch`, and says in the state how it ended. */
  #endOfEpoch(
    state: S,
    mistakesBefore: number,
    loss: number,
    started: number,
    onEpoch = this.settings.onEpoch,
  ): StopReason {
    const mistakes = state.history.mistakes - mistakesBefore;
    const { epochs: epoch } = state.history;
    const snapshot = () => this.#copyOf(state);
    const elapsedMs = performance.now() - started;
    const goesOn = onEpoch?.({ epoch, mistakes, loss, elapsedMs, snapshot }) !== false;
    const outcome = mistakes === 0 ? 'separated' : goesOn ? 'max-epochs' : 'stopped';
    this.adopt(this.concluded(state, outcome), this.report.timings, this.report.gram);
    return outcome;
  }

  /** `fit`: trains now; part by part where X does not fit into the memory. @internal */
  protected fitWhole(X: Rows, y: Labels<L>, request: Request<L, S>): this {
    try {
      return this.fitNow(X, y, request);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      finish(this.#fitInParts(X, y, request, error));
      return this;
    }
  }

  /** As `fitNow`, a slice at a time and on worker threads: timers, input and painting go on in between. @internal */
  protected async fitInTurns(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    options: FitAsyncOptions<L>,
  ): Promise<this> {
    const { signal } = options;
    const told = this.#asyncHooks(options);
    const started = performance.now();
    signal?.throwIfAborted();
    this.expectPossible(X, request);
    const engine = resolveEngine(this.settings.engine);
    const clock = new SliceClock(signal);
    const phase = { isOver: false };
    const threads = new Threads(engine, options, this.settings.onUpdate && WATCHED);
    let arriving: Intake<L>;
    try {
      arriving = intake(X, y, this.settings, request, this.limit, engine.arena);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      const before = this.#state;
      const work = this.#fitInParts(X, y, request, error, told.tell, options.onProgress, told.keepPartial);
      const end = await drive(work, clock, signal);
      work.return();
      if (!end && this.#state === before) throw signal?.reason;
      return this;
    }
    let problem: Problem<L> | undefined;
    let learner: Training<S> | undefined;
    let work: ReturnType<Training<S>['train']> | undefined;
    try {
      await firstTurn();
      signal?.throwIfAborted();
      await runStagesInTurns(arriving.stages, clock, signal);
      problem = arriving.problem();
      learner = this.learnerFor(problem, request);
      const begun = performance.now();
      const { onUpdate } = this.settings;
      const hooks = {
        clock,
        threads,
        maxEpochs: request.maxEpochs,
        onUpdate,
        onEpoch: told.onEpoch(learner, begun, phase),
      };
      work = learner.train(hooks);
      const end = await drive(work, clock, signal, told.afterSlice(learner));
      if (!told.keepPartial) signal?.throwIfAborted();
      if (end) told.atEnd(learner);
      if (!end && !(told.keepPartial && learner.hasBegun())) throw signal?.reason;
      this.#adoptFrom(learner, end?.value ?? 'aborted', started, begun, threads);
    } finally {
      phase.isOver = true;
      work?.return('aborted'); // it may have paused while it held something
      learner?.release();
      (problem ?? arriving).release();
      threads.leave();
    }
    return this;
  }

  /** Checks the options of fitAsync; who is told of epochs and progress, and when. */
  #asyncHooks({ onEpoch, onProgress, signal, keepPartial = false, ...options }: FitAsyncOptions<L>) {
    if (onEpoch !== undefined) callback(onEpoch, 'onEpoch');
    if (onProgress !== undefined) callback(onProgress, 'onProgress');
    boolean(keepPartial, 'keepPartial');
    expectSignal(signal);
    checkThreads(options);
    const own = this.settings.onEpoch;
    let [toldAt, shownAt] = [-Infinity, -Infinity];
    /** The latest epoch, if `onEpoch` was not told of it. */
    let latest: Epoch<L> | undefined;
    const both = (epoch: Epoch<L>): boolean => {
      let goesOn = own?.(epoch) !== false;
      latest = epoch;
      if (onEpoch && performance.now() - toldAt >= TOLD_MS) {
        toldAt = performance.now();
        latest = undefined;
        goesOn = onEpoch(epoch) !== false && goesOn;
      }
      return goesOn;
    };
    return {
      keepPartial,
      tell: both,
      onEpoch: (learner: Training<S>, begun: number, phase: { isOver: boolean }) =>
        this.#teller(learner, begun, phase, own || onEpoch ? both : undefined),
      afterSlice: (learner: Training<S>) => () => {
        if (!onProgress || performance.now() - shownAt < TOLD_MS) return;
        shownAt = performance.now();
        onProgress(learner.progress());
      },
      atEnd(learner: Training<S>) {
        if (latest) onEpoch?.(latest);
        const { total } = learner.progress();
        onProgress?.({ epoch: learner.epochs, done: total, total });
      },
    };
  }

  /** Tells `onEpoch`, if there is one, of an epoch that is over. */
  #teller(
    learner: Training<S>,
    begun: number,
    phase: { readonly isOver: boolean },
    onEpoch: ((epoch: Epoch<L>) => void | boolean) | undefined,
  ): Hooks['onEpoch'] {
    if (!onEpoch) return undefined;
    let current = -1;
    return ({ isEnd, ...epoch }) => {
      const number = ++current;
      const snapshot = () => {
        if (number !== current || phase.isOver)
          throw new Error('snapshot() is for inside onEpoch: training has gone on');
        return this.#copyOf(learner.modelState(isEnd ? 'separated' : 'stopped'));
      };
      const goesOn = onEpoch({ ...epoch, elapsedMs: performance.now() - begun, snapshot }) !== false;
      return goesOn ? undefined : 'stopped';
    };
  }

  /** Takes what a learner has learned as the model's own. */
  #adoptFrom(learner: Training<S>, why: StopReason, started: number, begun: number, threads?: Threads): void {
    const { gramMs, gramMode } = learner;
    const timings = { copyMs: begun - started, gramMs, trainMs: performance.now() - begun - gramMs };
    this.adopt(learner.modelState(why), timings, gramMode, threads);
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

/** Why threads do not help with `onUpdate`. */
const WATCHED = 'onUpdate is told of every update, on the thread that it was given on';

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
export const supportCounts = ({ indices, counts }: Pick<Supports, 'indices' | 'counts'>): [number, number][] =>
  Array.from(indices, (index, s) => [index, counts[s] as number]);
