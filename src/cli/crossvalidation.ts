// Cross-validation: one fit for each fold. Several folds run at once and share the threads; results, their order and errors do not
// depend on how many.

import { availableParallelism, freemem } from 'node:os';
import { atOnce } from '../select/index.js';
import type { Context } from './context.js';
import type { Data } from './data.js';
import { encodeTable } from './encoding.js';
import { fitModel } from './fitting.js';
import { type Fold, type Spread, spreadOf } from './folds.js';
import { counted } from './output.js';
import { NO_BAR, type Progress, progress } from './progress.js';
import { isSparse, type Matrix, takeRows } from './rows.js';
import { accuracyOf, predictAll } from './scoring.js';
import { takeTable } from './tablerows.js';
import type { TrainerName, TrainValues } from './trainers.js';

/** The most memory that the running folds may use: half of the kernels' memory. */
const MOST_BYTES = 2 ** 31;
/** The library's default limit of a Gram matrix. */
const MOST_GRAM_BYTES = 2 ** 30;

/** The accuracy of each fold on the rows it was not trained on. */
export async function crossValidate(
  { X, y, raw }: Pick<Data, 'X' | 'y' | 'raw'>,
  folds: readonly Fold[],
  name: TrainerName,
  values: TrainValues,
  context: Context,
): Promise<Spread> {
  const bars = foldBars(folds.length, context);
  const limit = foldsAtOnce(bytesOfFold(X, name, values), values.threads);
  const shares = await atOnce(folds, limit, async ({ train, test }, k) => {
    const labelsOf = (rows: Uint32Array) => Array.from(rows, (i) => y[i] ?? 0);
    // The encoder of a table learns from the rows of its fold alone: values to fill in, words, categories.
    const seen = raw ? await encodeTable(raw, takeTable(raw.table, train), context) : { X: takeRows(X, train) };
    const request = { ...seen, y: labelsOf(train), name, values, bar: bars.of(k), proves: false, keepsPartial: false };
    const { model } = await fitModel(request, context).finally(() => seen.X.dispose());
    const unseen = raw ? takeTable(raw.table, test) : takeRows(X, test);
    try {
      return accuracyOf(await predictAll(model, unseen, NO_BAR, context), labelsOf(test)).share;
    } finally {
      if ('dispose' in unseen) unseen.dispose();
    }
  }).finally(bars.end);
  return spreadOf(shares);
}

/** The bytes that a fold needs: a copy of its rows, scaled rows and a Gram matrix if there are any. */
function bytesOfFold(X: Matrix, name: TrainerName, { kernel, order, scale }: TrainValues): number {
  const rowBytes = isSparse(X) ? 12 * X.nonZeros + 8 * X.rows : X.rows * X.cols * (X.dtype === 'float32' ? 4 : 8);
  const hasGram = name === 'dual' || name === 'pocket' || kernel !== undefined || order === 'random';
  const gramBytes = hasGram ? Math.min(8 * X.rows * X.rows, MOST_GRAM_BYTES) : 0;
  return rowBytes * (scale ? 2 : 1) + gramBytes;
}

/** How many folds run at once: limited by threads, processors and memory. */
export function foldsAtOnce(
  bytes: number,
  threads: number | 'auto' = 'auto',
  machine = { processors: availableParallelism(), freeBytes: freemem() },
): number {
  const fitting = Math.floor(Math.min(MOST_BYTES, machine.freeBytes / 2) / bytes);
  const working = threads === 'auto' ? machine.processors : Math.min(threads, machine.processors);
  return Math.max(1, Math.min(fitting, working));
}

/** One progress bar for all folds. */
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
