// Advice in the report: properties of the data that explain why a fit did not separate it, or memorised it.
// Deterministic and cheap: reads all labels once, and a sample of about 8,192 values (at least eight rows).

import { gather } from '../data/entries.js';
import type { Advice, StopReason } from '../model/report.js';
import type { Learner } from './learner.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** Values of X that are read to compare the scales of columns. */
const SAMPLE_VALUES = 8_192;

/** If the mean sizes of two columns differ by more than this factor, the larger ones dominate. */
const SCALE_RATIO = 100;

/** The share of support vectors from which on rows count as memorised; and the fewest rows for this advice. */
const MEMORISED_SHARE = 0.9;
const MEMORISED_ROWS = 20;

/** Advice on a fit of one learner, or of one learner for each class. */
export function adviceOf(learners: readonly Learner[], stopReason: StopReason, epochs: number): Advice[] {
  const [{ kernel, problem, settings }] = learners as readonly [Learner];
  if (problem.isBlock) return [];
  const { present, X } = problem;
  const rows = present?.length ?? X.rows;
  const dense = X.store ? undefined : X.view();
  const rowAt = (place: number): Sampled => {
    const i = present ? (present[place] as number) : place;
    if (dense) return { values: dense, from: i * X.cols, columns: undefined };
    const { values, indices } = gather(X, [i]);
    return { values, from: 0, columns: indices };
  };
  const codes = present ? present.map((row) => problem.codes[row] as number) : problem.codes;
  const failed = { ...problem, codes, cols: X.cols, rowAt, settings, kernel };
  const advice = stopReason === 'max-epochs' ? adviceOnFailure(failed, learners.length > 1, epochs) : [];
  if (kernel !== 'rbf' || rows < MEMORISED_ROWS) return advice;
  const counts = learners.map((learner) => learner.counts);
  let supports = 0;
  for (let i = 0; i < X.rows; i++) if (counts.some((n) => (n[i] as number) > 0)) supports++;
  if (supports >= MEMORISED_SHARE * rows) {
    advice.push({
      code: 'memorised',
      message:
        `${supports} of ${rows} rows are support vectors: the kernel is so narrow that the model memorises rows, and new rows ` +
        'may not be near any of them; try a smaller gamma.',
    });
  }
  return advice;
}

/** A row of a sample: its values from place `from` on, those of all columns or of the columns listed. */
interface Sampled {
  readonly values: ArrayLike<number>;
  readonly from: number;
  readonly columns: ArrayLike<number> | undefined;
}

/** What the advice on a fit that did not separate is about. */
interface Failed extends Pick<Problem, 'codes' | 'order'> {
  readonly cols: number;
  readonly rowAt: (i: number) => Sampled;
  readonly settings: Pick<NumericSettings, 'average' | 'pocket' | 'fitIntercept' | 'interceptScaling'>;
  readonly kernel: Learner['kernel'];
}

/** Advice on a fit that did not separate the classes. */
export function adviceOnFailure(failed: Failed, isOneVsRest: boolean, epochs: number): Advice[] {
  const { codes, order, kernel } = failed;
  const { average, pocket, interceptScaling } = failed.settings;
  const advice: Advice[] = [];
  const ran = runsOf(codes);
  if (order === 'cyclic' && ran.runs * 10 <= ran.expected) {
    advice.push({
      code: 'sorted-labels',
      message:
        `y is sorted: ${codes.length} labels in ${ran.runs} runs; a random order has about ${Math.round(ran.expected)}. ` +
        "In cyclic order the last class then decides the weights; use order: 'shuffle'.",
    });
  }
  const { ratio, isShort } = measured(codes.length, failed);
  if (ratio > SCALE_RATIO) {
    advice.push({
      code: 'unscaled',
      message:
        `The columns of X differ in size by a factor of about ${Number(ratio.toPrecision(2))}, so the large ones dominate; ` +
        "standardise them: new Scaler({ kind: 'standardize' }).",
    });
  }
  const isBent = kernel !== undefined && kernel !== 'linear';
  const remedies = [
    !isBent &&
      isShort &&
      `the constant feature ${interceptScaling} drowns such short rows, so interceptScaling: ${interceptScaling / 10} helps`,
    !average && !pocket && 'average: true is steadier (recommended of perceptron-wasm/select sets it)',
    isBent
      ? `another ${kernel === 'rbf' ? 'gamma' : 'degree'} or more epochs may separate them`
      : ran.classes > 2
        ? isOneVsRest
          ? "strategy: 'multinomial' learns classes that lie between others"
          : 'a kernel can bend the planes'
        : 'DualPerceptron with a kernel can bend the plane',
  ].filter(Boolean);
  const outcome = pocket
    ? 'the pocket holds the best weights found'
    : 'the last weights depend on where training stopped';
  advice.push({
    code: 'not-separated',
    message:
      `Not separated in ${epochs} ${epochs === 1 ? 'epoch' : 'epochs'}: there may be no separating plane, and ` +
      `${outcome}; ${remedies.join(', and ')}.`,
  });
  return advice;
}

/** The number of runs of equal labels, and its mean over random orders of the same labels. */
function runsOf(codes: Uint32Array): { runs: number; expected: number; classes: number } {
  const n = codes.length;
  const counts: number[] = [];
  let [runs, before] = [0, -1];
  for (let i = 0; i < n; i++) {
    const code = codes[i] as number;
    counts[code] = (counts[code] ?? 0) + 1;
    if (code !== before) runs++;
    before = code;
  }
  const squares = counts.reduce((sum, count) => sum + count * count, 0);
  return { runs, expected: 1 + (n * n - squares) / n, classes: counts.length };
}

/** What a sample of the rows tells. */
function measured(
  rows: number,
  { cols, rowAt, settings: { fitIntercept, interceptScaling } }: Pick<Failed, 'cols' | 'rowAt' | 'settings'>,
): { ratio: number; isShort: boolean } {
  const looked = Math.min(rows, Math.max(8, Math.floor(SAMPLE_VALUES / cols)));
  const sizes = new Float64Array(cols);
  let [squares, nonZeros] = [0, 0];
  for (let i = 0; i < looked; i++) {
    const { values, from, columns } = rowAt(Math.floor((i * rows) / looked));
    const length = columns ? columns.length : cols;
    for (let k = 0; k < length; k++) {
      const value = values[from + k] as number;
      const column = columns ? (columns[k] as number) : k;
      sizes[column] = (sizes[column] as number) + Math.abs(value);
      squares += value * value;
      if (value !== 0) nonZeros++;
    }
  }
  const present = sizes.filter((size) => size > 0).sort(); // columns of zeros do not count
  return {
    ratio: (present.at(-1) as number) / (present[0] as number),
    // At least seven of eight values are zeros, and rows are on average at most twice as long as the constant feature.
    isShort: fitIntercept && 8 * nonZeros <= looked * cols && squares <= 4 * interceptScaling ** 2 * looked,
  };
}
