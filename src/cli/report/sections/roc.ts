// ROC curves: of two classes the second one, of more the largest ones, each against the rest.

import type { Label } from '../../../index.js';
import { count, counted, percent } from '../../output.js';
import { rocChart } from '../charts/roc.js';
import { type Roc, rocOf } from '../curves.js';
import type { Judged, ReportScores } from '../data.js';
import { type Html, html, table } from '../html.js';
import { codesOf } from '../margins.js';
import { section } from '../section.js';
import { LINES } from '../style.js';
import { measure, name, named } from '../words.js';
import { largestClasses } from './confusion.js';

interface Curve extends Roc {
  readonly label: Label;
}

/** The scores of one class, by row. */
const scoresOf = (scores: ReportScores, code: number): Float64Array =>
  scores instanceof Float64Array
    ? scores
    : Float64Array.from({ length: scores.rows }, (_, row) => scores.data[row * scores.cols + code] as number);

/** 1 for rows of the class, 0 for others, −1 for labels that are no class. A loop: `Int8Array.from` was four times slower on a million rows. */
function ownRows(codes: Int32Array, code: number): Int8Array {
  const own = new Int8Array(codes.length);
  for (let i = 0; i < own.length; i++) own[i] = (codes[i] as number) < 0 ? -1 : codes[i] === code ? 1 : 0;
  return own;
}

export function rocSection({ scores: own, ranking: scores = own, labels, evaluation }: Judged): Html | undefined {
  if (!scores || !labels || labels.length === 0) return undefined;
  const { classes, rocAuc } = evaluation;
  const codes = codesOf(labels, classes);
  const isTwo = scores instanceof Float64Array;
  const places = isTwo ? [1] : largestClasses(evaluation, LINES);
  const curves = places.flatMap((code): Curve[] => {
    const roc = rocOf(scoresOf(scores, code), ownRows(codes, code));
    return roc ? [{ label: classes[code] ?? '', ...roc }] : [];
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
