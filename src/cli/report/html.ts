// HTML and SVG by template. Whatever is put in is text: unseen characters become escapes (a class name may be bidirectional), and
// signs of HTML become entities, unless the piece was made here.

import { visible } from '../../escape.js';

export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

export type Piece = Html | string | number | undefined | false | readonly Piece[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (text: string): string => visible(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escaped(String(piece));
}

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((text, i) => text + (i < pieces.length ? textOf(pieces[i]) : '')).join(''));
}

/** One column of a table of `Row`s. */
export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => Piece;
  /** Numbers stand on the right, under each other. */
  readonly isNumber?: true;
}

/** A table in a box that scrolls if it must; the first column names the row. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const [first, ...others] = columns as [Column<Row>, ...Column<Row>[]];
  const kind = ({ isNumber }: Column<Row>): Html | false => isNumber === true && html` class="number"`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${kind(column)}>${column.name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr><th scope="row"${kind(first)}>${first.value(row)}</th>${others.map(
      (column) => html`<td${kind(column)}>${column.value(row)}</td>`,
    )}</tr>`,
  )}
</tbody></table></div>`;
}
