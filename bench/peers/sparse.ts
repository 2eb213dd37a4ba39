// Whole fits of sparse rows, for bench/questions/peers.ts.

import { Perceptron, SparseMatrix } from 'perceptron-wasm';
import { fitSparse } from '../baseline/sparse.js';
import { generateSparse, type SparseSet } from '../data/sparse.js';
import { median } from '../harness/measure.js';
import { expectSame } from '../harness/question.js';
import type { Target, Timing, Work } from '../harness/results.js';
import { shapeText } from '../harness/words.js';
import { type House, isPlayer, liblinear, type Shared, share, sklearn, sorted } from './guests.js';
import { shareOf } from './javascript.js';
import { BASELINE, expectPasses, OURS, type Prepared, planeOf, type Size } from './tasks.js';
import { calling, type Played, type Player } from './turns.js';

export interface SparseSize extends Size {
  density: number;
  /** Against scikit-learn. */
  target?: Target;
  /** Whether fits of one pass are timed along, to know what passes alone take. */
  onePass: boolean;
}

interface Given {
  set: SparseSet;
  X: SparseMatrix;
  intercept: boolean;
}

const ONE_PASS = ', one pass';

/**
 * Two tasks on the same rows: scikit-learn agrees with us to the bit without an intercept, with one it does not. The others are
 * in the second alone.
 */
export async function sparseTasks(house: House, size: SparseSize): Promise<Prepared[]> {
  const { rows, cols, density } = size;
  // With more columns than rows any labels are separated within some 15 passes; contradictions keep everybody busy.
  const set = generateSparse({ rows, cols, density, seed: 11, contradictions: Math.ceil(rows / 20) });
  if (!('missing' in house.native) && typeof house.native.sklearn === 'string') await share(house, sparseRows(set));
  const X = SparseMatrix.from(set);
  const without = sparseTask(house, size, { set, X, intercept: false });
  return [without, { ...sparseTask(house, size, { set, X, intercept: true }), dispose: () => X.dispose() }];
}

function sparseTask(house: House, size: SparseSize, { set, X, intercept }: Given): Prepared {
  const { rows, cols, passes, target, onePass } = size;
  const { y } = set;
  const model = new Perceptron<number>({ maxEpochs: passes, fitIntercept: intercept }).fit(X, y);
  const short = new Perceptron<number>({ maxEpochs: 1, fitIntercept: intercept });
  expectPasses(model, passes);
  const work = sparseWork(set, passes, model.report.mistakes);
  const accuracy = shareOf(model.predict(X), y);
  const aside = { aside: true } as const;
  const { players, skipped } = sorted([
    { name: OURS, kind: 'ours', measure: calling(() => model.fit(X, y).bias), work },
    ...(intercept ? [idiomatic(set, model, passes, work)] : []),
    sklearn(house, 'sparse', {
      passes,
      intercept,
      ...(!intercept && { expected: planeOf(model) }),
      extra: { ...(!intercept && { work }), ...(target && { target }), note: agreement(intercept) },
    }),
    ...(intercept ? [liblinear(house, sparseRows(set), { intercept, ours: accuracy })] : []),
  ]);
  if (onePass) {
    players.push(
      { name: OURS + ONE_PASS, kind: 'ours', measure: calling(() => short.fit(X, y).bias), ...aside },
      ...[sklearn(house, 'sparse', { passes: 1, intercept, suffix: ONE_PASS, extra: aside })].filter(isPlayer),
    );
  }
  return {
    what: `sparse fit ${shapeText(rows, cols)}, ${intercept ? 'with' : 'without'} intercept`,
    rule: `${passes} passes`,
    players,
    skipped,
  };
}

const agreement = (intercept: boolean): string =>
  intercept
    ? 'other weights than ours: on sparse rows it moves the intercept by 0.01 of a step, so its mistakes are others'
    : 'the same weights, to the bit';

/** It always has an intercept. */
function idiomatic(set: SparseSet, model: Perceptron<number>, passes: number, work: Work): Player {
  expectSame(planeOf(model), planeOf(fitSparse(set, set.y, passes)), `weights of ours and ${BASELINE}`);
  return {
    name: BASELINE,
    kind: 'javascript',
    measure: calling(() => fitSparse(set, set.y, passes).bias),
    against: BASELINE,
    work,
    note: 'the same weights, to the bit',
  };
}

const sparseRows = ({ values, indices, indptr, rows, cols, y }: SparseSet): Shared => ({
  name: 'sparse',
  rows,
  cols,
  y,
  arrays: { values, indices, indptr, y }, // indices are below 2³¹: as u32 they have the bytes of i32
  *entriesOf(row) {
    for (let k = indptr[row] as number; k < (indptr[row + 1] as number); k++) {
      yield [indices[k] as number, values[k] as number] as const;
    }
  },
});

/** Two operations for each value that is looked at, and for each of a row that was a mistake, of the usual length. */
function sparseWork({ values, rows }: SparseSet, passes: number, mistakes: number): Work {
  const stored = 12 * values.length;
  return { flops: 2 * values.length * (passes + mistakes / rows), bytes: passes * stored, resident: stored };
}

/** A fit less a fit of one pass is passes alone: how many times our time they take scikit-learn, in words. */
export function passesAlone({ task, timings }: Played): string[] {
  const find = (start: string, end: string): Timing | undefined =>
    [...timings].find(([name]) => name.startsWith(start) && name.endsWith(ONE_PASS) === (end === ONE_PASS))?.[1];
  const [theirs, theirsShort] = [find('scikit-learn', ''), find('scikit-learn', ONE_PASS)];
  const [ours, oursShort] = [find(OURS, ''), find(OURS, ONE_PASS)];
  if (!theirs || !theirsShort || !ours || !oursShort) return [];
  const rest = (whole: Timing, short: Timing, round: number): number =>
    (whole.rounds[round] as number) - (short.rounds[round] as number);
  const ratio = median(ours.rounds.map((_, i) => rest(theirs, theirsShort, i) / rest(ours, oursShort, i)));
  return [`${task.what}, all passes but the first alone: ${ratio.toFixed(2)}x scikit-learn`];
}
