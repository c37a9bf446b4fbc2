import * as z from "zod";
import {
  type BookToAdd,
  toAddBookField,
  buildNewEdition,
  buildNewWork,
  readAddBook,
} from "../../catalog/editing/add-book.ts";
import { findUndatedDates } from "../../catalog/editing/conflicts.ts";
import { type WriteFailure, documentFailure } from "../../catalog/editing/failure.ts";
import { type FormField, toAddFormFields, nestFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, keyOf, keysOf } from "../../catalog/record.ts";
import { writeError } from "./edit-desk.ts";
import { createRecords } from "./save-change.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { recordPagePath } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { addBookPage, workChoicePage, testResultPage } from "./add-book-page.ts";
import { readPickedRecords } from "./find-by-name.ts";
import { type IsbnState, type BookMatch, findIsbnState, matchBook } from "./match-book.ts";
import { type SettledForm, findNames, settlePicks } from "./picks.ts";
import { answerEditForm, readForm } from "./submitted-form.ts";

export const addBook = operation({
  id: "addBook",
  summary: "Add a book by a form, unless the catalog has it",
  tag: "forms",
  body: {
    contentType: "application/x-www-form-urlencoded",
    description:
      "`book_title`, `authors--0--author--key`, `author_names--0` or `title`, `author_key`, `author_name`; `publisher`, " +
      "`publish_date`, `id_name`, `id_value`, `web_book_url`, `work`, `_test`",
  },
  responses: {
    200: {
      description: "Works that match, or the result of `_test`",
      schema: z.object({ match: z.union([z.string(), z.null(), z.array(z.string())]) }),
      also: ["text/html"],
    },
    303: { description: "Redirect to the form of the edition, with mode=found, add-book or add-work" },
    400: { description: "Invalid fields; browsers get the form again" },
  },
  async handle(_input, context) {
    const fields = (await readForm(context)).map(([name, text]): FormField => [toAddBookField(name), text]);
    return answerEditForm(context, {
      save: () => add(context, fields),
      page: async (failures) => addBookPage({ values: new Map(fields), failures }),
    });
  },
});

const ADD_BOOK = { key: "/books/add", document: {} };

async function add(context: RequestContext, fields: readonly FormField[]): Promise<Reply> {
  const { form: nested, failures } = nestFields(toAddFormFields(fields));
  const settled = settlePicks(nested);
  const isForPeople = wantsHtml(context.request);
  const picking = isForPeople ? await renderPicks(context, settled, fields) : undefined;
  if (picking !== undefined) return picking;
  const { book, failures: bookFailures } = readAddBook(settled.form);
  const isbn = isForPeople ? await findIsbnState(isbnOf(book), context) : ({ kind: "none" } as const);
  const undated = isForPeople
    ? findUndatedDates(ADD_BOOK, { publish_date: book.publishDate }, settled.form)
    : [];
  const mayBeMisprinted = Object.hasOwn(settled.form, "_misprinted");
  const misprints = mayBeMisprinted ? [] : misprintFailures(isbn, isbnOf(book));
  const all = [...failures, ...bookFailures, ...undated, ...misprints];
  if (all.length > 0) throw writeError(all);
  const isConfirmed = Object.hasOwn(settled.form, "add_known");
  if (isbn.kind === "known" && !isConfirmed && !book.isTest) return showExisting(fields, isbn.edition);
  const match = await matchBook(context, book);
  if (match.kind === "works") {
    if (isForPeople) return workChoicePage(fields, match.works);
    // Q108: the address stays `/books/add`, by which the Python client sees that nothing was added.
    return json({ match: match.works.map((work) => keyOf(work)) });
  }
  if (book.isTest) return replyToTest(context, match);
  if (match.kind === "none") return addEdition(context, book, undefined);
  if (match.kind === "work") return addEdition(context, book, keyOf(match.work));
  if (!isForPeople) return redirectToForm(match.edition, "found");
  return isConfirmed
    ? addEdition(context, book, keysOf(match.edition["works"])[0])
    : showExisting(fields, match.edition);
}

/** Renders the form with matches of typed names, another row, or the state of an ISBN; undefined if nothing is open. */
async function renderPicks(
  context: RequestContext,
  { open, find }: SettledForm,
  fields: readonly FormField[],
): Promise<Reply | undefined> {
  if (find === undefined && open.length === 0) return undefined;
  const values = new Map([...fields, ...open.map(({ name }): FormField => [name, ""])]);
  const rows = fields.filter(([name]) => /^authors--\d+--author--key_text$/.test(name)).length;
  const nameMatches = await findNames(open, find, context);
  const isbn = await findIsbnState(values.get("id_value") ?? "", context);
  const page = addBookPage({ values, nameMatches, isbn, authors: rows + Number(find === "authors") });
  return { ...page, status: find === undefined ? 400 : 200 };
}

function isbnOf({ identifier }: BookToAdd): string {
  return identifier?.name.startsWith("isbn") === true ? identifier.value : "";
}

function misprintFailures({ kind }: IsbnState, isbn: string): WriteFailure[] {
  if (kind !== "bad" && kind !== "length") return [];
  return [
    documentFailure({ key: "edit.not_isbn", values: { isbn } }, { key: "/books/add", property: "id_value" }),
  ];
}

function showExisting(fields: readonly FormField[], existing: CatalogRecord): Reply {
  const isbn: IsbnState = { kind: "known", edition: existing };
  return { ...addBookPage({ values: new Map(fields), existing, isbn }), status: 400 };
}

async function addEdition(context: RequestContext, book: BookToAdd, work: string | undefined) {
  const others = work === undefined ? [...book.newRecords.documents, buildNewWork(book)] : [];
  const edition = buildNewEdition(book, work ?? `/__new__/${others.length - 1}`);
  const { keys } = await createRecords(context, {
    documents: [...others, edition],
    kind: "add-book",
    comment: book.comment === "" ? "Added new book." : book.comment,
  });
  notify(context, "notice.book_added");
  return redirectToForm({ ...edition, key: keys.at(-1) }, work === undefined ? "add-work" : "add-book");
}

function redirectToForm(edition: CatalogRecord, mode: "found" | "add-book" | "add-work"): Reply {
  return redirect(303, `${recordPagePath(keyOf(edition) ?? "", edition, "/edit")}?mode=${mode}`);
}

function replyToTest({ request }: RequestContext, match: BookMatch): Reply {
  const record = match.kind === "edition" ? match.edition : match.kind === "work" ? match.work : undefined;
  const key = record === undefined ? undefined : keyOf(record);
  if (!wantsHtml(request)) return json({ match: key ?? null });
  return testResultPage(key);
}

export const addBookForm = operation({
  id: "addBookForm",
  summary: "Show the form of a new book",
  tag: "forms",
  query: {
    work: z.string().optional().describe("Key of the work to add an edition to"),
    author: z.string().optional().describe("Key of the author"),
    title: z.string().optional().describe("Title of the book"),
    isbn: z.string().optional().describe("ISBN of the book; the page shows an edition that already has it"),
  },
  responses: {
    200: { description: "HTML form", contentType: "text/html" },
  },
  async handle({ query: { work = "", author = "", title = "", isbn: number = "" } }, context) {
    const values = new Map([
      ["work", work],
      ["authors--0--author--key", author],
      ["book_title", title],
      ["id_value", number],
    ]);
    const [records, isbn] = await Promise.all([
      readPickedRecords([work, author], context),
      findIsbnState(number, context),
    ]);
    return addBookPage({ values, records, isbn });
  },
});

export const oldAddBook = redirectOperation("oldAddBook", "/books/add");
/** `GET /addauthor`: redirects, because authors are added with their books. */
export const oldAddAuthor = redirectOperation("oldAddAuthor", "/authors");

function redirectOperation(id: string, target: string) {
  return operation({
    id,
    summary: `Redirect to ${target}`,
    tag: "forms",
    responses: { 301: { description: `Redirect to ${target}` } },
    handle: (_input, { url }) => redirect(301, target + url.search),
  });
}
