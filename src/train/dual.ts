// The dual learner: α, n and the cached scores (SPEC §7).
//
// The rows of one call are the samples from `first` on. Support vectors of earlier blocks that are not among these rows are
// `others`: they never change, and their part of each score is computed once.

import * as at from '../../assembly/layout.js';
import { finish, type Pausing } from '../async/pausing.js';
import { badAt } from '../data/arenarows.js';
import { keepRows, NO_ROWS } from '../data/kept.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { axpyF64 } from '../engine/js/dots.js';
import { isRight, marginOf } from '../engine/js/mistake.js';
import type { Gram } from '../gram/gramrows.js';
import type { KernelChoice } from '../gram/kernel.js';
import { pairOverflow } from '../gram/pairs.js';
import { type Dual, meanOf, type RunState, type Standing, type Supports } from '../model/state.js';
import { joined, part } from '../model/supports.js';
import { ALONE, type Resources } from '../worker/threads.js';
import { DualCounter } from './dualcounter.js';
import { addEarlier, isLatestBlock } from './earlier.js';
import { Learner, type MistakeCounter, overflowed, roundingOf, type Target } from './learner.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** The lengths of the queue of updates that scores have not got yet: long while the Gram matrix fits a cache, else short. */
const LONG_QUEUE = 512;
const SHORT_QUEUE = 16;
const CACHED_BYTES = 2 ** 20;

type Region = 'scores' | 'alphas' | 'signs' | 'sums' | 'applied' | 'queue';

/** What is in the pocket. */
interface Kept {
  readonly alphas: Float64Array;
  readonly bias: number;
  /** s of all rows, if known. */
  readonly scores: Float64Array | undefined;
}

export class DualLearner extends Learner<Dual, Region> {
  declare readonly from: (Dual & RunState) | undefined;
  override readonly remote = { run: 'runDual', scan: 'scanDual' } as const;
  override readonly steps: Steps;
  /** The Gram matrix; undefined with gram: 'blocks' (kernelblocks.ts). */
  override readonly gram: Gram | undefined;
  /** For one class of many: whether the rows are those of the session before. The caller then keeps the support vectors. */
  readonly #isSame: boolean | undefined;
  #kept: Kept | undefined;
  /** Whether the scores were recomputed from α and had no mistake: then the state need not have them. */
  #isConfirmed = false;
  #first = 0;
  #others: Supports | undefined;
  /** What the others add to each score. */
  #base: Float64Array | undefined;
  /** The cached scores of the session before, if the rows are the same. */
  #cached: Float64Array | undefined;

  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings & { readonly kernel: KernelChoice },
    target: Target,
    from: (Dual & RunState) | undefined,
    gram: Gram | undefined,
    isSame?: boolean,
  ) {
    const n = problem.X.rows;
    const whole = at.BLOCK * Math.ceil(n / at.BLOCK); // the kernels read scores in whole blocks
    const isCached = gram !== undefined && gram.wholeBytes > 0 && gram.wholeBytes <= CACHED_BYTES;
    const capacity = isCached ? LONG_QUEUE : SHORT_QUEUE;
    super(engine, problem, settings, target, from, {
      scores: 8 * whole, //                           f64[n], and the rest of the last block
      alphas: 8 * n, //                               f64[n]
      signs: 8 * whole, //                            f64[n], likewise
      sums: settings.average ? 8 * n : 0, //          f64[n]
      applied: (4 * whole) / at.BLOCK, //             u32[blocks]
      queue: 12 * capacity, //                        f64[capacity], u32[capacity]
    });
    this.steps = this.kernels.dual;
    this.kernel = settings.kernel.type;
    this.costOfRow = n;
    this.gram = gram;
    this.#isSame = isSame;
    const { record, offsets } = this;
    record.setU32(at.ROWS, gram?.table ?? 0);
    record.setU32(at.LENGTH, n);
    record.setU32(at.SCORES, offsets.scores);
    record.setU32(at.ALPHAS, offsets.alphas);
    record.setU32(at.SIGNS, offsets.signs);
    record.setU32(at.ALPHA_SUMS, offsets.sums);
    record.setU32(at.APPLIED, offsets.applied);
    record.setU32(at.QUEUE, offsets.queue);
    record.setU32(at.QUEUE_CAPACITY, capacity);
  }

  /** One class of many does not release the Gram matrix, which all classes share. */
  override release(): void {
    super.release();
    if (this.#isSame === undefined) this.gram?.release();
  }

  override *prepare(resources: Resources): Pausing<void> {
    const { labels, arena, offsets } = this;
    const signs = arena.f64(offsets.signs, this.rows);
    for (let i = 0; i < signs.length; i++) signs[i] = (labels[i] as number) < 0 ? -0 : 0;
    if (this.from) this.#takeUp(this.from);
    if (!this.gram) return;
    yield* this.gram.open(resources); // does nothing if another learner has opened it
    this.record.setU32(at.STAMPS, this.gram.stamps);
    if (!this.from) return;
    const started = performance.now();
    if (this.#others) yield* this.#addOthers(this.#others, resources);
    this.gram.ms += performance.now() - started;
    yield* this.#resume(resources);
  }

  /** Sets α, n and the sums of an earlier session; support vectors that are not among these rows become the others. */
  #takeUp(from: Dual & Standing): void {
    const { supports, samples, first, bias, biasSum, scores, seen, sigma } = from;
    const { record, offsets, arena } = this;
    const isSame = this.#isSameBlock({ supports, samples, first });
    this.#first = isSame ? first : samples;
    this.#cached = isSame ? scores : undefined;
    const others = supports.indices.findIndex((index) => index >= this.#first);
    const kept = others < 0 ? supports.indices.length : others;
    this.#others = kept > 0 ? part(supports, 0, kept) : undefined;
    const alphas = arena.f64(offsets.alphas, this.rows);
    const counts = arena.u32(offsets.counts, this.rows);
    const sums = offsets.sums ? arena.f64(offsets.sums, this.rows) : undefined;
    for (let k = kept; k < supports.indices.length; k++) {
      const i = (supports.indices[k] as number) - first;
      alphas[i] = supports.alphas[k] as number;
      counts[i] = supports.counts[k] as number;
      if (sums && supports.sums) sums[i] = supports.sums[k] as number;
    }
    record.setF64(at.BIAS, bias);
    record.setF64(at.BIAS_SUM, biasSum);
    this.resume({ seen, sigma });
  }

  /** Whether these are the rows of the latest block of an earlier session. */
  #isSameBlock(from: Pick<Dual, 'supports' | 'samples' | 'first'>): boolean {
    if (this.#isSame !== undefined) return this.#isSame;
    const { labels } = this;
    const { supports } = from;
    return isLatestBlock(this.X, from, supports, (i, k) => labels[i] === supports.signs[k]);
  }

  /** Adds Σ α_j y_j K(x_j, ·) over the others, ascending. */
  *#addOthers(others: Supports, resources: Resources): Pausing<void> {
    const { arena, kernels, offsets, rows: samples } = this;
    arena.f64(offsets.scores, samples).fill(0);
    const add = (s: number, row: number) => {
      kernels.axpy(8, offsets.scores, row, (others.alphas[s] as number) * (others.signs[s] as number), samples);
    };
    yield* addEarlier(this.engine, this.X, (this.gram as Gram).pairs, others.data, add, resources);
    this.#base = arena.f64(offsets.scores, samples).slice();
  }

  /** Sets the scores to start from: the cached ones, if they differ from those of α only by the rounding of updates. */
  *#resume(resources: Resources): Pausing<void> {
    const largest = yield* (this.gram as Gram).pairs.bound(resources); // before rows fill the memory
    yield* this.#recompute(resources);
    const cached = this.#cached;
    if (!cached) return;
    const { arena, offsets } = this;
    const scores = arena.f64(offsets.scores, this.rows);
    const sum = (values: Float64Array | Uint32Array) => (values as Float64Array).reduce((a, b) => a + b, 0);
    const updates = sum(arena.u32(offsets.counts, this.rows)) + this.rows + 1;
    const sizes = sum(arena.f64(offsets.alphas, this.rows)) * largest;
    const base = this.#base?.reduce((a, b) => Math.max(a, Math.abs(b)), 0) ?? 0;
    const slack = roundingOf(updates, sizes + base);
    if (slack < Infinity && cached.every((s, i) => Math.abs(s - (scores[i] as number)) <= slack)) scores.set(cached);
  }

  /** Recomputes s − b of all rows from α, support vectors in ascending order (SPEC §7). */
  *#recompute(resources: Resources): Pausing<void> {
    const { arena, offsets, rows: samples, kernels } = this;
    const gram = this.gram as Gram;
    const scores = arena.f64(offsets.scores, samples);
    if (this.#base) scores.set(this.#base);
    else scores.fill(0);
    const counts = arena.u32(offsets.counts, samples).slice();
    for (let j = 0; j < samples; j++) {
      if (counts[j] === 0) continue;
      if (gram.mode === 'rows') yield* this.ensureRow(j, resources);
      const row = arena.u32(gram.table, samples)[j] as number;
      const coefficient = (this.labels[j] as number) * (arena.f64(offsets.alphas, samples)[j] as number);
      kernels.axpy(8, offsets.scores, row, coefficient, samples);
      if (resources.clock.due()) yield;
    }
  }

  override *ensureRow(index: number, resources: Resources): Pausing<void> {
    this.record.setF64(at.TICK, yield* (this.gram as Gram).ensureRow(index, this.record.f64(at.TICK), resources));
  }

  override *confirm(resources: Resources): Pausing<boolean> {
    if (!this.gram) return true;
    yield* this.#recompute(resources);
    this.#isConfirmed = this.#isClean();
    return this.#isConfirmed;
  }

  #isClean(): boolean {
    const { arena, offsets, record, rows: samples, labels } = this;
    const scores = arena.f64(offsets.scores, samples);
    const n = record.u32(at.N);
    const order = record.u32(at.ORDER) ? this.order : undefined;
    const bias = record.f64(at.BIAS);
    const mu = record.f64(at.MU);
    for (let place = 0; place < n; place++) {
      const i = order ? (order[place] as number) : place;
      if (!isRight(marginOf((scores[i] as number) + bias, labels[i] as number), mu)) return false;
    }
    return true;
  }

  override makeCounter(): MistakeCounter {
    return new DualCounter(this.engine, this);
  }

  override keep(): void {
    const { arena, offsets, rows: samples } = this;
    const bias = this.record.f64(at.BIAS);
    this.#kept = {
      alphas: arena.f64(offsets.alphas, samples).slice(),
      bias,
      scores: arena.f64(offsets.scores, samples).map((s) => s + bias),
    };
  }

  override countKept(): number | undefined {
    const from = this.from;
    const { pocket } = from?.supports ?? {};
    if (!from || !pocket) return undefined;
    if (!this.#isSameBlock(from)) {
      throw new RangeError('the pocket counts mistakes over all rows: training can continue only with the same rows');
    }
    const alphas = new Float64Array(this.rows);
    from.supports.indices.forEach((index, s) => {
      alphas[index - from.first] = pocket[s] as number;
    });
    this.#kept = { alphas, bias: from.pocketBias, scores: undefined };
    return from.history.pocket?.errors;
  }

  /** The scores of all rows with the coefficients in the pocket. */
  #keptScores({ alphas, bias }: Kept): Float64Array {
    const { arena, rows: samples } = this;
    const scores = new Float64Array(samples);
    alphas.forEach((alpha, j) => {
      if (alpha === 0) return;
      finish(this.ensureRow(j, ALONE));
      const row = arena.f64(arena.u32((this.gram as Gram).table, samples)[j] as number, samples);
      axpyF64(scores, 0, row, 0, alpha * (this.labels[j] as number), samples);
    });
    return scores.map((s) => s + bias);
  }

  rightAmong(rows: Uint32Array): number {
    const kept = this.#kept;
    if (kept && !kept.scores) this.#kept = { ...kept, scores: this.#keptScores(kept) };
    const scores = this.#kept?.scores ?? this.arena.f64(this.offsets.scores, this.rows);
    const bias = this.#kept ? 0 : this.record.f64(at.BIAS); // the pocket's scores include its bias
    const { labels } = this;
    let right = 0;
    for (const row of rows) if ((scores[row] as number) + bias >= 0 === (labels[row] as number) > 0) right++;
    return right;
  }

  protected override overflow(index: number): Error {
    if (!this.gram) return overflowed(`the score of row ${index}, or a kernel in it,`);
    const { arena, rows: samples } = this;
    const row = arena.u32(this.gram.table, samples)[index] as number;
    // The row of the Gram matrix for this sample may not be in memory; those of the support vectors make up its score.
    const table = arena.u32(this.gram.table, samples);
    for (let j = 0; j < samples; j++) {
      const at8 = row ? row + 8 * j : table[j] ? (table[j] as number) + 8 * index : 0;
      if (!at8) continue;
      const value = arena.f64(at8, 1)[0] as number;
      if (!Number.isFinite(value))
        return pairOverflow(Math.min(index, j), Math.max(index, j), value, this.kernel as string);
    }
    return super.overflow(index);
  }

  protected result(): Dual & Standing {
    const { arena, offsets, record, rows: samples, X, standing } = this;
    const counts = arena.u32(offsets.counts, samples);
    const alphas = arena.f64(offsets.alphas, samples);
    const sums = offsets.sums ? arena.f64(offsets.sums, samples) : undefined;
    const { labels } = this;
    const bias = record.f64(at.BIAS);
    const own: number[] = [];
    for (let i = 0; i < samples; i++) {
      if (counts[i] === 0) continue;
      own.push(i);
      const mean = sums ? meanOf(alphas[i] as number, sums[i] as number, standing.seen) : 0;
      if (!Number.isFinite(alphas[i]) || !Number.isFinite(mean)) throw overflowed(`the coefficient of row ${i}`);
    }
    const meanBias = sums ? meanOf(bias, record.f64(at.BIAS_SUM), standing.seen) : 0;
    if (!Number.isFinite(bias) || !Number.isFinite(meanBias)) throw overflowed('the bias');
    // In an unfinished sweep a cached score may have overflowed that no kernel has read yet.
    const scores = arena.f64(offsets.scores, samples);
    const lost = this.#isConfirmed || !this.gram ? -1 : badAt(scores);
    if (lost >= 0) throw this.overflowAt(lost);
    const supports: Supports = {
      data: this.#isSame === undefined ? keepRows(X, own) : NO_ROWS,
      indices: Uint32Array.from(own, (i) => this.#first + i),
      signs: pick(own, labels, new Int8Array(own.length)),
      alphas: pick(own, alphas, new Float64Array(own.length)),
      counts: pick(own, counts, new Uint32Array(own.length)),
      sums: sums && pick(own, sums, new Float64Array(own.length)),
      pocket: this.settings.pocket ? pick(own, this.#kept?.alphas ?? [], new Float64Array(own.length)) : undefined,
    };
    const rest = {
      bias,
      biasSum: record.f64(at.BIAS_SUM),
      pocketBias: this.#kept?.bias ?? 0,
      samples: this.#first + samples,
      first: this.#first,
      scores: this.#isConfirmed || !this.gram ? undefined : scores.slice(),
      ...standing,
    };
    return { supports: this.#others ? joined(this.#others, supports) : supports, ...rest };
  }
}

/** The values at some places; 0 beyond the end. */
function pick<T extends Float64Array | Uint32Array | Int8Array>(
  places: readonly number[],
  values: ArrayLike<number>,
  into: T,
): T {
  for (let s = 0; s < places.length; s++) into[s] = values[places[s] as number] ?? 0;
  return into;
}
