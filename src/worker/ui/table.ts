import { type Markup, type Piece, markup } from "./markup.ts";

/** A table: the first cell of a row is its heading unless `plain`. */
interface Table {
  readonly caption: Piece;
  readonly columns: readonly Piece[];
  readonly rows: readonly (readonly Piece[])[];
  /** No cell is the heading of its row. */
  readonly plain?: boolean;
}

/** Columns that phones have room for. */
const NARROW_COLUMNS = 3;

/** A table with a caption, which scrolls by itself where it is too wide; of many columns phones show each row as a block. */
export function table({ caption, columns, rows, plain = false }: Table): Markup {
  const isMany = columns.length > NARROW_COLUMNS;
  const cell = (value: Piece, index: number): Markup =>
    index === 0 && !plain
      ? markup`<th scope="row">${value}</th>`
      : markup`<td${isMany && markup` data-name="${columns[index]}"`}>${value}</td>`;
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table${isMany && markup` class="rows"`}>
<caption>${caption}</caption>
<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>`;
}
