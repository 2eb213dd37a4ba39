// The confusion matrix as a coloured table: a row for each true class, a column for each predicted one.

import { count, counted, percent } from '../../output.js';
import type { ReportEvaluation } from '../data.js';
import { type Html, html, type Piece } from '../html.js';
import { section } from '../section.js';
import { name } from '../words.js';

const MOST_CLASSES = 12;
const MOST_MIXED = 3;
/** How strong a colour gets: text on it stays legible. */
const STRONGEST = 0.55;
const FAINTEST = 0.15;

interface Mixed {
  readonly own: number;
  readonly other: number;
  readonly rows: number;
}

/** The most frequent mistakes, the first among equals. */
function mixedUp(confusion: ReportEvaluation['confusion']): Mixed[] {
  let kept: Mixed[] = [];
  for (const [own, cells] of confusion.entries()) {
    for (const [other, rows] of cells.entries()) {
      if (own === other || !(rows > (kept[MOST_MIXED - 1]?.rows ?? 0))) continue;
      kept = [...kept, { own, other, rows }].sort((a, b) => b.rows - a.rows).slice(0, MOST_MIXED);
    }
  }
  return kept;
}

/** Places of the classes with the most rows, in class order. */
export function largestClasses({ byClass }: ReportEvaluation, most: number): number[] {
  return byClass
    .map(({ support }, k) => ({ support, k }))
    .sort((a, b) => b.support - a.support || a.k - b.k)
    .slice(0, most)
    .map(({ k }) => k)
    .sort((a, b) => a - b);
}

export function confusionSection(evaluation: ReportEvaluation): Html {
  const { classes, confusion } = evaluation;
  const shown = largestClasses(evaluation, MOST_CLASSES);
  const mixed = mixedUp(confusion);
  const sentences = mixed.map(
    ({ own, other, rows }, k): Piece => [
      k > 0 && '; ',
      name(classes[own] ?? ''),
      ' taken for ',
      name(classes[other] ?? ''),
      ` (${counted(rows, 'row')})`,
    ],
  );
  return section({
    id: 'confusion',
    title: 'Which classes are confused',
    aid: mixed.length === 0 ? 'No row is predicted wrongly.' : ['Most frequent: ', sentences, '.'],
    body: matrix(evaluation, shown),
    note: `Each row is a true class, each column an answer; shares are of the row. Blue is right, orange is wrong.${
      shown.length < classes.length ? ` The ${shown.length} largest of ${count(classes.length)} classes are shown.` : ''
    }`,
    isFull: shown.length > 6,
  });
}

function matrix({ classes, confusion }: ReportEvaluation, shown: readonly number[]): Html {
  const cell = (own: number, other: number): Html => {
    const rows = confusion[own]?.[other] ?? 0;
    const total = confusion[own]?.reduce((sum, n) => sum + n, 0) ?? 0;
    if (rows === 0) return html`<td class="zero">0</td>`;
    const share = rows / total;
    const strength = (FAINTEST + (STRONGEST - FAINTEST) * share).toFixed(3);
    return html`<td class="${own === other ? 'hit' : 'miss'}" style="--s:${strength}">${count(rows)}<small>${percent(share, 1)}</small></td>`;
  };
  const caption = 'Confusion matrix: true classes down, predicted classes across';
  return html`<div class="scroll plain" role="region" tabindex="0" aria-label="${caption}"><table class="confusion" aria-label="${caption}">
<thead><tr><td class="corner">true ↓ answer →</td>${shown.map((k) => html`<th scope="col">${name(classes[k] ?? '')}</th>`)}</tr></thead>
<tbody>${shown.map(
    (own) => html`
<tr><th scope="row">${name(classes[own] ?? '')}</th>${shown.map((other) => cell(own, other))}</tr>`,
  )}
</tbody></table></div>`;
}
