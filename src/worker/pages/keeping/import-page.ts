import type { ExportType } from "../../../catalog/patrons/exports.ts";
import type { MissingRow } from "../../../durable/patron/imports.ts";
import type { ImportView } from "../../keeping/imports.ts";
import type { Reply } from "../../http/reply.ts";
import { accountPage } from "../account/account-page.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link, moment, table } from "../../ui/parts.ts";

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
