// Precision, recall and F1 of each class.

import { count, percent } from '../../output.js';
import type { ReportAverages, ReportEvaluation } from '../data.js';
import { type Html, html, table } from '../html.js';
import { section } from '../section.js';
import { name } from '../words.js';
import { largestClasses } from './confusion.js';

const MOST_CLASSES = 50;

interface Line extends ReportAverages {
  readonly title: Html;
  readonly support: number;
}

export function classesSection(evaluation: ReportEvaluation): Html {
  const { byClass, macro, weighted, classes } = evaluation;
  const support = byClass.reduce((sum, one) => sum + one.support, 0);
  const shown = largestClasses(evaluation, MOST_CLASSES);
  const lines: Line[] = [
    ...shown.flatMap((k) => {
      const one = byClass[k];
      return one ? [{ ...one, title: name(one.label) }] : [];
    }),
    { ...macro, title: html`mean of classes`, support },
    { ...weighted, title: html`mean by rows`, support },
  ];
  const left = classes.length - shown.length;
  return section({
    id: 'classes',
    title: 'How well each class is found',
    aid: 'Precision: of the rows given this answer, how many are of the class. Recall: of the rows of the class, how many got this answer. F1 is their harmonic mean.',
    body: table<Line>(
      left > 0 ? `The ${shown.length} largest classes; ${count(left)} smaller ones are left out` : 'By class',
      [
        { name: 'class', value: ({ title }) => title },
        { name: 'precision', value: ({ precision }) => percent(precision, 1), isNumber: true },
        { name: 'recall', value: ({ recall }) => percent(recall, 1), isNumber: true },
        { name: 'F1', value: ({ f1 }) => percent(f1, 1), isNumber: true },
        { name: 'rows', value: (line) => count(line.support), isNumber: true },
      ],
      lines,
    ),
    isFull: shown.length > 6,
  });
}
