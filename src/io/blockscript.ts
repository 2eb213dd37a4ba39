// The script of a worker that reads blocks. scripts/build-worker.ts bundles it. It says no more of a block that is wrong than that:
// the caller's thread reads such a block itself and finds the error and its place.

import { serve } from '../worker/port.js';
import type { Block, BlockResult, DenseRows, SparseRows, Work } from './block.js';
import { CsvParser } from './csvparser.js';
import { LabelList } from './labels.js';
import type { Layout } from './layout.js';
import { LibsvmParser, resized } from './libsvmparser.js';
import { ByteWindow } from './window.js';

/** scripts/build-worker.ts defines it. */
declare const VERSION: string;

let work: Work;

/** A list that grows. Its memory is used for every block. */
class List<T extends Uint32Array | Float64Array> {
  #entries: T;
  #length = 0;

  constructor(entries: T) {
    this.#entries = entries;
  }

  add(entries: ArrayLike<number>): void {
    const end = this.#length + entries.length;
    while (end > this.#entries.length) {
      const Same = this.#entries.constructor as new (length: number) => T;
      this.#entries = resized(this.#entries, new Same(2 * this.#entries.length));
    }
    this.#entries.set(entries, this.#length);
    this.#length = end;
  }

  /** A copy of all entries; the list is empty then. */
  take(): T {
    const all = this.#entries.slice(0, this.#length) as T;
    this.#length = 0;
    return all;
  }
}

const floats = new List(new Float64Array(2 ** 16));
const columnList = new List(new Uint32Array(2 ** 16));
const lengthList = new List(new Uint32Array(2 ** 10));

function sparseRows(window: ByteWindow): SparseRows | undefined {
  const one = new Uint32Array(1);
  const parser = new LibsvmParser(window, {
    add(columns, values, count) {
      columnList.add(columns.subarray(0, count));
      floats.add(values.subarray(0, count));
      one[0] = count;
      lengthList.add(one);
    },
  });
  const isWhole = parsed(window, parser);
  const { labels, ignored } = parser;
  const [lengths, columns, values] = [lengthList.take(), columnList.take(), floats.take()];
  return isWhole ? { labels: labels.current.slice(), lengths, columns, values, ignored } : undefined;
}

function denseRows(window: ByteWindow, layout: Layout): DenseRows | undefined {
  const labels = new LabelList(window);
  const parser = new CsvParser(window, layout, floats, labels, false);
  const isWhole = parsed(window, parser);
  const values = floats.take();
  const { texts, codes } = labels.all;
  return isWhole ? { values, texts, codes: codes.slice() } : undefined;
}

/** Whether the block consists of whole rows, and nothing is wrong with them. */
function parsed(window: ByteWindow, parser: LibsvmParser | CsvParser): boolean {
  try {
    parser.parse();
  } catch {
    return false;
  }
  return window.start === window.end && parser.isBetweenRows;
}

function read(block: Block): BlockResult<SparseRows | DenseRows> {
  const window = ByteWindow.over(block, work.settings);
  const rows = work.layout ? denseRows(window, work.layout) : sparseRows(window);
  return { block, rows, rowCount: window.rows, lineCount: window.line - 1 };
}

/** The buffers of a result: they are moved, not copied. */
const buffersOf = ({ block, rows }: BlockResult<object>): ArrayBuffer[] =>
  [block.bytes, ...Object.values(rows ?? {})]
    .filter((value) => ArrayBuffer.isView(value))
    .map(({ buffer }) => buffer as ArrayBuffer);

serve(
  (message: Work | Block) => {
    if ('bytes' in message) return read(message);
    work = message;
    return VERSION;
  },
  (value) => (typeof value === 'string' ? [] : buffersOf(value)),
);
