// Reads rows: on this thread from the window, or by worker threads, which get blocks of whole lines. The rows of blocks are put
// together in their order. What a worker cannot read (something is wrong, or a block does not end where a row ends) is put back
// into the window and read here, so errors and their places are those of one thread (docs/adr/0029).

import type { BlockResult, Work } from './block.js';
import { LF, QUOTE } from './numbers.js';
import type { Settings } from './options.js';
import type { startTeam, Team } from './team.js';
import { abortable, type ByteWindow, MOST_ROWS } from './window.js';

/** Bytes of a block: some milliseconds of work; and of the longest, if its lines are long. */
const BLOCK = 2 ** 20;
const LONGEST = 2 ** 22;

/** threads: 'auto' uses threads for sources of at least this many bytes. */
const LARGE = 2 ** 24;

/** A format, and what takes its rows. */
export interface RowFormat<Rows> {
  readonly layout?: Work['layout'];
  readonly parser: {
    /** Reads all complete fields of the window. */
    parse(): void;
    /** Whether the next byte begins a row. */
    readonly isBetweenRows: boolean;
  };
  /** Adds the rows of a block; false, adding nothing, if the block must be read here. */
  merge(rows: Rows): boolean;
}

/** For tests: the size of blocks, and what starts the threads. */
export interface BlockOptions {
  readonly bytes?: number | undefined;
  readonly start?: typeof startTeam | undefined;
}

const DEFAULTS: BlockOptions = { bytes: undefined, start: undefined };

/** Reads all rows of the window. @throws DataError, the signal's reason, or an Error if a worker ends */
export async function readRows<Rows>(
  window: ByteWindow,
  format: RowFormat<Rows>,
  options: BlockOptions = DEFAULTS,
): Promise<void> {
  const reader = new RowReader(window, format, options);
  try {
    await reader.read();
  } finally {
    reader.end();
  }
}

class RowReader<Rows> {
  readonly #window: ByteWindow;
  readonly #format: RowFormat<Rows>;
  readonly #blockBytes: number;
  readonly #start: typeof startTeam;
  #team: Team | undefined;
  #starting: Promise<void> | undefined;
  #isOver = false;
  /** Blocks that workers read, or have read, in their order. */
  readonly #underway: Promise<BlockResult<Rows>>[] = [];
  /** Memory of blocks that were read. */
  readonly #spares: Uint8Array[] = [];

  constructor(window: ByteWindow, format: RowFormat<Rows>, { bytes = BLOCK, start }: BlockOptions) {
    this.#window = window;
    this.#format = format;
    this.#blockBytes = bytes;
    this.#start = start ?? (async (threads, work) => (await import('./team.js')).startTeam(threads, work));
  }

  async read(): Promise<void> {
    const window = this.#window;
    while (!window.isLast) {
      await this.#startTeam();
      const end = this.#starting ? this.#rowsEnd() : window.end;
      if (end > window.start || window.end - window.start >= LONGEST) await this.#readUntil(end);
      await this.#fill();
    }
    await this.#mergeAll();
    this.#format.parser.parse();
  }

  /** Starts the threads if they are worth it, and waits for them if the caller asked for a number of them. */
  async #startTeam(): Promise<void> {
    const { settings, size, start } = this.#window;
    const { threads } = settings;
    if (this.#starting || threads === 1) return;
    if (threads === 'auto' && (size ?? 0) < LARGE && this.#window.offset(start) < LARGE) return;
    const work: Work = { settings: plainOf(settings), layout: this.#format.layout };
    this.#starting = this.#start(threads, work).then(
      (team) => {
        this.#team = team;
        if (this.#isOver) this.end();
      },
      () => {}, // this thread reads alone
    );
    if (threads !== 'auto') await abortable(this.#starting, settings.signal);
  }

  /** Where the last row that ends in the window ends, as far as quotes tell; at or before `start` if there is none. */
  #rowsEnd(): number {
    const { bytes, start, end } = this.#window;
    const quote = this.#format.layout ? bytes.indexOf(QUOTE, start) : -1;
    if (quote < 0 || quote >= end) return bytes.lastIndexOf(LF, end - 1) + 1;
    let isInside = false;
    let last = start;
    for (let p = start; p < end; p++) {
      const c = bytes[p];
      if (c === QUOTE) isInside = !isInside;
      else if (c === LF && !isInside) last = p + 1;
    }
    return last;
  }

  /** Has the bytes up to `end` read by a worker if it can be, else reads them here. */
  async #readUntil(end: number): Promise<void> {
    const window = this.#window;
    const { parser } = this.#format;
    if (this.#team && parser.isBetweenRows && end > window.start) {
      await this.#handOver(this.#team, end);
      return;
    }
    const all = window.end;
    if (end > window.start) window.end = end;
    parser.parse();
    window.end = all;
  }

  async #handOver(team: Team, end: number): Promise<void> {
    // Two a thread: the next one waits where it is read, so that no thread waits for this one, which puts rows together.
    while (this.#team && this.#underway.length >= 2 * team.size) await this.#mergeNext();
    if (!this.#team) return; // the window has more bytes now
    const block = this.#window.cut(end, this.#spares.pop() ?? new Uint8Array());
    const result = team.read<Rows>(block);
    result.catch(() => {}); // whoever waits for it gets the error
    this.#underway.push(result);
  }

  /** Adds the rows of the block that was handed over first; if it must be read here, all blocks come back into the window. */
  async #mergeNext(): Promise<void> {
    const window = this.#window;
    const first = this.#underway[0] as Promise<BlockResult<Rows>>;
    const { block, rows, rowCount, lineCount } = await abortable(first, window.settings.signal);
    if (!rows || window.rows + rowCount > MOST_ROWS || !this.#format.merge(rows)) {
      const results = await abortable(Promise.all(this.#underway), window.settings.signal);
      window.putBack(results.map((each) => each.block));
      this.#underway.length = 0;
      this.#team?.end();
      this.#team = undefined;
      return;
    }
    window.pass(rowCount, lineCount);
    this.#underway.shift();
    this.#spares.push(block.bytes);
  }

  async #mergeAll(): Promise<void> {
    while (this.#underway.length > 0) await this.#mergeNext();
  }

  /** Adds bytes to the window. If that fails, what came is read first: it may be wrong, too. */
  async #fill(): Promise<void> {
    const window = this.#window;
    try {
      if (this.#starting) await window.fill(this.#blockBytes);
      else await window.fill();
    } catch (error) {
      if (!window.settings.signal?.aborted) {
        await this.#mergeAll();
        this.#format.parser.parse();
      }
      throw error;
    }
  }

  /** Ends the threads. */
  end(): void {
    this.#isOver = true;
    this.#team?.end();
  }
}

/** Settings as a message can hold them: what workers need is in them. */
const plainOf = (settings: Settings): Settings => ({
  ...settings,
  labels: undefined,
  signal: undefined,
  onProgress: undefined,
});
