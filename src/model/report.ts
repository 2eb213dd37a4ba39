// The report of a fit.

import type { EngineKind } from '../engine/contract.js';

/** Why training ended: a clean epoch, `maxEpochs`, the held-out score, the loss (`tol`), `onEpoch` said false, or an abort. */
export type StopReason = 'separated' | 'max-epochs' | 'early-stop' | 'no-progress' | 'stopped' | 'aborted';

/** A remark on how training went: a code to compare, and a sentence to show. */
export interface Advice {
  readonly code: 'sorted-labels' | 'not-separated' | 'unscaled' | 'memorised';
  readonly message: string;
}

/** Milliseconds. */
export interface Timings {
  /** Checking labels and copying rows in; small but not zero if rows need no copy. */
  readonly copyMs: number;
  /** Computing K(x_i, x_j) of rows; the dual form only. */
  readonly gramMs: number;
  readonly trainMs: number;
}

/** The weights in the pocket (SPEC §6). */
export interface PocketReport {
  /** Training mistakes of the weights in the pocket, which predict. */
  readonly errors: number;
  /** Training mistakes of the last weights, from which training continues. */
  readonly lastErrors: number;
  /** The number of updates after which the pocket was last replaced; 0: it holds the initial weights. */
  readonly replacedAt: number;
}

/** The outcome of training; over all sessions if it was continued (warmStart, partialFit). */
export interface FitReport {
  /** Whether an epoch had no mistake: the last weights separate the rows (with `average` their mean need not). */
  readonly converged: boolean;
  readonly stopReason: StopReason;
  /** Epochs, including the one without a mistake. */
  readonly epochs: number;
  /** Updates made. */
  readonly mistakes: number;
  /** Mistakes of each epoch; at most the first 100,000 epochs. */
  readonly mistakesByEpoch: readonly number[];
  /** Only with a pocket. */
  readonly pocket?: PocketReport;
  readonly engine: EngineKind;
  /** Why a faster engine was not used; undefined: this is the fastest. */
  readonly engineReason?: string;
  /** The most threads that worked at the same time. */
  readonly threads: number;
  /** Why there were no worker threads although you asked for them. */
  readonly threadsReason?: string;
  /** The dual form: whether training used the whole Gram matrix, rows of it, or none of it. */
  readonly gram?: 'full' | 'rows' | 'blocks';
  /** Of the latest session. */
  readonly timings: Timings;
  /** What to try if the rows were not separated. */
  readonly advice: readonly Advice[];
}

/** The part of a report that is saved with the model: identical in equal runs. */
export interface History {
  readonly converged: boolean;
  readonly stopReason: StopReason;
  readonly epochs: number;
  readonly mistakes: number;
  readonly mistakesByEpoch: readonly number[];
  readonly pocket?: PocketReport;
  readonly advice: readonly Advice[];
}

/** The most epochs in `mistakesByEpoch` (SPEC §11). */
export const MOST_EPOCHS_KEPT = 100_000;

/** Combines the histories of several classes: as many epochs as the longest, and the mistakes of all. */
export function combinedHistory(
  members: readonly { readonly history: History }[],
  stopReason: StopReason,
  advice: readonly Advice[] = [],
): History {
  let [converged, epochs, mistakes] = [true, 0, 0];
  const byEpoch: number[] = [];
  for (const { history } of members) {
    converged &&= history.converged;
    epochs = Math.max(epochs, history.epochs);
    mistakes += history.mistakes;
    for (const [epoch, count] of history.mistakesByEpoch.entries()) byEpoch[epoch] = (byEpoch[epoch] ?? 0) + count;
  }
  while (byEpoch.length < Math.min(epochs, MOST_EPOCHS_KEPT)) byEpoch.push(0);
  return Object.freeze({ converged, stopReason, epochs, mistakes, mistakesByEpoch: Object.freeze(byEpoch), advice });
}
