// Starts a worker in Node or in a page, from an embedded script or from the caller's `workerUrl`.

import { builtIn } from './platform.js';

/** A script that workers run, and what it answers to the first message. */
export interface Script {
  readonly source: string;
  readonly version: string;
}

/** The answer to a message. */
export type Answer = { readonly value: unknown } | { readonly error: string };

/** A worker of Node or of a page. */
export interface Worker {
  /** Sends a message; the buffers in `moved` are the worker's from now on. */
  post(message: unknown, moved: readonly ArrayBuffer[]): void;
  /** Sets whether the worker keeps the process alive. */
  hold(isHeld: boolean): void;
  terminate(): PromiseLike<unknown> | undefined;
}

/** Receives the answers of a worker, and the reason when it ends. */
export interface Listener {
  answered(answer: Answer): void;
  ended(why: string): void;
}

interface NodeWorker {
  on(event: 'message', listener: (answer: Answer) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
  on(event: 'exit', listener: (code: number) => void): void;
  postMessage(message: unknown, moved: readonly ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}
interface NodeThreads {
  Worker: new (source: string | URL, options: { eval: boolean; execArgv: string[]; name: string }) => NodeWorker;
}
interface PageWorker {
  onmessage: ((event: { data: Answer }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?(): void }) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(message: unknown, moved: readonly ArrayBuffer[]): void;
  terminate(): void;
}
interface Scope {
  Deno?: unknown;
  Worker?: new (url: string | URL, options: { name: string }) => PageWorker;
}
const scope = globalThis as unknown as Scope;

const NAME = 'perceptron-wasm';

/** A page gets no reason when a policy blocks a worker. */
const BLOB_REFUSED =
  'the content security policy of this page may refuse it: allow "worker-src blob:", or give "workerUrl" (docs/threads.md)';

/** Starts a worker. @throws the platform's error if workers are forbidden */
export function spawn({ source }: Script, url: string | URL | undefined, listener: Listener): Worker {
  // The workers that Deno has as a page has them are of another kind (modules alone), and keep the process alive.
  const isPage = typeof scope.Worker === 'function' && !scope.Deno;
  const threads = isPage ? undefined : builtIn<NodeThreads>('node:worker_threads');
  return threads ? inNode(threads, source, url, listener) : inPage(source, url, listener);
}

function inNode({ Worker }: NodeThreads, source: string, url: string | URL | undefined, listener: Listener): Worker {
  // No flags of this process: some work in the main thread only, others load modules into every worker.
  const options = { execArgv: [], name: NAME };
  const worker =
    url === undefined
      ? new Worker(source, { ...options, eval: true })
      : new Worker(new URL(url, 'file:'), { ...options, eval: false });
  worker.on('message', (answer) => listener.answered(answer));
  worker.on('error', (error) => listener.ended(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => listener.ended(`it exited with code ${code}`));
  return {
    post: (message, moved) => worker.postMessage(message, moved),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    terminate: () => worker.terminate(),
  };
}

function inPage(source: string, url: string | URL | undefined, listener: Listener): Worker {
  const own = url ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const revoke = () => {
    if (own !== url) URL.revokeObjectURL(own as string);
  };
  let worker: PageWorker;
  try {
    worker = new (scope.Worker as NonNullable<Scope['Worker']>)(own, { name: NAME });
  } catch (error) {
    revoke();
    throw error;
  }
  worker.onmessage = ({ data }) => {
    revoke(); // the worker has loaded its script
    listener.answered(data);
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    revoke();
    listener.ended(event.message || (url === undefined ? BLOB_REFUSED : `its script was not loaded from ${url}`));
  };
  worker.onmessageerror = () => listener.ended('a message could not be read');
  return {
    post: (message, moved) => worker.postMessage(message, moved),
    hold() {},
    terminate: () => void worker.terminate(),
  };
}
