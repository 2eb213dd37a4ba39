// The dual learner: α, n and the cached scores (SPEC §7).
//
// Rows of one call are the samples `first` … of the model. Supports of earlier blocks that are not among them are
// `others`: they never change, and what they add to each score is computed once.

import * as at from '../../assembly/layout.js';
import type { DenseMatrix } from '../data/dense.js';
import { checkGram, checkSquare } from '../data/gram.js';
import { type KernelChoice, type KernelFunction, kernelFor } from '../data/kernel.js';
import { bringOthers, type Due, type OtherRows, Pairs, pairOverflow } from '../data/pairs.js';
import { type ArenaRows, bringIn, notFinite } from '../data/rows.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import type { Block } from '../memory/arena.js';
import { type Dual, meanOf, type Standing, type Supports } from '../model/state.js';
import { joined, part } from '../model/supports.js';
import { cachedRows, fullGram, type GramPlan, type GramRows } from './gramrows.js';
import { Learner, overflowed } from './learner.js';
import type { NumericSettings } from './options.js';

/** Updates queued for scores that are not at hand: many while the Gram matrix fits a cache, else as many rows as stream well. */
const LONG_QUEUE = 512;
const SHORT_QUEUE = 16;
const CACHED_BYTES = 2 ** 20;

type Region = 'rows' | 'scores' | 'alphas' | 'counts' | 'signs' | 'sums' | 'stamps' | 'applied' | 'queue';

export class DualLearner extends Learner<Dual, Region> {
  readonly #kernel: KernelFunction;
  readonly #type: string;
  readonly #engine: BoundEngine;
  readonly #from: (Dual & Standing) | undefined;
  #pairs: Pairs | undefined;
  #gram: GramRows | undefined;
  #matrix: { offset: number; release(): void } | undefined;
  #gramMs = 0;
  /** Whether the scores were recomputed from α and found clean: then they need not be kept. */
  #isConfirmed = false;
  #first = 0;
  #others: Supports | undefined;
  /** What the others add to each score. */
  #base: Float64Array | undefined;
  /** Cached scores of the session before, if these are its rows. */
  #cached: Float64Array | undefined;

  constructor(
    engine: BoundEngine,
    X: ArenaRows,
    settings: NumericSettings & { readonly kernel: KernelChoice },
    plan: GramPlan,
    precomputed: DenseMatrix | undefined,
    from: (Dual & Standing) | undefined,
  ) {
    const n = X.rows;
    const whole = at.BLOCK * Math.ceil(n / at.BLOCK); // the kernels go through scores in whole blocks
    const capacity = plan.mode === 'full' && plan.bytes <= CACHED_BYTES ? LONG_QUEUE : SHORT_QUEUE;
    super(engine, X, settings, {
      rows: 4 * n, //                                 u32[n]
      scores: 8 * whole, //                           f64[n], and the rest of the last block
      alphas: 8 * n, //                               f64[n]
      counts: 4 * n, //                               u32[n]
      signs: 8 * whole, //                            f64[n], likewise
      sums: settings.average ? 8 * n : 0, //          f64[n]
      stamps: plan.mode === 'rows' || plan.otherwise ? 8 * n : 0, // f64[n]
      applied: (4 * whole) / at.BLOCK, //             u32[blocks]
      queue: 12 * capacity, //                        f64[capacity], u32[capacity]
    });
    this.#engine = engine;
    this.#kernel = kernelFor(settings.kernel, X.cols);
    this.#type = settings.kernel.type;
    this.#from = from;
    const { record, offsets } = this;
    record.setU32(at.ROWS, offsets.rows);
    record.setU32(at.LENGTH, n);
    record.setU32(at.SCORES, offsets.scores);
    record.setU32(at.ALPHAS, offsets.alphas);
    record.setU32(at.COUNTS, offsets.counts);
    record.setU32(at.SIGNS, offsets.signs);
    record.setU32(at.ALPHA_SUMS, offsets.sums);
    record.setU32(at.APPLIED, offsets.applied);
    record.setU32(at.QUEUE, offsets.queue);
    record.setU32(at.QUEUE_CAPACITY, capacity);
    try {
      this.#openGram(plan, precomputed);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  #openGram(plan: GramPlan, precomputed: DenseMatrix | undefined): void {
    const { arena, X } = this;
    const n = X.rows;
    const pairs = new Pairs(this.#engine, X, this.#kernel);
    this.#pairs = pairs;
    const table = {
      rows: () => arena.u32(this.offsets.rows, n),
      stamps: () => arena.f64(this.offsets.stamps, n),
      now: () => {
        const tick = this.record.f64(at.TICK) + 1;
        this.record.setF64(at.TICK, tick);
        return tick;
      },
    };
    if (precomputed !== undefined) {
      checkSquare(precomputed, n, 'precomputed');
      const matrix = bringIn(precomputed, arena, 'precomputed');
      this.#matrix = matrix;
      checkGram(matrix, X, pairs, this.#type);
      this.#gram = fullGram(n, matrix.offset, table, nothing);
      return;
    }
    const block = plan.mode === 'full' ? this.#takeMatrix(plan) : undefined;
    if (block) {
      this.#matrix = { offset: block.offset, release: () => arena.release(block) };
      this.#gram = fullGram(n, block.offset, table, (due) => pairs.matrix(block.offset, due));
    } else {
      this.record.setU32(at.STAMPS, this.offsets.stamps);
      this.#gram = cachedRows(arena, n, (plan.otherwise ?? plan).bytes, pairs, table);
    }
  }

  /** Room for the whole matrix; none if the plan knows another way. */
  #takeMatrix({ bytes, otherwise }: GramPlan): Block | undefined {
    try {
      return this.arena.allocate(bytes, `the ${this.samples} × ${this.samples} Gram matrix`, false);
    } catch (error) {
      if (otherwise) return undefined;
      throw error instanceof RangeError ? new RangeError(`${error.message}; or use gram: 'rows'`) : error;
    }
  }

  get steps(): Steps {
    return this.kernels.dual;
  }

  override get costOfRow(): number {
    return this.samples;
  }

  override get evidence(): { kernel: string; supports: number } {
    const counts = this.arena.u32(this.offsets.counts, this.samples);
    return { kernel: this.#type, supports: counts.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0) };
  }

  override get gramMode(): 'full' | 'rows' {
    return this.#matrix ? 'full' : 'rows';
  }

  override get gramMs(): number {
    return this.#gramMs;
  }

  override *prepare(due: Due): Generator<void> {
    const { labels, arena, offsets } = this;
    const signs = arena.f64(offsets.signs, this.samples);
    for (let i = 0; i < signs.length; i++) signs[i] = (labels[i] as number) < 0 ? -0 : 0;
    if (this.#from) this.#takeUp(this.#from);
    const started = performance.now();
    yield* (this.#gram as GramRows).prepare(due);
    yield* this.#addOthers(due);
    this.#gramMs += performance.now() - started;
    if (this.#from) yield* this.#resume(due);
  }

  /** Sets α, n and the sums of an earlier session; supports that are not among these rows become the others. */
  #takeUp({ supports, samples, first, bias, biasSum, scores, seen, sigma }: Dual & Standing): void {
    const { record, offsets, arena } = this;
    // A block without supports of its own says nothing of which rows it had.
    const isTelling = supports.indices.length === 0 || (supports.indices.at(-1) as number) >= first;
    const isSame = isTelling && samples - first === this.samples && this.#holdsSupports(supports, first);
    this.#first = isSame ? first : samples;
    this.#cached = isSame ? scores : undefined;
    const others = supports.indices.findIndex((index) => index >= this.#first);
    const kept = others < 0 ? supports.indices.length : others;
    this.#others = kept > 0 ? part(supports, 0, kept, this.X.cols) : undefined;
    const alphas = arena.f64(offsets.alphas, this.samples);
    const counts = arena.u32(offsets.counts, this.samples);
    const sums = offsets.sums ? arena.f64(offsets.sums, this.samples) : undefined;
    for (let k = kept; k < supports.indices.length; k++) {
      const i = (supports.indices[k] as number) - first;
      alphas[i] = supports.alphas[k] as number;
      counts[i] = supports.counts[k] as number;
      if (sums && supports.sums) sums[i] = supports.sums[k] as number;
    }
    record.setF64(at.BIAS, bias);
    record.setF64(at.BIAS_SUM, biasSum);
    this.standing = { seen, sigma };
  }

  /** Whether these rows hold the supports of the block that began with sample `first`, at their places and with their labels. */
  #holdsSupports({ indices, signs, data }: Supports, first: number): boolean {
    const { labels } = this;
    const values = this.X.view();
    const d = this.X.cols;
    return indices.every((index, s) => {
      const i = index - first;
      if (i < 0) return true; // of an earlier block
      if (labels[i] !== signs[s]) return false;
      for (let k = 0; k < d; k++) if (!Object.is(values[i * d + k], data[s * d + k])) return false;
      return true;
    });
  }

  /** Σ α_j y_j K(x_j, ·) over the others, ascending. */
  *#addOthers(due: Due): Generator<void> {
    const others = this.#others;
    if (!others) return;
    const { arena, kernels, offsets } = this;
    const n = this.samples;
    const row = arena.allocate(8 * n, `a row of ${n} kernels`, false);
    let rows: OtherRows | undefined;
    try {
      rows = bringOthers(others.data, this.X.cols, this.#engine);
      const scores = offsets.scores;
      arena.f64(scores, n).fill(0);
      for (let s = 0; s < others.indices.length; s++) {
        (this.#pairs as Pairs).other(rows, s, row.offset);
        kernels.axpy(8, scores, row.offset, (others.alphas[s] as number) * (others.signs[s] as number), n);
        if (due()) yield;
      }
      this.#base = arena.f64(scores, n).slice();
    } finally {
      arena.release(row);
      rows?.release();
    }
  }

  /** Scores to go on from: those that were cached, if they are what α gives but for the rounding of updates. */
  *#resume(due: Due): Generator<void> {
    const largest = (this.#pairs as Pairs).bound(); // before rows take all the room there is
    yield* this.#recompute(due);
    const cached = this.#cached;
    if (!cached) return;
    const { arena, offsets } = this;
    const scores = arena.f64(offsets.scores, this.samples);
    const sum = (values: Float64Array | Uint32Array) => (values as Float64Array).reduce((a, b) => a + b, 0);
    const updates = sum(arena.u32(offsets.counts, this.samples)) + this.samples + 1;
    const sizes = sum(arena.f64(offsets.alphas, this.samples)) * largest;
    const base = this.#base?.reduce((a, b) => Math.max(a, Math.abs(b)), 0) ?? 0;
    // Products below the normal numbers round by half of the smallest one, whatever their size.
    const slack = updates * (Number.EPSILON * (sizes + base) + Number.MIN_VALUE);
    if (slack < Infinity && cached.every((s, i) => Math.abs(s - (scores[i] as number)) <= slack)) scores.set(cached);
  }

  /** s − b of all rows from α, supports in ascending order (SPEC §7). */
  *#recompute(due: Due): Generator<void> {
    const { arena, offsets, samples, kernels } = this;
    const scores = arena.f64(offsets.scores, samples);
    if (this.#base) scores.set(this.#base);
    else scores.fill(0);
    const counts = arena.u32(offsets.counts, samples).slice();
    for (let j = 0; j < samples; j++) {
      if (counts[j] === 0) continue;
      yield* this.bring(j, due);
      const row = arena.u32(offsets.rows, samples)[j] as number;
      const coefficient = (this.labels[j] as number) * (arena.f64(offsets.alphas, samples)[j] as number);
      kernels.axpy(8, offsets.scores, row, coefficient, samples);
      if (due()) yield;
    }
  }

  override *bring(index: number, due: Due): Generator<void> {
    const started = performance.now();
    yield* (this.#gram as GramRows).bring(index, due);
    this.#gramMs += performance.now() - started;
  }

  override *confirm(due: Due): Generator<void, boolean> {
    yield* this.#recompute(due);
    this.#isConfirmed = this.#isClean();
    return this.#isConfirmed;
  }

  #isClean(): boolean {
    const { arena, offsets, record, samples, labels } = this;
    const scores = arena.f64(offsets.scores, samples);
    const n = record.u32(at.N);
    const order = record.u32(at.ORDER) ? this.order : undefined;
    const bias = record.f64(at.BIAS);
    const mu = record.f64(at.MU);
    for (let place = 0; place < n; place++) {
      const i = order ? (order[place] as number) : place;
      const s = (scores[i] as number) + bias;
      const m = (labels[i] as number) < 0 ? -s : s;
      if (!(m > mu && m < Infinity)) return false;
    }
    return true;
  }

  scoresAt(rows: Uint32Array): Float64Array {
    const scores = this.arena.f64(this.offsets.scores, this.samples);
    const bias = this.record.f64(at.BIAS);
    return Float64Array.from(rows, (row) => (scores[row] as number) + bias);
  }

  overflow(index: number): Error {
    const bad = notFinite(this.X.view(), this.X.cols, 'X');
    if (bad) return bad;
    const { arena, offsets, samples } = this;
    const row = arena.u32(offsets.rows, samples)[index] as number;
    // Its own row of the Gram matrix may not be at hand; those of the supports are what its score is made of.
    const table = arena.u32(offsets.rows, samples);
    for (let j = 0; j < samples; j++) {
      const at8 = row ? row + 8 * j : table[j] ? (table[j] as number) + 8 * index : 0;
      if (!at8) continue;
      const value = arena.f64(at8, 1)[0] as number;
      if (!Number.isFinite(value)) return pairOverflow(Math.min(index, j), Math.max(index, j), value, this.#type);
    }
    return overflowed(`the score of row ${index}`);
  }

  result(): Dual & Standing {
    const { arena, offsets, record, samples, X, standing } = this;
    const counts = arena.u32(offsets.counts, samples);
    const alphas = arena.f64(offsets.alphas, samples);
    const sums = offsets.sums ? arena.f64(offsets.sums, samples) : undefined;
    const { labels } = this;
    const bias = record.f64(at.BIAS);
    const own: number[] = [];
    for (let i = 0; i < samples; i++) if ((counts[i] as number) > 0) own.push(i);
    const isLost = (v: number, sum: number) => !Number.isFinite(v) || !Number.isFinite(meanOf(v, sum, standing.seen));
    const bad = own.find((i) => isLost(alphas[i] as number, sums?.[i] ?? 0));
    if (bad !== undefined) throw overflowed(`the coefficient of row ${bad}`);
    if (isLost(bias, record.f64(at.BIAS_SUM))) throw overflowed('the bias');
    // In an unfinished sweep a cached score may have overflowed that nobody has looked at yet.
    const scores = arena.f64(offsets.scores, samples);
    const lost = this.#isConfirmed ? -1 : scores.findIndex((s) => !Number.isFinite(s));
    if (lost >= 0) throw this.overflow(lost);
    const values = X.view();
    const data = new (values.BYTES_PER_ELEMENT === 8 ? Float64Array : Float32Array)(own.length * X.cols);
    own.forEach((i, s) => {
      data.set(values.subarray(i * X.cols, (i + 1) * X.cols), s * X.cols);
    });
    const supports: Supports = {
      data,
      indices: Uint32Array.from(own, (i) => this.#first + i),
      signs: Int8Array.from(own, (i) => labels[i] as number),
      alphas: Float64Array.from(own, (i) => alphas[i] as number),
      counts: Uint32Array.from(own, (i) => counts[i] as number),
      sums: sums && Float64Array.from(own, (i) => sums[i] as number),
    };
    return {
      supports: this.#others ? joined(this.#others, supports) : supports,
      bias,
      biasSum: record.f64(at.BIAS_SUM),
      samples: this.#first + samples,
      first: this.#first,
      scores: this.#isConfirmed ? undefined : scores.slice(),
      ...standing,
    };
  }

  override release(): void {
    this.#gram?.release();
    this.#matrix?.release();
    this.#pairs?.release();
    super.release();
  }
}

function* nothing(): Generator<void> {}
