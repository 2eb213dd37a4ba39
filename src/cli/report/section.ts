// A section of the page: what to see, in a line; the picture; its numbers.

import { type Html, html, type Piece } from './html.js';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly aid: Piece;
  readonly body?: Piece;
  readonly note?: Piece;
  /** The same as a table, for those who do not see the picture. */
  readonly numbers?: Html;
  /** Across the whole page. */
  readonly isFull?: boolean;
}

export const section = ({ id, title, aid, body, note, numbers, isFull }: Section): Html =>
  html`<section id="${id}"${isFull === true && html` class="full"`} aria-labelledby="${id}-heading"><h2 id="${id}-heading">${title}</h2>
<p class="aid">${aid}</p>
${body !== undefined && html`<figure aria-labelledby="${id}-heading">${body}${note !== undefined && note !== '' && html`<figcaption>${note}</figcaption>`}</figure>`}
${numbers !== undefined && html`<details><summary>The numbers</summary>${numbers}</details>`}</section>
`;
