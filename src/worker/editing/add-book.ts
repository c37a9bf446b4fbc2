import * as z from "zod";
import {
  type BookToAdd,
  addBookVocabulary,
  newEdition,
  newWork,
  readAddBook,
} from "../../catalog/editing/add-book.ts";
import { undatedFailures } from "../../catalog/editing/conflicts.ts";
import { type WriteFailure, badDocument } from "../../catalog/editing/failure.ts";
import { type FormField, addFields, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, keyOf, keysOf } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import { createRecords } from "../history/save.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { addBookPage, choicePage, testedPage } from "./add-book-page.ts";
import { pickedRecords } from "./find-by-name.ts";
import { type IsbnState, isbnState } from "./isbn-state.ts";
import { type Match, matchBook } from "./match-book.ts";
import { type SettledForm, foundNames, settled } from "./picks.ts";
import { answeredForm, readForm } from "./sent-form.ts";

/** `POST /books/add`: adds an edition, and its work and authors if they are new. */
export const addBook = operation({
  id: "addBook",
  summary: "Adds a book by a form, unless it is there",
  tag: "forms",
  body: {
    contentType: "application/x-www-form-urlencoded",
    description:
      "`book_title`, `authors--0--author--key`, `author_names--0` or `title`, `author_key`, `author_name`; `publisher`, " +
      "`publish_date`, `id_name`, `id_value`, `web_book_url`, `work`, `_test`",
  },
  responses: {
    200: {
      description: "Several works may be the one, or what `_test` has found",
      schema: z.object({ match: z.union([z.string(), z.null(), z.array(z.string())]) }),
      also: ["text/html"],
    },
    303: { description: "To the form of the edition, with mode=found, add-book or add-work" },
    400: { description: "What is wrong; people get the form again" },
    401: { description: "Not logged in" },
  },
  async handle(_input, context) {
    const fields = (await readForm(context)).map(([name, text]): FormField => [
      addBookVocabulary(name),
      text,
    ]);
    return answeredForm(context, {
      save: () => add(context, fields),
      page: async (failures) => addBookPage({ values: new Map(fields), failures }),
    });
  },
});

/** Place of failures of the form. */
const ADD_BOOK = { key: "/books/add", document: {} };

async function add(context: RequestContext, fields: readonly FormField[]): Promise<Reply> {
  const { form: nested, failures } = nestedFields(addFields(fields));
  const sent = settled(nested);
  const isForPeople = wantsHtml(context.request);
  const again = isForPeople ? await toBePicked(context, sent, fields) : undefined;
  if (again !== undefined) return again;
  const { book, failures: wrong } = readAddBook(sent.form);
  const isbn = isForPeople ? await isbnState(isbnOf(book), context) : ({ kind: "none" } as const);
  const mayBeWrong = Object.hasOwn(sent.form, "_misprinted");
  const undated = isForPeople ? undatedFailures(ADD_BOOK, { publish_date: book.publishDate }, sent.form) : [];
  const all = [...failures, ...wrong, ...undated, ...(mayBeWrong ? [] : misprint(isbn, isbnOf(book)))];
  if (all.length > 0) throw writeError(all);
  const isNew = Object.hasOwn(sent.form, "add_known");
  const here = (edition: CatalogRecord): Reply => hereAlready(fields, edition);
  if (isbn.kind === "known" && !isNew && !book.isTest) return here(isbn.edition);
  const match = await matchBook(context, book);
  if (match.kind === "works") return severalWorks(context, match.works, fields);
  if (book.isTest) return tested(context, match);
  if (match.kind !== "edition")
    return addEdition(context, book, match.kind === "work" ? keyOf(match.work) : undefined);
  if (!isForPeople) return toForm(match.edition, "found");
  return isNew ? addEdition(context, book, keysOf(match.edition["works"])[0]) : here(match.edition);
}

/**
 * Returns the form with matches of typed names, with another row, or with the state of an ISBN; undefined if nothing is
 * to be picked.
 */
async function toBePicked(
  context: RequestContext,
  { open, find }: SettledForm,
  fields: readonly FormField[],
): Promise<Reply | undefined> {
  if (find === undefined && open.length === 0) return undefined;
  const values = new Map([...fields, ...open.map(({ name }): FormField => [name, ""])]);
  const rows = fields.filter(([name]) => /^authors--\d+--author--key_text$/.test(name)).length;
  const found = await foundNames(open, find, context);
  const isbn = await isbnState(values.get("id_value") ?? "", context);
  const shown = { values, found, isbn, authors: rows + Number(find === "authors") };
  return { ...addBookPage(shown), status: find === undefined ? 400 : 200 };
}

function isbnOf({ identifier }: BookToAdd): string {
  return identifier?.name.startsWith("isbn") === true ? identifier.value : "";
}

function misprint({ kind }: IsbnState, isbn: string): WriteFailure[] {
  if (kind !== "bad" && kind !== "length") return [];
  return [badDocument(`Not a valid ISBN: ${isbn}`, { key: "/books/add", property: "id_value" })];
}

/** Returns the form with the existing book, so that people can decide; their input is kept. */
function hereAlready(fields: readonly FormField[], here: CatalogRecord): Reply {
  return {
    ...addBookPage({ values: new Map(fields), here, isbn: { kind: "known", edition: here } }),
    status: 400,
  };
}

/** Adds an edition to a work; without one its work and authors are added too. */
async function addEdition(context: RequestContext, book: BookToAdd, work: string | undefined) {
  const news = work === undefined ? [...book.news.documents, newWork(book)] : [];
  const edition = newEdition(book, work ?? `/__new__/${news.length - 1}`);
  const { keys } = await createRecords(context, {
    documents: [...news, edition],
    kind: "add-book",
    comment: book.comment === "" ? "Added new book." : book.comment,
  });
  notify(context, "notice.book_added");
  return toForm({ ...edition, key: keys.at(-1) }, work === undefined ? "add-work" : "add-book");
}

function toForm(edition: CatalogRecord, mode: "found" | "add-book" | "add-work"): Reply {
  return redirect(303, `${recordPage(keyOf(edition) ?? "", edition, "/edit")}?mode=${mode}`);
}

/**
 * Answers with the matching works. Q108: programs get the keys; the address stays `/books/add`, by which the Python
 * client sees that nothing was added.
 */
function severalWorks(
  { request }: RequestContext,
  works: readonly CatalogRecord[],
  fields: readonly FormField[],
): Reply {
  if (wantsHtml(request)) return choicePage(fields, works);
  return json({ match: works.map((work) => keyOf(work)) });
}

function tested({ request }: RequestContext, match: Match): Reply {
  const record = match.kind === "edition" ? match.edition : match.kind === "work" ? match.work : undefined;
  const key = record === undefined ? undefined : keyOf(record);
  if (!wantsHtml(request)) return json({ match: key ?? null });
  return testedPage(key);
}

/** `GET /books/add`: the form of a new book. */
export const addBookForm = operation({
  id: "addBookForm",
  summary: "The form of a new book",
  tag: "forms",
  query: {
    work: z.string().optional().describe("Key of the work that it is an edition of"),
    author: z.string().optional().describe("Key of its author"),
    title: z.string().optional().describe("Its title"),
    isbn: z.string().optional().describe("Its ISBN, of which the page says whether some book has it"),
  },
  responses: {
    200: { description: "A page", contentType: "text/html" },
    401: { description: "Not logged in" },
  },
  async handle({ query: { work = "", author = "", title = "", isbn: number = "" } }, context) {
    const values = new Map([
      ["work", work],
      ["authors--0--author--key", author],
      ["book_title", title],
      ["id_value", number],
    ]);
    const [records, isbn] = await Promise.all([
      pickedRecords([work, author], context),
      isbnState(number, context),
    ]);
    return addBookPage({ values, records, isbn });
  },
});

/** `GET /addbook`: old address of the form. */
export const oldAddBook = moved("oldAddBook", "/books/add");
/** `GET /addauthor`: redirects, because authors are added with their books. */
export const oldAddAuthor = moved("oldAddAuthor", "/authors");

function moved(id: string, target: string) {
  return operation({
    id,
    summary: `Leads to ${target}`,
    tag: "forms",
    responses: { 301: { description: `To ${target}` } },
    handle: (_input, { url }) => redirect(301, target + url.search),
  });
}
