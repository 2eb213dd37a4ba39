// The multinomial update in dual form: coefficients of each sample for each class, and cached scores (SPEC §7, §11).

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { concat, joinKept, keepRows, partOfKept } from '../data/kept.js';
import type { BoundEngine } from '../engine/contract.js';
import { isRight } from '../engine/js/mistake.js';
import type { Gram } from '../gram/gramrows.js';
import type { KernelChoice } from '../gram/kernel.js';
import { pairOverflow } from '../gram/pairs.js';
import { aligned } from '../memory/freelist.js';
import { at4, at8 } from '../memory/views.js';
import { type MultiDual, type MultiSupports, meanOf, type RunState, type Standing } from '../model/state.js';
import type { Resources } from '../worker/threads.js';
import { addEarlier, isLatestBlock } from './earlier.js';
import { overflowed, ROW_COST, roundingOf } from './learner.js';
import { MultinomialLearner } from './multinomial.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** The dual form: coefficients of each sample for each class, and cached scores. */
export class MultinomialDual extends MultinomialLearner<MultiDual, 'scores' | 'betas' | 'sums'> {
  protected override readonly kind = 'multinomial supports';
  override readonly gram: Gram;
  declare readonly from: (MultiDual & RunState) | undefined;
  /** Bytes from the scores, coefficients or sums of one class to those of the next. */
  readonly #stride: number;
  #first = 0;
  #others: MultiSupports | undefined;
  #base: Float64Array[] | undefined;
  #isConfirmed = false;

  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings & { readonly kernel: KernelChoice },
    from: (MultiDual & RunState) | undefined,
    gram: Gram,
  ) {
    const classes = problem.classes.length;
    const stride = aligned(8 * problem.X.rows);
    super(engine, problem, settings, from, {
      scores: stride * classes,
      betas: stride * classes,
      sums: settings.average ? stride * classes : 0,
    });
    this.gram = gram;
    this.kernel = settings.kernel.type;
    this.costOfRow = problem.X.rows + ROW_COST * classes; // the scores of a row are far apart in memory
    this.#stride = stride;
    this.record.setU32(at.SUMS, this.offsets.sums);
  }

  #view(offset: number, k: number): Float64Array {
    return this.arena.f64(offset + this.#stride * k, this.rows);
  }

  get #classes(): number {
    return this.biases.length;
  }

  override release(): void {
    super.release();
    this.gram.release();
  }

  protected override score(sample: number): { at: number; stride: number } {
    return { at: at8(this.offsets.scores) + sample, stride: this.#stride / 8 };
  }

  protected override isReady(sample: number): boolean {
    return this.memory.u32[at4(this.gram.table) + sample] !== 0;
  }

  protected override add(sample: number, code: number, step: number, before: number): void {
    const { memory, offsets, rows: samples } = this;
    const { f64 } = memory;
    const row = memory.u32[at4(this.gram.table) + sample] as number;
    const place = (this.#stride / 8) * code + sample;
    const beta = at8(offsets.betas) + place;
    f64[beta] = (f64[beta] as number) + step;
    if (offsets.sums) {
      const sum = at8(offsets.sums) + place;
      f64[sum] = (f64[sum] as number) + before * step;
    }
    this.kernels.axpy(8, offsets.scores + this.#stride * code, row, step, samples);
  }

  override *prepare(resources: Resources): Pausing<void> {
    const from = this.from;
    if (from) this.#takeUp(from);
    yield* this.gram.open(resources);
    yield* this.#addOthers(resources);
    if (!from) return;
    const largest = yield* this.gram.pairs.bound(resources); // before rows fill the memory
    yield* this.#recompute(resources);
    // The cached scores continue, if they differ from those of the coefficients only by rounding.
    if (!from.scores || this.#first !== from.first) return;
    const updates = this.counts.reduce((a, b) => a + b, this.rows + 1);
    const isNear = from.scores.every((cached, k) => {
      const scores = this.#view(this.offsets.scores, k);
      const size = this.#view(this.offsets.betas, k).reduce((sum, beta) => sum + Math.abs(beta), 0) * largest;
      const base = this.#base?.[k]?.reduce((a, b) => Math.max(a, Math.abs(b)), 0) ?? 0;
      const slack = roundingOf(2 * updates, size + base);
      return slack < Infinity && cached.every((s, i) => Math.abs(s - (scores[i] as number)) <= slack);
    });
    if (!isNear) return;
    from.scores.forEach((scores, k) => {
      this.#view(this.offsets.scores, k).set(scores);
    });
  }

  #takeUp(from: MultiDual & RunState): void {
    const { supports, samples, first } = from;
    const { codes } = this.problem;
    const isSame = isLatestBlock(this.X, from, supports, (i, s) => codes[i] === supports.codes[s]);
    this.#first = isSame ? first : samples;
    const found = supports.indices.findIndex((index) => index >= this.#first);
    const kept = found < 0 ? supports.indices.length : found;
    this.#others = kept > 0 ? firstOf(supports, kept) : undefined;
    const { counts } = supports;
    for (let s = kept; s < supports.indices.length; s++) {
      const i = (supports.indices[s] as number) - first;
      this.counts[i] = counts[s] as number;
      for (let k = 0; k < this.#classes; k++) {
        this.#view(this.offsets.betas, k)[i] = supports.betas[k]?.[s] as number;
        if (this.offsets.sums) this.#view(this.offsets.sums, k)[i] = supports.sums?.[k]?.[s] as number;
      }
    }
    this.biases.set(from.biases);
    this.biasSums.set(from.biasSums);
    this.resume(from);
  }

  /** Adds the parts of support vectors of earlier blocks to the scores, ascending. */
  *#addOthers(resources: Resources): Pausing<void> {
    const others = this.#others;
    if (!others) return;
    const { kernels, offsets, rows: samples } = this;
    const add = (s: number, row: number) => {
      for (let k = 0; k < this.#classes; k++) {
        const beta = others.betas[k]?.[s] as number;
        if (beta !== 0) kernels.axpy(8, offsets.scores + this.#stride * k, row, beta, samples);
      }
    };
    yield* addEarlier(this.engine, this.X, this.gram.pairs, others.data, add, resources);
    this.#base = Array.from(this.biases, (_, k) => this.#view(offsets.scores, k).slice());
  }

  override *ensureRow(index: number, resources: Resources): Pausing<void> {
    this.record.setF64(at.TICK, yield* this.gram.ensureRow(index, this.record.f64(at.TICK), resources));
  }

  /** Recomputes the scores from the coefficients, support vectors in ascending order (SPEC §7). */
  *#recompute(resources: Resources): Pausing<void> {
    const { arena, offsets, rows: samples, kernels } = this;
    for (let k = 0; k < this.#classes; k++) {
      const scores = this.#view(offsets.scores, k);
      if (this.#base) scores.set(this.#base[k] as Float64Array);
      else scores.fill(0);
    }
    const counts = this.counts.slice();
    for (let j = 0; j < samples; j++) {
      if (counts[j] === 0) continue;
      yield* this.ensureRow(j, resources);
      const row = arena.u32(this.gram.table, samples)[j] as number;
      for (let k = 0; k < this.#classes; k++) {
        const beta = this.#view(offsets.betas, k)[j] as number;
        if (beta !== 0) kernels.axpy(8, offsets.scores + this.#stride * k, row, beta, samples);
      }
      if (resources.clock.due()) yield;
    }
  }

  override *confirm(resources: Resources): Pausing<boolean> {
    yield* this.#recompute(resources);
    const { record } = this;
    const count = record.u32(at.N);
    const order = record.u32(at.ORDER) ? this.order.slice() : undefined;
    this.memory.refresh();
    const { codes } = this.problem;
    const mu = record.f64(at.MU);
    this.#isConfirmed = true;
    for (let place = 0; place < count && this.#isConfirmed; place++) {
      const i = order ? (order[place] as number) : place;
      const own = codes[i] as number;
      const { at: from, stride } = this.score(i);
      const { f64 } = this.memory;
      const s = (k: number) => (f64[from + k * stride] as number) + (this.biases[k] as number);
      const mine = s(own);
      for (let k = 0; k < this.#classes; k++) {
        if (k !== own && !isRight(mine - s(k), mu)) this.#isConfirmed = false;
      }
      if (!resources.clock.due()) continue;
      yield;
      this.memory.refresh();
    }
    return this.#isConfirmed;
  }

  protected override result(): MultiDual & Standing {
    const { standing, offsets, X, rows: samples } = this;
    const counts = this.counts;
    const own: number[] = [];
    for (let i = 0; i < samples; i++) if ((counts[i] as number) > 0) own.push(i);
    this.checkBiases(standing.seen);
    const scores: Float64Array[] = [];
    const betas: Float64Array[] = [];
    const sums: Float64Array[] | undefined = offsets.sums ? [] : undefined;
    const take = (offset: number, k: number) => {
      const values = this.#view(offset, k);
      return Float64Array.from(own, (i) => values[i] as number);
    };
    let isLost = false;
    for (let k = 0; k < this.#classes; k++) {
      const cached = this.#view(offsets.scores, k).slice();
      const lost = this.#isConfirmed ? -1 : cached.findIndex((v) => !Number.isFinite(v));
      if (lost >= 0) throw this.overflowAt(lost);
      scores.push(cached);
      const list = take(offsets.betas, k);
      const summed = sums && take(offsets.sums, k);
      if (summed) sums.push(summed);
      betas.push(list);
      isLost ||= list.some((v, s) => !Number.isFinite(meanOf(v, summed?.[s] ?? 0, standing.seen)));
    }
    if (isLost) throw overflowed('a coefficient');
    const supports: MultiSupports = {
      data: keepRows(X, own),
      indices: Uint32Array.from(own, (i) => this.#first + i),
      codes: Uint32Array.from(own, (i) => this.problem.codes[i] as number),
      counts: Uint32Array.from(own, (i) => this.counts[i] as number),
      betas,
      sums,
    };
    return {
      supports: this.#others ? joinedOf(this.#others, supports) : supports,
      biases: this.biases.slice(),
      biasSums: this.biasSums.slice(),
      samples: this.#first + samples,
      first: this.#first,
      scores: this.#isConfirmed ? undefined : scores,
      ...standing,
    };
  }

  protected override overflow(index: number): Error {
    const { arena, rows: samples } = this;
    const table = arena.u32(this.gram.table, samples);
    for (let j = 0; j < samples; j++) {
      if (!table[j]) continue;
      const value = arena.f64((table[j] as number) + 8 * index, 1)[0] as number;
      if (!Number.isFinite(value))
        return pairOverflow(Math.min(index, j), Math.max(index, j), value, this.kernel as string);
    }
    return super.overflow(index);
  }
}

/** The first `count` support vectors. */
function firstOf(s: MultiSupports, count: number): MultiSupports {
  const lists = (values: readonly Float64Array[]) => values.map((list) => list.slice(0, count));
  return {
    data: partOfKept(s.data, 0, count),
    indices: s.indices.slice(0, count),
    codes: s.codes.slice(0, count),
    counts: s.counts.slice(0, count),
    betas: lists(s.betas),
    sums: s.sums && lists(s.sums),
  };
}

/** The support vectors of earlier blocks, then those of this block. */
function joinedOf(a: MultiSupports, b: MultiSupports): MultiSupports {
  const lists = (x: readonly Float64Array[], y: readonly Float64Array[]) =>
    x.map((list, k) => concat(Float64Array, list, y[k] as Float64Array));
  return {
    data: joinKept(a.data, b.data),
    indices: concat(Uint32Array, a.indices, b.indices),
    codes: concat(Uint32Array, a.codes, b.codes),
    counts: concat(Uint32Array, a.counts, b.counts),
    betas: lists(a.betas, b.betas),
    sums: a.sums && b.sums && lists(a.sums, b.sums),
  };
}
