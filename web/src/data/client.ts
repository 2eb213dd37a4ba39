// The page's side of the worker: questions with answers, progress and cancel. The worker, and the library in it, is loaded with the
// first question.

import type { Answers, Ask, Cancel, Message, Progress, Trouble } from './types.js';

/** The answer was an explanation. */
export class Troubled extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.title);
    this.trouble = trouble;
  }
}

interface Waiting {
  readonly done: (answer: Answers[keyof Answers] | undefined) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

interface Asking {
  /** Ends it; what it has so far is the answer. */
  readonly stop?: AbortSignal;
  /** Ends it; nobody wants the answer any more. */
  readonly dropped?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Workers are told apart by the locks that they hold. */
let started = 0;

export class Client {
  #worker: Worker | undefined;
  /** Whether the worker has said anything yet. */
  #isStarted = false;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onLost: (trouble: Trouble) => void;

  /** `onLost`: the worker fell, and all data and models with it. It is called before those who wait are told. */
  constructor(onLost: (trouble: Trouble) => void) {
    this.#onLost = onLost;
  }

  /** undefined: it was cancelled before there was anything to keep. @throws Troubled */
  ask<A extends Ask & { do: keyof Answers }>(
    ask: A,
    { stop, dropped, onProgress }: Asking = {},
  ): Promise<Answers[A['do']] | undefined> {
    const worker = this.#started();
    const id = this.#next++;
    const isSettled = new AbortController();
    const answer = new Promise<Answers[A['do']] | undefined>((done, fail) => {
      this.#waiting.set(id, { done: done as Waiting['done'], fail, onProgress });
      worker.postMessage({ ...ask, id });
      const end = (isDropped: boolean) => () => worker.postMessage({ cancel: id, isDropped } satisfies Cancel);
      const once = { once: true, signal: isSettled.signal };
      stop?.addEventListener('abort', end(false), once);
      dropped?.addEventListener('abort', end(true), once);
    });
    return answer.finally(() => isSettled.abort());
  }

  /** Has the worker let go of all that is not named; nobody waits for that. */
  keep(kept: { readonly data?: number; readonly model?: number }): void {
    this.#worker?.postMessage({ ...kept, do: 'keep', id: this.#next++ });
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const name = `your-data-${Date.now()}-${++started}`;
    const worker = new Worker(new URL('./work/worker.ts', import.meta.url), { type: 'module', name });
    this.#isStarted = false;
    worker.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      this.#isStarted = true;
      if ('holds' in data) void this.#watch(worker, data.holds);
      else this.#hear(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#lose(worker, event.message);
    });
    this.#worker = worker;
    return worker;
  }

  /** A worker that is ended by the browser says nothing; but then the lock that it held is free. */
  async #watch(worker: Worker, lock: string): Promise<void> {
    await navigator.locks.request(lock, () => this.#lose(worker, undefined));
  }

  #hear(message: Exclude<Message, { holds: string }>): void {
    const waiting = this.#waiting.get(message.id);
    if ('progress' in message) {
      waiting?.onProgress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if ('trouble' in message) waiting?.fail(new Troubled(message.trouble));
    else waiting?.done('done' in message ? message.done : undefined);
  }

  /** The worker did not start, or fell: whoever waits is told, and the next question starts another. */
  #lose(worker: Worker, reason: string | undefined): void {
    if (worker !== this.#worker) return; // it was ended on purpose
    worker.terminate();
    this.#worker = undefined;
    const trouble: Trouble = this.#isStarted
      ? {
          title: 'What reads and trains has stopped',
          detail: reason || 'The browser ended it: most likely memory ran out.',
          remedy: 'Try again with fewer rows or columns, or close other tabs first.',
          fixes: [],
        }
      : {
          title: 'What reads and trains could not be started',
          detail: reason || 'A file of this page could not be loaded.',
          remedy: 'Load the page again, and choose the file once more.',
          fixes: [],
        };
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#onLost(trouble);
    for (const { fail } of waiting) fail(new Troubled(trouble));
  }
}
