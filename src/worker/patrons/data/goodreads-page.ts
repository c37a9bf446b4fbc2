import type { ExportType } from "../../../catalog/patrons/exports.ts";
import type { GoodreadsBook, GoodreadsFile } from "../../../catalog/patrons/goodreads.ts";
import type { MissingRow } from "../../../durable/patron/imports.ts";
import { accountPage } from "../../accounts/account-page.ts";
import type { Reply } from "../../http/reply.ts";
import { errorSummary } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { dots, link } from "../../ui/parts.ts";
import { live, progress, refreshing } from "../../ui/progress.ts";
import { table } from "../../ui/table.ts";
import { type Words, moment, say } from "../../ui/words.ts";
import type { ImportView } from "./goodreads-import.ts";

/** Books of each kind that the page shows; the form sends all. */
const PREVIEWED_BOOKS = 200;

const COLUMNS = [
  ["Title", "search.title_field"],
  ["Author", "search.author"],
  ["ISBN", "search.isbn"],
  ["Exclusive Shelf", "import.shelf"],
  ["My Rating", "import.rating"],
  ["Date Read", "import.read"],
] as const;

/** Writes the page with the contents of a file, and the form that imports it. */
export function goodreadsPage({ books, withoutIsbn }: GoodreadsFile, csv: string): Reply {
  const body = markup`<p>${say("import.found", { count: books.length })} ${say("import.unchanged")}</p>
<form method="post" action="/account/import" enctype="multipart/form-data">
<textarea name="csv" hidden aria-hidden="true">
${csv}</textarea>
<p><button class="primary">${say("import.begin", { count: books.length })}</button> ${link("/account/import", say("import.back"))}</p>
</form>
${books.length > 0 && bookTable(say("import.with_isbn"), books)}
${
  withoutIsbn.length > 0 &&
  markup`<p>${say("import.by_hand", { count: withoutIsbn.length })}</p>
${bookTable(say("import.without_isbn"), withoutIsbn, searchLink)}`
}`;
  return accountPage({ title: say("import.preview"), body });
}

function searchLink({ Title: title = "", Author: author = "" }: GoodreadsBook): Markup {
  return link(`/search?${new URLSearchParams({ q: `${title} ${author}`.trim() })}`, title);
}

function bookTable(
  caption: Piece,
  books: readonly GoodreadsBook[],
  titleOf: (book: GoodreadsBook) => Piece = ({ Title }) => Title,
): Markup {
  const rest = books.length - PREVIEWED_BOOKS;
  return markup`${table({
    caption,
    columns: COLUMNS.map(([, words]) => say(words)),
    rows: books
      .slice(0, PREVIEWED_BOOKS)
      .map((book) => COLUMNS.map(([name]) => (name === "Title" ? titleOf(book) : book[name]) ?? "")),
  })}${rest > 0 && markup`<p>${say("list.more", { count: rest })}</p>`}`;
}

const PROBLEMS: Readonly<Record<MissingRow["problem"], Words>> = {
  "no-isbn": "import.no_isbn",
  "not-found": "import.not_found",
  "unknown-shelf": "import.unknown_shelf",
};
const EXPORT_NAMES: Readonly<Record<ExportType, Words>> = {
  reading_log: "export.reading_log",
  book_notes: "export.notes",
  reviews: "export.reviews",
  lists: "export.lists",
  ratings: "export.ratings",
  check_ins: "export.dates",
};

/** Writes the page of imports and exports: the newest import, the form for another one, and files to download. */
export function importPage(
  state: ImportView | null,
  problem?: { readonly status: number; readonly error: Piece },
): Reply {
  const { error, status = 200 } = problem ?? {};
  const wrong = error !== undefined && markup`<p class="error" id="csv-error">${error}</p>`;
  const marked = error !== undefined && markup` aria-describedby="csv-error" aria-invalid="true"`;
  const body = markup`${error !== undefined && errorSummary([{ name: "csv", message: error }])}
${state !== null && live("import", state.status === "running", progressOf(state))}
<h2>${say("import.heading")}</h2>
<p>${say("import.how")}</p>
<form method="post" action="/account/import/goodreads" enctype="multipart/form-data">
<div><label for="csv">${say("import.file")}</label>${wrong}<input type="file" id="csv" name="csv" accept=".csv,text/csv" required${marked}></div>
<p><button>${say("import.look")}</button></p>
</form>
<h2>${say("export.heading")}</h2>
<p>${say("export.how")}</p>
<ul>${Object.entries(EXPORT_NAMES).map(
    ([type, words]) =>
      markup`<li>${say(words)}: ${dots([link(`/account/export?type=${type}`, "CSV"), link(`/account/export.json?type=${type}`, "JSON")])}</li>`,
  )}</ul>`;
  const head = refreshing(state?.status === "running");
  return accountPage({ title: say("import.title"), body, head, status });
}

function progressOf(state: ImportView): Markup {
  const { status, total, done, imported, missing, updated } = state;
  const left = done - imported;
  const label = status === "running" ? say("import.runs") : say("import.done");
  return markup`<h2>${say("import.last")}</h2>
${progress({ label, done, total })}
<p role="status">${say("import.result", { imported, left })} ${say("import.updated", { time: moment(updated) })}</p>
${
  missing.length > 0 &&
  table({
    caption:
      missing.length < left ? say("import.first_missing", { count: missing.length }) : say("import.missing"),
    columns: [say("search.title_field"), say("search.author"), say("search.isbn"), say("import.why")],
    rows: missing.map(({ title, author, isbn, problem }) => [
      title,
      author,
      isbn ?? "",
      say(PROBLEMS[problem]),
    ]),
  })
}`;
}
