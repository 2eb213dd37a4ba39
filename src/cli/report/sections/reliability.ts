// Reliability: whether probabilities are as good as they say.

import type { Label } from '../../../index.js';
import type { ReliabilityBin } from '../../../select/curves.js';
import { count, percent } from '../../output.js';
import { reliabilityChart } from '../charts/reliability.js';
import { binsOf } from '../curves.js';
import type { Judged, ReportScores } from '../data.js';
import { type Html, type Piece, table } from '../html.js';
import { codesOf } from '../margins.js';
import { section } from '../section.js';
import { measure, name } from '../words.js';

export function reliabilitySection({ probabilities, labels, evaluation }: Judged): Html | undefined {
  if (!probabilities || !labels || labels.length === 0) return undefined;
  const { classes, logLoss, brier } = evaluation;
  const codes = codesOf(labels, classes);
  const [bins, what] = judgedBins(probabilities, codes, classes);
  if (bins.length === 0) return undefined;
  const words = bins.map((bin) => `${percent(bin.meanPredicted, 0)} given, ${percent(bin.sharePositive, 0)} came true`);
  const costs = [
    ...(logLoss === undefined ? [] : [`log loss ${measure(logLoss)}`]),
    ...(brier === undefined ? [] : [`Brier score ${measure(brier)}`]),
  ];
  return section({
    id: 'reliability',
    title: 'Reliability of probabilities',
    aid: [
      ...what,
      ' On the diagonal probabilities are as good as they say; above it they are too low. A sigmoid of the score gives them; for each row it was fitted to other judged rows. The saved model has scores alone.',
    ],
    body: reliabilityChart('reliability-chart', bins, 'Reliability of probabilities', `${words.join('; ')}.`),
    note: `The area of a dot is its number of rows; lines are 95 % intervals.${costs.length > 0 ? ` Smaller is better: ${costs.join(', ')}.` : ''}`,
    numbers: table<ReliabilityBin>(
      'Probabilities and what came true',
      [
        { name: 'probability', value: ({ from, to }) => `${percent(from, 0)} to ${percent(to, 0)}` },
        { name: 'rows', value: ({ rows }) => count(rows), isNumber: true },
        { name: 'mean', value: ({ meanPredicted }) => percent(meanPredicted, 1), isNumber: true },
        { name: 'came true', value: ({ sharePositive }) => percent(sharePositive, 1), isNumber: true },
      ],
      bins,
    ),
  });
}

/** Two classes: the probability of the second. More: the largest probability of each row, which is that of its answer. */
function judgedBins(
  probabilities: ReportScores,
  codes: Int32Array,
  classes: readonly Label[],
): readonly [ReliabilityBin[], readonly Piece[]] {
  if (probabilities instanceof Float64Array) {
    const bins = binsOf(probabilities, (row) => codes[row] === 1);
    const own = name(classes[1] ?? '');
    return [bins, ['Rows by their probability of ', own, ', in ten intervals, and how many of them are ', own, '.']];
  }
  const { data, cols } = probabilities;
  const largest = new Float64Array(codes.length);
  const answers = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    let best = 0;
    for (let k = 1; k < cols; k++) if ((data[i * cols + k] as number) > (data[i * cols + best] as number)) best = k;
    [largest[i], answers[i]] = [data[i * cols + best] as number, best];
  }
  return [
    binsOf(largest, (row) => codes[row] === answers[row]),
    ['Rows by the probability of their answer, in ten intervals, and how many of the answers are right.'],
  ];
}
