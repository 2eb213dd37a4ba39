// Mistakes by epoch.

import { count, counted } from '../../output.js';
import { epochsChart, MOST_POINTS, type Span, spansOf } from '../charts/epochs.js';
import type { ReportData } from '../data.js';
import { type Html, table } from '../html.js';
import { section } from '../section.js';

const MOST_SPANS = 30;

export function epochsSection({ report }: ReportData): Html | undefined {
  if (!report || report.mistakesByEpoch.length === 0) return undefined;
  const { mistakesByEpoch, mistakes, epochs, converged } = report;
  const last = mistakesByEpoch.at(-1) ?? 0;
  const kept = mistakesByEpoch.length;
  const ending = converged
    ? 'the last epoch had none, so the last weights separate the training rows'
    : kept < epochs
      ? `the first ${count(kept)} epochs are shown`
      : `the last epoch had ${count(last)}`;
  const words = `${counted(mistakes, 'mistake')} in ${counted(epochs, 'epoch')}; ${ending}.`;
  const spans = spansOf(mistakesByEpoch, MOST_SPANS);
  return section({
    id: 'epochs',
    title: 'Mistakes by epoch',
    aid: words,
    body: epochsChart('epochs-chart', mistakesByEpoch, 'Mistakes by epoch', words),
    ...(kept > MOST_POINTS && { note: 'The line is the mean of neighbouring epochs, the band their fewest and most.' }),
    numbers: table<Span>(
      'Mistakes by epoch',
      [
        {
          name: 'epochs',
          value: ({ first, last: to }) => (first === to ? count(first) : `${count(first)} to ${count(to)}`),
        },
        { name: 'fewest', value: ({ fewest }) => count(fewest), isNumber: true },
        { name: 'most', value: ({ most }) => count(most), isNumber: true },
        { name: 'together', value: ({ total }) => count(total), isNumber: true },
      ],
      spans,
    ),
  });
}
