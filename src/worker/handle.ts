// A worker as its caller sees it: it does tasks in their order, and every task gets an answer, or an error if the worker ends or does
// not answer in time.

import { type Answer, type Script, spawn, type Worker } from './spawn.js';

/**
 * A worker is given up that has not started within 10 s, or has not answered a task within a minute. It counts timer checks,
 * not time: no check happens while this thread is blocked or the machine sleeps.
 */
const CHECK_MS = 500;
const START_CHECKS = 20;
const TASK_CHECKS = 120;

/** A page gets no event when a terminated worker has ended. In Chromium the worker runs on for two seconds (measured), perhaps more. */
const GONE_MS = 3000;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A worker of a script, whose answer to the first message is the script's version. */
export class Thread<Open, Task, Value> {
  /** Resolves when the worker is ready; rejects if it does not start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #onEnd: (thread: Thread<Open, Task, Value>, error: Error) => void;
  readonly #pending: Pending[] = [];
  #error: Error | undefined;
  #checksLeft = START_CHECKS;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @throws what the platform throws where workers are forbidden */
  constructor(
    script: Script,
    open: Open,
    url: string | URL | undefined,
    onEnd: (thread: Thread<Open, Task, Value>, error: Error) => void,
  ) {
    this.#onEnd = onEnd;
    this.#worker = spawn(script, url, {
      answered: (answer) => this.#answered(answer),
      ended: (why) => this.#ended(why),
    });
    this.#timer = setInterval(() => this.#checkTime(), CHECK_MS);
    (this.#timer as { unref?(): void }).unref?.();
    this.ready = this.#send(open).then((answer) => {
      if (answer !== script.version) throw new Error(`${url} is perceptron-wasm/worker.js of another version`);
      this.hasStarted = true;
    });
    this.ready.catch(() => {}); // the callers that await `ready` get the error
  }

  hasStarted = false;

  /** How many tasks have no answer yet. */
  get tasks(): number {
    return this.hasStarted ? this.#pending.length : 0;
  }

  /** Runs a task; the buffers in `moved` are the worker's from now on. */
  runTask(task: Task, moved: readonly ArrayBuffer[] = []): Promise<Value> {
    this.#checksLeft = TASK_CHECKS;
    return this.#send(task, moved) as Promise<Value>;
  }

  #send(message: Open | Task, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#error) {
        reject(this.#error);
        return;
      }
      this.#pending.push({ resolve, reject });
      this.#worker.hold(true);
      this.#worker.post(message, moved);
    });
  }

  #answered(answer: Answer): void {
    const pending = this.#pending.shift();
    this.#checksLeft = TASK_CHECKS;
    if (this.#pending.length === 0) this.#worker.hold(false);
    if ('error' in answer) pending?.reject(new Error(`a worker thread failed: ${answer.error}`));
    else pending?.resolve(answer.value);
  }

  #checkTime(): void {
    if (this.#pending.length === 0 || --this.#checksLeft > 0) return;
    this.#ended('it did not answer in time');
  }

  /** Ends the worker, also during a task. */
  async terminate(): Promise<void> {
    await this.#ended('it was stopped');
  }

  /** Ends the worker as a crash would. For tests. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended('it was killed'); // a page gets no event
  }

  async #ended(why: string): Promise<void> {
    if (this.#error) return;
    const error = new Error(`a worker thread ended: ${why}`);
    this.#error = error;
    clearInterval(this.#timer);
    this.#worker.hold(true); // until the worker has ended
    const gone = this.#worker.terminate();
    // A task may still be running: the memory that it writes to must not be released yet. A worker that has not started writes nothing.
    await (gone ?? (this.tasks > 0 && new Promise((resolve) => setTimeout(resolve, GONE_MS))));
    this.#onEnd(this, error);
    for (const { reject } of this.#pending.splice(0)) reject(error);
  }
}
