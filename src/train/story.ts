// What happened so far: passes and mistakes, over all sessions of a model (SPEC §11).

import { type Advice, type History, MOST_EPOCHS_KEPT, type StopReason } from '../model/report.js';

export class Story {
  epochs: number;
  mistakes: number;
  readonly #byEpoch: number[];

  /** Goes on with the history of a model, if there is one. */
  constructor(before: History | undefined) {
    this.epochs = before?.epochs ?? 0;
    this.mistakes = before?.mistakes ?? 0;
    this.#byEpoch = [...(before?.mistakesByEpoch ?? [])];
  }

  addPass(mistakes: number): void {
    this.epochs++;
    this.mistakes += mistakes;
    if (this.#byEpoch.length < MOST_EPOCHS_KEPT) this.#byEpoch.push(mistakes);
  }

  /** The history if training ended now; `open` mistakes of a pass that was broken off count as a pass. */
  history(stopReason: StopReason, open: number, advice: (epochs: number) => Advice[]): History {
    const { epochs, mistakes } = this;
    const broken = open > 0 ? 1 : 0;
    return Object.freeze({
      converged: stopReason === 'separated',
      stopReason,
      epochs: epochs + broken,
      mistakes: mistakes + open,
      mistakesByEpoch: Object.freeze([...this.#byEpoch, ...(broken ? [open] : [])].slice(0, MOST_EPOCHS_KEPT)),
      advice: Object.freeze(advice(epochs + broken)),
    });
  }
}
