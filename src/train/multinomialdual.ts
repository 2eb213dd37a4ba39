// The multinomial update in dual form: coefficients of each sample for each class, and cached scores (SPEC §7, §11).

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { keepRows } from '../data/kept.js';
import type { BoundEngine } from '../engine/contract.js';
import { isRight } from '../engine/js/mistake.js';
import type { Gram } from '../gram/gramrows.js';
import type { KernelChoice } from '../gram/kernel.js';
import { aligned } from '../memory/freelist.js';
import { at4, at8 } from '../memory/views.js';
import { type MultiDual, type MultiSupports, meanOf, type RunState, type Standing } from '../model/state.js';
import { joined } from '../model/supports.js';
import type { Resources } from '../worker/threads.js';
import { confirmScores, type DualForm, type Earlier, earlierOf, isLatestBlock, openScores } from './dualscores.js';
import { overflowed, ROW_COST } from './learner.js';
import { MultinomialLearner } from './multinomial.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** The dual form: coefficients of each sample for each class, and cached scores. */
export class MultinomialDual extends MultinomialLearner<MultiDual, 'scores' | 'betas' | 'sums'> implements DualForm {
  protected override readonly kind = 'multinomial supports';
  override readonly gram: Gram;
  declare readonly from: (MultiDual & RunState) | undefined;
  /** Bytes from the scores, coefficients or sums of one class to those of the next. */
  readonly #stride: number;
  readonly scoresAt: readonly number[];
  isConfirmed = false;
  earlier: Earlier<MultiSupports> | undefined;

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
    this.scoresAt = problem.classes.map((_, k) => this.offsets.scores + stride * k);
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

  override prepare(resources: Resources): Pausing<void> {
    if (this.from) this.#takeUp(this.from);
    return openScores(this, resources);
  }

  #takeUp(from: MultiDual & RunState): void {
    const { supports, first, scores } = from;
    const { codes } = this.problem;
    const isSame = isLatestBlock(this.X, from, supports, (i, s) => codes[i] === supports.codes[s]);
    const add = (s: number, row: number) => this.#addTimes(row, (k) => supports.betas[k]?.[s] as number);
    this.earlier = earlierOf(from, isSame, scores, add);
    const { counts } = supports;
    for (let s = this.earlier.count; s < supports.indices.length; s++) {
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

  override ensureRow(index: number, resources: Resources): Pausing<void> {
    return this.gram.ensureRow(index, this.record, resources);
  }

  override confirm(resources: Resources): Pausing<boolean> {
    return confirmScores(this, resources);
  }

  addRow(j: number, row: number): void {
    this.#addTimes(row, (k) => this.#view(this.offsets.betas, k)[j] as number);
  }

  #addTimes(row: number, coefficient: (k: number) => number): void {
    this.scoresAt.forEach((scores, k) => {
      const beta = coefficient(k);
      if (beta !== 0) this.kernels.axpy(8, scores, row, beta, this.rows);
    });
  }

  sizeOf(k: number): number {
    return this.#view(this.offsets.betas, k).reduce((sum, beta) => sum + Math.abs(beta), 0);
  }

  areRight(list: Uint32Array | undefined, from: number, to: number): boolean {
    const mu = this.record.f64(at.MU);
    const marginOf = this.margins();
    for (let place = from; place < to; place++) {
      if (!isRight(marginOf(list ? (list[place] as number) : place), mu)) return false;
    }
    return true;
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
      const lost = this.isConfirmed ? -1 : cached.findIndex((v) => !Number.isFinite(v));
      if (lost >= 0) throw this.overflowAt(lost);
      scores.push(cached);
      const list = take(offsets.betas, k);
      const summed = sums && take(offsets.sums, k);
      if (summed) sums.push(summed);
      betas.push(list);
      isLost ||= list.some((v, s) => !Number.isFinite(meanOf(v, summed?.[s] ?? 0, standing.seen)));
    }
    if (isLost) throw overflowed('a coefficient');
    const { first, others } = this.earlier ?? { first: 0, others: undefined };
    const supports: MultiSupports = {
      data: keepRows(X, own),
      indices: Uint32Array.from(own, (i) => first + i),
      codes: Uint32Array.from(own, (i) => this.problem.codes[i] as number),
      counts: Uint32Array.from(own, (i) => this.counts[i] as number),
      betas,
      sums,
    };
    return {
      supports: others ? joined(others, supports) : supports,
      biases: this.biases.slice(),
      biasSums: this.biasSums.slice(),
      samples: first + samples,
      first: first,
      scores: this.isConfirmed ? undefined : scores,
      ...standing,
    };
  }

  protected override overflow(index: number): Error {
    return this.gram.overflowAt(index) ?? super.overflow(index);
  }
}
