// Mistakes by epoch, the heaviest weights, the hardest rows: what training left behind.

import { count, counted } from '../../output.js';
import { epochsChart, MOST_POINTS, type Span, spansOf } from '../charts/epochs.js';
import { heaviest, type Weight, weightsChart } from '../charts/weights.js';
import type { HardRow, ReportData, ReportPlane } from '../data.js';
import { type Column, type Html, html, type Piece, table } from '../html.js';
import { section } from '../section.js';
import { figures, name, named } from '../words.js';

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

const MOST_PLANES = 12;

export function weightsSection({ planes, nameOf = (k) => `column ${k}`, isScaled }: ReportData): Html | undefined {
  if (!planes || planes.length === 0) return undefined;
  const most = planes.length === 1 ? 15 : 8;
  const shown = planes.slice(0, MOST_PLANES).map((plane) => ({
    label: plane.label,
    heavy: heaviest(plane.weights, most).map(({ index, weight }) => ({ name: named(nameOf(index)), weight })),
  }));
  const panels = shown.map(({ label, heavy }, k) => panel(label, heavy, k));
  const compare = isScaled
    ? 'Features were scaled, so the sizes of weights compare.'
    : 'A weight counts per unit of its feature: features of small numbers have large weights.';
  const left = planes.length - shown.length;
  return section({
    id: 'weights',
    title: 'Heaviest weights',
    aid: ['Blue bars speak for the class, orange ones against it. ', compare],
    body: html`<div class="panels">${panels}</div>`,
    ...(left > 0 && { note: `The first ${MOST_PLANES} classes; ${count(left)} more are left out.` }),
    numbers: table<Weight & { of: Piece }>(
      'Heaviest weights',
      [
        { name: 'feature', value: (one) => html`<bdi>${one.name}</bdi>` },
        { name: 'weight', value: ({ weight }) => figures(weight, 6), isNumber: true },
        { name: 'speaks for', value: ({ of, weight }) => [weight < 0 && 'not ', of] },
      ],
      shown.flatMap(({ label, heavy }) => heavy.map((weight) => ({ ...weight, of: name(label) }))),
    ),
    isFull: planes.length > 1,
  });
}

function panel(label: ReportPlane['label'], heavy: readonly Weight[], k: number): Html {
  const heading = html`<h3>For ${name(label)}</h3>`;
  if (heavy.length === 0) return html`<div>${heading}<p class="aid">All weights are zero.</p></div>`;
  const words = heavy.slice(0, 3).map((one) => `${one.name} ${figures(one.weight)}`);
  const chart = weightsChart(`weights-${k}`, heavy, `Heaviest weights for ${named(label)}`, `${words.join(', ')} …`);
  return html`<div>${heading}${chart}</div>`;
}

export function hardestSection({ hardest, classes, planes }: ReportData): Html | undefined {
  if (!hardest || hardest.length === 0) return undefined;
  const has = (key: keyof HardRow): boolean => hardest.some((row) => row[key] !== undefined);
  const columns: Column<HardRow>[] = [
    { name: 'row', value: ({ index }) => count(index + 1), isNumber: true },
    ...(has('label') ? [{ name: 'label', value: ({ label }: HardRow) => label !== undefined && name(label) }] : []),
    ...(has('predicted') ? [{ name: 'predicted', value: (row: HardRow) => predictedText(row) }] : []),
    ...(has('score')
      ? [
          {
            name: classes.length > 2 ? 'lead of its class' : 'score',
            value: ({ score }: HardRow) => score !== undefined && figures(score, 4),
            isNumber: true as const,
          },
        ]
      : []),
    { name: 'updates', value: ({ updates }) => count(updates), isNumber: true },
  ];
  return section({
    id: 'hardest',
    title: 'Hardest rows',
    aid: 'The training rows that were mistakes most often. They may be labelled wrongly, or lie between classes. The first row of data is row 1.',
    body: table('The hardest first', columns, hardest),
    isFull: planes?.length !== 1,
  });
}

/** Not by colour alone: the word says it. */
const predictedText = ({ label, predicted }: HardRow): Piece =>
  predicted !== undefined && [name(predicted), label !== undefined && label !== predicted && ' (wrong)'];
