// Ctrl-C: the first one asks for an end, the second one is the end. A request of the system's is the end at once.

import { constants } from 'node:os';
import { EXIT } from './errors.js';

export class Interrupt {
  readonly #controller = new AbortController();
  readonly #onSignal = (): void => {
    // Half-written files go with the process (files.ts).
    if (this.happened) process.exit(EXIT.interrupted);
    this.#controller.abort();
  };
  /** What `kill` and service managers send. By exit, so that half-written files go, with the status shells know. */
  readonly #onEnding = (): void => process.exit(128 + constants.signals.SIGTERM);

  constructor() {
    process.on('SIGINT', this.#onSignal);
    process.on('SIGTERM', this.#onEnding);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get happened(): boolean {
    return this.signal.aborted;
  }

  /** Gives signals back to the system: for work that cannot look up in between, and has nothing to save. */
  release(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onEnding);
  }
}
