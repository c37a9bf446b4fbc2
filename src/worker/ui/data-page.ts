import type { Reply } from "../http/reply.ts";
import { accountPage } from "./action-answer.ts";
import { factList } from "./facts.ts";
import type { Page } from "./layout.ts";
import { type Markup, type Piece, addressOf, markup } from "./markup.ts";
import { commas, link } from "./parts.ts";
import { table } from "./table.ts";
import { type Words, day, moment, number, t } from "./words.ts";

/**
 * Members that a page shows of an answer, in that order: words, and how to show the value unless it tells that itself.
 *
 *     { username: "admin.username", status: ["admin.status", (status) => t(STATUS[status])] }
 */
export type Columns<Row> = { readonly [name in keyof Row]?: Member<Row, Row[name]> };
type Member<Row, Value> = Words | readonly [Words, (value: Value, row: Row) => Piece];

/** Renders a page for operators, which caches must not store, with a link to the overview. */
export function adminPage({ parts, ...page }: Omit<Page, "body"> & { parts: readonly Piece[] }): Reply {
  return accountPage({ ...page, body: markup`${parts}<p>${link("/admin", t("admin.title"))}</p>` });
}

/** Lists members of an answer; those without a value are left out. */
export function dataFacts<Row extends object>(row: Row, members: Columns<Row>): Markup | undefined {
  return factList(cellsOf(members).map(([words, show]) => [t(words), show(row)]));
}

/** Makes a table of rows of an answer, with a column for each member; the text `none` without rows. */
export function dataTable<Row extends object>({
  caption,
  members,
  rows,
  none = "desk.nothing",
  plain = false,
}: {
  caption: Piece;
  members: Columns<Row>;
  rows: readonly Row[];
  none?: Words;
  /** True if no cell of a row is its heading. */
  plain?: boolean;
}): Markup {
  if (rows.length === 0) return markup`<p>${t(none)}</p>`;
  const cells = cellsOf(members);
  return table({
    caption,
    plain,
    columns: cells.map(([words]) => t(words)),
    rows: rows.map((row) => cells.map(([, show]) => show(row) ?? "–")),
  });
}

/** Makes rows of an object whose members are named by data. */
export function toNamedRows<Value>(
  values: Readonly<Record<string, Value>>,
): { name: string; value: Value }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Makes rows of an object of objects, with the member that each belongs to as `name`. */
export function toKeyedRows<Row extends object>(
  rows: Readonly<Record<string, Row>>,
): (Row & { name: string })[] {
  return Object.entries(rows).map(([name, row]) => Object.assign({ name }, row));
}

function cellsOf<Row>(members: Columns<Row>): [Words, (row: Row) => Piece][] {
  // The object has only members of a row.
  const entries = Object.entries(members) as [keyof Row, Member<Row, Row[keyof Row]>][];
  return entries.map(([name, member]) => {
    const [words, show] = typeof member === "string" ? [member, valueText] : member;
    return [words, (row) => show(row[name], row)];
  });
}

/** Makes the checkbox by which a form chooses a row. */
export function choice(name: string, value: string, label: Piece): Markup {
  return markup`<input type="checkbox" name="${name}" value="${value}" aria-label="${label}">`;
}

/** Makes a form whose buttons send one value each of the member `name`. */
export function choiceForm(
  action: string,
  { name, values, content }: { name: string; values: Readonly<Record<string, Words>>; content?: Piece },
): Markup {
  const buttons = Object.entries(values).map(
    ([value, words]) => markup`<button name="${name}" value="${value}">${t(words)}</button>`,
  );
  return markup`<form method="post" action="${action}">${content}
<p class="actions">${buttons}</p></form>`;
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const KEY = /^\/[^/\\\s]\S*$/;

/** Shows a value by its kind: times and numbers for the reader, keys as links, lists and objects in one line. */
export function valueText(value: unknown): Piece {
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return t(value ? "admin.yes" : "admin.no");
  if (typeof value === "string") {
    if (TIME.test(value)) return moment(value);
    if (DAY.test(value)) return day(value);
    return KEY.test(value) ? keyLink(value) : value;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return commas(value.map(valueText));
  return commas(Object.entries(value).map(([name, part]) => markup`${name}: ${valueText(part)}`));
}

/** Makes a link to the page of a record; of a patron, to the page for administrators. */
export function keyLink(key: string, text: Piece = key): Markup {
  return link(/^\/people\/[^/]+$/.test(key) ? `/admin${addressOf(key)}` : addressOf(key), text);
}
