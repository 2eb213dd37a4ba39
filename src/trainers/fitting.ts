// A fit, from rows to a model: takeIn → learnerFor → train → adopt. `fitNow` runs it at once, `fitInTurns` in slices and on threads.

import { finish, type Pausing } from '../async/pausing.js';
import { drive, SliceClock } from '../async/turns.js';
import { type ClassLimit, type Label, type Labels, listed } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { NotFittedError } from '../errors.js';
import type { FitReport, StopReason, Timings } from '../model/report.js';
import type { ModelState } from '../model/state.js';
import type { Hooks, Training } from '../train/loop.js';
import type { Epoch, FitAsyncOptions } from '../train/options.js';
import { type FitRequest, type Problem, takeIn, takeInTurns } from '../train/problem.js';
import type { Settings } from '../train/settings.js';
import { ALONE, Threads, type ThreadsUsed } from '../worker/threads.js';
import { type EpochHook, epochHook, type OnEpoch, ThrottledCallbacks } from './callbacks.js';

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/** The report's threadsReason with `onUpdate`. */
const WATCHED = 'onUpdate is called for every update, on the calling thread';

/** @typeParam S the state that its models keep */
export abstract class Fitting<L extends Label, S extends ModelState<L>> {
  /** @internal */
  protected abstract settings: Settings<L>;
  #state: S | undefined;
  #report: FitReport | undefined;
  #derived: Record<string, unknown> | undefined;

  constructor(limit: ClassLimit = 'two') {
    this.limit = limit;
    // For Node's console.log. Not declared as a method: bundlers keep a class with a computed name even if it is not used.
    const prototype: Record<symbol, unknown> = Fitting.prototype as never;
    prototype[Symbol.for('nodejs.util.inspect.custom')] ??= function (this: Fitting<L, S>) {
      return #state in this ? this.#summary() : this; // a Proxy has no private fields
    };
  }

  /** The model in one line. */
  #summary(): string {
    const { name } = this.constructor;
    if (!this.#state) return `${name} (not fitted)`;
    const { cols, classes, history } = this.#state;
    const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const outcome = `${history.converged ? '' : 'not '}separated after ${many(history.epochs, 'epoch')} and ${many(history.mistakes, 'mistake')}`;
    return `${name} { ${many(cols, 'column')}, classes ${listed(classes)}, ${outcome} }`;
  }

  /** The learner that trains on a problem. @internal */
  protected abstract learnerFor(problem: Problem<L>, request: FitRequest<L, S>, engine: BoundEngine): Training<S>;
  /** A new trainer with these settings but for `changes`, not fitted; without the callbacks. @internal */
  protected abstract another(changes?: object): Fitting<L, S> & ReturnType<Epoch<L>['snapshot']>;
  /** How many classes a model can have. @internal */
  protected readonly limit: ClassLimit;

  /**
   * Trains part by part, where X is larger than the memory. @internal
   * @param error why all of X could not be trained on; thrown unless the memory has no room for X, and parts of it are possible
   */
  protected abstract partsFor(X: Rows, y: Labels<L>, request: FitRequest<L, S>, error: unknown): Training<S>;

  /** Checks before anything is allocated whether the call is possible. @internal */
  protected expectPossible(_X: Rows, _request: FitRequest<L, S>, _engine: BoundEngine): void {}

  /** The state of the model; undefined before the first fit. @internal */
  protected get state(): S | undefined {
    return this.#state;
  }

  /** @internal */
  fitted(what: string): S {
    if (!this.#state) {
      throw new NotFittedError(`this ${this.constructor.name} is not fitted yet: call fit before ${what}`);
    }
    return this.#state;
  }

  /** What is derived from the state: made at first use, and forgotten with the state. @internal */
  protected derived<T>(name: string, make: () => T): T {
    this.#derived ??= Object.create(null) as Record<string, unknown>;
    this.#derived[name] ??= make();
    return this.#derived[name] as T;
  }

  /** How training went. */
  get report(): FitReport {
    this.fitted('report');
    return this.#report as FitReport;
  }

  /** The request of `fit` and `fitAsync`. @internal */
  protected wholeRequest(sampleWeight?: Float64Array): FitRequest<L, S> {
    const from = this.settings.warmStart ? this.#state : undefined;
    const classes = from?.classes ?? this.settings.classes;
    const { maxEpochs } = this.settings;
    const block = { counts: undefined, isBlock: false, goesOn: false };
    return { from, classes, maxEpochs, ...block, precomputed: undefined, sampleWeight };
  }

  /**
   * Trains now. A failure leaves the model as it was. @internal
   * @param onEpoch called instead of the trainer's own callback
   * @param outcome the stop reason to report, whatever the actual one is
   */
  protected fitNow(
    X: Rows,
    y: Labels<L>,
    request: FitRequest<L, S>,
    onEpoch?: Hooks['onEpoch'],
    outcome?: StopReason,
  ): this {
    const started = performance.now();
    const { settings } = this;
    const engine = resolveEngine(settings.engine);
    this.expectPossible(X, request, engine);
    let [problem, learner, hook]: [Problem<L>?, Training<S>?, EpochHook?] = [];
    try {
      try {
        problem = takeIn(X, y, settings, request, this.limit, engine.arena);
        learner = this.learnerFor(problem, request, engine);
      } catch (error) {
        problem?.X.release();
        problem = undefined;
        learner = this.partsFor(X, y, request, error);
      }
      const begun = performance.now();
      if (!onEpoch && settings.onEpoch) hook = this.hookFor(learner, begun, settings.onEpoch);
      const { maxEpochs } = request;
      const hooks = { ...ALONE, maxEpochs, onUpdate: settings.onUpdate, onEpoch: onEpoch ?? hook?.onEpoch };
      const why = finish(learner.train(hooks));
      this.#adoptFrom(learner, outcome ?? why, started, begun);
    } finally {
      hook?.close();
      learner?.release();
      problem?.X.release();
    }
    return this;
  }

  /** Calls `onEpoch` after the epochs of a learner, with snapshots of the model. @internal */
  protected hookFor(learner: Pick<Training<S>, 'modelState'>, begun: number, onEpoch: OnEpoch<L>): EpochHook {
    const snapshotOf = (stopReason: StopReason) => {
      const model = this.another();
      model.adopt(learner.modelState(stopReason));
      return model;
    };
    return epochHook<L>(begun, snapshotOf, onEpoch);
  }

  /** As `fitNow`, in slices and on worker threads, so that timers, input and painting are not blocked. @internal */
  protected async fitInTurns(
    X: Rows,
    y: Labels<L>,
    request: FitRequest<L, S>,
    options: FitAsyncOptions<L>,
  ): Promise<this> {
    const { signal } = options;
    const { settings } = this;
    const callbacks = new ThrottledCallbacks<L>(settings.onEpoch, options);
    const engine = resolveEngine(settings.engine);
    const threads = new Threads(engine, options, settings.onUpdate && WATCHED);
    const started = performance.now();
    signal?.throwIfAborted();
    this.expectPossible(X, request, engine);
    const clock = new SliceClock(signal);
    let [problem, learner, hook, work]: [Problem<L>?, Training<S>?, EpochHook?, Pausing<StopReason>?] = [];
    try {
      try {
        problem = await takeInTurns(clock, signal, X, y, settings, request, this.limit, engine.arena);
        learner = this.learnerFor(problem, request, engine);
      } catch (error) {
        problem?.X.release();
        problem = undefined;
        learner = this.partsFor(X, y, request, error);
      }
      const begun = performance.now();
      if (callbacks.onEpoch) hook = this.hookFor(learner, begun, callbacks.onEpoch);
      const { maxEpochs } = request;
      work = learner.train({ clock, threads, maxEpochs, onUpdate: settings.onUpdate, onEpoch: hook?.onEpoch });
      const end = await drive(work, clock, signal, () => callbacks.reportProgress(learner as Training<S>));
      const used = await threads.outcome();
      if (!callbacks.keepPartial) signal?.throwIfAborted();
      if (end) callbacks.reportEnd(learner);
      if (!end && !(callbacks.keepPartial && learner.hasBegun())) throw signal?.reason;
      this.#adoptFrom(learner, end?.value ?? 'aborted', started, begun, used);
    } finally {
      hook?.close();
      work?.return('aborted'); // runs the `finally` of work that paused
      learner?.release();
      problem?.X.release();
      threads.leave();
    }
    return this;
  }

  /** Adopts the state of a learner. */
  #adoptFrom(learner: Training<S>, why: StopReason, started: number, begun: number, threads?: ThreadsUsed): void {
    const { gram } = learner;
    const gramMs = gram?.ms ?? 0;
    const timings = { copyMs: begun - started, gramMs, trainMs: performance.now() - begun - gramMs };
    this.adopt(learner.modelState(why), timings, gram?.mode, threads);
  }

  /** Makes a state the model's own. @internal */
  protected adopt(state: S, timings: Timings = NO_TIME, gram?: FitReport['gram'], threads?: ThreadsUsed): void {
    const engine = resolveEngine(this.settings.engine);
    this.#state = state;
    this.#derived = undefined;
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
}
