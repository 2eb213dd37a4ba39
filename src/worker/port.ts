// The other end of a worker's messages, in its script: in a page and in Node, from a string or from a file.

interface Port {
  postMessage(message: unknown, moved?: readonly ArrayBuffer[]): void;
  on?(event: 'message', listener: (message: never) => void): void;
}
interface Scope extends Port {
  onmessage: ((event: { data: never }) => void) | null;
  process?: { getBuiltinModule?(name: string): { parentPort: Port | null } | undefined };
}
const scope = globalThis as unknown as Scope;
const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? scope;

/** Answers every message with what `run` returns, or with its error; the buffers in `moved` of a value are the caller's then. */
export function serve<Message>(
  run: (message: Message) => unknown,
  moved?: (value: never) => readonly ArrayBuffer[],
): void {
  const receive = (message: never) => {
    try {
      const value = run(message);
      port.postMessage({ value }, moved?.(value as never));
    } catch (error) {
      port.postMessage({ error: String(error) });
    }
  };
  if (port.on) port.on('message', receive);
  else scope.onmessage = ({ data }) => receive(data);
}
