// Cross-validation: a fit for each fold. Several are under way at once and share the threads; figures, their order and errors are
// the same however many there are.

import { availableParallelism, freemem } from 'node:os';
import type { Context } from './context.js';
import type { Data } from './data.js';
import { fitModel } from './fitting.js';
import { type Fold, type Spread, spreadOf } from './folds.js';
import { counted } from './output.js';
import { NO_BAR, type Progress, progress } from './progress.js';
import { isSparse, type Matrix, takeRows } from './rows.js';
import { accuracyOf, predictAll } from './scoring.js';
import type { TrainerName, TrainValues } from './trainers.js';

/** What the folds under way may take: half of the kernels' memory, where there is as much. */
const MOST_BYTES = 2 ** 31;
/** The library's own limit of a Gram matrix. */
const MOST_GRAM_BYTES = 2 ** 30;

/** The accuracy of each fold on the rows it has not seen. */
export async function crossValidate(
  { X, y }: Pick<Data, 'X' | 'y'>,
  folds: readonly Fold[],
  name: TrainerName,
  values: TrainValues,
  context: Context,
): Promise<Spread> {
  const bars = foldBars(folds.length, context);
  const limit = foldsAtOnce(bytesOfFold(X, name, values), values.threads);
  const shares = await atOnce(folds, limit, async ({ train, test }, k) => {
    const labelsOf = (rows: Uint32Array) => Array.from(rows, (i) => y[i] ?? 0);
    const seen = { X: takeRows(X, train), y: labelsOf(train) };
    const request = { ...seen, name, values, bar: bars.of(k), proves: false, keepsPartial: false };
    const { model } = await fitModel(request, context).finally(() => seen.X.dispose());
    const unseen = takeRows(X, test);
    try {
      return accuracyOf(await predictAll(model, unseen, NO_BAR, context), labelsOf(test)).share;
    } finally {
      unseen.dispose();
    }
  }).finally(bars.end);
  return spreadOf(shares);
}

/**
 * Does the work of all items, of `limit` at the same time at most; answers in their order. After a failure nothing more is begun;
 * what is under way comes to its end, and of several failures the first in order is thrown.
 */
export async function atOnce<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: { index: number; error: unknown }[] = [];
  const rest = items.entries();
  const hand = async () => {
    for (const [index, item] of rest) {
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failures.push({ index, error });
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, hand));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
  return results;
}

/** What a fold takes: rows of its own, perhaps scaled ones too, perhaps a Gram matrix. */
function bytesOfFold(X: Matrix, name: TrainerName, { kernel, order, scale }: TrainValues): number {
  const rowBytes = isSparse(X) ? 12 * X.nonZeros + 8 * X.rows : X.rows * X.cols * (X.dtype === 'float32' ? 4 : 8);
  const hasGram = name === 'dual' || name === 'pocket' || kernel !== undefined || order === 'random';
  const gramBytes = hasGram ? Math.min(8 * X.rows * X.rows, MOST_GRAM_BYTES) : 0;
  return rowBytes * (scale ? 2 : 1) + gramBytes;
}

/** As many as there are threads to share, processors to run them, and room for. */
export function foldsAtOnce(
  bytes: number,
  threads: number | 'auto' = 'auto',
  machine = { processors: availableParallelism(), freeBytes: freemem() },
): number {
  const fitting = Math.floor(Math.min(MOST_BYTES, machine.freeBytes / 2) / bytes);
  const working = threads === 'auto' ? machine.processors : Math.min(threads, machine.processors);
  return Math.max(1, Math.min(fitting, working));
}

/** One bar for all of them: how many folds' worth is done. */
function foldBars(k: number, { voice }: Context): { of(fold: number): Progress; end(): void } {
  const bar = progress(voice, 'cross-validation', { isUpTo: true });
  const shares = new Float64Array(k);
  let ended = 0;
  const show = () => {
    const done = shares.reduce((sum, share) => sum + share, 0);
    bar.update(done, k, `${ended} of ${counted(k, 'fold')}`);
  };
  return {
    of: (fold) => ({
      update(done, total) {
        shares[fold] = done / total;
        show();
      },
      end() {
        shares[fold] = 1;
        ended++;
        show();
      },
    }),
    end: () => bar.end(),
  };
}
