// The heaviest weights by name: one chart for two classes, one for each class for more.

import { count } from '../../output.js';
import { heaviest, type Weight, weightsChart } from '../charts/weights.js';
import type { ReportData, ReportPlane } from '../data.js';
import { type Html, html, type Piece, table } from '../html.js';
import { section } from '../section.js';
import { figures, name, named } from '../words.js';

const MOST_PLANES = 12;

export function weightsSection({ planes, nameOf = (k) => `column ${k}`, isScaled }: ReportData): Html | undefined {
  if (!planes || planes.length === 0) return undefined;
  const most = planes.length === 1 ? 15 : 8;
  const shown = planes.slice(0, MOST_PLANES).map((plane) => ({
    label: plane.label,
    heavy: heaviest(plane.weights, most).map(({ index, weight }) => ({ name: named(nameOf(index)), weight })),
  }));
  const panels = shown.map(({ label, heavy }, k) => panel(label, heavy, k));
  const compare =
    isScaled === true
      ? 'Columns were standardised, so the sizes of weights compare.'
      : isScaled
        ? 'Numbers were standardised; the weight of a category or a word counts where it occurs.'
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
