// What a fit tells about itself.

import type { EngineKind } from '../engine/contract.js';

export type StopReason = 'separated' | 'max-epochs' | 'early-stop' | 'stopped' | 'aborted';

export interface Advice {
  readonly code: 'sorted-labels' | 'not-separated' | 'unscaled' | 'memorised';
  readonly message: string;
}

/** Milliseconds. */
export interface Timings {
  /** Checking labels and bringing rows in; little but not nothing where rows need no copy. */
  readonly copyMs: number;
  /** Inner products of rows, or kernels: the dual form alone. */
  readonly gramMs: number;
  readonly trainMs: number;
}

/** What is known of the weights in the pocket (SPEC §6). */
export interface PocketReport {
  /** Training mistakes of the weights in the pocket, which predict. */
  readonly errors: number;
  /** Training mistakes of the last weights, which training goes on from. */
  readonly lastErrors: number;
  /** After how many updates in all the pocket was last replaced; 0: it holds the start weights. */
  readonly replacedAt: number;
}

/** How the training that made a model went; over all its sessions where it went on (warmStart, partialFit). */
export interface FitReport {
  /** A whole pass without a mistake: the last weights separate the rows (their mean, with `average`, need not). */
  readonly converged: boolean;
  readonly stopReason: StopReason;
  /** Passes over the samples, the clean one included. */
  readonly epochs: number;
  /** Updates made. */
  readonly mistakes: number;
  /** Mistakes of each pass; the first 100,000 passes at most. */
  readonly mistakesByEpoch: readonly number[];
  /** With a pocket alone. */
  readonly pocket?: PocketReport;
  readonly engine: EngineKind;
  /** Why it was not a faster one. */
  readonly engineReason?: string;
  /** How many threads worked at the same time, at most. */
  readonly threads: number;
  /** Why there were no worker threads, where they were wanted. */
  readonly threadsReason?: string;
  /** The dual form: whether the whole Gram matrix was there, rows of it as they were needed, or none of it. */
  readonly gram?: 'full' | 'rows' | 'blocks';
  /** Of the latest session. */
  readonly timings: Timings;
  /** What to try, if the outcome leaves something to wish for. */
  readonly advice: readonly Advice[];
}

/** The part of a report that belongs to the model: the same in equal runs. */
export interface History {
  readonly converged: boolean;
  readonly stopReason: StopReason;
  readonly epochs: number;
  readonly mistakes: number;
  readonly mistakesByEpoch: readonly number[];
  readonly pocket?: PocketReport;
  readonly advice: readonly Advice[];
}

/** SPEC §11. */
export const MOST_EPOCHS_KEPT = 100_000;

/** The histories of several classes as one: as long as the longest, with the mistakes of all. */
export function together(
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
