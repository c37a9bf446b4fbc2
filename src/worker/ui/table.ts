import { type Markup, type Piece, markup } from "./markup.ts";
import { number } from "./words.ts";

/** Table. The first cell of a row is its heading unless `plain`; numbers are formatted for the reader. */
interface Table {
  caption: Piece;
  columns: readonly Piece[];
  rows: readonly (readonly Piece[])[];
  plain?: boolean;
}

const NARROW_COLUMNS = 3;

/** Makes a table with a caption that scrolls if it is too wide. Phones show rows of many columns as blocks. */
export function table({ caption, columns, rows, plain = false }: Table): Markup {
  const hasManyColumns = columns.length > NARROW_COLUMNS;
  const cell = (value: Piece, index: number): Markup =>
    index === 0 && !plain
      ? markup`<th scope="row">${value}</th>`
      : markup`<td${hasManyColumns && markup` data-name="${columns[index]}"`}>${typeof value === "number" ? number(value) : value}</td>`;
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table${hasManyColumns && markup` class="rows"`}>
<caption>${caption}</caption>
<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>`;
}
