// Advice for fits that did not separate: what the data looks like that would explain it.
// Deterministic and cheap: labels once, and a sample of some 65,536 values (eight rows at least).

import { LARGE_PIECE, type Pace, type Sliced } from '../async/sliced.js';
import type { ArenaRows } from '../data/arenarows.js';
import type { Advice, StopReason } from '../model/report.js';
import type { Order } from './options.js';

/** Values looked at to judge the scale of columns. */
const SAMPLE_VALUES = 65_536;

/** Columns whose typical sizes differ by more than this make the large ones drown the small ones. */
const SCALE_RATIO = 100;

export interface Evidence {
  order: Order;
  average: boolean;
  pocket: boolean;
  /** The class number of each row. */
  codes: Uint32Array;
  /** Whether each class was trained against the rest. */
  isOneVsRest: boolean;
  X: ArenaRows;
  epochs: number;
  stopReason: StopReason;
  /** The kernel, and how many of the rows are supports; the dual form alone. */
  kernel: string | undefined;
  supports: number;
}

/** Rows that are all supports were learned by heart; fewer rows than this prove nothing. */
const MEMORISED_SHARE = 0.9;
const MEMORISED_ROWS = 20;

export function* adviceFor(evidence: Evidence, pace: Pace): Sliced<Advice[]> {
  const { kernel, supports } = evidence;
  const { rows } = evidence.X;
  const advice = evidence.stopReason === 'max-epochs' ? yield* adviceOnFailure(evidence, pace) : [];
  if (kernel === 'rbf' && rows >= MEMORISED_ROWS && supports >= MEMORISED_SHARE * rows) {
    advice.push({
      code: 'memorised',
      message:
        `${supports} of ${rows} rows are supports: the kernel is so narrow that rows are learned by heart, and new ones may ` +
        'not be near any; try a smaller gamma.',
    });
  }
  return advice;
}

function* adviceOnFailure(evidence: Evidence, pace: Pace): Sliced<Advice[]> {
  const advice: Advice[] = [];
  const { order, average, pocket, kernel, codes, epochs, isOneVsRest } = evidence;
  const ran = yield* runsOf(codes, pace);
  if (order === 'cyclic' && ran.runs * 10 <= ran.expected) {
    advice.push({
      code: 'sorted-labels',
      message:
        `y comes sorted: ${codes.length} labels in ${ran.runs} runs, where a mixed order has about ${Math.round(ran.expected)}. ` +
        "In cyclic order the last class then has the last word; use order: 'shuffle'.",
    });
  }
  const ratio = yield* scaleRatio(evidence, pace);
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
function* runsOf(codes: Uint32Array, pace: Pace): Sliced<{ runs: number; expected: number; classes: number }> {
  const n = codes.length;
  const counts: number[] = [];
  let runs = 0;
  for (let i = 0; i < n; i++) {
    const code = codes[i] as number;
    counts[code] = (counts[code] ?? 0) + 1;
    if (i === 0 || code !== codes[i - 1]) runs++;
    if (i % LARGE_PIECE === 0 && pace.due()) yield;
  }
  const squares = counts.reduce((sum, count) => sum + count * count, 0);
  return { runs, expected: 1 + (n * n - squares) / n, classes: counts.length };
}

/** Largest over smallest mean magnitude of a column, constant-zero columns left out. */
function* scaleRatio({ X }: Evidence, pace: Pace): Sliced<number> {
  const { rows, cols } = X;
  const looked = Math.min(rows, Math.max(8, Math.floor(SAMPLE_VALUES / cols)));
  let largest = 0;
  let smallest = Infinity;
  const sizes = new Float64Array(cols);
  for (let i = 0; i < looked; i++) {
    X.visit(Math.floor((i * rows) / looked), (k, value) => {
      sizes[k] = (sizes[k] as number) + Math.abs(value);
    });
    if (pace.due()) yield;
  }
  for (let k = 0; k < cols; k++) {
    const size = sizes[k] as number;
    if (size === 0) continue;
    largest = Math.max(largest, size);
    smallest = Math.min(smallest, size);
  }
  return largest > 0 ? largest / smallest : 1;
}
