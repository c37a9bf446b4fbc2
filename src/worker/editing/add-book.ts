import * as z from "zod";
import {
  type BookToAdd,
  addBookVocabulary,
  newEdition,
  newWork,
  readAddBook,
} from "../../catalog/editing/add-book.ts";
import { type FormField, addFields, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import { createRecords } from "../history/save.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { type Field, errorSummary, field, form as formMarkup, recordPage } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type Match, matchBook } from "./match-book.ts";
import { type FormFailure, answeredForm, readForm } from "./sent-form.ts";

const FIELDS: readonly Field[] = [
  { name: "book_title", label: "Title", required: true },
  {
    name: "authors--0--author--key",
    label: "Author",
    hint: "A key such as /authors/OL1A; empty for an author who is not in the catalog.",
  },
  { name: "author_names--0", label: "Name of a new author" },
  { name: "publisher", label: "Publisher" },
  { name: "publish_date", label: "Date of publication" },
  {
    name: "id_name",
    label: "Kind of number",
    hint: "isbn_10, isbn_13, lccn, oclc_numbers, ocaid or another name",
  },
  { name: "id_value", label: "Number" },
  { name: "web_book_url", label: "Address where it can be read", type: "url" },
  { name: "work", label: "Work", hint: "Key of the work, when the book is an edition of one that is here." },
];

/** The form of a new book, filled with texts by the names of fields; 400 when something is wrong. */
function addBookPage(values: ReadonlyMap<string, string>, failures: readonly FormFailure[]): Reply {
  const fields = FIELDS.map((spec): Field => {
    const error = failures.find(({ at }) => at?.property === spec.name)?.message;
    return { ...spec, value: values.get(spec.name), error };
  });
  const others = failures.filter(({ at }) => !FIELDS.some(({ name }) => name === at?.property));
  const body = markup`${errorSummary(others.map(({ message }) => ({ message })))}${formMarkup({
    action: "/books/add",
    fields,
    submit: "Add",
  })}`;
  return page({ title: "Add a book", body, status: failures.length === 0 ? 200 : 400 });
}

/** Several works may be the one: people choose. */
function choicePage(fields: readonly FormField[], works: readonly CatalogRecord[]): Reply {
  const kept = fields.filter(([name]) => name !== "work" && name !== "_test");
  const hidden = kept.map(([name, value]) => field({ name, label: "", type: "hidden", value }));
  const choices = works.map((work) => {
    const key = keyOf(work) ?? "";
    return markup`<p class="check"><input type="radio" name="work" value="${key}" id="${key}">
<label for="${key}">${textOf(work["title"]) ?? key} (${key})</label> ${link(key, "Look at it")}</p>`;
  });
  const body = markup`<form method="post" action="/books/add">
${hidden}<fieldset><legend><h2>Is the book an edition of one of these?</h2></legend>
${choices}<p class="check"><input type="radio" name="work" value="none-of-these" id="none-of-these" checked>
<label for="none-of-these">None of these: it is a new work</label></p>
</fieldset><p><button type="submit">Continue</button></p></form>`;
  return page({ title: "Add a book", body });
}

/** `POST /books/add`: adds an edition, and its work and authors when they are new. */
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
      page: async (failures) => addBookPage(new Map(fields), failures),
    });
  },
});

async function add(context: RequestContext, fields: readonly FormField[]): Promise<Reply> {
  const { form, failures } = nestedFields(addFields(fields));
  const { book, failures: wrong } = readAddBook(form);
  const all = [...failures, ...wrong];
  if (all.length > 0) throw writeError(all);
  const match = await matchBook(context, book);
  if (match.kind === "works") return severalWorks(context, match.works, fields);
  if (book.isTest) return tested(context, match);
  if (match.kind === "edition") return toForm(match.edition, "found");
  return addEdition(context, book, match.kind === "work" ? keyOf(match.work) : undefined);
}

/** Adds an edition to a work; without one its work and its authors with it. */
async function addEdition(context: RequestContext, book: BookToAdd, work: string | undefined) {
  const news = work === undefined ? [...book.news.documents, newWork(book)] : [];
  const edition = newEdition(book, work ?? `/__new__/${news.length - 1}`);
  const { keys } = await createRecords(context, {
    documents: [...news, edition],
    kind: "add-book",
    comment: book.comment === "" ? "Added new book." : book.comment,
  });
  return toForm({ ...edition, key: keys.at(-1) }, work === undefined ? "add-work" : "add-book");
}

function toForm(edition: CatalogRecord, mode: "found" | "add-book" | "add-work"): Reply {
  return redirect(303, `${recordPage(keyOf(edition) ?? "", edition, "/edit")}?mode=${mode}`);
}

/** Q108: programs get the keys; the address stays `/books/add`, by which the Python client sees that nothing was added. */
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
  const body = key === undefined ? markup`<p>No match found</p>` : markup`<p>Matched ${link(key, key)}</p>`;
  return page({ title: "Add a book", body });
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
  },
  responses: {
    200: { description: "A page", contentType: "text/html" },
    401: { description: "Not logged in" },
  },
  handle({ query: { work = "", author = "", title = "" } }) {
    const values = new Map([
      ["work", work],
      ["authors--0--author--key", author],
      ["book_title", title],
    ]);
    return addBookPage(values, []);
  },
});

/** `GET /addbook`: where the form once was. */
export const oldAddBook = moved("oldAddBook", "/books/add");
/** `GET /addauthor`: authors are added with their books. */
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
