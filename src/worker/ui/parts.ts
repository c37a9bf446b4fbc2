import { type Markup, type Piece, markup } from "./markup.ts";

/** A term and what is said of it; entries without a value are left out. Undefined when none is left. */
export function definitions(entries: readonly (readonly [string, Piece])[]): Markup | undefined {
  const shown = entries.filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (shown.length === 0) return undefined;
  return markup`<dl>${shown.map(([term, value]) => markup`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A table: the first cell of a row is its heading unless `plain`. */
interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Piece[])[];
  /** No cell is the heading of its row. */
  readonly plain?: boolean;
}

/** A table with a caption, which scrolls by itself where it is too wide. */
export function table({ caption, columns, rows, plain = false }: Table): Markup {
  const cell = (value: Piece, index: number): Markup =>
    index === 0 && !plain ? markup`<th scope="row">${value}</th>` : markup`<td>${value}</td>`;
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>`;
}

/** A link; `current` marks the page that is shown. */
export function link(href: string, text: Piece, current = false): Markup {
  return current
    ? markup`<a href="${href}" aria-current="page">${text}</a>`
    : markup`<a href="${href}">${text}</a>`;
}

/** Pieces with commas between them; undefined when there are none. */
export function commas(pieces: readonly Piece[]): Markup | undefined {
  return pieces.length === 0
    ? undefined
    : markup`${pieces.map((one, index) => markup`${index > 0 && ", "}${one}`)}`;
}

/** The first of many values, and how many more there are. */
export function firstOf<Value>(
  values: readonly Value[],
  count: number,
  show: (value: Value) => Piece,
): Piece[] {
  const shown = values.slice(0, count).map(show);
  return values.length > count ? [...shown, `${values.length - count} more`] : shown;
}

/** What links to the pages before and after say in lists that are in no order of time. */
export const PAGE_TURNS = { newer: "Previous page", older: "Next page" };

/** Links to the page before and after, as far as there are some. */
export function pageLinks(
  newer: string | undefined,
  older: string | undefined,
  texts: typeof PAGE_TURNS = { newer: "Newer", older: "Older" },
): Markup | undefined {
  if (newer === undefined && older === undefined) return undefined;
  return markup`<nav class="pages" aria-label="Pages">${newer !== undefined && markup`<a rel="prev" href="${newer}">${texts.newer}</a>`}
${older !== undefined && markup`<a rel="next" href="${older}">${texts.older}</a>`}</nav>`;
}

/** A moment as people read it; `text` is naive UTC. */
export function moment(text: string): Markup {
  const second = text.slice(0, 19);
  return markup`<time datetime="${second}Z">${second.replace("T", " ")} UTC</time>`;
}
