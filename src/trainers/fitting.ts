// A fit from rows to a model: takeIn → learnerFor → train → adopt, now (`fitNow`) or in slices and on threads (`fitInTurns`).

import { finish, type Pausing } from '../async/pausing.js';
import { drive, SliceClock } from '../async/turns.js';
import { type ClassLimit, type Label, type Labels, listed } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { NotFittedError } from '../errors.js';
import { isNoRoom } from '../memory/arena.js';
import type { FitReport, StopReason, Timings } from '../model/report.js';
import type { ModelState } from '../model/state.js';
import type { Hooks, Training } from '../train/loop.js';
import type { Epoch, FitAsyncOptions } from '../train/options.js';
import { type Problem, type Request, takeIn, takeInTurns } from '../train/problem.js';
import type { Settings } from '../train/settings.js';
import { ALONE, Threads } from '../worker/threads.js';
import { EpochTeller, HumanRate, type OnEpoch } from './telling.js';

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/** Why threads do not help with `onUpdate`. */
const WATCHED = 'onUpdate is told of every update, on the thread that it was given on';

/** @typeParam S what its models keep */
export abstract class Fitting<L extends Label, S extends ModelState<L>> {
  /** @internal */
  protected abstract settings: Settings<L>;
  #state: S | undefined;
  #report: FitReport | undefined;

  constructor() {
    // Node's console.log asks for it. Not declared as a method: bundlers keep a class that has a computed name, used or not.
    const prototype: Record<symbol, unknown> = Fitting.prototype as never;
    prototype[Symbol.for('nodejs.util.inspect.custom')] ??= function (this: Fitting<L, S>) {
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
  protected abstract learnerFor(problem: Problem<L>, request: Request<L, S>, engine: BoundEngine): Training<S>;
  /** Another trainer with these settings, not fitted. @internal */
  protected abstract another(): Fitting<L, S> & ReturnType<Epoch<L>['snapshot']>;
  /** How many classes a model can have. @internal */
  protected get limit(): ClassLimit {
    return 'two';
  }

  /**
   * Trains part by part on rows that do not fit into the memory. @internal
   * @param noRoom what the arena said; thrown where training in parts is not possible
   */
  protected abstract fitInParts(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    noRoom: unknown,
    onEpoch: OnEpoch<L> | undefined,
    options: Pick<FitAsyncOptions<L>, 'keepPartial' | 'onProgress'>,
  ): Pausing<void>;

  /** Refuses a call before anything is allocated, where it cannot be done. @internal */
  protected expectPossible?(X: Rows, request: Request<L, S>, engine: BoundEngine): void;

  /** What the model keeps; undefined before the first fit. @internal */
  protected get state(): S | undefined {
    return this.#state;
  }

  /** @internal */
  protected fitted(what: string): S {
    if (!this.#state) {
      throw new NotFittedError(`this ${this.constructor.name} is not fitted yet: call fit before ${what}`);
    }
    return this.#state;
  }

  /** How training went. */
  get report(): FitReport {
    this.fitted('report');
    return this.#report as FitReport;
  }

  /** What `fit` and `fitAsync` ask for. @internal */
  protected wholeRequest(): Request<L, S> {
    const from = this.settings.warmStart ? this.#state : undefined;
    const classes = from?.classes ?? this.settings.classes;
    return { from, classes, maxEpochs: this.settings.maxEpochs, isBlock: false, goesOn: false };
  }

  /**
   * Trains now. A failure leaves the model as it was. @internal
   * @param onEpoch told of epochs instead of the trainer's own callback
   * @param outcome what to call the end, whatever it is
   */
  protected fitNow(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    onEpoch?: Hooks['onEpoch'],
    outcome?: StopReason,
  ): this {
    const started = performance.now();
    const { settings } = this;
    const engine = resolveEngine(settings.engine);
    this.expectPossible?.(X, request, engine);
    let [problem, learner, teller]: [Problem<L>?, Training<S>?, EpochTeller<L, S>?] = [];
    let noRoom: unknown;
    try {
      problem = takeIn(X, y, settings, request, this.limit, engine.arena);
      learner = this.learnerFor(problem, request, engine);
      const begun = performance.now();
      if (!onEpoch && settings.onEpoch) teller = this.#teller(learner, begun, settings.onEpoch);
      const { maxEpochs } = request;
      const hooks = { ...ALONE, maxEpochs, onUpdate: settings.onUpdate, onEpoch: onEpoch ?? teller?.hook };
      const why = finish(learner.train(hooks));
      this.#adoptFrom(learner, outcome ?? why, started, begun);
      return this;
    } catch (error) {
      if (learner || request.isBlock || !isNoRoom(error)) throw error;
      noRoom = error;
    } finally {
      teller?.close();
      learner?.release();
      problem?.X.release();
    }
    finish(this.fitInParts(X, y, request, noRoom, settings.onEpoch, {}));
    return this;
  }

  #teller(learner: Training<S>, begun: number, onEpoch: OnEpoch<L>): EpochTeller<L, S> {
    return new EpochTeller<L, S>(learner, begun, (state) => this.copyOf(state), onEpoch);
  }

  /** As `fitNow`, a slice at a time and on worker threads: timers, input and painting go on in between. @internal */
  protected async fitInTurns(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    options: FitAsyncOptions<L>,
  ): Promise<this> {
    const { signal } = options;
    const { settings } = this;
    const told = new HumanRate<L>(settings.onEpoch, options);
    const started = performance.now();
    signal?.throwIfAborted();
    const engine = resolveEngine(settings.engine);
    this.expectPossible?.(X, request, engine);
    const clock = new SliceClock(signal);
    const threads = new Threads(engine, options, settings.onUpdate && WATCHED);
    let [problem, learner, teller, work]: [Problem<L>?, Training<S>?, EpochTeller<L, S>?, Pausing<StopReason>?] = [];
    let noRoom: unknown;
    try {
      problem = await takeInTurns(clock, signal, X, y, settings, request, this.limit, engine.arena);
      learner = this.learnerFor(problem, request, engine);
      const begun = performance.now();
      if (told.onEpoch) teller = this.#teller(learner, begun, told.onEpoch);
      const { maxEpochs } = request;
      work = learner.train({ clock, threads, maxEpochs, onUpdate: settings.onUpdate, onEpoch: teller?.hook });
      const end = await drive(work, clock, signal, () => told.showProgress(learner as Training<S>));
      if (!told.keepPartial) signal?.throwIfAborted();
      if (end) told.showEnd(learner);
      if (!end && !(told.keepPartial && learner.hasBegun())) throw signal?.reason;
      this.#adoptFrom(learner, end?.value ?? 'aborted', started, begun, threads);
      return this;
    } catch (error) {
      if (learner || !isNoRoom(error)) throw error;
      noRoom = error;
    } finally {
      teller?.close();
      work?.return('aborted'); // it may have paused while it held something
      learner?.release();
      problem?.X.release();
      threads.leave();
    }
    return this.#fitInPartsInTurns(X, y, request, noRoom, told, options, clock);
  }

  async #fitInPartsInTurns(
    X: Rows,
    y: Labels<L>,
    request: Request<L, S>,
    noRoom: unknown,
    told: HumanRate<L>,
    options: FitAsyncOptions<L>,
    clock: SliceClock,
  ): Promise<this> {
    const before = this.#state;
    const work = this.fitInParts(X, y, request, noRoom, told.onEpoch, options);
    const end = await drive(work, clock, options.signal);
    work.return();
    if (!end && this.#state === before) throw options.signal?.reason;
    return this;
  }

  /** A model of its own with this state. @internal */
  protected copyOf(state: S): ReturnType<Epoch<L>['snapshot']> {
    const model = this.another();
    model.adopt(state);
    return model;
  }

  /** Takes what a learner has learned as the model's own. */
  #adoptFrom(learner: Training<S>, why: StopReason, started: number, begun: number, threads?: Threads): void {
    const { gram } = learner;
    const gramMs = gram?.ms ?? 0;
    const timings = { copyMs: begun - started, gramMs, trainMs: performance.now() - begun - gramMs };
    this.adopt(learner.modelState(why), timings, gram?.mode, threads);
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
}
