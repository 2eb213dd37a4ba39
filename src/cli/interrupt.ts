// Ctrl-C: the first one asks for an end, the second one is the end.

import { EXIT } from './errors.js';

export class Interrupt {
  readonly #controller = new AbortController();
  readonly #onSignal = (): void => {
    // Half-written files go with the process (files.ts).
    if (this.happened) process.exit(EXIT.interrupted);
    this.#controller.abort();
  };

  constructor() {
    process.on('SIGINT', this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get happened(): boolean {
    return this.signal.aborted;
  }

  /** Gives Ctrl-C back to the system: for work that cannot look up in between, and has nothing to save. */
  release(): void {
    process.off('SIGINT', this.#onSignal);
  }
}
