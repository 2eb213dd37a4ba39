// What the tests run inside a page; the same functions run in Node, for comparison. Nothing is imported but types: the library
// comes as the first argument.

import type { DenseMatrix, FitAsyncOptions, FitReport } from '../../src/index.js';

type Library = typeof import('../../src/index.js');
/** Options of fitAsync that can be sent to a page. */
export type Sent = Pick<FitAsyncOptions, 'threads' | 'keepPartial'> & { workerUrl?: string };
/** Options of fitAsync and gramAsync alike. */
type Given = Pick<FitAsyncOptions, 'signal' | 'threads' | 'keepPartial' | 'workerUrl'>;

type Made = DenseMatrix | { readonly report: FitReport };

/** Something to do, its data made already. */
interface Job {
  now(): Made;
  later(options: Given): Promise<Made>;
}

/** Numbers from −1 to 1 that are the same everywhere. */
function numbers(count: number, seed: number): Float64Array {
  const values = new Float64Array(count);
  let x = seed;
  for (let i = 0; i < count; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    values[i] = x / 2 ** 31;
  }
  return values;
}

/** Rows with a class each: how many of a few sums are positive; one of fifty is wrong, so that nothing separates them. */
function samples(rows: number, cols: number, classes = 2) {
  const data = numbers(rows * cols, rows);
  const planes = numbers(cols * (classes - 1), 7);
  const luck = numbers(rows, 5);
  const y = Array.from({ length: rows }, (_, i) => {
    let side = luck[i]! > 0.96 ? 1 : 0;
    for (let c = 0; c < classes - 1; c++) {
      let sum = 0;
      for (let k = 0; k < cols; k++) sum += data[i * cols + k]! * planes[c * cols + k]!;
      if (sum > 0) side++;
    }
    return `class ${side % classes}`;
  });
  return { X: { data, rows, cols }, y };
}

const jobs = {
  /** Done in a blink. */
  small({ Perceptron }: Library): Job {
    const { X, y } = samples(200, 40);
    const trainer = () => new Perceptron<string>({ maxEpochs: 50 });
    return { now: () => trainer().fit(X, y), later: (options) => trainer().fitAsync(X, y, options) };
  },
  /** 43 MB that come as a flat array. */
  primal({ Perceptron }: Library): Job {
    const { X, y } = samples(6000, 900);
    const trainer = () => new Perceptron<string>({ maxEpochs: 20 });
    return { now: () => trainer().fit(X, y), later: (options) => trainer().fitAsync(X, y, options) };
  },
  /** 7.2 million values in arrays of arrays. */
  nested({ Perceptron }: Library): Job {
    const { X, y } = samples(40_000, 180);
    const rows = Array.from({ length: X.rows }, (_, i) => {
      const row: number[] = []; // filled by hand, which is much quicker than Array.from
      for (let k = i * X.cols; k < (i + 1) * X.cols; k++) row.push(X.data[k]!);
      return row;
    });
    const trainer = () => new Perceptron<string>({ maxEpochs: 3, order: 'shuffle', average: true });
    return { now: () => trainer().fit(rows, y), later: (options) => trainer().fitAsync(rows, y, options) };
  },
  dual({ DualPerceptron }: Library): Job {
    const { X, y } = samples(1500, 150);
    const trainer = () => new DualPerceptron<string>({ kernel: { type: 'rbf', gamma: 0.05 }, maxEpochs: 20 });
    return { now: () => trainer().fit(X, y), later: (options) => trainer().fitAsync(X, y, options) };
  },
  multiclass({ MulticlassPerceptron }: Library): Job {
    const { X, y } = samples(5000, 200, 5);
    const trainer = () => new MulticlassPerceptron<string>({ maxEpochs: 80 });
    return { now: () => trainer().fit(X, y), later: (options) => trainer().fitAsync(X, y, options) };
  },
  gram({ gram, gramAsync }: Library): Job {
    const { X } = samples(1400, 600);
    const kernel = { type: 'polynomial', degree: 2, coef0: 1 } as const;
    return {
      now: () => gram(X, { kernel }),
      later: ({ keepPartial: _, ...options }) => gramAsync(X, { kernel, ...options }),
    };
  },
  /** Goes on until it is told to stop. */
  endless({ Perceptron }: Library): Job {
    const { X, y } = samples(4000, 500);
    const trainer = () => new Perceptron<string>({ maxEpochs: 1e9 });
    return { now: () => trainer().fit(X, y), later: (options) => trainer().fitAsync(X, y, options) };
  },
};
export type JobName = keyof typeof jobs;

const made = new Map<JobName, Job>();
function jobOf(library: Library, name: JobName): Job {
  const job = made.get(name) ?? jobs[name](library);
  made.set(name, job);
  return job;
}

/** 32 bits that differ when one of theirs does (FNV-1a), and how many there are. */
function digest(thing: Made): string {
  const text = 'report' in thing ? new TextEncoder().encode(JSON.stringify(thing)) : undefined;
  const bytes = text ?? new Uint8Array((thing as DenseMatrix).data.slice().buffer);
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return `${hash >>> 0} of ${bytes.length}`;
}

const outcome = (thing: Made) => ({
  bits: digest(thing),
  report: 'report' in thing ? thing.report : undefined,
});
export type Outcome = ReturnType<typeof outcome>;

export function prepare(library: Library, name: JobName): void {
  jobOf(library, name);
}

export const now = (library: Library, name: JobName): Outcome => outcome(jobOf(library, name).now());
export const later = async (library: Library, name: JobName, options: Sent): Promise<Outcome> =>
  outcome(await jobOf(library, name).later(options));
export const atOnce = (library: Library, name: JobName, options: Sent, times: number): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: times }, () => later(library, name, options)));

/** The error that a call ends with. */
export async function failure(library: Library, name: JobName, options: Sent): Promise<string> {
  try {
    await later(library, name, options);
    return 'no error';
  } catch (error) {
    return String(error);
  }
}

export const stop = (library: Library): Promise<void> => library.stopThreads();

/** What the page has. */
export const scope = () => ({
  isolated: globalThis.crossOriginIsolated,
  shared: typeof SharedArrayBuffer === 'function',
  processors: navigator.hardwareConcurrency,
});

/** Has a call aborted after some ticks of the page's timer, or with `keepPartial` in its second epoch, and tells how it ended. */
export async function abort(library: Library, options: Sent, ticks: number, name: JobName = 'endless') {
  const { later: start } = jobOf(library, name);
  const controller = new AbortController();
  const tell = () => controller.abort(new Error('enough'));
  const onProgress = ({ epoch }: { epoch: number }) => void (epoch >= 2 && tell());
  const wait = async () => {
    for (let tick = 0; tick < ticks; tick++) await new Promise((done) => setTimeout(done));
    tell();
  };
  try {
    const fit = start({ ...options, ...(options.keepPartial && { onProgress }), signal: controller.signal });
    if (!options.keepPartial) void wait();
    const { report } = (await fit) as { report?: FitReport };
    return { stopReason: report?.stopReason, epochs: report?.epochs };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Starts a fit and leaves it to itself. */
export function leave(library: Library, options: Sent): void {
  void jobOf(library, 'endless').later(options);
}

/** A fit beside one that does not end by itself: what it made, and how the other ended once it was told to. */
export async function beside(library: Library, name: JobName, options: Sent) {
  const controller = new AbortController();
  const ended = jobOf(library, 'endless')
    .later({ ...options, signal: controller.signal })
    .catch((error) => error.name);
  const result = await later(library, name, options);
  controller.abort();
  return { ...result, other: await ended };
}

/** How often the page's timer ticked while something was under way: never, if nothing else had its turn. */
async function ticksDuring(work: () => unknown): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => ticks++);
  await work();
  clearInterval(timer);
  return ticks;
}

export const ticks = (library: Library, name: JobName, options: Sent): Promise<number> => {
  const job = jobOf(library, name);
  return ticksDuring(() => job.later(options));
};

/** With fit instead of fitAsync. */
export const ticksNow = (library: Library, name: JobName): Promise<number> => {
  const job = jobOf(library, name);
  return ticksDuring(() => job.now());
};
