// Fails the n-th call of a function, for n = 1, 2, 3 … until a run makes fewer calls: SQLite's way of testing errors.

/** A method, and what happens instead of it when its turn comes. */
export interface Fault {
  readonly owner: object;
  readonly method: string;
  /** Called instead of the method; returns or throws. */
  fail(): unknown;
  /** Whether all later calls fail too. */
  readonly stays: boolean;
}

/** How a run ended. */
interface Outcome<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/** A run: `prepare` is without faults. */
export interface Run<P, T> {
  prepare(): P | Promise<P>;
  call(prepared: P): T | Promise<T>;
  check(outcome: Outcome<T>, prepared: P): void;
}

/** More calls than any run here makes: whoever reaches it does not end. */
const MOST = 5000;

/** Runs again and again, each time with the next call of the method failing. Returns how many calls there were to fail. */
export async function failEach<P, T>({ owner, method, fail, stays }: Fault, run: Run<P, T>): Promise<number> {
  const holder = owner as Record<string, (...args: unknown[]) => unknown>;
  const original = holder[method] as (...args: unknown[]) => unknown;
  for (let n = 1; n <= MOST; n++) {
    const prepared = await run.prepare();
    let calls = 0;
    let outcome: Outcome<T>;
    holder[method] = function (this: unknown, ...args) {
      calls++;
      return calls === n || (stays && calls > n) ? fail() : original.apply(this, args);
    };
    try {
      outcome = { value: await run.call(prepared) };
    } catch (error) {
      outcome = { error };
    } finally {
      holder[method] = original;
    }
    run.check(outcome, prepared);
    if (calls < n) return n - 1;
  }
  throw new Error(`${method} was still called after ${MOST} faults`);
}
