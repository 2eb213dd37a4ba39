// HTML by template, as the command's report has it, and the tables of this page.

import { type Column, Html, html } from '../../src/cli/report/html.js';

export { escaped, type Piece } from '../../src/cli/report/html.js';
export { type Column, Html, html };

/** A table in a box of its own, which scrolls if it must; the first column names the row. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const [first, ...others] = columns as [Column<Row>, ...Column<Row>[]];
  const kind = ({ isNumber }: Column<Row>): Html | false => isNumber === true && html` class="number"`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${kind(column)}>${column.name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr><th scope="row"${kind(first)}>${first.value(row)}</th>${others.map(
      (column) => html`<td${kind(column)}>${column.value(row)}</td>`,
    )}</tr>`,
  )}
</tbody></table></div>`;
}
