// Probabilities of judged rows, for the reliability curve: Platt's sigmoid of the scores, for each row one that was fitted to other
// judged rows, so that the curve is of rows that neither model nor sigmoid has seen.

import type { Label } from '../index.js';
import { Random } from '../random.js';
import { levelsOf } from '../select/curves.js';
import type { Scores } from '../select/index.js';
import { probabilitiesOf } from '../select/maps.js';
import { fitSigmoid } from '../select/sigmoid.js';
import type { Judgement } from './judging.js';

const MOST_FOLDS = 5;

/** As `predictProbability` of a calibrated model gives them; undefined if a class has fewer than two rows. */
export function probabilitiesFor({ evaluation, labels, ranking }: Judgement): Scores | undefined {
  if (!ranking) return undefined;
  const { classes, byClass } = evaluation;
  const folds = Math.min(MOST_FOLDS, ...byClass.map(({ support }) => support));
  if (folds < 2) return undefined;
  const [data, cols] = ranking instanceof Float64Array ? [ranking, 1] : [ranking.data, ranking.cols];
  const found = new Float64Array(data.length);
  const foldOf = dealt(labels, folds);
  for (let fold = 0; fold < folds; fold++) {
    const train = [...foldOf.keys()].filter((row) => foldOf[row] !== fold);
    const test = [...foldOf.keys()].filter((row) => foldOf[row] === fold);
    const weights = new Float64Array(train.length).fill(1);
    const maps = Array.from({ length: cols }, (_, k) => {
      const own = classes[cols === 1 ? 1 : k];
      const scores = Float64Array.from(train, (row) => data[row * cols + k] as number);
      return fitSigmoid(levelsOf(scores, (i) => labels[train[i] as number] === own, weights));
    });
    const held = new Float64Array(test.length * cols);
    test.forEach((row, i) => void held.set(data.subarray(row * cols, (row + 1) * cols), i * cols));
    const share = probabilitiesOf(maps, held, cols);
    test.forEach((row, i) => void found.set(share.subarray(i * cols, (i + 1) * cols), row * cols));
  }
  return cols === 1 ? found : { data: found, rows: labels.length, cols };
}

/** The fold of each row: the rows of a class, shuffled, are dealt like cards. */
function dealt(labels: readonly Label[], folds: number): Uint32Array {
  const order = Uint32Array.from(labels.keys());
  Random.seeded(0).shuffle(order);
  const seen = new Map<Label, number>();
  const foldOf = new Uint32Array(labels.length);
  for (const row of order) {
    const label = labels[row] as Label;
    const before = seen.get(label) ?? 0;
    seen.set(label, before + 1);
    foldOf[row] = before % folds;
  }
  return foldOf;
}
