// What the platform offers for threads.

interface Scope {
  Worker?: unknown;
  process?: { getBuiltinModule?(name: string): unknown };
  navigator?: { hardwareConcurrency?: number };
}
const scope = globalThis as unknown as Scope;

/** A built-in module of Node; undefined in other runtimes. There is no import, so that bundlers for browsers do not look for it. */
export const builtIn = <T>(name: string): T | undefined => scope.process?.getBuiltinModule?.(name) as T | undefined;

/** How many threads this machine can run at the same time. */
export function processors(): number {
  const os = builtIn<{ availableParallelism?(): number }>('node:os');
  return scope.navigator?.hardwareConcurrency ?? os?.availableParallelism?.() ?? 1;
}

/** Why workers cannot be started here; undefined if they can. */
export function whyNoWorkers(): string | undefined {
  if (typeof scope.Worker === 'function' || builtIn('node:worker_threads')) return undefined;
  return 'this platform has no worker threads (Node has them from 20.16 on)';
}
