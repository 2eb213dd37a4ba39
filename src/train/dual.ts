// The dual learner: α, n and the cached scores (SPEC §7); dualscores.ts computes the scores again.

import * as at from '../../assembly/layout.js';
import { finish, type Pausing } from '../async/pausing.js';
import { badAt } from '../data/arenarows.js';
import { keepRows, NO_ROWS } from '../data/kept.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { axpyF64 } from '../engine/js/dots.js';
import { isRight, marginOf } from '../engine/js/mistake.js';
import type { Gram } from '../gram/gramrows.js';
import { type KernelChoice, kernelFor } from '../gram/kernel.js';
import { type Dual, meanOf, type RunState, type Standing, type Supports } from '../model/state.js';
import { joined } from '../model/supports.js';
import { get } from '../own.js';
import { ALONE, type Resources } from '../worker/threads.js';
import { DualCounter } from './dualcounter.js';
import { confirmScores, type DualForm, type Earlier, earlierOf, isLatestBlock, openScores } from './dualscores.js';
import { Learner, type MistakeCounter, overflowed, type Target } from './learner.js';
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

export class DualLearner extends Learner<Dual, Region> implements DualForm {
  declare readonly from: (Dual & RunState) | undefined;
  override readonly remote = { run: 'runDual', scan: 'scanDual' } as const;
  override readonly steps: Steps;
  /** The Gram matrix; undefined with gram: 'blocks' (kernelblocks.ts). */
  override readonly gram: Gram | undefined;
  /** For one class of many: whether the rows are those of the session before. The caller then keeps the support vectors. */
  readonly #isSame: boolean | undefined;
  #kept: Kept | undefined;
  readonly scoresAt: readonly number[];
  isConfirmed = false;
  earlier: Earlier<Supports> | undefined;

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
    this.scoresAt = [offsets.scores];
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

  override prepare(resources: Resources): Pausing<void> {
    const { labels, arena, offsets } = this;
    const signs = arena.f64(offsets.signs, this.rows);
    for (let i = 0; i < signs.length; i++) signs[i] = (labels[i] as number) < 0 ? -0 : 0;
    if (this.from) this.#takeUp(this.from);
    return openScores(this, resources);
  }

  /** Sets α, n and the sums of an earlier session; support vectors that are not among these rows become the others. */
  #takeUp(from: Dual & Standing): void {
    const { supports, first, bias, biasSum, scores, seen, sigma } = from;
    const { record, offsets, arena } = this;
    const add = (s: number, row: number) => {
      const by = (supports.alphas[s] as number) * (supports.signs[s] as number);
      this.kernels.axpy(8, offsets.scores, row, by, this.rows);
    };
    this.earlier = earlierOf(from, this.#isSameBlock(from), scores && [scores], add);
    const alphas = arena.f64(offsets.alphas, this.rows);
    const counts = arena.u32(offsets.counts, this.rows);
    const sums = offsets.sums ? arena.f64(offsets.sums, this.rows) : undefined;
    for (let k = this.earlier.count; k < supports.indices.length; k++) {
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

  override ensureRow(index: number, resources: Resources): Pausing<void> {
    return (this.gram as Gram).ensureRow(index, this.record, resources);
  }

  override confirm(resources: Resources): Pausing<boolean> {
    return confirmScores(this, resources);
  }

  addRow(j: number, row: number): void {
    const { offsets, rows: samples } = this;
    const alpha = this.arena.f64(offsets.alphas, samples)[j] as number;
    this.kernels.axpy(8, offsets.scores, row, (this.labels[j] as number) * alpha, samples);
  }

  sizeOf(): number {
    return this.arena.f64(this.offsets.alphas, this.rows).reduce((a, b) => a + b, 0);
  }

  areRight(list: Uint32Array | undefined, from: number, to: number): boolean {
    const { labels, record } = this;
    const scores = this.arena.f64(this.offsets.scores, this.rows);
    const [bias, mu] = [record.f64(at.BIAS), record.f64(at.MU)];
    for (let place = from; place < to; place++) {
      const i = list ? (list[place] as number) : place;
      if (!isRight(marginOf((scores[i] as number) + bias, labels[i] as number), mu) && !this.isIdle(i)) return false;
    }
    return true;
  }

  override applyKernel(offset: number): void {
    const { kind, gamma, coef0, degree } = kernelFor(
      (this.settings as NumericSettings & { readonly kernel: KernelChoice }).kernel,
      this.X.cols,
    );
    if (kind === at.RBF) this.arena.f64(offset, this.rows).fill(1);
    else if (kind === at.POLYNOMIAL) this.kernels.transform(kind, gamma, coef0, degree, offset, this.rows, 0, 0);
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
    const pocket = from && get(from.supports, 'pocket');
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
      const row = arena.f64((this.gram as Gram).rowAt(j), samples);
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
    return this.gram.overflowAt(index) ?? super.overflow(index);
  }

  protected result(): Dual & Standing {
    const { arena, offsets, record, rows: samples, X, standing, settings } = this;
    const counts = arena.u32(offsets.counts, samples);
    const alphas = arena.f64(offsets.alphas, samples);
    const sums = offsets.sums ? arena.f64(offsets.sums, samples) : undefined;
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
    const scores = this.isConfirmed || !this.gram ? undefined : arena.f64(offsets.scores, samples).slice();
    const lost = scores ? badAt(scores) : -1;
    if (lost >= 0) throw this.overflowAt(lost);
    const { first, others } = this.earlier ?? { first: 0, others: undefined };
    const count = own.length;
    const supports: Supports = {
      data: this.#isSame === undefined ? keepRows(X, own) : NO_ROWS,
      indices: Uint32Array.from(own),
      signs: new Int8Array(count),
      alphas: new Float64Array(count),
      counts: new Uint32Array(count),
      sums: sums && new Float64Array(count),
      pocket: settings.pocket ? new Float64Array(count) : undefined,
    };
    const { labels } = this;
    for (let s = 0; s < count; s++) {
      const i = own[s] as number;
      supports.indices[s] = first + i;
      supports.signs[s] = labels[i] as number;
      supports.alphas[s] = alphas[i] as number;
      supports.counts[s] = counts[i] as number;
      if (supports.sums) supports.sums[s] = sums?.[i] as number;
      if (supports.pocket) supports.pocket[s] = this.#kept?.alphas[i] ?? 0;
    }
    return {
      supports: others ? joined(others, supports) : supports,
      bias,
      biasSum: record.f64(at.BIAS_SUM),
      pocketBias: this.#kept?.bias ?? 0,
      samples: first + samples,
      first,
      scores,
      ...standing,
    };
  }
}
