// Data files in memory, for jobs: read once, known by what is in them, and let go when others need the room.

import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { expectOptions } from '../errors.js';
import type { DenseMatrix, Label, SparseMatrix } from '../index.js';
import { type ReadOptions, readData, readTable, type TableOptions } from '../io/index.js';
import { nextTurn } from '../turn.js';
import { FileError } from './root.js';
import { tableOf } from './tables.js';

/** How a file is read. */
export type ReadHere = Pick<ReadOptions, 'cols' | 'label' | 'header' | 'ignore' | 'maxCols'> &
  Pick<TableOptions, 'kinds' | 'delimiter'> & { readonly format?: string };

/** Data in a file, and how it is read. */
export interface DataSource {
  readonly data: string;
  /** .npy: its labels. */
  readonly labels?: string;
  readonly read?: ReadHere;
  /** 'rows': numbers, as a matrix. 'table': columns of any kind. 'texts': one of its columns. 'blocks': numbers, in parts for passes. */
  readonly as: 'rows' | 'table' | 'texts' | 'blocks';
  /** Tables: leaves out rows without a label, and takes what is wrong in a file as missing. */
  readonly lenient?: boolean;
}

export interface Block {
  readonly X: DenseMatrix | SparseMatrix;
  readonly y: readonly Label[];
}

/** A file that was read. */
export interface Loaded {
  readonly size: number;
  /** SHA-256 of its bytes, and of those of the file with its labels. */
  readonly hash: string;
  /** A matrix, a table or texts; blocks: nothing. */
  readonly X: unknown;
  readonly y: readonly Label[];
  readonly rows: number;
  readonly blocks: readonly Block[];
  readonly bytes: number;
  /** What jobs have made of it; disposed of with it. */
  readonly made: Map<string, Made>;
  dispose(): void;
}

/** What jobs have made of data. */
export interface Made {
  /** How many jobs use it. */
  uses: number;
  dispose(): void;
}

interface Entry {
  stamp: string;
  readonly loaded: Promise<Loaded>;
  bytes: number;
  uses: number;
}

/** The options that may come with a job: no paths, which others of the readers are. */
const READ_HERE = ['cols', 'label', 'header', 'ignore', 'maxCols', 'kinds', 'delimiter', 'format'] as const;
/** As the readers' default. */
export const MOST_COLS = 2 ** 24;

/** Checks how a file is to be read, before it is opened; the readers check the rest. @throws TypeError or RangeError */
export function expectReadHere(read: ReadHere): ReadHere {
  const { cols = 0, maxCols = 0, ...rest } = expectOptions(read, READ_HERE, '"read"');
  if (Math.max(cols, maxCols) > MOST_COLS) throw new RangeError(`"cols" and "maxCols" must be at most ${MOST_COLS}`);
  return { ...rest, ...(cols !== 0 && { cols }), ...(maxCols !== 0 && { maxCols }) };
}

/** Larger files are refused, and larger contents of compressed ones. */
const MOST_BYTES = 2 ** 34;

/** The values of a block: a pass over it takes some milliseconds, so that others have their turn. */
const BLOCK_VALUES = 2 ** 20;

export class Datasets {
  readonly #open: (path: string) => Promise<FileHandle>;
  readonly #most: number;
  readonly #signal: AbortSignal | undefined;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param most how many bytes may stay when nobody uses them
   * @param signal ends reading
   */
  constructor(open: (path: string) => Promise<FileHandle>, most: number, signal?: AbortSignal) {
    this.#open = open;
    this.#most = most;
    this.#signal = signal;
  }

  /** Calls `work` with the data, which it must not keep. What is on the disk now is what it gets. */
  async use<T>(source: DataSource, work: (loaded: Loaded) => T | Promise<T>): Promise<T> {
    const key = JSON.stringify(source);
    const paths = [source.data, ...(source.labels === undefined ? [] : [source.labels])];
    const files: FileHandle[] = [];
    let entry: Entry;
    try {
      for (const path of paths) files.push(await named(path, () => this.#open(path)));
      const stamp = (await Promise.all(files.map(stampOf))).join();
      entry = this.#entries.get(key) ?? { stamp: '', loaded: undefined as never, bytes: 0, uses: 0 };
      if (entry.stamp !== stamp) {
        this.#drop(key);
        entry = { stamp, loaded: load(source, files, this.#signal), bytes: 0, uses: 0 };
      }
      this.#entries.delete(key);
      this.#entries.set(key, entry); // the latest
      entry.uses++;
      try {
        entry.bytes = (await entry.loaded).bytes;
      } catch (error) {
        if (this.#entries.get(key) === entry) this.#entries.delete(key); // the next job tries again
        throw error;
      }
    } finally {
      for (const file of files) await file.close();
    }
    try {
      return await work(await entry.loaded);
    } finally {
      entry.uses--;
      if (this.#entries.get(key) === entry) this.#trim();
      else if (entry.uses === 0) (await entry.loaded).dispose(); // it was dropped meanwhile
    }
  }

  dispose(): void {
    for (const key of [...this.#entries.keys()]) this.#drop(key);
  }

  #trim(): void {
    let sum = 0;
    for (const { bytes } of this.#entries.values()) sum += bytes;
    for (const [key, { bytes, uses }] of [...this.#entries]) {
      if (sum <= this.#most) return;
      if (uses > 0) continue;
      this.#drop(key);
      sum -= bytes;
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry?.uses === 0)
      entry.loaded.then(
        (loaded) => loaded.dispose(),
        () => {}, // whoever wanted it has had the error
      );
  }
}

/** Changes when the file does. */
async function stampOf(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Errors of files name the path, as the job has it. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) error.message = `${path} cannot be read: ${error.message}`;
    throw error;
  }
}

async function load(
  source: DataSource,
  files: readonly FileHandle[],
  signal: AbortSignal | undefined,
): Promise<Loaded> {
  const { data: path, read = {}, as, lenient = false } = source;
  const [file, labelsFile] = files as [FileHandle, FileHandle | undefined];
  const before = (await Promise.all(files.map(stampOf))).join();
  const { size } = await file.stat();
  if (size > MOST_BYTES) throw new FileError(`${path} has ${size} bytes; at most ${MOST_BYTES} are read`);
  const hashes = files.map(() => createHash('sha256'));
  const opened = bytesOf(file, hashes[0] as Hash, size, path);
  const labels =
    labelsFile && bytesOf(labelsFile, hashes[1] as Hash, (await labelsFile.stat()).size, source.labels as string);
  const options = { ...expectReadHere(read), name: path, maxBytes: MOST_BYTES, ...(signal && { signal }) };
  const found =
    as === 'table' || as === 'texts'
      ? tableOf(await readTable(opened, options as TableOptions), path, as, lenient)
      : await readData(opened, { ...(options as ReadOptions), ...(labels && { labels }) });
  const { X, y } = found;
  const matrix = as === 'rows' || as === 'blocks' ? (X as DenseMatrix | SparseMatrix) : undefined;
  try {
    await opened.rest();
    await labels?.rest();
    if (y.length === 0)
      throw new FileError(
        `${path} has no labels: say which column they are with read: { label }, or name their file with labels`,
      );
    if ((await Promise.all(files.map(stampOf))).join() !== before)
      throw new FileError(`${path} changed while it was read`);
    if ('ignored' in found && found.ignored)
      throw new FileError(`${path} has values in columns beyond the ${read.cols} that "cols" says`);
  } catch (error) {
    matrix?.dispose();
    throw error;
  }
  const bytes = (matrix ? bytesIn(matrix) : bytesOfTable(X)) + 16 * y.length;
  const blocks = as === 'blocks' && matrix ? await blocksOf(matrix, y) : []; // which may dispose of it
  const made = new Map<string, Made>();
  return {
    size,
    hash: hashes.map((hash) => hash.digest('hex')).join(''),
    X: as === 'blocks' ? undefined : X,
    y,
    rows: y.length,
    blocks,
    bytes,
    made,
    dispose() {
      for (const each of made.values()) each.dispose();
      if (as !== 'blocks') matrix?.dispose();
      for (const block of blocks) block.X.dispose();
    },
  };
}

/** Of texts, or of the columns of a table: what it takes in memory, nearly. */
function bytesOfTable(X: unknown): number {
  const lists = Array.isArray(X) ? [X] : Object.values((X as { columns: Record<string, unknown> }).columns);
  let sum = 0;
  for (const list of lists as (Float64Array | (string | null)[])[]) {
    if (list instanceof Float64Array) sum += list.byteLength;
    else for (const text of list) sum += 24 + 2 * (text?.length ?? 0);
  }
  return sum;
}

const bytesIn = (X: DenseMatrix | SparseMatrix): number =>
  'nonZeros' in X ? 12 * X.nonZeros + 16 * X.rows : X.rows * X.cols * (X.rows > 0 ? X.row(0).BYTES_PER_ELEMENT : 8);

/** Copies of consecutive rows; the whole is disposed of. */
export async function blocksOf(X: DenseMatrix | SparseMatrix, y: readonly Label[]): Promise<Block[]> {
  const values = 'nonZeros' in X ? X.nonZeros : X.rows * X.cols;
  // A pass copies the weights in and out of each block, so that a block has some times as many values.
  const each = Math.max(BLOCK_VALUES, 8 * X.cols);
  const rows = Math.max(1, Math.ceil((X.rows * each) / Math.max(values, 1)));
  if (rows >= X.rows) return [{ X, y }];
  const blocks: Block[] = [];
  try {
    for (let from = 0; from < X.rows; from += rows) {
      const to = Math.min(X.rows, from + rows);
      blocks.push({ X: X.slice(from, to), y: y.slice(from, to) });
      await nextTurn();
    }
    return blocks;
  } finally {
    X.dispose();
  }
}

const READ_BYTES = 2 ** 18;

/** A file as the readers take it; its bytes go through the hash. */
function bytesOf(file: FileHandle, hash: Hash, size: number, name: string) {
  const buffer = new Uint8Array(READ_BYTES);
  let isOver = false;
  const read = async (): Promise<{ done: boolean; value?: Uint8Array }> => {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) {
      isOver = true;
      return { done: true };
    }
    const value = buffer.subarray(0, bytesRead);
    hash.update(value);
    return { done: false, value };
  };
  return {
    name,
    size,
    stream: () => ({ getReader: () => ({ read, cancel: async () => {} }) }),
    /** Reads what is behind the data, for the hash. */
    async rest() {
      while (!isOver) await read();
    },
  };
}
