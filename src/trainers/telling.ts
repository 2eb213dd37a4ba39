// Who is told of training under way: the callbacks of users, with snapshots; fitAsync's own callbacks at a human rate.

import type { Label } from '../data/labels.js';
import { expectSignal } from '../errors.js';
import { boolean, callback } from '../train/checks.js';
import type { Hooks, Training } from '../train/loop.js';
import type { Epoch, FitAsyncOptions } from '../train/options.js';
import { checkThreads } from '../worker/threads.js';

/** Milliseconds between two calls of fitAsync's onEpoch or onProgress. */
const TOLD_MS = 50;

export type OnEpoch<L extends Label> = (epoch: Epoch<L>) => void | boolean;

/** Tells `onEpoch` of the epochs of a learner. A snapshot can be taken until the next epoch ends, or training does. */
export class EpochTeller<L extends Label, S> {
  readonly hook: NonNullable<Hooks['onEpoch']>;
  #latest = 0;

  constructor(
    learner: Training<S>,
    begun: number,
    copyOf: (state: S) => ReturnType<Epoch<L>['snapshot']>,
    onEpoch: OnEpoch<L>,
  ) {
    this.hook = ({ isEnd, ...epoch }) => {
      const number = ++this.#latest;
      const snapshot = () => {
        if (number !== this.#latest) throw new Error('snapshot() is for inside onEpoch: training has gone on');
        return copyOf(learner.modelState(isEnd ? 'separated' : 'stopped'));
      };
      const goesOn = onEpoch({ ...epoch, elapsedMs: performance.now() - begun, snapshot }) !== false;
      return goesOn ? undefined : 'stopped';
    };
  }

  /** Training is over: no snapshot can be taken any more. */
  close(): void {
    this.#latest = -1;
  }
}

/** The callbacks of fitAsync, at most 20 times a second and at the end; the trainer's own onEpoch hears of every epoch. */
export class HumanRate<L extends Label> {
  readonly keepPartial: boolean;
  /** Tells of an epoch; undefined where nobody wants to know. */
  readonly onEpoch: OnEpoch<L> | undefined;
  readonly #options: FitAsyncOptions<L>;
  #toldAt = -Infinity;
  #shownAt = -Infinity;
  /** The latest epoch, if the callback was not told of it. */
  #untold: Epoch<L> | undefined;

  /** @throws TypeError or RangeError naming the option that is wrong */
  constructor(own: OnEpoch<L> | undefined, options: FitAsyncOptions<L>) {
    const { onEpoch, onProgress, signal, keepPartial = false } = options;
    if (onEpoch !== undefined) callback(onEpoch, 'onEpoch');
    if (onProgress !== undefined) callback(onProgress, 'onProgress');
    this.keepPartial = boolean(keepPartial, 'keepPartial');
    expectSignal(signal);
    checkThreads(options);
    this.#options = options;
    this.onEpoch = onEpoch ? (epoch) => this.#tell(epoch, own, onEpoch) : own;
  }

  #tell(epoch: Epoch<L>, own: OnEpoch<L> | undefined, onEpoch: OnEpoch<L>): boolean {
    const goesOn = own?.(epoch) !== false;
    this.#untold = epoch;
    if (performance.now() - this.#toldAt < TOLD_MS) return goesOn;
    this.#toldAt = performance.now();
    this.#untold = undefined;
    return onEpoch(epoch) !== false && goesOn;
  }

  /** Tells of progress, after a slice of work. */
  showProgress(learner: Training<unknown>): void {
    const { onProgress } = this.#options;
    if (!onProgress || performance.now() - this.#shownAt < TOLD_MS) return;
    this.#shownAt = performance.now();
    onProgress(learner.progress());
  }

  /** Tells of the end. */
  showEnd(learner: Training<unknown>): void {
    const { onEpoch, onProgress } = this.#options;
    if (this.#untold) onEpoch?.(this.#untold);
    if (!onProgress) return;
    const { total } = learner.progress();
    onProgress({ epoch: learner.epochs, done: total, total });
  }
}
