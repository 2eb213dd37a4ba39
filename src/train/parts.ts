// Training on X that is larger than the memory: part by part in cyclic order, each part copied in for as long as it is trained on.
// An epoch over all parts is bit-identical to an epoch of `fit` (docs/adr/0017).

import type { Pausing } from '../async/pausing.js';
import {
  type Classes,
  type ClassLimit,
  checkLabels,
  encode,
  type Label,
  type Labels,
  onlyOne,
} from '../data/labels.js';
import { partOfRows, type Rows, sourceOf } from '../data/rows.js';
import type { Advice, StopReason } from '../model/report.js';
import type { ModelState } from '../model/state.js';
import { has } from '../own.js';
import { adviceOnFailure } from './advice.js';
import type { Hooks, Training } from './loop.js';
import type { Progress } from './options.js';
import type { FitRequest } from './problem.js';
import type { Settings } from './settings.js';

/** The settings of a trainer that trains in parts. */
type PartsSettings = Pick<Settings<never>, 'average' | 'pocket' | 'order' | 'fitIntercept' | 'interceptScaling'> & {
  readonly strategy?: string;
};

/** What a part is trained with, beside its rows and labels. */
export type PartRequest<L extends Label, S> = Pick<
  FitRequest<L, S>,
  'from' | 'classes' | 'counts' | 'goesOn' | 'sampleWeight'
>;

/** The methods of a trainer that `PartsTraining` needs. */
export interface PartsTrainer<L extends Label, S> {
  /** Trains on one part; returns the loss of its mistakes. */
  fitPart(X: Rows, y: Labels<L>, request: PartRequest<L, S>): number;
  /** The state after the latest part. */
  fitted(what: string): S;
  /** The state with this stop reason. */
  concluded(state: S, stopReason: StopReason): S;
}

export class PartsTraining<L extends Label, S extends ModelState<L>> implements Training<S> {
  readonly #trainer: PartsTrainer<L, S>;
  readonly #X: Rows;
  readonly #y: Labels<L>;
  readonly #rows: number;
  readonly #rowsPerPart: number;
  readonly #classes: Classes<L>;
  readonly #counts: readonly number[];
  readonly #codes: Uint32Array;
  readonly #sampleWeight: Float64Array | undefined;
  readonly #settings: PartsSettings;
  #state: S | undefined;
  #hasBegun = false;
  /** Rows of the epoch that were trained on. */
  #done = 0;

  /** @throws TypeError or RangeError at a label that is wrong */
  constructor(
    trainer: PartsTrainer<L, S>,
    X: Rows,
    y: Labels<L>,
    { from, classes: known, sampleWeight }: FitRequest<L, S>,
    limit: ClassLimit,
    rowsPerPart: number,
    settings: PartsSettings,
  ) {
    const { rows } = sourceOf(X, 'X');
    const { classes, counts, codes } = encode(y, rows, known, limit, sampleWeight);
    this.#settings = settings;
    this.#codes = codes;
    const total = counts.reduce((a, b) => a + b, 0);
    if (counts.includes(total)) throw onlyOne(classes[counts.indexOf(total)] as L);
    this.#sampleWeight = sampleWeight;
    this.#trainer = trainer;
    this.#X = X;
    this.#y = y;
    this.#rows = rows;
    this.#rowsPerPart = rowsPerPart;
    this.#classes = classes;
    this.#counts = counts;
    this.#state = from;
  }

  *train({ maxEpochs, onEpoch, clock }: Hooks): Pausing<StopReason> {
    for (let left = maxEpochs; left > 0; left--) {
      const before = this.#state?.history.mistakes ?? 0;
      let loss = 0;
      for (this.#done = 0; this.#done < this.#rows; ) {
        loss += this.#trainPart();
        if (clock.due()) yield;
      }
      const { mistakes: after, epochs: epoch } = (this.#state as S).history;
      const isEnd = after === before;
      const stop = onEpoch?.({ epoch, mistakes: after - before, loss, isEnd });
      if (isEnd) return 'separated';
      if (stop) return stop;
      if (clock.due()) yield;
    }
    return 'max-epochs';
  }

  /** Trains on the next part; returns the loss of its mistakes. */
  #trainPart(): number {
    const at = this.#done;
    const to = Math.min(this.#rows, at + this.#rowsPerPart);
    const y = Array.prototype.slice.call(checkLabels(this.#y, this.#rows), at, to) as L[];
    const sampleWeight = this.#sampleWeight?.slice(at, to);
    const [classes, counts] = [this.#classes, this.#counts];
    const request = { from: this.#state, classes, counts, goesOn: at > 0, sampleWeight };
    const loss = this.#trainer.fitPart(partOfRows(this.#X, at, to), y, request);
    this.#state = this.#trainer.fitted('fit');
    this.#done = to;
    this.#hasBegun = true;
    return loss;
  }

  modelState(stopReason: StopReason): S {
    const state = this.#trainer.concluded(this.#state as S, stopReason);
    if (stopReason !== 'max-epochs') return state;
    const advice = Object.freeze(this.#adviceAfter(state.history.epochs));
    return { ...state, history: Object.freeze({ ...state.history, advice }) };
  }

  /** The advice of a fit in memory: it reads some rows only. */
  #adviceAfter(epochs: number): Advice[] {
    const settings = this.#settings;
    const { cols } = sourceOf(this.#X, 'X');
    const rowAt = (i: number) => {
      const part = partOfRows(this.#X, i, i + 1);
      const values = has(part, 'data') ? part.data : ((part as ArrayLike<ArrayLike<number>>)[0] as ArrayLike<number>);
      return { values, from: 0, columns: undefined };
    };
    const present = this.#sampleWeight && this.#codes.filter((_, i) => this.#sampleWeight?.[i] !== 0);
    const failed = {
      cols,
      rowAt,
      codes: present ?? this.#codes,
      order: settings.order,
      settings,
      kernel: undefined,
    };
    return adviceOnFailure(failed, settings.strategy === 'one-vs-rest', epochs);
  }

  hasBegun(): boolean {
    return this.#hasBegun;
  }

  progress(): Progress {
    return { epoch: this.epochs || 1, done: this.#done, total: this.#rows };
  }

  get epochs(): number {
    return this.#state?.history.epochs ?? 0;
  }

  release(): void {}
}
