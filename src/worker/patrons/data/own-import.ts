import { MIB } from "../../../catalog/units.ts";
import * as z from "zod";
import type { ChosenColumns } from "../../../catalog/patrons/library-columns.ts";
import {
  type LibraryFile,
  type LibraryOptions,
  readLibrary,
  toBookRecord,
} from "../../../catalog/patrons/library-file.ts";
import { type LibraryProblem, IMPORT_BOOKS_MAX } from "../../../catalog/patrons/library-table.ts";
import { COLUMN_ROLES } from "../../../catalog/patrons/library-rows.ts";
import { shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { refuseSpam } from "../../editing/save-change.ts";
import { isForPeople, pageOrJson } from "../../http/accept.ts";
import { Failure, failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { privateJson, seeOther } from "../../http/reply.ts";
import { answerDone } from "../../ui/action-answer.ts";
import { notify } from "../../ui/notice.ts";
import { t } from "../../ui/words.ts";
import { requireOwnWriter } from "../reading/own-data.ts";
import { beginImport, chooseBook, importSchema, readImport } from "./own-import-job.ts";
import {
  type FileForm,
  columnField,
  renderColumns,
  renderImportPage,
  renderPreview,
} from "./own-import-page.ts";

const IMPORT_BODY_BYTES = 16 * MIB;
const COLUMN_NAME_LENGTH = 1000;

const columnSchemas = COLUMN_ROLES.map((role) => [
  columnField(role),
  z.string().max(COLUMN_NAME_LENGTH).optional().describe("Column of the file; `-` for none"),
]);

const FILE_FORM = {
  csv: z
    .string()
    .describe(
      "File, or its text: CSV, TSV or JSON from Carrel or another service, or a list of ISBNs or titles",
    ),
  shelf: z
    .enum(["none", "1", "2", "3", "4"])
    .optional()
    .describe("Shelf for books without one in the file. Default: 1 if the file has no shelves, else none"),
  lists: z
    .enum(["yes", "no"])
    .default("no")
    .describe("Import custom shelves and tags as lists, which are public"),
  // The names are those of the roles.
  ...(Object.fromEntries(columnSchemas) as Record<`${string}_column`, z.ZodType<string | undefined>>),
};
type FileInput = FileForm & { readonly [name: `${string}_column`]: string | undefined };

function optionsOf(form: FileInput): LibraryOptions {
  const columns = COLUMN_ROLES.flatMap((role) => {
    const name = form[columnField(role)];
    return name === undefined ? [] : [[role, name === "-" ? "" : name] as const];
  });
  return {
    // The names are roles.
    columns: Object.fromEntries(columns) as ChosenColumns,
    shelf: form.shelf === undefined ? undefined : (shelfIdOf(form.shelf) ?? null),
    makesLists: form.lists === "yes",
  };
}

const unknownStatuses = z
  .record(z.string(), z.int())
  .describe(
    "Values of the status column that were not recognized, with their number of books, which get no shelf",
  );

const PROBLEMS = {
  empty: "bad_data.import_empty",
  "no-columns": "bad_data.import_columns",
  "too-many": "bad_data.import_books",
  running: "conflict.import_running",
} as const;

function parseFile(form: FileInput): LibraryFile {
  const file = readLibrary(form.csv, optionsOf(form));
  if (typeof file === "string") throw failure(PROBLEMS[file], { most: IMPORT_BOOKS_MAX });
  return file;
}

/** `POST /account/import`: imports the books of a file, in the queue (Q233). */
export const importOwn = operation({
  id: "importOwn",
  summary: "Import a reading log",
  tag: "account",
  form: FILE_FORM,
  bodyBytes: IMPORT_BODY_BYTES,
  responses: {
    202: {
      description: "Import started; progress at /account/import.json",
      schema: importSchema.extend({ unknown_statuses: unknownStatuses }),
    },
    303: { description: "For browsers: redirect to the import page" },
    400: { description: "Missing or unreadable file" },
    403: { description: "Read-only account, or list names that look like spam" },
    409: { description: "Another import in progress" },
  },
  async handle({ form }, context) {
    const { username } = (await requireOwnWriter(context)).session;
    if (!isForPeople(context)) {
      const file = parseFile(form);
      const started = await begin(context, username, file);
      return { ...privateJson({ ...started, unknown_statuses: file.unknownStatuses }), status: 202 };
    }
    const file = readLibrary(form.csv, optionsOf(form));
    if (typeof file === "string") return sendProblem(context, { username, problem: file, form });
    try {
      await begin(context, username, file);
    } catch (error) {
      if (error instanceof Failure && error.status === 409)
        return sendProblem(context, { username, problem: "running", form });
      throw error;
    }
    notify(context, "notice.import_begun");
    return seeOther("/account/import");
  },
});

async function begin(context: RequestContext, username: string, { books, lists }: LibraryFile) {
  const documents = lists.map((name) => ({ name }));
  if (documents.length > 0) await refuseSpam(context, { documents, comment: null, suspectsAll: true });
  const rows = books.map(({ row }) => row);
  return beginImport(context, username, rows);
}

async function sendProblem(
  context: RequestContext,
  { username, problem, form }: { username: string; problem: LibraryProblem | "running"; form: FileInput },
) {
  const error = t(PROBLEMS[problem], { most: IMPORT_BOOKS_MAX });
  const columns = problem === "no-columns" ? renderColumns(form, error) : undefined;
  if (columns !== undefined) return columns;
  const status = problem === "running" ? 409 : 400;
  return renderImportPage(await readImport(context, username), { status, error });
}

const bookSchema = z.record(z.string(), z.string());

export const previewImport = operation({
  id: "previewGoodreads",
  summary: "Preview an import",
  tag: "account",
  form: FILE_FORM,
  bodyBytes: IMPORT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Books by the columns of the file; a page for browsers",
      schema: z.object({
        books: z.array(bookSchema),
        without_isbn: z.array(bookSchema),
        format: z.string(),
        lists: z.array(z.string()).describe("Lists that the import creates or adds to"),
        unknown_statuses: unknownStatuses,
      }),
      also: ["text/html"],
    },
    400: { description: "Missing or unreadable file" },
  },
  async handle({ form }, context) {
    const { username } = await ownSession(context);
    if (!isForPeople(context)) {
      const file = parseFile(form);
      const { format, lists, unknownStatuses: unknown_statuses } = file;
      const recordsOf = (hasIsbn: boolean) =>
        file.books
          .filter(({ row }) => (row.isbn !== null) === hasIsbn)
          .map((book) => toBookRecord(file, book));
      const body = {
        books: recordsOf(true),
        without_isbn: recordsOf(false),
        format,
        lists,
        unknown_statuses,
      };
      return { ...privateJson(body), headers: { Vary: "Accept" } };
    }
    const file = readLibrary(form.csv, optionsOf(form));
    return typeof file === "string"
      ? sendProblem(context, { username, problem: file, form })
      : renderPreview(file, form);
  },
});

export const importState = operation({
  id: "importState",
  summary: "Get the state of your import",
  tag: "account",
  responses: {
    200: {
      description: "Latest import, or null; a page for browsers",
      schema: importSchema.nullable(),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return pageOrJson(context, await readImport(context, username), renderImportPage);
  },
});

/** `POST /account/import/choose`: decides on a doubtful row of the newest import. */
export const chooseImported = operation({
  id: "chooseImported",
  summary: "Resolve an uncertain row of your import",
  tag: "account",
  form: {
    position: integer(z.int().positive()),
    work: integer(z.int().gte(0)).describe("Number of one of the row's candidates; 0 for none of them"),
  },
  responses: {
    200: { description: "Row imported or skipped", schema: z.object({ ok: z.literal("true") }) },
    303: { description: "For browsers: redirect to the import page" },
    400: { description: "Row that is not uncertain, or work that is not a candidate" },
    403: { description: "Read-only account" },
  },
  async handle({ form: { position, work } }, context) {
    const { username } = (await requireOwnWriter(context)).session;
    const words = work === 0 ? "notice.import_skipped" : "notice.import_chosen";
    return answerDone(context, { to: "/account/import", words }, () =>
      chooseBook(context, username, { position, work: work === 0 ? null : work }),
    );
  },
});
