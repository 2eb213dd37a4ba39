// What scores and probabilities of the judged rows show: margins by class, ROC curves, reliability.

import type { Label } from '../../../index.js';
import { count, counted, percent } from '../../output.js';
import { type MarginClass, marginsChart } from '../charts/margins.js';
import { reliabilityChart } from '../charts/reliability.js';
import { rocChart } from '../charts/roc.js';
import { type Bin, type Roc, reliabilityOf, rocOf } from '../curves.js';
import type { Judged, ReportScores } from '../data.js';
import { type Html, html, type Piece, table } from '../html.js';
import { codesOf, countsOf, marginsOf } from '../margins.js';
import { section } from '../section.js';
import { LINES } from '../style.js';
import { figures, measure, name, named } from '../words.js';
import { largestClasses } from './confusion.js';

const MOST_HISTOGRAMS = 12;

export function marginsSection({ scores, labels, evaluation, weightLength }: Judged): Html | undefined {
  if (!scores || !labels || labels.length === 0) return undefined;
  const { classes } = evaluation;
  const isDistance = scores instanceof Float64Array && weightLength !== undefined && weightLength > 0;
  const groups = marginsOf(scores, labels, classes, isDistance ? weightLength : 1);
  const counts = countsOf(groups);
  const places = largestClasses(evaluation, MOST_HISTOGRAMS);
  const wrong = groups.map((margins) => margins.reduce((n, margin) => (margin < 0 ? n + 1 : n), 0));
  const lines = places.map((at) => {
    const rows = groups[at]?.length ?? 0;
    return {
      at,
      name: named(classes[at] ?? ''),
      counts: `${counted(rows, 'row')}, ${count(wrong[at] ?? 0)} left of 0`,
    };
  });
  const axis = isDistance
    ? 'distance to the plane, y·s/‖w‖'
    : scores instanceof Float64Array
      ? 'y·s'
      : 'own score − best other';
  const finite = groups.reduce((sum, { length }) => sum + length, 0);
  const notes = [
    ...(counts.beyond > 0 ? [`Pale bars at the ends: ${counted(counts.beyond, 'row')} farther out.`] : []),
    ...(finite < labels.length
      ? [`${counted(labels.length - finite, 'row')} without a finite score or a known class are left out.`]
      : []),
    ...(places.length < classes.length ? [`The ${places.length} largest classes are shown.`] : []),
  ];
  return section({
    id: 'margins',
    title: 'Margins by class',
    aid: 'How clearly each row is predicted. Right of 0 (blue) the answer is right, left of it (orange) wrong; rows near 0 are close calls. Each class has its own height.',
    body: marginsChart(
      'margins-chart',
      counts,
      lines,
      axis,
      'Margins by class',
      `${lines.map((line) => `${line.name}: ${line.counts}`).join('; ')}.`,
    ),
    note: notes.join(' '),
    numbers: marginsTable(lines, groups, wrong, classes),
  });
}

const marginsTable = (
  lines: readonly MarginClass[],
  groups: readonly Float64Array[],
  wrong: readonly number[],
  classes: readonly Label[],
): Html =>
  table<MarginClass & { sorted: Float64Array }>(
    'Margins by class',
    [
      { name: 'class', value: ({ at }) => name(classes[at] ?? '') },
      { name: 'rows', value: ({ sorted }) => count(sorted.length), isNumber: true },
      { name: 'below 0', value: ({ at }) => count(wrong[at] ?? 0), isNumber: true },
      ...([0, 0.25, 0.5, 0.75, 1] as const).map((share, k) => ({
        name: ['smallest', 'lower quarter', 'median', 'upper quarter', 'largest'][k] as string,
        value: ({ sorted }: { sorted: Float64Array }) =>
          sorted.length > 0 && figures(sorted[Math.round(share * (sorted.length - 1))] as number),
        isNumber: true as const,
      })),
    ],
    lines.map((line) => ({ ...line, sorted: (groups[line.at] as Float64Array).slice().sort() })),
  );

interface Curve extends Roc {
  readonly label: Label;
}

/** The scores of a class, and of all other rows; NaN has no place in an order, and is left out. */
function sidesOf(scores: ReportScores, codes: Int32Array, code: number): readonly [Float64Array, Float64Array] {
  const [cols, at] = scores instanceof Float64Array ? [1, 0] : [scores.cols, code];
  const data = scores instanceof Float64Array ? scores : scores.data;
  const sides = [new Float64Array(codes.length), new Float64Array(codes.length)] as const;
  const filled: [number, number] = [0, 0];
  for (let i = 0; i < codes.length; i++) {
    const score = data[i * cols + at] as number;
    if ((codes[i] as number) < 0 || Number.isNaN(score)) continue;
    const side = codes[i] === code ? 0 : 1;
    sides[side][filled[side]++] = score;
  }
  return [sides[0].subarray(0, filled[0]), sides[1].subarray(0, filled[1])];
}

export function rocSection({ scores, labels, evaluation }: Judged): Html | undefined {
  if (!scores || !labels || labels.length === 0) return undefined;
  const { classes, rocAuc } = evaluation;
  const codes = codesOf(labels, classes);
  const isTwo = scores instanceof Float64Array;
  const places = isTwo ? [1] : largestClasses(evaluation, LINES);
  const curves = places.flatMap((code): Curve[] => {
    const [own, others] = sidesOf(scores, codes, code);
    return own.length > 0 && others.length > 0 ? [{ label: classes[code] ?? '', ...rocOf(own, others) }] : [];
  });
  if (curves.length === 0) return undefined;
  const words = curves.map(({ label, area }) => `${named(label)}: area ${measure(area)}`).join('; ');
  const mean = rocAuc === undefined || isTwo ? '' : ` The mean area of all classes is ${measure(rocAuc)}.`;
  return section({
    id: 'roc',
    title: isTwo ? 'ROC curve' : 'ROC curves, each class against the rest',
    aid: `How much of a class is found, and how many other rows are taken for it, as the threshold falls. The diagonal is guessing; an area of 1 is perfect.${mean}`,
    body: html`${legend(curves)}${rocChart('roc-chart', curves, 'ROC', words)}`,
    ...(!isTwo &&
      curves.length < classes.length && {
        note: `Only the ${counted(curves.length, 'largest class', 'largest classes')} of ${count(classes.length)} have a curve here.`,
      }),
    numbers: rocTable(curves),
  });
}

const legend = (curves: readonly Curve[]): Html =>
  html`<ul class="legend">${curves.map(
    ({ label, area }, k) =>
      html`<li><svg width="24" height="8" aria-hidden="true"><line x1="0" y1="4" x2="24" y2="4" class="line line-${k}"/></svg><span>${name(label)}, area ${measure(area)}</span></li>`,
  )}</ul>`;

/** The smallest share of others taken for the class at which so much of it is found. */
function costOf({ points }: Roc, found: number): number {
  const at = points.findIndex(([, own]) => own >= found);
  return (points[at] ?? [1])[0];
}

const rocTable = (curves: readonly Curve[]): Html =>
  table<Curve>(
    'Others taken for the class when so much of it is found',
    [
      { name: 'class', value: ({ label }) => name(label) },
      { name: 'area', value: ({ area }) => measure(area), isNumber: true },
      ...[0.5, 0.8, 0.9, 0.95, 0.99, 1].map((found) => ({
        name: `${percent(found, 0)} found`,
        value: (curve: Curve) => percent(costOf(curve, found), 1),
        isNumber: true as const,
      })),
    ],
    curves,
  );

export function reliabilitySection({ probabilities, labels, evaluation }: Judged): Html | undefined {
  if (!probabilities || !labels || labels.length === 0) return undefined;
  const { classes, logLoss, brier } = evaluation;
  const codes = codesOf(labels, classes);
  const [bins, what] = binsOf(probabilities, codes, classes);
  if (bins.length === 0) return undefined;
  const words = bins.map(({ mean, hits, rows }) => `${percent(mean, 0)} given, ${percent(hits / rows, 0)} came true`);
  const costs = [
    ...(logLoss === undefined ? [] : [`log loss ${measure(logLoss)}`]),
    ...(brier === undefined ? [] : [`Brier score ${measure(brier)}`]),
  ];
  return section({
    id: 'reliability',
    title: 'Reliability of probabilities',
    aid: [
      'How often ',
      what,
      ' came true, in ten intervals. On the diagonal probabilities are as good as they say; above it they are too low.',
    ],
    body: reliabilityChart('reliability-chart', bins, 'Reliability of probabilities', `${words.join('; ')}.`),
    note: `The area of a dot is its number of rows; lines are 95 % intervals.${costs.length > 0 ? ` Smaller is better: ${costs.join(', ')}.` : ''}`,
    numbers: table<Bin>(
      'Probabilities and what came true',
      [
        { name: 'probability', value: ({ from, to }) => `${percent(from, 0)} to ${percent(to, 0)}` },
        { name: 'rows', value: ({ rows }) => count(rows), isNumber: true },
        { name: 'mean', value: ({ mean }) => percent(mean, 1), isNumber: true },
        { name: 'came true', value: ({ hits, rows }) => percent(hits / rows, 1), isNumber: true },
      ],
      bins,
    ),
  });
}

/** Two classes: the probability of the second. More: the largest probability of each row, which is that of its answer. */
function binsOf(probabilities: ReportScores, codes: Int32Array, classes: readonly Label[]): readonly [Bin[], Piece] {
  if (probabilities instanceof Float64Array) {
    const bins = reliabilityOf(probabilities, (row) => codes[row] === 1);
    return [bins, ['the probability of ', name(classes[1] ?? '')]];
  }
  const { data, cols } = probabilities;
  const largest = new Float64Array(codes.length);
  const answers = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    let best = 0;
    for (let k = 1; k < cols; k++) if ((data[i * cols + k] as number) > (data[i * cols + best] as number)) best = k;
    [largest[i], answers[i]] = [data[i * cols + best] as number, best];
  }
  return [reliabilityOf(largest, (row) => codes[row] === answers[row]), 'the probability of the answer'];
}
