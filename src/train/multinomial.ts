// The multinomial update (SPEC §11): each class has a score; a mistake raises the right class and lowers the best of the others.
// MultinomialLearner has what both forms share, MultinomialPrimal weights of each class; multinomialdual.ts has the dual form.

import * as at from '../../assembly/layout.js';
import { wideBytes, wideRowAt } from '../data/arenarows.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { type Form, stepsOf } from '../engine/js/train.js';
import { at8, MemoryViews } from '../memory/views.js';
import type { StopReason } from '../model/report.js';
import {
  type Linear,
  type ModelState,
  type MultiLinear,
  meanOf,
  type RunState,
  type Standing,
} from '../model/state.js';
import { Learner, overflowed, type StateAfter } from './learner.js';
import { linearOf } from './primal.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** What both forms share: the score of the right class against the best of the others. */
export abstract class MultinomialLearner<Learned, Own extends string> extends Learner<Learned, Own> {
  protected readonly memory: MemoryViews;
  protected readonly biases: Float64Array;
  protected readonly biasSums: Float64Array;
  override readonly steps: Steps;
  /** η·c of each class. */
  readonly #classSteps: readonly number[];
  readonly #rivals: Uint32Array;
  readonly #biasScale: number;

  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings,
    from: RunState | undefined,
    own: Record<Own, number>,
  ) {
    const { weights } = problem;
    super(
      engine,
      problem,
      settings,
      { positive: 0, weights, isNamed: true, isOneOfMany: false, random: undefined },
      from,
      own,
    );
    this.labels.fill(1); // a margin is s_y − the best other score, whichever class y is
    this.memory = new MemoryViews(engine.arena);
    this.biases = new Float64Array(weights.length);
    this.biasSums = new Float64Array(weights.length);
    this.#classSteps = weights.map((weight) => settings.learningRate * weight);
    this.#rivals = new Uint32Array(problem.X.rows);
    this.#biasScale = this.record.f64(at.BIAS_SCALE);
    this.record.setF64(at.BIAS_SCALE, 0); // each class has its own bias
    this.steps = stepsOf(this.memory, () => this.#form());
  }

  /** Computes the scores of a row without biases; returns their place: entry `at + k·stride` of the memory's float64s. */
  protected abstract score(sample: number): { at: number; stride: number };
  override classWeightOf(index: number): number {
    const { weights, codes } = this.problem;
    return weights[codes[index] as number] as number;
  }

  /** Whether a sample can be updated now. */
  protected isReady(_sample: number): boolean {
    return true;
  }
  /** Adds step·x to the weights of a class; in dual form, to its coefficients. */
  protected abstract add(sample: number, code: number, step: number, before: number): void;

  /** s_y minus the best of the other scores, for each row, and that class; NaN if a score is not finite. Until the memory grows. */
  protected margins(): (row: number) => number {
    const { biases, memory } = this;
    const { codes } = this.problem;
    const classes = biases.length;
    memory.refresh();
    return (sample) => {
      const { at: from, stride } = this.score(sample);
      const { f64 } = memory;
      const own = codes[sample] as number;
      let best = -Infinity;
      let rival = -1;
      let mine = 0;
      for (let k = 0; k < classes; k++) {
        const s = (f64[from + k * stride] as number) + (biases[k] as number);
        if (s - s !== 0) return NaN;
        if (k === own) mine = s;
        else if (rival < 0 || s > best) {
          best = s;
          rival = k;
        }
      }
      this.#rivals[sample] = rival;
      return mine - best;
    };
  }

  #form(): Form {
    const { biases, biasSums } = this;
    const { codes } = this.problem;
    const scale = this.#biasScale;
    const averages = this.record.u32(at.SUMS) !== 0;
    const steps = at8(this.record.u32(at.STEPS));
    const correct = (sample: number, code: number, step: number, before: number): void => {
      this.add(sample, code, step, before);
      if (averages) biasSums[code] = (biasSums[code] as number) + before * step * scale;
      biases[code] = (biases[code] as number) + step * scale;
    };
    return {
      marginOf: this.margins(),
      isReady: (sample) => this.isReady(sample),
      stepOf: steps
        ? (sample) => Math.abs(this.memory.f64[steps + sample] as number)
        : (sample) => this.#classSteps[codes[sample] as number] as number,
      update: (sample, step, before) => {
        correct(sample, codes[sample] as number, step, before);
        correct(sample, this.#rivals[sample] as number, -step, before);
      },
    };
  }

  override rightAmong(rows: Uint32Array): number {
    const { memory, biases } = this;
    const { codes } = this.problem;
    let right = 0;
    memory.refresh();
    for (const row of rows) {
      const { at: from, stride } = this.score(row);
      let best = 0;
      let most = -Infinity;
      for (let k = 0; k < biases.length; k++) {
        const s = (memory.f64[from + k * stride] as number) + (biases[k] as number);
        if (!(s > most)) continue;
        most = s;
        best = k;
      }
      if (best === codes[row]) right++;
    }
    return right;
  }

  protected override stateAfter(index: number): StateAfter & { readonly code: number } {
    const code = this.problem.codes[index] as number;
    return { bias: this.biases[code] as number, weights: undefined, code };
  }

  /** The state of a model: one run for all classes. */
  override modelState(stopReason: StopReason): ModelState & RunState & Learned {
    const { classes, cols, ...run } = super.modelState(stopReason);
    return { classes, cols, history: run.history, kind: this.kind, runs: [run] } as never; // a MultiState of this kind
  }

  protected abstract readonly kind: 'multinomial planes' | 'multinomial supports';

  protected checkBiases(seen: number): void {
    const isLost = (v: number, k: number) =>
      !Number.isFinite(v) || !Number.isFinite(meanOf(v, this.biasSums[k] as number, seen));
    if (this.biases.some(isLost)) throw overflowed('the bias');
  }
}

/** The primal form: weights of each class. */
export class MultinomialPrimal extends MultinomialLearner<
  MultiLinear,
  'weights' | 'sums' | 'scores' | 'group' | 'row'
> {
  protected override readonly kind = 'multinomial planes';

  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings,
    from: (MultiLinear & RunState) | undefined,
  ) {
    const { X, classes } = problem;
    const bytes = 8 * X.cols * classes.length;
    super(engine, problem, settings, from, {
      weights: bytes,
      sums: settings.average ? bytes : 0,
      scores: 8 * classes.length,
      group: at.GROUP_BYTES,
      row: wideBytes(X),
    });
    this.costOfRow *= classes.length;
    const { record, offsets } = this;
    record.setU32(at.SUMS, offsets.sums);
    if (!from) return;
    from.planes.forEach(({ last, sums }, k) => {
      this.#view(offsets.weights, k).set(last.weights);
      this.biases[k] = last.bias;
      if (!sums || !offsets.sums) return;
      this.#view(offsets.sums, k).set(sums.weights);
      this.biasSums[k] = sums.bias;
    });
    this.resume(from);
  }

  #view(offset: number, k: number): Float64Array {
    return this.arena.f64(offset + 8 * this.X.cols * k, this.X.cols);
  }

  protected override stateAfter(index: number): StateAfter & { readonly code: number } {
    const after = super.stateAfter(index);
    return { ...after, weights: () => this.#view(this.offsets.weights, after.code) };
  }

  protected override score(sample: number): { at: number; stride: number } {
    const { X, offsets } = this;
    const classes = this.biases.length;
    if (X.store) {
      this.kernels.planeDots(X.rowAt(sample), offsets.weights, classes, X.cols, 0, offsets.scores);
    } else {
      const x = wideRowAt(X, sample, this.arena, offsets.row);
      this.kernels.scores(8, offsets.weights, classes, X.cols, 0, x, 0, offsets.scores, offsets.group);
    }
    return { at: at8(offsets.scores), stride: 1 };
  }

  protected override add(sample: number, code: number, step: number, before: number): void {
    const { cols, element } = this.X;
    const x = this.X.rowAt(sample);
    const { offsets, kernels } = this;
    if (offsets.sums) kernels.axpy(element, offsets.sums + 8 * cols * code, x, before * step, cols);
    kernels.axpy(element, offsets.weights + 8 * cols * code, x, step, cols);
  }

  protected override result(): MultiLinear & Standing {
    const { standing, offsets } = this;
    const planes: Linear[] = [];
    for (const [k, bias] of this.biases.entries()) {
      const last = { weights: this.#view(offsets.weights, k).slice(), bias };
      const sums = offsets.sums
        ? { weights: this.#view(offsets.sums, k).slice(), bias: this.biasSums[k] as number }
        : undefined;
      planes.push(linearOf(last, sums, standing.seen, this.X));
    }
    return { planes, counts: this.counts.slice(), ...standing };
  }
}
