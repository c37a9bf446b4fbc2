import type { ExportType } from "../../../catalog/patrons/exports.ts";
import type { GoodreadsBook, GoodreadsFile } from "../../../catalog/patrons/goodreads.ts";
import type { MissingRow } from "../../../durable/patron/imports.ts";
import type { Reply } from "../../http/reply.ts";
import { accountPage } from "../../accounts/account-page.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import type { ImportView } from "./goodreads-import.ts";
import { table } from "../../ui/table.ts";
import { moment } from "../../ui/words.ts";

/** Books of each kind that the page shows; the form sends all. */
const PREVIEWED_BOOKS = 200;

/** What is in a file, and the form that has it taken over. */
export function goodreadsPage({ books, withoutIsbn }: GoodreadsFile, csv: string): Reply {
  const body = markup`<p>${count(books.length, "book")} in this file can be looked for here.
Nothing has been changed yet.</p>
<form method="post" action="/account/import" enctype="multipart/form-data">
<textarea name="csv" hidden aria-hidden="true">
${csv}</textarea>
<p><button type="submit">Import ${count(books.length, "book")}</button></p>
</form>
${books.length > 0 && bookTable("Books with an ISBN", books)}
${
  withoutIsbn.length > 0 &&
  markup`<p>${count(withoutIsbn.length, "book")} without an ISBN cannot be imported.
Search for them here, and put them onto your shelves by hand.</p>
${bookTable("Books without an ISBN", withoutIsbn)}`
}`;
  return accountPage({ title: "Books from Goodreads", body });
}

function bookTable(caption: string, books: readonly GoodreadsBook[]): Markup {
  const rest = books.length - PREVIEWED_BOOKS;
  return markup`${table({
    caption,
    columns: ["Title", "Author", "ISBN", "Shelf", "Rating", "Read on"],
    rows: books
      .slice(0, PREVIEWED_BOOKS)
      .map((book) =>
        ["Title", "Author", "ISBN", "Exclusive Shelf", "My Rating", "Date Read"].map(
          (name) => book[name] ?? "",
        ),
      ),
  })}${rest > 0 && markup`<p>And ${rest} more.</p>`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const PROBLEMS: Readonly<Record<MissingRow["problem"], string>> = {
  "no-isbn": "It has no ISBN.",
  "not-found": "There is no book with this ISBN here.",
  "unknown-shelf": "Its shelf does not exist here.",
};
const EXPORT_NAMES: Readonly<Record<ExportType, string>> = {
  reading_log: "Reading log",
  book_notes: "Notes",
  reviews: "Reviews",
  lists: "Lists",
  ratings: "Ratings",
  check_ins: "Reading dates",
};

/** The page on which books come and go: the newest import, the form for another one, and files to take along. */
export function importPage(state: ImportView | null): Reply {
  const body = markup`${state !== null && progress(state)}
<h2>Import from Goodreads</h2>
<p>At Goodreads, choose “My Books”, “Import and export”, “Export Library”, and give the file here.
Shelves, ratings, reading dates and reviews are taken over. Reviews become notes that only you can read.</p>
<form method="post" action="/account/import/goodreads" enctype="multipart/form-data">
<div><label for="csv">File</label><input type="file" id="csv" name="csv" accept=".csv,text/csv" required></div>
<p><button type="submit">Look at the books</button></p>
</form>
<h2>Export</h2>
<p>Files with all that you have here:</p>
<ul>${Object.entries(EXPORT_NAMES).map(
    ([type, name]) => markup`<li>${link(`/account/export?type=${type}`, `${name} (CSV)`)},
${link(`/account/export.json?type=${type}`, "JSON")}</li>`,
  )}</ul>`;
  return accountPage({ title: "Import and export", body });
}

function progress(state: ImportView): Markup {
  const { status, total, done, imported, missing, updated } = state;
  const left = done - imported;
  return markup`<h2>Your last import</h2>
<p role="status">${status === "running" ? `${done} of ${total} books are done.` : "It is finished."}
${imported} were imported, ${left} were not. Last change: ${moment(updated)}</p>
${status === "running" && markup`<p>${link("/account/import", "Look again")}</p>`}
${
  missing.length > 0 &&
  table({
    caption:
      missing.length < left ? `The first ${missing.length} books that were not imported` : "Not imported",
    columns: ["Title", "Author", "ISBN", "Why"],
    rows: missing.map(({ title, author, isbn, problem }) => [title, author, isbn ?? "", PROBLEMS[problem]]),
  })
}`;
}
