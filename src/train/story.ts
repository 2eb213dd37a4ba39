// What happened so far: passes and mistakes, over all sessions of a model (SPEC §11).

import { type Advice, type History, MOST_EPOCHS_KEPT, type PocketReport, type StopReason } from '../model/report.js';

export class Story {
  epochs: number;
  mistakes: number;
  readonly #byEpoch: number[];
  /** Whether the next pass goes on with the latest one, as the blocks of a stream do. */
  #goesOn: boolean;

  /** Goes on with the history of a model, if there is one; and with its latest pass, where that is not over. */
  constructor(before: History | undefined, goesOn: boolean) {
    this.epochs = before?.epochs ?? 0;
    this.mistakes = before?.mistakes ?? 0;
    this.#byEpoch = [...(before?.mistakesByEpoch ?? [])];
    this.#goesOn = goesOn && this.epochs > 0;
  }

  addPass(mistakes: number): void {
    this.mistakes += mistakes;
    if (this.#goesOn) {
      this.#goesOn = false;
      if (this.epochs <= MOST_EPOCHS_KEPT) this.#byEpoch.push((this.#byEpoch.pop() ?? 0) + mistakes);
      return;
    }
    this.epochs++;
    if (this.#byEpoch.length < MOST_EPOCHS_KEPT) this.#byEpoch.push(mistakes);
  }

  /** The history if training ended now; `open` mistakes of a pass that was broken off count as a pass. */
  history(stopReason: StopReason, open: number, pocket: PocketReport | undefined, advice: readonly Advice[]): History {
    const { epochs, mistakes } = this;
    const broken = open > 0 ? 1 : 0;
    return Object.freeze({
      converged: stopReason === 'separated',
      stopReason,
      epochs: epochs + broken,
      mistakes: mistakes + open,
      mistakesByEpoch: Object.freeze([...this.#byEpoch, ...(broken ? [open] : [])].slice(0, MOST_EPOCHS_KEPT)),
      ...(pocket && { pocket: Object.freeze(pocket) }),
      advice: Object.freeze(advice),
    });
  }
}
