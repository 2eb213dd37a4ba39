// A figure: what to see in it, a chart or several, and its numbers as a table.

import { type Html, html, type Piece } from '../html.js';

export interface Figure {
  id: string;
  title: string;
  /** What to see, in a line. */
  aid: Piece;
  /** Small charts beside each other, or below each other where there is little room. */
  panels?: readonly Html[];
  /** Or one chart, for wide windows and for narrow ones. */
  wide?: Html;
  narrow?: Html;
  legend?: readonly Sample[];
  /** What colours mean, where they are many. */
  scale?: Html;
  note?: Piece;
  table: Html;
}

/** A figure that a run has no numbers for, and the question that would give them. */
export interface Missing {
  id: string;
  title: string;
  question: string;
}

/** A mark and what it means. */
export interface Sample {
  /** A class of ../style.ts. */
  mark:
    | 'dot'
    | 'hollow'
    | 'square'
    | 'hollow-square'
    | 'line'
    | 'dashed'
    | 'block'
    | 'ring'
    | 'diamond'
    | 'thin-dashed'
    | 'map-line'
    | 'map-dashed'
    | 'map-ring';
  colour: string;
  text: string;
}

const legend = (samples: readonly Sample[]): Html =>
  html`<ul class="legend">${samples.map(
    ({ mark, colour, text }) => html`<li><span class="mark ${mark}" style="color:${colour}"></span>${text}</li>`,
  )}</ul>`;

export function figure({ id, title, aid, panels, wide, narrow, legend: samples, scale, note, table }: Figure): Html {
  return html`<section id="${id}"><h2>${title}</h2>
<p class="aid">${aid}</p>
<figure>${scale && html`<div class="scale">${scale}</div>`}${samples && legend(samples)}
${panels && html`<div class="panels">${panels.map((panel) => html`<div class="panel">${panel}</div>`)}</div>`}
${wide && html`<div class="wide">${wide}</div>`}${narrow && html`<div class="narrow">${narrow}</div>`}
${note !== undefined && html`<figcaption>${note}</figcaption>`}</figure>
<details><summary>The numbers</summary>${table}</details></section>
`;
}

export const missing = ({ id, title, question }: Missing): Html =>
  html`<section id="${id}" class="missing"><h2>${title}</h2>
<p>Not in this run: <code>npm run bench -- --only ${question}</code> would tell.</p></section>
`;
