import * as z from "zod";
import type { ExportType } from "../../../catalog/patrons/exports.ts";
import {
  type GoodreadsBook,
  type GoodreadsFile,
  IMPORT_BOOKS_MAX,
  readGoodreads,
} from "../../../catalog/patrons/goodreads.ts";
import type { MissingRow } from "../../../durable/patron/imports.ts";
import { accountPage } from "../../ui/action-answer.ts";
import { isForPeople, pageOrJson } from "../../http/accept.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { CarrelError } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../../http/reply.ts";
import { errorSummary } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { notify } from "../../ui/notice.ts";
import { dots, link } from "../../ui/parts.ts";
import { live, progress, refreshing } from "../../ui/progress.ts";
import { table } from "../../ui/table.ts";
import { type Words, moment, t } from "../../ui/words.ts";
import { requireOwnWriter } from "../reading/own-data.ts";
import {
  type ImportView,
  IMPORT_BODY_BYTES,
  beginImport,
  importSchema,
  readImport,
  parseFile,
} from "./goodreads-import.ts";

const csvField = z.string().describe("The file, or its text");

/** `POST /account/import`: imports the books of a Goodreads export, in the queue (Q233). */
export const importOwn = operation({
  id: "importOwn",
  summary: "Take over a reading log",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  responses: {
    202: { description: "It has begun; /account/import.json tells how it gets on", schema: importSchema },
    303: { description: "For people: to the page of the import" },
    400: { description: "No such file" },
    403: { description: "The account may read only" },
    409: { description: "Another import is running" },
  },
  async handle({ form: { csv } }, context) {
    const { username } = (await requireOwnWriter(context)).session;
    if (!isForPeople(context)) {
      return { ...privateJson(await beginImport(context, username, csv)), status: 202 };
    }
    const file = readGoodreads(csv);
    if (typeof file === "string") return sendProblem(context, username, file);
    try {
      await beginImport(context, username, csv);
    } catch (error) {
      if (error instanceof CarrelError && error.status === 409)
        return sendProblem(context, username, "running");
      throw error;
    }
    notify(context, "notice.import_begun");
    return seeOther("/account/import");
  },
});

const FILE_PROBLEMS = {
  empty: "import.empty",
  "no-columns": "import.no_columns",
  "too-many": "import.too_many",
  running: "import.running",
} as const;

async function sendProblem(context: RequestContext, username: string, problem: keyof typeof FILE_PROBLEMS) {
  const error = t(FILE_PROBLEMS[problem], { most: IMPORT_BOOKS_MAX });
  const status = problem === "running" ? 409 : 400;
  return renderImportPage(await readImport(context, username), { status, error });
}

const bookSchema = z.record(z.string(), z.string());

export const previewGoodreads = operation({
  id: "previewGoodreads",
  summary: "Look at a Goodreads export",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "The books, by the columns of the file; for people a page",
      schema: z.object({ books: z.array(bookSchema), without_isbn: z.array(bookSchema) }),
      also: ["text/html"],
    },
    400: { description: "No such file" },
  },
  async handle({ form: { csv } }, context) {
    const { username } = await ownSession(context);
    if (!isForPeople(context)) {
      const { books, withoutIsbn } = parseFile(csv);
      return { ...privateJson({ books, without_isbn: withoutIsbn }), headers: { Vary: "Accept" } };
    }
    const file = readGoodreads(csv);
    return typeof file === "string" ? sendProblem(context, username, file) : renderPreview(file, csv);
  },
});

export const importState = operation({
  id: "importState",
  summary: "State of the own import",
  tag: "account",
  responses: {
    200: {
      description: "The newest import, null when there was none; for people a page",
      schema: importSchema.nullable(),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return pageOrJson(context, await readImport(context, username), renderImportPage);
  },
});

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

function renderPreview({ books, withoutIsbn }: GoodreadsFile, csv: string): Reply {
  const body = markup`<p>${t("import.found", { count: books.length })} ${t("import.unchanged")}</p>
<form method="post" action="/account/import" enctype="multipart/form-data">
<textarea name="csv" hidden aria-hidden="true">
${csv}</textarea>
<p><button class="primary">${t("import.begin", { count: books.length })}</button> ${link("/account/import", t("import.back"))}</p>
</form>
${books.length > 0 && renderBooks(t("import.with_isbn"), books)}
${
  withoutIsbn.length > 0 &&
  markup`<p>${t("import.by_hand", { count: withoutIsbn.length })}</p>
${renderBooks(t("import.without_isbn"), withoutIsbn, searchLink)}`
}`;
  return accountPage({ title: t("import.preview"), body });
}

function searchLink({ Title: title = "", Author: author = "" }: GoodreadsBook): Markup {
  return link(`/search?${new URLSearchParams({ q: `${title} ${author}`.trim() })}`, title);
}

function renderBooks(
  caption: Piece,
  books: readonly GoodreadsBook[],
  titleOf: (book: GoodreadsBook) => Piece = ({ Title }) => Title,
): Markup {
  const rest = books.length - PREVIEWED_BOOKS;
  return markup`${table({
    caption,
    columns: COLUMNS.map(([, words]) => t(words)),
    rows: books
      .slice(0, PREVIEWED_BOOKS)
      .map((book) => COLUMNS.map(([name]) => (name === "Title" ? titleOf(book) : book[name]) ?? "")),
  })}${rest > 0 && markup`<p>${t("list.more", { count: rest })}</p>`}`;
}

const ROW_PROBLEMS: Readonly<Record<MissingRow["problem"], Words>> = {
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

function renderImportPage(state: ImportView | null, problem?: { status: number; error: Piece }): Reply {
  const { error, status = 200 } = problem ?? {};
  const message = error !== undefined && markup`<p class="error" id="csv-error">${error}</p>`;
  const attributes = error !== undefined && markup` aria-describedby="csv-error" aria-invalid="true"`;
  const body = markup`${error !== undefined && errorSummary([{ name: "csv", message: error }])}
${state !== null && live("import", state.status === "running", renderProgress(state))}
<h2>${t("import.heading")}</h2>
<p>${t("import.how")}</p>
<form method="post" action="/account/import/goodreads" enctype="multipart/form-data">
<div><label for="csv">${t("import.file")}</label>${message}<input type="file" id="csv" name="csv" accept=".csv,text/csv" required${attributes}></div>
<p><button>${t("import.look")}</button></p>
</form>
<h2>${t("export.heading")}</h2>
<p>${t("export.how")}</p>
<ul>${Object.entries(EXPORT_NAMES).map(
    ([type, words]) =>
      markup`<li>${t(words)}: ${dots([link(`/account/export?type=${type}`, "CSV"), link(`/account/export.json?type=${type}`, "JSON")])}</li>`,
  )}</ul>`;
  const head = refreshing(state?.status === "running");
  return accountPage({ title: t("import.title"), body, head, status });
}

function renderProgress(state: ImportView): Markup {
  const { status, total, done, imported, missing, updated } = state;
  const notImported = done - imported;
  const label = status === "running" ? t("import.runs") : t("import.done");
  return markup`<h2>${t("import.last")}</h2>
${progress({ label, done, total })}
<p role="status">${t("import.result", { imported, left: notImported })} ${t("import.updated", { time: moment(updated) })}</p>
${
  missing.length > 0 &&
  table({
    caption:
      missing.length < notImported
        ? t("import.first_missing", { count: missing.length })
        : t("import.missing"),
    columns: [t("search.title_field"), t("search.author"), t("search.isbn"), t("import.why")],
    rows: missing.map(({ title, author, isbn, problem }) => [
      title,
      author,
      isbn ?? "",
      t(ROW_PROBLEMS[problem]),
    ]),
  })
}`;
}
