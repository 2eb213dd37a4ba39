// The rows that were mistakes most often.

import { count } from '../../output.js';
import type { HardRow, ReportData } from '../data.js';
import { type Column, type Html, type Piece, table } from '../html.js';
import { section } from '../section.js';
import { figures, name } from '../words.js';

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
            name: classes.length > 2 ? 'lead' : 'score',
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
    aid: [
      'The training rows that were mistakes most often. They may be labelled wrongly, or lie between classes. The first row of data is row 1.',
      has('score') && classes.length > 2 && ' The lead is the score of its own class minus the best other score.',
    ],
    body: table('The hardest first', columns, hardest),
    isFull: planes?.length !== 1,
  });
}

/** Not by colour alone: the word says it. */
const predictedText = ({ label, predicted }: HardRow): Piece =>
  predicted !== undefined && [name(predicted), label !== undefined && label !== predicted && ' (wrong)'];
