// Ctrl-C: the first one aborts the work, the second one exits. SIGTERM and SIGHUP (the terminal was closed) exit at once.

import { constants } from 'node:os';
import { EXIT } from './errors.js';

export class Interrupt {
  readonly #controller = new AbortController();
  readonly #onSignal = (): void => {
    // Exit removes temporary files (files.ts).
    if (this.happened) process.exit(EXIT.interrupted);
    this.#controller.abort();
  };
  /** Exit removes temporary files and sets the status that shells expect. */
  readonly #onEnding = (signal: 'SIGTERM' | 'SIGHUP'): void => process.exit(128 + constants.signals[signal]);

  constructor() {
    process.on('SIGINT', this.#onSignal);
    process.on('SIGTERM', this.#onEnding);
    process.on('SIGHUP', this.#onEnding);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get happened(): boolean {
    return this.signal.aborted;
  }

  /** Restores the default signals: for work that cannot pause and has nothing to save. */
  release(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onEnding);
    process.off('SIGHUP', this.#onEnding);
  }
}
