// The page's side of the worker: questions with answers, progress and cancel. The worker, and the library in it, is loaded with the
// first question.

import type { Ask, Message, Progress, Results, Summary, Trouble } from './types.js';

/** The answer was an explanation. */
export class Troubled extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.title);
    this.trouble = trouble;
  }
}

interface Waiting {
  readonly done: (answer: Summary | Results | Blob | undefined) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

interface Answers {
  read: Summary;
  train: Results;
  save: Blob;
  keep: undefined;
}

export class Client {
  #worker: Worker | undefined;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();

  /** undefined: it was cancelled before there was anything to keep. @throws Troubled */
  ask<A extends Ask>(
    ask: A,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {},
  ): Promise<Answers[A['do']] | undefined> {
    const worker = this.#started();
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done: done as Waiting['done'], fail, onProgress });
      worker.postMessage({ ...ask, id });
      signal?.addEventListener('abort', () => worker.postMessage({ cancel: id }), { once: true });
    });
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./work/worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#lose(event.message);
    });
    this.#worker = worker;
    return worker;
  }

  #hear(message: Message): void {
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
  #lose(reason: string | undefined): void {
    this.#close();
    const trouble: Trouble = {
      title: 'What reads and trains could not be started',
      detail: reason || 'A file of this page could not be loaded, or memory ran out.',
      remedy: 'Load the page again, and choose the file once more.',
      fixes: [],
    };
    for (const { fail } of this.#waiting.values()) fail(new Troubled(trouble));
    this.#waiting.clear();
  }

  /** Ends all work and gives its memory back. */
  #close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
