// Hearing of an abort. However many calls are made with one signal, it has one listener of ours: Node warns of more than ten.

interface Ear {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const ears = new WeakMap<AbortSignal, Ear>();

/** Calls back when `signal` aborts, soon if it has; the answer ends that. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    let isWanted = true;
    queueMicrotask(() => isWanted && callback());
    return () => {
      isWanted = false;
    };
  }
  const { callbacks, listener } = ears.get(signal) ?? listenTo(signal);
  const own = () => callback(); // one may be given twice
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    ears.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Ear {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of [...callbacks]) callback();
  };
  const ear = { callbacks, listener };
  ears.set(signal, ear);
  signal.addEventListener('abort', listener);
  return ear;
}
