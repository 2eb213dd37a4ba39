// Runs a question in a plain node process, from build/bench/, where strip.ts has put it without its types.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from './question.js';
import type { Mode } from './results.js';

/** Inside the package, so that 'perceptron-wasm' means dist/ there too. */
export const STRIPPED = fileURLToPath(new URL('../../build/bench/', import.meta.url));

interface Running {
  mode: Mode;
  onMessage: (message: Message) => void;
  /** Its end is the question's: asked to at first, made to after a while. */
  signal?: AbortSignal;
}

/** How long a question may take to tidy up. */
const GRACE_MS = 2000;

/** Runs bench/questions/NAME.ts, stripped before, to its end; rejects if it fails. It has nothing to say but messages. */
export function runPlain(name: string, { mode, onMessage, signal }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PERCEPTRON_BENCH_MODE: mode };
    const child = fork(join(STRIPPED, 'questions', `${name}.js`), {
      env,
      execArgv: [],
      // What somebody prints must not come between the lines of a report, or into its JSON.
      stdio: ['ignore', 2, 'inherit', 'ipc'],
    });
    const end = (): void => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    };
    signal?.addEventListener('abort', end, { once: true });
    child.on('message', (message) => onMessage(message as Message));
    child.on('error', reject);
    child.on('close', (code, ending) => {
      signal?.removeEventListener('abort', end);
      if (code === 0) resolve();
      else reject(new Error(`bench/questions/${name}.ts ended with ${ending ?? `exit status ${code}`}`));
    });
  });
}
