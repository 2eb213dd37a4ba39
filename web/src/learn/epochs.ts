// Epoch by epoch, as the library counts: those that are over, and the one under way.

import { epochsAt, mistakesAt } from './trace.js';
import type { EpochFacts, Trace } from './types.js';

export interface EpochRow {
  /** From 1. */
  readonly epoch: number;
  /** In this epoch, and in all so far. */
  readonly mistakes: number;
  readonly total: number;
  /** −Σ y·s over the mistakes of the epoch, each as scored just before its update: `onEpoch.loss` of the library. */
  readonly loss: number;
  /** Not over: its numbers may still grow. */
  readonly isUnderWay: boolean;
}

/**
 * The moment that is known by then: after the last mistake of a training that converged all the rest is known, as no step of it
 * changes anything.
 */
const knownMoment = ({ report, steps }: Trace, moment: number): number =>
  report.converged && mistakesAt({ steps }, moment) === report.mistakes ? steps.length : moment;

/** Epochs that are over by then. */
export const epochsOver = (trace: Trace, moment: number): readonly EpochFacts[] =>
  trace.epochs.slice(0, epochsAt(trace, knownMoment(trace, moment)));

export function epochRows(trace: Trace, moment: number): EpochRow[] {
  const over = epochsOver(trace, moment);
  const rows: EpochRow[] = over.map(({ epoch, mistakes, totalMistakes, loss }) => ({
    epoch,
    mistakes,
    total: totalMistakes,
    loss,
    isUnderWay: false,
  }));
  const first = over.at(-1)?.steps ?? 0;
  if (knownMoment(trace, moment) > first) {
    let [mistakes, loss] = [0, 0];
    for (const { isMistake, index, score } of trace.steps.slice(first, moment)) {
      if (!isMistake) continue;
      mistakes++;
      loss -= (trace.setup.points[index]?.label ?? 0) * score;
    }
    const total = (over.at(-1)?.totalMistakes ?? 0) + mistakes;
    rows.push({ epoch: over.length + 1, mistakes, total, loss: loss + 0, isUnderWay: true });
  }
  return rows;
}

/** Of a bound so far above the mistakes nobody learns anything. */
const MOST_TIMES = 100;

/** The bound on mistakes that the end of training proves, which held from the start; undefined where it says nothing. */
export function boundOf({ epochs, report }: Trace): number | undefined {
  const bound = epochs.at(-1)?.mistakeBound ?? Infinity;
  return bound <= MOST_TIMES * report.mistakes ? Math.floor(bound) : undefined;
}
