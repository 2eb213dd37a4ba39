// How fast are files read? LIBSVM text into a SparseMatrix and CSV into a DenseMatrix, plain and gzipped, against what one
// writes with split() and parseFloat(). A fresh process a measurement, as a file is read once; it comes from the system's
// cache, as we have just written it. The clock runs from the path to rows in memory and their labels.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Dataset, readCsv, readLibsvm } from 'perceptron-wasm/io';
import * as baseline from '../baseline/readers.js';
import { type Written, writeCsv, writeLibsvm } from '../data/text.js';
import { contestInRounds, ratioOf, spreadOf } from '../harness/measure.js';
import { type Answer, BASELINE, byMode, type Findings, tell, whenFull } from '../harness/question.js';
import type { Ratio, Timing } from '../harness/results.js';
import { withTemporaryFolder } from '../harness/temporary.js';

const OURS = 'ours';
/** As many as it takes to tell a change from noise. */
const ROUNDS = byMode({ smoke: 1, quick: 5, full: 5 });
const megabytes = (bytes: number): string => `${Number((bytes / 1e6).toPrecision(3))} MB`;

const threadsText = (count: number): string => (count === 1 ? 'one thread' : `${count} threads`);

type Format = 'LIBSVM' | 'CSV';

/** What a process that read a file says of it. */
interface Read {
  ms: number;
  /** Memory of the process at its peak, when all was read. */
  peakBytes: number;
  /** Of all numbers and labels, so that two readers can be compared. */
  hash: string;
}

const hashOf = (parts: readonly (ArrayBufferView | string)[]): string => {
  const hash = createHash('sha1');
  for (const part of parts) {
    hash.update(typeof part === 'string' ? part : new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  }
  return hash.digest('hex');
};

const partsOf = ({ X, y }: Dataset): (ArrayBufferView | string)[] => {
  if ('data' in X) return [X.data, y.join()];
  const { values, indices, indptr } = X.toParts();
  return [values, indices, indptr, y.join()];
};

/** Reads a file; returns what came of it, for the hash. */
const READERS: Record<string, (path: string) => Promise<() => (ArrayBufferView | string)[]>> = {
  [`${OURS} LIBSVM`]: async (path) => {
    const set = await readLibsvm(path);
    return () => partsOf(set);
  },
  [`${OURS} CSV`]: async (path) => {
    const set = await readCsv(path);
    return () => partsOf(set);
  },
  [`${OURS} LIBSVM, ${threadsText(1)}`]: async (path) => {
    const set = await readLibsvm(path, { threads: 1 });
    return () => partsOf(set);
  },
  [`${OURS} LIBSVM, ${threadsText(2)}`]: async (path) => {
    const set = await readLibsvm(path, { threads: 2 });
    return () => partsOf(set);
  },
  [`${BASELINE} LIBSVM`]: async (path) => {
    const { values, indices, indptr, y } = baseline.readLibsvm(path);
    return () => [values, indices, indptr, y.join()];
  },
  [`${BASELINE} CSV`]: async (path) => {
    const { data, y } = baseline.readCsv(path);
    return () => [data, y.join()];
  },
};

/** In the child. */
async function readHere(reader: string, path: string): Promise<Read> {
  const read = READERS[reader];
  if (!read) throw new Error(`no reader '${reader}'`);
  const started = performance.now();
  const result = await read(path);
  const ms = performance.now() - started;
  return { ms, peakBytes: process.resourceUsage().maxRSS * 1024, hash: hashOf(result()) };
}

function readInChild(reader: string, path: string): Read {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), reader, path];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the process of ${reader} failed: ${stderr}`);
  return JSON.parse(stdout) as Read;
}

interface Task {
  format: Format;
  /** What is particular about the file, e.g. 'gzipped'. */
  name?: string;
  write: (path: string) => Written;
  gzip?: boolean;
  /** Megabytes of text a second, at least. */
  atLeast?: number;
}

/** How many times `megabytes` a second that is. */
const speedRatio = ({ rounds }: Timing, bytes: number, megabytes: number): Ratio => {
  return spreadOf(rounds.map((ms) => bytes / 1000 / ms / megabytes));
};

function read({ format, name, write, gzip = false, atLeast }: Task): Findings {
  return withTemporaryFolder((folder) => {
    const plain = join(folder, 'rows.txt');
    const { bytes, rows, values } = write(plain);
    const path = gzip ? `${plain}.gz` : plain;
    if (gzip) writeFileSync(path, gzipSync(readFileSync(plain), { level: 6 }));
    const reads: Record<string, Read[]> = { [BASELINE]: [], [OURS]: [] };
    const timings = contestInRounds(
      [BASELINE, OURS].map((reader) => ({
        name: reader,
        measure: () => {
          const read = readInChild(`${reader} ${format}`, path);
          reads[reader]?.push(read);
          return read.ms;
        },
      })),
      ROUNDS,
    );
    const hashes = new Set(Object.values(reads).flatMap((list) => list.map(({ hash }) => hash)));
    if (hashes.size !== 1) throw new Error(`${format}: the readers do not agree on what is in the file`);

    const what = `reading ${[format, name].filter(Boolean).join(', ')}, ${megabytes(bytes)}`;
    const [theirs, ours] = timings as [Timing, Timing];
    const answers: Answer[] = [{ what, ...ratioOf(theirs, ours), against: BASELINE }];
    if (atLeast !== undefined) {
      answers.push({
        what: `${what}, speed`,
        ...speedRatio(ours, bytes, atLeast),
        against: `${atLeast} MB/s`,
        ...whenFull({ target: { atLeast: 1 } }),
      });
    }
    return {
      answers,
      timings,
      notes: [
        `${rows.toLocaleString('en')} rows, ${values.toLocaleString('en')} numbers${gzip ? `; ${megabytes(statSync(path).size)} gzipped` : ''}`,
        ...timings.map(({ name, ms }) => {
          const peak = Math.max(...(reads[name] ?? []).map(({ peakBytes }) => peakBytes));
          return `${name}: ${(bytes / 1000 / ms).toFixed(0)} MB of text a second, ${megabytes(peak)} of memory at the peak`;
        }),
      ],
    };
  });
}

/** One file by one thread and by two, of whatever processors there are. */
function readByThreads(bytesToWrite: number): Findings {
  return withTemporaryFolder((folder) => {
    const path = join(folder, 'rows.txt');
    const { bytes, rows, values } = writeLibsvm(path, { ...libsvm, bytes: bytesToWrite });
    const hashes = new Set<string>();
    const timings = contestInRounds(
      [1, 2].map((threads) => ({
        name: threadsText(threads),
        measure: () => {
          const { ms, hash } = readInChild(`${OURS} LIBSVM, ${threadsText(threads)}`, path);
          hashes.add(hash);
          return ms;
        },
      })),
      ROUNDS,
    );
    if (hashes.size !== 1) throw new Error('one thread and two do not agree on what is in the file');
    const [one, two] = timings as [Timing, Timing];
    const what = `reading LIBSVM, ${megabytes(bytes)}, by two threads`;
    return {
      answers: [{ what, ...ratioOf(one, two), against: 'one thread', ...whenFull({ target: { atLeast: 1.6 } }) }],
      timings,
      notes: [
        `${rows.toLocaleString('en')} rows, ${values.toLocaleString('en')} numbers`,
        ...timings.map(({ name, ms }) => `${name}: ${(bytes / 1000 / ms).toFixed(0)} MB of text a second`),
      ],
    };
  });
}

const large = byMode({ smoke: 1e5, quick: 100e6, full: 100e6 });
const huge = byMode({ smoke: 1e5, quick: 50e6, full: 500e6 });
const libsvm = { seed: 21, bytes: large, cols: 50_000, density: 0.0015, digits: 'short' } as const;
const csv = { seed: 22, bytes: large, cols: 50, digits: 'short' } as const;
const bytes = large / 4;

function ask(): void {
  tell(`How fast is LIBSVM text read? (${megabytes(large)}, 50,000 columns, six decimals)`, () =>
    read({ format: 'LIBSVM', write: (path) => writeLibsvm(path, libsvm), atLeast: 100 }),
  );
  tell(`Do two threads read LIBSVM text faster than one? (${megabytes(huge)})`, () => readByThreads(huge));
  tell(`And LIBSVM text with all 17 digits? (${megabytes(bytes)})`, () =>
    read({
      format: 'LIBSVM',
      name: '17 digits',
      write: (path) => writeLibsvm(path, { ...libsvm, bytes, digits: 'exact' }),
    }),
  );
  tell(`And gzipped LIBSVM text? (${megabytes(bytes)} of text)`, () =>
    read({ format: 'LIBSVM', name: 'gzipped', write: (path) => writeLibsvm(path, { ...libsvm, bytes }), gzip: true }),
  );
  tell(`How fast is CSV read? (${megabytes(large)}, 50 columns, six decimals, label last)`, () =>
    read({ format: 'CSV', write: (path) => writeCsv(path, csv), atLeast: 40 }),
  );
  tell(`And CSV with all 17 digits? (${megabytes(bytes)})`, () =>
    read({ format: 'CSV', name: '17 digits', write: (path) => writeCsv(path, { ...csv, bytes, digits: 'exact' }) }),
  );
  tell(`And gzipped CSV? (${megabytes(bytes)} of text)`, () =>
    read({ format: 'CSV', name: 'gzipped', write: (path) => writeCsv(path, { ...csv, bytes }), gzip: true }),
  );
}

const [reader, path] = process.argv.slice(2);
if (reader !== undefined && path !== undefined) console.log(JSON.stringify(await readHere(reader, path)));
else ask();
