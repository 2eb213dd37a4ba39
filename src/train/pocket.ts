// The pocket (Gallant 1990; SPEC §6): the weights with the fewest training mistakes so far.

import type { PocketReport } from '../model/report.js';
import type { RunState } from '../model/state.js';
import { get } from '../own.js';

/** The ratchet: the run of right samples, now and when the pocket was last replaced. */
export interface Ratchet {
  run: number;
  pocketRun: number;
  /** Whether the pocket is still empty. */
  readonly isNew: boolean;
}

/** The counts of the pocket. The learner has its weights. */
export class Pocket {
  /** Training mistakes of the weights in the pocket. */
  errors: number;
  /** Training mistakes of the last weights, counted after `countedAt` updates. */
  lastErrors = NaN;
  countedAt = -1;
  /** Updates when the pocket was last replaced. */
  replacedAt: number;
  readonly ratchet: Ratchet | undefined;

  /** @param kept training mistakes of the weights in the pocket from an earlier session; undefined if it is empty */
  constructor(kept: number | undefined, from: RunState | undefined, hasRatchet: boolean) {
    const isNew = kept === undefined;
    this.errors = kept ?? Infinity;
    this.replacedAt = isNew ? 0 : (from?.history.pocket?.replacedAt ?? 0);
    const { run, pocketRun } = (!isNew && from && get(from, 'ratchet')) || { run: 0, pocketRun: 0 };
    this.ratchet = hasRatchet ? { run, pocketRun, isNew } : undefined;
  }

  /** Notes a count of all mistakes after `updates` updates. Returns whether there are fewer than ever: then keep the weights. */
  note(count: number, updates: number): boolean {
    this.lastErrors = count;
    this.countedAt = updates;
    if (!(count < this.errors)) return false;
    this.errors = count;
    this.replacedAt = updates;
    if (this.ratchet) this.ratchet.pocketRun = this.ratchet.run;
    return true;
  }

  report(): PocketReport {
    const { errors, lastErrors, replacedAt } = this;
    return { errors, lastErrors, replacedAt };
  }
}
