// Advice for fits that did not separate: what the data looks like that would explain it.
// Deterministic and cheap: labels once, and a sample of some 65,536 values (eight rows at least).

import type { ArenaRows } from '../data/arenarows.js';
import type { Advice, StopReason } from '../model/report.js';
import type { Learner } from './learner.js';

/** Values looked at to judge the scale of columns. */
const SAMPLE_VALUES = 65_536;

/** Columns whose typical sizes differ by more than this make the large ones drown the small ones. */
const SCALE_RATIO = 100;

/** Rows that are all supports were learned by heart; fewer rows than this prove nothing. */
const MEMORISED_SHARE = 0.9;
const MEMORISED_ROWS = 20;

/** Advice on a fit of one learner, or of one for each class. */
export function adviceOf(learners: readonly Learner[], stopReason: StopReason, epochs: number): Advice[] {
  const [{ kernel, problem }] = learners as readonly [Learner];
  if (problem.isBlock) return [];
  const { rows } = problem.X;
  const advice = stopReason === 'max-epochs' ? adviceOnFailure(learners, epochs) : [];
  if (kernel !== 'rbf' || rows < MEMORISED_ROWS) return advice;
  const counts = learners.map((learner) => learner.counts);
  let supports = 0;
  for (let i = 0; i < rows; i++) if (counts.some((n) => (n[i] as number) > 0)) supports++;
  if (supports >= MEMORISED_SHARE * rows) {
    advice.push({
      code: 'memorised',
      message:
        `${supports} of ${rows} rows are supports: the kernel is so narrow that rows are learned by heart, and new ones may ` +
        'not be near any; try a smaller gamma.',
    });
  }
  return advice;
}

function adviceOnFailure(learners: readonly Learner[], epochs: number): Advice[] {
  const advice: Advice[] = [];
  const [{ kernel, problem, settings }] = learners as readonly [Learner];
  const { average, pocket } = settings;
  const { codes, X, order } = problem;
  const isOneVsRest = learners.length > 1;
  const ran = runsOf(codes);
  if (order === 'cyclic' && ran.runs * 10 <= ran.expected) {
    advice.push({
      code: 'sorted-labels',
      message:
        `y comes sorted: ${codes.length} labels in ${ran.runs} runs, where a mixed order has about ${Math.round(ran.expected)}. ` +
        "In cyclic order the last class then has the last word; use order: 'shuffle'.",
    });
  }
  const ratio = scaleRatio(X);
  if (ratio > SCALE_RATIO) {
    advice.push({
      code: 'unscaled',
      message:
        `The columns of X differ in size by a factor of about ${Number(ratio.toPrecision(2))}, so the large ones decide; ` +
        "standardise them: new Scaler({ kind: 'standardize' }).",
    });
  }
  const isBent = kernel !== undefined && kernel !== 'linear';
  const remedies = [
    ...(average || pocket ? [] : ['average: true is steadier']),
    isBent
      ? `another ${kernel === 'rbf' ? 'gamma' : 'degree'} or more epochs may separate them`
      : ran.classes > 2
        ? `${isOneVsRest ? "strategy: 'multinomial' learns classes that lie between others" : 'a kernel can bend the planes'}`
        : 'DualPerceptron with a kernel can bend the plane',
  ];
  const outcome = pocket
    ? 'the pocket holds the best weights that training came by'
    : 'the last weights depend on where training stopped';
  advice.push({
    code: 'not-separated',
    message:
      `Not separated in ${epochs} ${epochs === 1 ? 'pass' : 'passes'}: there may be no separating plane, and ` +
      `${outcome}; ${remedies.join(', and ')}.`,
  });
  return advice;
}

/** Runs of equal labels, and how many a random order of the same labels has on average. */
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

/** Largest over smallest mean magnitude of a column, constant-zero columns left out. */
function scaleRatio(X: ArenaRows): number {
  const { rows, cols } = X;
  const looked = Math.min(rows, Math.max(8, Math.floor(SAMPLE_VALUES / cols)));
  let largest = 0;
  let smallest = Infinity;
  const sizes = new Float64Array(cols);
  const values = X.store ? undefined : X.view();
  for (let i = 0; i < looked; i++) {
    const row = Math.floor((i * rows) / looked);
    if (values) {
      for (let k = 0; k < cols; k++) sizes[k] = (sizes[k] as number) + Math.abs(values[row * cols + k] as number);
    } else {
      X.visit(row, (k, value) => {
        sizes[k] = (sizes[k] as number) + Math.abs(value);
      });
    }
  }
  for (let k = 0; k < cols; k++) {
    const size = sizes[k] as number;
    if (size === 0) continue;
    largest = Math.max(largest, size);
    smallest = Math.min(smallest, size);
  }
  return largest > 0 ? largest / smallest : 1;
}
