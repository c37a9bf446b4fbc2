import * as z from "zod";
import {
  type ChosenColumns,
  type LibraryFile,
  type LibraryOptions,
  type LibraryProblem,
  IMPORT_BOOKS_MAX,
  readLibrary,
  toBookRecord,
} from "../../../catalog/patrons/library-file.ts";
import { COLUMN_ROLES } from "../../../catalog/patrons/library-rows.ts";
import { shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { refuseSpam } from "../../editing/save-change.ts";
import { isForPeople, pageOrJson } from "../../http/accept.ts";
import { CarrelError, badData } from "../../http/errors.ts";
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

const IMPORT_BODY_BYTES = 16 * 1024 * 1024;
const COLUMN_NAME_LENGTH = 1000;

const columnSchemas = COLUMN_ROLES.map((role) => [
  columnField(role),
  z.string().max(COLUMN_NAME_LENGTH).optional().describe("Name of a column of the file; `-` for none"),
]);

const FILE_FORM = {
  csv: z
    .string()
    .describe(
      "The file, or its text: CSV, TSV or JSON of another service or of Carrel, or a list of ISBNs or titles",
    ),
  shelf: z
    .enum(["none", "1", "2", "3", "4"])
    .optional()
    .describe("Shelf of books that are on none in the file. Default: 1 for files without shelves, else none"),
  lists: z
    .enum(["yes", "no"])
    .default("no")
    .describe("Whether custom shelves and tags become lists, which are public"),
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

const PROBLEMS: Readonly<Record<LibraryProblem, string>> = {
  empty: "The file is empty.",
  "no-columns": "No column of titles or ISBNs was recognized. Choose the columns.",
  "too-many": `The file has more than ${IMPORT_BOOKS_MAX} books. Split it and try again.`,
};

function parseFile(form: FileInput): LibraryFile {
  const file = readLibrary(form.csv, optionsOf(form));
  if (typeof file === "string") throw badData(PROBLEMS[file]);
  return file;
}

/** `POST /account/import`: imports the books of a file, in the queue (Q233). */
export const importOwn = operation({
  id: "importOwn",
  summary: "Take over a reading log",
  tag: "account",
  form: FILE_FORM,
  bodyBytes: IMPORT_BODY_BYTES,
  responses: {
    202: { description: "The import has begun; /account/import.json has its progress", schema: importSchema },
    303: { description: "For people: to the page of the import" },
    400: { description: "No such file" },
    403: { description: "The account may read only, or the names of lists look like spam" },
    409: { description: "Another import is running" },
  },
  async handle({ form }, context) {
    const { username } = (await requireOwnWriter(context)).session;
    if (!isForPeople(context)) {
      return { ...privateJson(await begin(context, username, parseFile(form))), status: 202 };
    }
    const file = readLibrary(form.csv, optionsOf(form));
    if (typeof file === "string") return sendProblem(context, { username, problem: file, form });
    try {
      await begin(context, username, file);
    } catch (error) {
      if (error instanceof CarrelError && error.status === 409)
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

const PROBLEM_WORDS = {
  empty: "import.empty",
  "no-columns": "import.no_columns",
  "too-many": "import.too_many",
  running: "import.running",
} as const;

async function sendProblem(
  context: RequestContext,
  { username, problem, form }: { username: string; problem: LibraryProblem | "running"; form: FileInput },
) {
  const error = t(PROBLEM_WORDS[problem], { most: IMPORT_BOOKS_MAX });
  const columns = problem === "no-columns" ? renderColumns(form, error) : undefined;
  if (columns !== undefined) return columns;
  const status = problem === "running" ? 409 : 400;
  return renderImportPage(await readImport(context, username), { status, error });
}

const bookSchema = z.record(z.string(), z.string());

export const previewImport = operation({
  id: "previewGoodreads",
  summary: "Look at a file to import",
  tag: "account",
  form: FILE_FORM,
  bodyBytes: IMPORT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "The books, by the columns of the file; for people a page",
      schema: z.object({
        books: z.array(bookSchema),
        without_isbn: z.array(bookSchema),
        format: z.string(),
        lists: z.array(z.string()).describe("Lists that the import adds to or creates"),
      }),
      also: ["text/html"],
    },
    400: { description: "No such file" },
  },
  async handle({ form }, context) {
    const { username } = await ownSession(context);
    if (!isForPeople(context)) {
      const file = parseFile(form);
      const { format, lists } = file;
      const recordsOf = (hasIsbn: boolean) =>
        file.books
          .filter(({ row }) => (row.isbn !== null) === hasIsbn)
          .map((book) => toBookRecord(file, book));
      const body = { books: recordsOf(true), without_isbn: recordsOf(false), format, lists };
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

/** `POST /account/import/choose`: decides on a doubtful row of the newest import. */
export const chooseImported = operation({
  id: "chooseImported",
  summary: "Decide on a doubtful row of the own import",
  tag: "account",
  form: {
    position: integer(z.int().positive()),
    work: integer(z.int().gte(0)).describe("Number of one of the row's candidates; 0 for none of them"),
  },
  responses: {
    200: { description: "Imported, or left out", schema: z.object({ ok: z.literal("true") }) },
    303: { description: "For people: to the page of the import" },
    400: { description: "The row is not doubtful, or the work is not one of its candidates" },
    403: { description: "The account may read only" },
  },
  async handle({ form: { position, work } }, context) {
    const { username } = (await requireOwnWriter(context)).session;
    const words = work === 0 ? "notice.import_skipped" : "notice.import_chosen";
    return answerDone(context, { to: "/account/import", words }, () =>
      chooseBook(context, username, { position, work: work === 0 ? null : work }),
    );
  },
});
