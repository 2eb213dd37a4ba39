// The worker threads of one call of a reader. This file is the entry of a chunk that is loaded when a reader needs it: the script
// of the workers is in it.

import { Thread } from '../worker/handle.js';
import { processors, whyNoWorkers } from '../worker/platform.js';
import type { Block, BlockResult, Work } from './block.js';
import { source, version } from './blocksource.js';

/** The most threads that 'auto' uses: more read faster than the caller's thread can put rows together. And the most to ask for. */
const MOST = 8;
const MOST_ASKED = 64;

type Reader = Thread<Work, Block, BlockResult<never>>;

/** Threads that read blocks. They end with the call, because no memory is shared with them. */
export class Team {
  readonly threads: readonly Reader[];

  constructor(threads: readonly Reader[]) {
    this.threads = threads;
  }

  get size(): number {
    return this.threads.length;
  }

  /** Has a block read by the thread that has the fewest; rejects if the thread ends. */
  read<Rows>(block: Block): Promise<BlockResult<Rows>> {
    const thread = this.threads.reduce((least, each) => (each.tasks < least.tasks ? each : least));
    return thread.runTask(block, [block.bytes.buffer as ArrayBuffer]);
  }

  /** Ends the threads, also while they read. */
  end(): void {
    for (const thread of this.threads) void thread.terminate();
  }
}

/** Starts as many threads as can start; undefined if there are none, or only one processor to share. */
export async function startTeam(threads: number | 'auto', work: Work): Promise<Team | undefined> {
  const count = threads === 'auto' ? Math.min(processors(), MOST) : Math.min(threads, MOST_ASKED);
  if (count < 2 || whyNoWorkers() !== undefined) return undefined;
  const starting = Array.from({ length: count }, async () => {
    const thread: Reader = new Thread({ source, version }, work, undefined, () => {});
    try {
      await thread.ready;
    } catch (error) {
      void thread.terminate();
      throw error;
    }
    return thread;
  });
  const started = (await Promise.allSettled(starting)).flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  return started.length > 0 ? new Team(started) : undefined;
}
