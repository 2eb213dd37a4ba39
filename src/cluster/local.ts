// trainMixed in this process: the same mixing, a shard after the other. For tests, and for data larger than memory.

import { open } from 'node:fs/promises';
import { messageOf, mustBe } from '../errors.js';
import { DenseMatrix, type Label, type Labels, type Rows, SparseMatrix, type SparseParts } from '../index.js';
import { has } from '../own.js';
import { blocksOf, Datasets, type Loaded, type ReadHere } from './datasets.js';
import { type Mixed, type MixOptions, mixedOf, mixing, mixPlan, mixStart } from './mixing.js';
import { type Pass, passOver } from './pass.js';

/** A shard: a file, or rows and their labels. */
export type Shard = string | { readonly X: Rows; readonly y: Labels };

/** Options of `trainMixed`. */
export interface LocalMixOptions extends MixOptions {
  /** In the order in which they are mixed. */
  shards: readonly Shard[];
  /** How files are read: options of readData. */
  read?: ReadHere | undefined;
  /** How many bytes of files stay in memory from epoch to epoch. Default 1 GiB. */
  cacheBytes?: number;
}

/**
 * Trains on rows in many parts by mixing (McDonald, Hall, Mann 2010): in each epoch every shard is passed over from the common
 * weights, which then become the mean of what the shards end with. This is another algorithm than `fit` on all rows. The result is
 * bit-identical to that of `cluster.trainMixed` on the same shards.
 * @throws TypeError or RangeError naming the option, or the shard, that is wrong
 *
 * @example
 * import { trainMixed } from 'perceptron-wasm/cluster';
 * const shards = [{ X: [[3, 3], [1, 1]], y: ['yes', 'no'] }, { X: [[4, 3], [0, 1]], y: ['yes', 'no'] }];
 * const { model, report } = await trainMixed(new Perceptron<string>(), { shards, classes: ['no', 'yes'], cols: 2 });
 * console.log(model.predict([[4, 4]]), report.converged); // → [ 'yes' ] true
 */
export async function trainMixed<M>(model: M, options: LocalMixOptions): Promise<Mixed<M>> {
  const plan = mixPlan(model, options, ['cacheBytes']);
  const { shards, read, cacheBytes = 2 ** 30 } = options;
  const datasets = new Datasets((path) => open(path), cacheBytes, plan.signal);
  const kept = new Map<Shard, Promise<Pick<Loaded, 'blocks' | 'rows'>>>();
  const pass = (shard: Shard, common: Float64Array): Promise<Pass> => {
    const over = ({ blocks, rows }: Pick<Loaded, 'blocks' | 'rows'>) =>
      passOver(plan, common, blocks, rows, plan.signal);
    if (typeof shard === 'string') {
      return datasets.use({ data: shard, as: 'blocks', read: { ...read, cols: plan.cols } }, over);
    }
    const blocks = kept.get(shard) ?? rowsOf(shard);
    kept.set(shard, blocks);
    return blocks.then(over);
  };
  try {
    const passes = async ({ common }: { common: Float64Array }) => {
      const all: Pass[] = [];
      for (const [k, shard] of shards.entries()) {
        all.push(
          await pass(shard, common).catch((error: unknown) => {
            plan.signal?.throwIfAborted();
            if (error instanceof Error && typeof shard !== 'string')
              error.message = `shards[${k}]: ${messageOf(error)}`;
            throw error;
          }),
        );
      }
      return all;
    };
    return mixedOf(plan, await mixing(plan, mixStart(plan), passes), shards.length);
  } finally {
    datasets.dispose();
    for (const blocks of kept.values())
      for (const { X } of (await blocks.catch(() => ({ blocks: [] }))).blocks) X.dispose();
  }
}

/** Rows in memory, copied. */
async function rowsOf({ X, y }: Exclude<Shard, string>): Promise<Pick<Loaded, 'blocks' | 'rows'>> {
  if (typeof X !== 'object' || X === null) throw mustBe('X', 'rows', X);
  const labels = Array.from(y as ArrayLike<Label>);
  const isMatrix = has(X, 'take') && has(X, 'rows');
  const matrix = isMatrix
    ? (X as unknown as DenseMatrix | SparseMatrix).slice()
    : has(X, 'indptr')
      ? SparseMatrix.from(X as unknown as SparseParts)
      : DenseMatrix.from(X);
  const { rows } = matrix;
  return { blocks: await blocksOf(matrix, labels), rows };
}
