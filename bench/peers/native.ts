// Talks to native.py: one Python process that has the rows in its memory and times scikit-learn, LIBLINEAR and OpenBLAS
// when it is their turn. It ends with our end of the pipe, however we end.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's own first: a `python3` of pyenv or conda hides it and seldom has the packages. Or the one you say. */
const PYTHONS = process.env.PERCEPTRON_BENCH_PYTHON?.split(':') ?? ['/usr/bin/python3', 'python3'];
/** plain.ts leaves it where it is, in bench/. */
const SCRIPT = join(
  dirname(createRequire(import.meta.url).resolve('perceptron-wasm/package.json')),
  'bench/peers/native.py',
);

/** Importing takes seconds on a cold disk; nothing else we ask for takes nearly as long as this. */
const DEADLINE_MS = 60_000;
/** How long a process may take to end after its input has. */
const GRACE_MS = 2000;

export interface Missing {
  missing: string;
}

export interface OpenBlas {
  /** The library that was found in the process. */
  path: string;
  /** What it says of itself, e.g. 'OpenBLAS 0.3.21 … SkylakeX MAX_THREADS=64'. */
  config: string;
  /** Whose kernels run, e.g. 'SkylakeX'. */
  core: string;
  threads: number;
}

type Package = 'numpy' | 'sklearn';

interface Hello {
  versions: { python: string; scipy?: string } & Partial<Record<Package, string>>;
  missing: Partial<Record<Package, string>>;
  blas?: OpenBlas | Missing;
}

export type Command = { do: string } & Record<string, unknown>;

export interface Timed {
  /** One number a call. */
  ms: number[];
}

export interface Opening {
  /** What to try, in this order. */
  pythons?: readonly string[];
  packages?: readonly Package[];
  /** OPENBLAS_CORETYPE: whose kernels OpenBLAS is to take; undefined: as it likes. */
  coreType?: string;
}

interface Waiting {
  resolve: (answer: object) => void;
  reject: (reason: Error) => void;
}

/** A line to one process: commands go in, answers come back in their order. */
export class Line {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: Waiting[] = [];
  /** The signal that ended it, if one did. */
  private readonly ended: Promise<NodeJS.Signals | null>;
  /** Why nothing can be asked any more. */
  private end: Error | undefined;
  private complaints = '';

  constructor(
    readonly python: string,
    coreType?: string,
  ) {
    const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', OPENBLAS_CORETYPE: coreType };
    this.child = spawn(python, [SCRIPT], { env });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints = (this.complaints + text).slice(-2000);
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(line));
    // A process that has ended does not read: that it has is said below.
    this.child.stdin.on('error', () => {});
    this.child.on('error', (error) => this.over(`${python} cannot be run (${error.message})`));
    this.ended = new Promise((resolve) => {
      this.child.on('error', () => resolve(null));
      this.child.on('close', (code, signal) => {
        const last = this.complaints.trim().split('\n').at(-1);
        this.over(`${python} ended with ${signal ?? `exit status ${code}`}${last ? `: ${last}` : ''}`);
        resolve(signal);
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The answer to a command; rejects with a sentence if that is an error, if it takes too long, or if the process is gone. */
  ask<T extends object>(command: Command, deadlineMs = DEADLINE_MS): Promise<T> {
    if (this.end) return Promise.reject(this.end);
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        // What comes after a missed deadline would be taken for the answer to the next command.
        this.over(`${this.python} did not answer '${command.do}' within ${deadlineMs / 1000} s`);
        this.child.kill('SIGKILL');
      }, deadlineMs);
      this.waiting.push({
        resolve: (answer) => {
          clearTimeout(timer);
          if ('error' in answer) reject(new Error(`${this.python} could not do '${command.do}': ${answer.error}`));
          else resolve(answer as T);
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      });
      this.child.stdin.write(`${JSON.stringify(command)}\n`);
    });
  }

  /** Ends the process and waits until it has: of its own accord, or else, after a while, by the signal that it returns. */
  async close(graceMs = GRACE_MS): Promise<NodeJS.Signals | null> {
    this.over(`${this.python} was told to end`);
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    const signal = await this.ended;
    clearTimeout(timer);
    return signal;
  }

  private hear(line: string): void {
    try {
      const answer = JSON.parse(line) as object;
      this.waiting.shift()?.resolve(answer);
    } catch {
      this.over(`${this.python} answered what is not JSON: ${line.slice(0, 200)}`);
      this.child.kill('SIGKILL');
    }
  }

  private over(why: string): void {
    this.end ??= new Error(why);
    for (const { reject } of this.waiting.splice(0)) reject(this.end);
  }
}

/** A Python with numpy at least, and what else it has. */
export class Native {
  constructor(
    private readonly line: Line,
    readonly about: Hello,
  ) {}

  /** scikit-learn's version, or why there is none. */
  get sklearn(): string | Missing {
    const { versions, missing } = this.about;
    return (
      versions.sklearn ?? { missing: `${this.line.python}: ${missing.sklearn ?? 'scikit-learn was not asked for'}` }
    );
  }

  /** Its OpenBLAS, in one thread, or what is in the way. */
  get openblas(): OpenBlas | Missing {
    const { blas } = this.about;
    if (!blas || 'missing' in blas) return { missing: `${this.line.python}: ${blas?.missing ?? 'no numpy'}` };
    if (blas.threads === 1) return blas;
    return { missing: `${this.line.python}: OpenBLAS takes ${blas.threads} threads though one was asked for` };
  }

  get python(): string {
    return this.line.python;
  }

  /** Has it read rows from files, to be known by `name`. */
  async load(name: string, shape: { rows: number; cols: number }, files: Record<string, string>): Promise<void> {
    await this.line.ask({ do: 'load', name, rows: shape.rows, cols: shape.cols, files });
  }

  /** Fits of scikit-learn's Perceptron: exactly `passes`, rows as they come; `to`: where to put weights and intercept. */
  perceptron(
    on: string,
    options: { passes: number; intercept: boolean; calls: number; to?: string },
  ): Promise<Timed & { passes: number }> {
    return this.line.ask({ do: 'perceptron', on, ...options });
  }

  /** Fits of LIBLINEAR, in scikit-learn's LinearSVC. */
  liblinear(on: string, options: { intercept: boolean; calls: number }): Promise<Timed & { accuracy: number }> {
    return this.line.ask({ do: 'liblinear', on, ...options });
  }

  /** X·Xᵀ by OpenBLAS; `to`: where to put it. */
  gram(on: string, options: { calls: number; to?: string }): Promise<Timed> {
    return this.line.ask({ do: 'gram', on, ...options });
  }

  /** Gives it texts, for `vectorize`. */
  async texts(list: readonly string[]): Promise<void> {
    await this.line.ask({ do: 'texts', list });
  }

  /** The matrix of its texts by a vectorizer of scikit-learn, made anew. */
  vectorize(vectorizer: string, options: Record<string, unknown>): Promise<{ nonZeros: number }> {
    return this.line.ask({ do: 'vectorize', vectorizer, options });
  }

  async close(): Promise<void> {
    await this.line.close();
  }
}

/** The first Python that has all of the packages, else the first that has numpy; or what is in the way of each. */
export async function openNative(opening: Opening = {}): Promise<Native | Missing> {
  const { pythons = PYTHONS, packages = ['numpy', 'sklearn'], coreType } = opening;
  const reasons: string[] = [];
  let second: Native | undefined;
  for (const python of pythons) {
    const line = new Line(python, coreType);
    try {
      const native = new Native(line, await line.ask<Hello>({ do: 'hello', packages }));
      const missing = Object.values(native.about.missing);
      if (missing.length === 0) {
        await second?.close();
        return checked(native, coreType);
      }
      reasons.push(`${python}: ${missing.join(', ')}`);
      if (second || !native.about.versions.numpy) await native.close();
      else second = native;
    } catch (error) {
      reasons.push((error as Error).message);
      await line.close();
    }
  }
  return second ? checked(second, coreType) : { missing: reasons.join('; ') };
}

/** OpenBLAS for one kind of processor ignores OPENBLAS_CORETYPE. */
async function checked(native: Native, coreType?: string): Promise<Native | Missing> {
  const { openblas } = native;
  if (coreType === undefined) return native;
  if (!('missing' in openblas) && openblas.core.toLowerCase() === coreType.toLowerCase()) return native;
  await native.close();
  if ('missing' in openblas) return openblas;
  return { missing: `OpenBLAS takes the kernels for ${openblas.core} though ${coreType} was asked for` };
}

/** The float64 numbers of a file. */
export const numbersOf = (path: string): Float64Array => new Float64Array(new Uint8Array(readFileSync(path)).buffer);
