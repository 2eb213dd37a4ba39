// The caller's callbacks during training: onEpoch with its snapshots, and the callbacks of fitAsync at a limited rate.

import type { Label } from '../data/labels.js';
import { expectSignal } from '../errors.js';
import type { StopReason } from '../model/report.js';
import { boolean, callback } from '../train/checks.js';
import type { Hooks, Training } from '../train/loop.js';
import type { Epoch, FitAsyncOptions } from '../train/options.js';

/** Milliseconds between two calls of fitAsync's onEpoch or onProgress. */
const INTERVAL_MS = 50;

export type OnEpoch<L extends Label> = (epoch: Epoch<L>) => void | boolean;

/** Calls the caller's `onEpoch` after the epochs of a learner. */
export interface EpochHook {
  readonly onEpoch: NonNullable<Hooks['onEpoch']>;
  /** Training has ended: no snapshot can be taken any more. */
  close(): void;
}

/** @param snapshotOf makes a snapshot; the caller may ask for it until the next epoch, or until the hook is closed */
export function epochHook<L extends Label>(
  begun: number,
  snapshotOf: (stopReason: StopReason) => ReturnType<Epoch<L>['snapshot']>,
  onEpoch: OnEpoch<L>,
): EpochHook {
  let latest = 0;
  return {
    onEpoch({ isEnd, ...epoch }) {
      const number = ++latest;
      const snapshot = () => {
        if (number !== latest) throw new Error('call snapshot() inside onEpoch only: training has continued');
        return snapshotOf(isEnd ? 'separated' : 'stopped');
      };
      const goesOn = onEpoch({ ...epoch, elapsedMs: performance.now() - begun, snapshot }) !== false;
      return goesOn ? undefined : 'stopped';
    },
    close() {
      latest = -1;
    },
  };
}

/** The callbacks of fitAsync, called at most 20 times a second and at the end; the trainer's own onEpoch is called every epoch. */
export class ThrottledCallbacks<L extends Label> {
  readonly keepPartial: boolean;
  /** To be called after every epoch; undefined if there are no callbacks. */
  readonly onEpoch: OnEpoch<L> | undefined;
  readonly #options: FitAsyncOptions<L>;
  #calledAt = -Infinity;
  #progressAt = -Infinity;
  /** The latest epoch, if fitAsync's onEpoch was not called with it. */
  #pending: Epoch<L> | undefined;

  /** @throws TypeError or RangeError naming the option that is wrong */
  constructor(own: OnEpoch<L> | undefined, options: FitAsyncOptions<L>) {
    const { onEpoch, onProgress, signal, keepPartial } = options;
    if (onEpoch !== undefined) callback(onEpoch, 'onEpoch');
    if (onProgress !== undefined) callback(onProgress, 'onProgress');
    this.keepPartial = keepPartial !== undefined && boolean(keepPartial, 'keepPartial');
    expectSignal(signal);
    this.#options = options;
    this.onEpoch = onEpoch ? (epoch) => this.#call(epoch, own, onEpoch) : own;
  }

  #call(epoch: Epoch<L>, own: OnEpoch<L> | undefined, onEpoch: OnEpoch<L>): boolean {
    const goesOn = own?.(epoch) !== false;
    this.#pending = epoch;
    if (performance.now() - this.#calledAt < INTERVAL_MS) return goesOn;
    this.#calledAt = performance.now();
    this.#pending = undefined;
    return onEpoch(epoch) !== false && goesOn;
  }

  /** Reports progress, after a slice of work. */
  reportProgress(learner: Training<unknown>): void {
    const { onProgress } = this.#options;
    if (!onProgress || performance.now() - this.#progressAt < INTERVAL_MS) return;
    this.#progressAt = performance.now();
    onProgress(learner.progress());
  }

  /** Reports the end of training. */
  reportEnd(learner: Training<unknown>): void {
    const { onEpoch, onProgress } = this.#options;
    if (this.#pending) onEpoch?.(this.#pending);
    if (!onProgress) return;
    const { total } = learner.progress();
    onProgress({ epoch: learner.epochs, done: total, total });
  }
}
