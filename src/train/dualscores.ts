// The cached scores of a dual learner, for one class or for several (SPEC §7): how they begin, continue those of an earlier session,
// and are confirmed.
//
// The rows of one call are the samples from `first` on. Support vectors of earlier blocks that are not among these rows are
// `others`: they never change, and their part of each score is computed once.

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { countKept, isSameRow, type KeptRows } from '../data/kept.js';
import type { Gram } from '../gram/gramrows.js';
import type { OtherRows } from '../gram/pairs.js';
import type { Dual, Supports } from '../model/state.js';
import { firstOf } from '../model/supports.js';
import type { Resources } from '../worker/threads.js';
import type { TrainingRecord } from './record.js';

/** A dual learner. Without a Gram matrix it has no cached scores (kernelblocks.ts). */
export interface DualForm {
  readonly gram: Gram | undefined;
  readonly record: TrainingRecord;
  readonly counts: Uint32Array;
  readonly problem: { readonly samples: Uint32Array | undefined };
  readonly earlier: Earlier | undefined;
  /** Byte offsets of the cached s − b of all rows, for each class. */
  readonly scoresAt: readonly number[];
  /** Adds the part of row j to the scores, given the byte offset of its kernel values with all rows. */
  addRow(j: number, row: number): void;
  /** Σ of the sizes of the coefficients of class k. */
  sizeOf(k: number): number;
  /** Whether no sample at places `from` to `to` − 1 is a mistake with the cached scores; `list`: of these rows, else of all. */
  areRight(list: Uint32Array | undefined, from: number, to: number): boolean;
  /** Whether the scores were recomputed from the coefficients and had no mistake: then the state need not have them. */
  isConfirmed: boolean;
}

type WithGram = DualForm & { readonly gram: Gram };

/** An upper bound of the error of a score after `updates` updates, given the size of its terms. */
const roundingOf = (updates: number, size: number): number =>
  // Subnormal products round by half of the smallest number, whatever their size.
  updates * (Number.EPSILON * size + Number.MIN_VALUE);

/** An earlier session. */
export interface Earlier<S extends Placed = Placed> {
  /** The number of the first row of this call among all samples. */
  readonly first: number;
  /** How many of the support vectors are others, and these. */
  readonly count: number;
  readonly others: S | undefined;
  /** The cached scores of each class, if the rows are the same. */
  readonly cached: readonly Float64Array[] | undefined;
  /** As `addRow`, for the s-th of the others. */
  readonly add: (s: number, row: number) => void;
  /** What the others add to each score, for each class. */
  base: readonly Float64Array[] | undefined;
}

type Placed = Pick<Supports, 'indices' | 'data'>;

/**
 * Whether X can be the latest block of an earlier session: as many rows, and its support vectors at their places with their labels.
 * A block without support vectors cannot be recognised.
 */
export function isLatestBlock(
  X: ArenaRows,
  { samples, first }: Pick<Dual, 'samples' | 'first'>,
  { indices, data }: Placed,
  isLabelled: (row: number, support: number) => boolean,
): boolean {
  if (samples - first !== X.rows) return false;
  if (indices.length > 0 && (indices.at(-1) as number) < first) return false;
  for (let s = 0; s < indices.length; s++) {
    const i = (indices[s] as number) - first;
    if (i < 0) continue; // of an earlier block
    if (!isLabelled(i, s) || !isSameRow(X, i, data, s)) return false;
  }
  return true;
}

/** An earlier session, on the same rows as now or on others. */
export function earlierOf<S extends Placed>(
  { supports, samples, first }: Pick<Dual, 'samples' | 'first'> & { readonly supports: S },
  isSame: boolean,
  scores: readonly Float64Array[] | undefined,
  add: (s: number, row: number) => void,
): Earlier<S> {
  const { indices } = supports;
  const found = isSame ? indices.findIndex((index) => index >= first) : -1;
  const count = found < 0 ? indices.length : found;
  const others = count > 0 ? firstOf(supports, count) : undefined;
  return { first: isSame ? first : samples, count, others, cached: isSame ? scores : undefined, add, base: undefined };
}

/** Opens the Gram matrix, and sets the scores to begin with. */
export function* openScores(learner: DualForm, resources: Resources): Pausing<void> {
  const { gram, earlier } = learner;
  if (!gram) return;
  yield* gram.open(resources); // does nothing if another learner has opened it
  learner.record.setU32(at.STAMPS, gram.stamps);
  if (earlier) yield* continueScores(learner as WithGram, earlier, resources);
}

/** The cached scores continue, if they differ from those of the coefficients only by the rounding of updates. */
function* continueScores(learner: WithGram, earlier: Earlier, resources: Resources): Pausing<void> {
  const { gram, scoresAt, counts } = learner;
  if (earlier.others) yield* addOthers(learner, earlier, earlier.others.data, resources);
  const largest = yield* gram.pairs.bound(resources); // before rows fill the memory
  yield* recompute(learner, resources);
  const rows = gram.rows;
  const updates = (counts.reduce((a, b) => a + b, 0) + rows + 1) * Math.min(2, scoresAt.length);
  const isNear = earlier.cached?.every((cached, k) => {
    const scores = scoresOf(learner, k);
    const base = earlier.base?.[k]?.reduce((a, b) => Math.max(a, Math.abs(b)), 0) ?? 0;
    const slack = roundingOf(updates, learner.sizeOf(k) * largest + base);
    return slack < Infinity && cached.every((s, i) => Math.abs(s - (scores[i] as number)) <= slack);
  });
  if (!isNear) return;
  earlier.cached?.forEach((cached, k) => {
    scoresOf(learner, k).set(cached);
  });
}

const scoresOf = ({ gram, scoresAt }: WithGram, k: number): Float64Array =>
  gram.engine.arena.f64(scoresAt[k] as number, gram.rows);

/** Adds the parts of the others to the scores, ascending. */
function* addOthers(learner: WithGram, earlier: Earlier, data: KeptRows, resources: Resources): Pausing<void> {
  const { gram } = learner;
  const { arena } = gram.engine;
  const started = performance.now();
  const row = arena.allocate(8 * gram.rows, `a row of ${gram.rows} kernels`, false);
  let others: OtherRows | undefined;
  try {
    others = gram.pairs.copyIn(data);
    for (let s = 0; s < countKept(data); s++) {
      yield* gram.pairs.block(others, s, 1, row.offset, resources);
      earlier.add(s, row.offset);
      if (resources.clock.due()) yield;
    }
  } finally {
    arena.release(row);
    others?.rows.release();
  }
  earlier.base = learner.scoresAt.map((_, k) => scoresOf(learner, k).slice());
  gram.ms += performance.now() - started;
}

/** Recomputes the scores of all rows from the coefficients, support vectors in ascending order. */
function* recompute(learner: WithGram, resources: Resources): Pausing<void> {
  const { gram, record, earlier } = learner;
  const { arena } = gram.engine;
  const counts = learner.counts.slice();
  for (let k = 0; k < learner.scoresAt.length; k++) {
    const scores = arena.f64(learner.scoresAt[k] as number, gram.rows);
    if (earlier?.base) scores.set(earlier.base[k] as Float64Array);
    else scores.fill(0);
  }
  for (let j = 0; j < counts.length; j++) {
    if (counts[j] === 0) continue;
    if (gram.mode === 'rows') yield* gram.ensureRow(j, record, resources);
    learner.addRow(j, arena.u32(gram.table, gram.rows)[j] as number);
    if (resources.clock.due()) yield;
  }
}

/** Samples that are confirmed before the clock is asked. */
const PIECE = 2 ** 12;

/** Recomputes the scores; returns whether no sample is a mistake. */
export function* confirmScores(learner: DualForm, resources: Resources): Pausing<boolean> {
  if (!learner.gram) return true;
  yield* recompute(learner as WithGram, resources);
  const { record, problem } = learner;
  const count = record.u32(at.N);
  learner.isConfirmed = true;
  for (let from = 0; from < count && learner.isConfirmed; from += PIECE) {
    learner.isConfirmed = learner.areRight(problem.samples, from, Math.min(count, from + PIECE));
    if (resources.clock.due()) yield;
  }
  return learner.isConfirmed;
}
