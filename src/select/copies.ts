// Copies of rows that one or several jobs use: each is made when it is first wanted, and disposed of after its last use.

interface Copy {
  readonly made: Promise<unknown>;
  usesLeft: number;
}

export class Copies {
  readonly #make: (rows: Uint32Array) => unknown;
  readonly #uses: number;
  readonly #source: Copies | undefined;
  /** By the list of row numbers itself: a fold has one list, whoever uses it. */
  readonly #copies = new Map<Uint32Array, Copy>();

  /**
   * @param uses how often each list of rows will be asked for
   * @param source what they are made from, if that is copies, too
   */
  constructor(make: (rows: Uint32Array) => unknown, uses: number, source?: Copies) {
    this.#make = make;
    this.#uses = uses;
    this.#source = source;
  }

  /** Calls `work` with a copy of these rows, which it must not keep. */
  async use<T>(rows: Uint32Array, work: (copy: unknown) => T | Promise<T>): Promise<T> {
    let copy = this.#copies.get(rows);
    if (!copy) {
      copy = { made: (async () => this.#make(rows))(), usesLeft: this.#uses };
      this.#copies.set(rows, copy);
    }
    try {
      return await work(await copy.made);
    } finally {
      if (--copy.usesLeft === 0) this.#forget(rows, copy);
    }
  }

  /** Disposes of all copies: after work that failed, some are left. */
  dispose(): void {
    for (const [rows, copy] of this.#copies) this.#forget(rows, copy);
    this.#source?.dispose();
  }

  #forget(rows: Uint32Array, { made }: Copy): void {
    this.#copies.delete(rows);
    made.then(
      (copy) => (copy as { dispose?(): void } | undefined)?.dispose?.(),
      () => {}, // whoever asked for it has had the error
    );
  }
}
