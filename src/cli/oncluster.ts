// What tune and train need of a cluster: a connection with a progress bar, and how the workers read the data.

import { type Cluster, connectCluster, type ReadHere } from '../cluster/index.js';
import { addressOf } from './address.js';
import type { Context } from './context.js';
import type { Data, DataOptions } from './data.js';
import { UsageError } from './errors.js';
import { counted, warn } from './output.js';
import { layoutOptions } from './probing.js';
import { progress } from './progress.js';
import { fillsGaps, kindsOf, type TableChoices } from './rawtable.js';

/** Calls `work` with a connection, whose progress is on the terminal. */
export async function onCluster<T>(
  url: string,
  { voice, interrupt }: Context,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const bar = progress(voice, 'cluster', { isUpTo: true });
  const cluster = await connectCluster({
    url: addressOf(url, '--cluster'),
    signal: interrupt.signal,
    onWarning: (warning) => {
      bar.end(); // the next update shows it again, below
      warn(warning);
    },
    onProgress: ({ what, done, total, workers }) =>
      bar.update(
        done,
        total,
        () => `${done} of ${counted(total, what === 'folds' ? 'fold' : 'epoch')} | ${counted(workers, 'worker')}`,
      ),
  });
  try {
    return await work(cluster);
  } finally {
    bar.end();
    await cluster.close();
  }
}

/** The data as the workers find and read them: the same path, below their data root. @throws UsageError */
export function sourceFor(path: string, values: TableChoices, { raw }: Data) {
  if (path === '-' || /^https?:/i.test(path)) {
    throw new UsageError(
      `--cluster takes a file that the workers have too, by the same relative path, got ${JSON.stringify(path)}`,
    );
  }
  const read: ReadHere = { ...readFor(values), ...(raw && { kinds: kindsOf(values) }) };
  return {
    data: path,
    ...(values.labels !== undefined && { labels: values.labels }),
    read,
    lenient: raw !== undefined && fillsGaps(values),
  };
}

/** How the options say that a file is read. */
export function readFor(values: DataOptions): ReadHere {
  const { format, label, cols, 'max-cols': maxCols } = values;
  return {
    ...layoutOptions(values),
    ...(format !== undefined && { format }),
    ...(label !== undefined && { label }),
    ...(cols !== undefined && { cols }),
    ...(maxCols !== undefined && { maxCols }),
  };
}
