// Counters: epochs and mistakes so far, over all sessions of a model (SPEC §11).

import { type Advice, type History, MOST_EPOCHS_KEPT, type PocketReport, type StopReason } from '../model/report.js';

export class Counters {
  epochs: number;
  mistakes: number;
  readonly #byEpoch: number[];
  /** Whether the next rows belong to the latest epoch, as blocks of a stream do. */
  #goesOn: boolean;
  /** Whether training that had converged before has had only epochs without a mistake: then its earlier state stays. */
  isUntouched: boolean;

  /** Continues the history of a model, if any, and its latest epoch if `goesOn`. */
  constructor(before: History | undefined, goesOn: boolean, isUntouched: boolean) {
    this.isUntouched = isUntouched;
    this.epochs = before?.epochs ?? 0;
    this.mistakes = before?.mistakes ?? 0;
    this.#byEpoch = before ? [...before.mistakesByEpoch] : [];
    this.#goesOn = goesOn && this.epochs > 0;
  }

  /** The number of the epoch under way, from 1. */
  get current(): number {
    return this.epochs + (this.#goesOn ? 0 : 1);
  }

  /** Adds a finished epoch; `isEnd`: training ends with it. */
  addEpoch(mistakes: number, isEnd: boolean): void {
    if (this.isUntouched && mistakes === 0 && isEnd) return;
    this.isUntouched = false;
    this.mistakes += mistakes;
    if (this.#goesOn) {
      this.#goesOn = false;
      if (this.epochs <= MOST_EPOCHS_KEPT) this.#byEpoch.push((this.#byEpoch.pop() ?? 0) + mistakes);
      return;
    }
    this.epochs++;
    if (this.#byEpoch.length < MOST_EPOCHS_KEPT) this.#byEpoch.push(mistakes);
  }

  /** The history if training ended now. An unfinished epoch counts if it has mistakes: `open` of them. */
  history(stopReason: StopReason, open: number, pocket: PocketReport | undefined, advice: readonly Advice[]): History {
    const { epochs, mistakes } = this;
    const byEpoch = open > 0 ? [...this.#byEpoch, open].slice(0, MOST_EPOCHS_KEPT) : [...this.#byEpoch];
    return Object.freeze({
      converged: stopReason === 'separated',
      stopReason,
      epochs: epochs + (open > 0 ? 1 : 0),
      mistakes: mistakes + open,
      mistakesByEpoch: Object.freeze(byEpoch),
      ...(pocket && { pocket: Object.freeze(pocket) }),
      advice: Object.freeze(advice),
    });
  }
}
