// What several jobs use: made when it is first wanted, and disposed of after its last use.

/** A matrix, a table: whatever has a `dispose`, or needs none. */
export class Shared<T> {
  readonly #make: () => T | Promise<T>;
  #usesLeft: number;
  #made: Promise<T> | undefined;

  /** @param uses how often it will be used */
  constructor(make: () => T | Promise<T>, uses: number) {
    this.#make = make;
    this.#usesLeft = uses;
  }

  /** Calls `work` with it; `work` must not keep it. */
  async use<R>(work: (made: T) => R | Promise<R>): Promise<R> {
    this.#made ??= (async () => this.#make())();
    try {
      return await work(await this.#made);
    } finally {
      if (--this.#usesLeft === 0) this.dispose();
    }
  }

  /** After work that failed, it may be left. */
  dispose(): void {
    this.#made?.then(
      (made) => (made as { dispose?(): void } | undefined)?.dispose?.(),
      () => {}, // whoever asked for it has had the error
    );
    this.#made = undefined;
  }
}

/** Copies of rows. */
export class Copies {
  readonly #take: (rows: Uint32Array) => unknown;
  readonly #uses: number;
  /** By the list of row numbers itself: a fold has one list, whoever uses it. */
  readonly #copies = new Map<Uint32Array, Shared<unknown>>();

  /** @param uses how often each list of rows will be asked for */
  constructor(take: (rows: Uint32Array) => unknown, uses: number) {
    this.#take = take;
    this.#uses = uses;
  }

  /** Calls `work` with a copy of these rows, which it must not keep. */
  use<R>(rows: Uint32Array, work: (copy: unknown) => R | Promise<R>): Promise<R> {
    let copy = this.#copies.get(rows);
    if (!copy) {
      copy = new Shared(() => this.#take(rows), this.#uses);
      this.#copies.set(rows, copy);
    }
    return copy.use(work);
  }

  dispose(): void {
    for (const copy of this.#copies.values()) copy.dispose();
  }
}
