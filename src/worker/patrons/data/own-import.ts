import { MIB } from "../../../catalog/units.ts";
import * as z from "zod";
import type { ChosenColumns } from "../../../catalog/patrons/library-columns.ts";
import { type LibraryFile, readLibrary, toBookRecord } from "../../../catalog/patrons/library-file.ts";
import { IMPORT_BOOKS_MAX } from "../../../catalog/patrons/library-table.ts";
import { COLUMN_ROLES } from "../../../catalog/patrons/library-rows.ts";
import { shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { reserveCheckInIds } from "../../../db/patrons/activity.ts";
import { noteImport } from "../../../db/patrons/patron-jobs.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { chargeBytes } from "../../editing/byte-budget.ts";
import { refuseSpam } from "../../editing/save-change.ts";
import { type Failure, failure } from "../../http/failure.ts";
import type { RequestContext } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { resource } from "../../http/views.ts";
import { command } from "../../ui/command.ts";
import { requireOwnWriter } from "../reading/own-data.ts";
import { IMPORT_IDLE_MS, importJob, importSchema, readImport } from "./own-import-job.ts";
import { type FileForm, columnField, columnsPage, importPage, previewPage } from "./own-import-page.ts";

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

const unknownStatuses = z
  .record(z.string(), z.int())
  .describe(
    "Values of the status column that were not recognized, with their number of books, which get no shelf",
  );

const PROBLEMS = {
  empty: "bad_data.import_empty",
  "no-columns": "bad_data.import_columns",
  "no-text": "bad_data.import_text",
  "too-many": "bad_data.import_books",
} as const;

/** Throws 400 for a file that cannot be imported. */
function parseFile(form: FileInput): LibraryFile {
  const columns = COLUMN_ROLES.flatMap((role) => {
    const name = form[columnField(role)];
    return name === undefined ? [] : [[role, name === "-" ? "" : name] as const];
  });
  const file = readLibrary(form.csv, {
    // The names are roles.
    columns: Object.fromEntries(columns) as ChosenColumns,
    shelf: form.shelf === undefined ? undefined : (shelfIdOf(form.shelf) ?? null),
    makesLists: form.lists === "yes",
  });
  if (typeof file === "string") throw failure(PROBLEMS[file], { most: IMPORT_BOOKS_MAX });
  return file;
}

/** Shows the form to choose the columns of a file that was not recognized; the import page for any other refusal. */
async function showRefused(refusal: Failure, form: FileForm, username: string, context: RequestContext) {
  const columns = refusal.text?.key === PROBLEMS["no-columns"] ? columnsPage(form, refusal) : undefined;
  return columns ?? importPage(await readImport(context, username), refusal);
}

/** `POST /account/import`: imports the books of a file, in the queue (Q233). */
export const importOwn = command({
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
  load: async (_input, context) => (await requireOwnWriter(context)).session,
  async submit({ form, loaded: session }, context) {
    const { username } = session;
    const { books, lists, unknownStatuses: unknown_statuses } = parseFile(form);
    const documents = lists.map((name) => ({ name }));
    if (documents.length > 0) await refuseSpam(context, { documents, comment: null, suspectsAll: true });
    const rows = books.map(({ row }) => row);
    await chargeBytes(context, session, JSON.stringify(rows).length);
    const { stores, sources, now } = context;
    const { imports } = patronOf(stores, username);
    const job = { patron: username.toLowerCase(), id: sources.newSecret() };
    // First the row, with which the sweep resumes an interrupted import.
    await noteImport(stores.patrons, job, now + IMPORT_IDLE_MS);
    if (!(await imports.begin({ id: job.id, rows, now }))) {
      const running = await imports.state();
      const due = now + IMPORT_IDLE_MS;
      if (running !== undefined) await noteImport(stores.patrons, { ...job, id: running.id }, due);
      throw failure("conflict.import_running");
    }
    await importJob.send(stores, job);
    const view = await readImport(context, username);
    if (view === null) throw new Error("an import that was not stored");
    return { ...view, unknown_statuses };
  },
  asJson: (started) => ({ ...privateJson(started), status: 202 }),
  done: { to: "/account/import", notice: "notice.import_begun" },
  again: (refusal, { form, loaded: { username } }, context) => showRefused(refusal, form, username, context),
});

const bookSchema = z.record(z.string(), z.string());

export const previewImport = command({
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
  load: (_input, context) => ownSession(context),
  submit: ({ form }) => parseFile(form),
  asJson(file) {
    const { format, lists, unknownStatuses: unknown_statuses } = file;
    const recordsOf = (hasIsbn: boolean) =>
      file.books.filter(({ row }) => (row.isbn !== null) === hasIsbn).map((book) => toBookRecord(file, book));
    const books = { books: recordsOf(true), without_isbn: recordsOf(false) };
    return { ...privateJson({ ...books, format, lists, unknown_statuses }), headers: { Vary: "Accept" } };
  },
  page: (file, { form }) => previewPage(file, form),
  again: (refusal, { form, loaded: { username } }, context) => showRefused(refusal, form, username, context),
});

export const importState = resource({
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
  read: async (_input, context) => readImport(context, (await ownSession(context)).username),
  page: (state) => importPage(state),
});

/** `POST /account/import/choose`: decides on a doubtful row of the newest import. */
export const chooseImported = command({
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
  load: async (_input, context) => (await requireOwnWriter(context)).session,
  async submit({ form, loaded: { username } }, { stores, now }) {
    const { position } = form;
    const work = form.work === 0 ? null : form.work;
    const { imports } = patronOf(stores, username);
    const patron = username.toLowerCase();
    const eventCount = work === null ? 0 : await imports.eventsOfChoice({ position, work });
    if (eventCount === undefined) throw failure("bad_data.import_decided");
    const checkIns = await reserveCheckInIds(stores.patrons, patron, eventCount);
    const id = await imports.choose({ position, work, checkIns, now });
    if (id === undefined) throw failure("bad_data.import_decided");
    // The lists of the row are saved by the job.
    await noteImport(stores.patrons, { patron, id }, now + IMPORT_IDLE_MS);
    await importJob.send(stores, { patron, id });
    return { ok: "true" };
  },
  done: {
    to: "/account/import",
    notice: ({ form: { work } }) => (work === 0 ? "notice.import_skipped" : "notice.import_chosen"),
  },
});
