// What crossValidate and search share: options checked, rows recognised, folds dealt. Nothing is fitted before all of it is right.

import { expectCount, expectOptions, expectSignal, mustBe, show } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { boolean, callback, seed as seedCheck } from '../train/checks.js';
import { cloneOf, isPipeline } from './clone.js';
import { weightsOf } from './coding.js';
import { deal, dealGroups, type Fold, foldsFrom, rowsByClass } from './folds.js';
import { type Classified, classify, expectEveryClass, groupsOf } from './labels.js';
import type { Evaluation } from './metrics.js';
import { type Input, inputOf, numbersOf } from './rows.js';
import { type Work, workOf } from './work.js';

/** How the rows are dealt, and how the work is done. */
export interface FoldOptions {
  /** How many parts: each is held out once. Default 5. */
  folds?: number;
  /** Whether each part gets the same share of every class. Default true. */
  stratify?: boolean;
  /** An integer from 0 to 2³² − 1: the same seed, the same folds. Default 0. */
  seed?: number;
  /** How many threads may work, as for fitAsync: so many folds run at once. Default 'auto'. Results are bit-identical. */
  threads?: number | 'auto' | undefined;
  /** Rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The group of each row: rows of a group stay in one fold; `stratify` then is as near as whole groups allow. */
  groups?: ArrayLike<number | string | boolean> | undefined;
  /** The weight of each row, in fits and in metrics. */
  sampleWeight?: ArrayLike<number> | undefined;
}

export const FOLD_KEYS = ['folds', 'stratify', 'seed', 'threads', 'signal', 'groups', 'sampleWeight'] as const;

/** An evaluated fold, for `onFold`. */
export interface FoldDone<L extends Label = Label> {
  /** From 0. */
  readonly fold: number;
  readonly evaluation: Evaluation<L>;
}

export interface Plan<L extends Label> extends Classified<L> {
  readonly input: Input;
  readonly weights: Float64Array | undefined;
  readonly folds: readonly Fold[];
  readonly threads: number | 'auto';
  readonly signal: AbortSignal | undefined;
  work(models: readonly object[]): Work<L>;
}

/** @throws TypeError or RangeError naming what is wrong */
export function planOf<L extends Label>(
  model: unknown,
  X: unknown,
  y: Labels<L>,
  options: FoldOptions,
  moreKeys: readonly string[],
  where: string,
): Plan<L> {
  const given = expectOptions(options, [...FOLD_KEYS, ...moreKeys], where);
  const { signal, threads = 'auto', folds: count = 5 } = given;
  expectSignal(signal);
  expectCount(count, 2, '"folds"');
  if (threads !== 'auto') expectThreads(threads);
  const stratify = given.stratify === undefined || boolean(given.stratify, 'stratify');
  const seed = given.seed === undefined ? 0 : seedCheck(given.seed, 'seed');
  cloneOf(model); // throws if it cannot be copied
  const { groups: ofRows, sampleWeight } = given;
  const input = isPipeline(model as object) ? inputOf(X) : numbersOf(X);
  try {
    const { rows } = input;
    const classified = classify(y, rows);
    const groups = groupsOf(ofRows, rows);
    const weights = weightsOf(sampleWeight, rows);
    const folds = foldsOf(classified, { count, stratify, seed, groups });
    folds.forEach(({ train, test }, k) => {
      expectEveryClass(classified, train, weights, `fold ${k}`, remedyOf(groups, stratify));
      if (weights && test.every((i) => weights[i] === 0)) {
        throw new RangeError(`fold ${k} would be evaluated on rows of weight 0 alone: give fewer folds`);
      }
    });
    signal?.throwIfAborted();
    const base = { ...classified, weights, threads, signal };
    const work = (models: readonly object[]) => workOf(models, folds, input, base);
    return { ...base, input, folds, work };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

function expectThreads(threads: unknown): void {
  if (!Number.isSafeInteger(threads) || (threads as number) < 1) {
    throw mustBe('"threads"', "an integer of at least 1, or 'auto'", threads, 'number');
  }
}

const remedyOf = (groups: unknown, stratify: boolean): string =>
  groups
    ? 'give fewer folds, or smaller groups'
    : stratify
      ? 'give fewer folds'
      : 'give fewer folds, or stratify: true';

/** Checks an optional callback. @throws TypeError */
export function expectCallback(value: unknown, name: string): void {
  if (value !== undefined) callback(value, name);
}

interface Dealing {
  readonly count: number;
  readonly stratify: boolean;
  readonly seed: number;
  readonly groups: Uint32Array | undefined;
}

function foldsOf({ codes, classes }: Classified<Label>, { count, stratify, seed, groups }: Dealing): readonly Fold[] {
  const rows = codes.length;
  if (count > rows) throw new RangeError(`"folds" is ${count}, but X has ${rows} rows`);
  if (groups) {
    const found = groups.reduce((most, group) => Math.max(most, group + 1), 0);
    if (found < count) throw new RangeError(`"folds" is ${count}, but "groups" has ${found} groups`);
    const wanted = stratify ? codes : new Uint32Array(rows);
    const shares = new Array<number>(count).fill(1 / count);
    return foldsFrom(dealGroups(groups, wanted, stratify ? classes.length : 1, shares, seed), count);
  }
  const byClass = rowsByClass(codes, classes.length);
  const few = byClass.findIndex((list) => list.length < count);
  if (stratify && few >= 0) {
    const [label, found] = [show(classes[few]), (byClass[few] as number[]).length];
    throw new RangeError(
      `"folds" is ${count}, but class ${label} has ${found === 1 ? 'one row' : `${found} rows`}: each fold needs one; give fewer folds, or stratify: false`,
    );
  }
  return foldsFrom(deal(stratify ? byClass : [byClass.flat().sort((a, b) => a - b)], rows, count, seed), count);
}
