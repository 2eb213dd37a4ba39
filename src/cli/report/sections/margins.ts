// Margins by class: how clearly each row is predicted.

import type { Label } from '../../../index.js';
import { count, counted } from '../../output.js';
import { type MarginClass, marginsChart } from '../charts/margins.js';
import type { Judged } from '../data.js';
import { type Html, table } from '../html.js';
import { countsOf, marginsOf } from '../margins.js';
import { section } from '../section.js';
import { figures, name, named } from '../words.js';
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
    ? 'distance to the plane, positive if right'
    : scores instanceof Float64Array
      ? 'score, positive if right'
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
