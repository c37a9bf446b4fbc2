import * as z from "zod";
import {
  toAddBookField,
  buildNewEdition,
  buildNewWork,
  readAddBook,
} from "../../catalog/editing/add-book.ts";
import { findDoubtfulDates } from "../../catalog/editing/conflicts.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { type FormField, toAddFormFields, nestFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, keyOf, keysOf } from "../../catalog/record.ts";
import { writeError } from "./edit-desk.ts";
import { createRecords } from "./save-change.ts";
import { operation } from "../http/operation.ts";
import { type Redirect, json, redirect } from "../http/reply.ts";
import { command, isPerson } from "../ui/command.ts";
import { recordPagePath } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { type AddBookPage, addBookPage, workChoicePage, testResultPage } from "./add-book-page.ts";
import { readPickedRecords } from "./find-by-name.ts";
import { findIsbnState, matchBook } from "./match-book.ts";
import { yearOf } from "./form-operations.ts";
import { findNames, settlePicks } from "./picks.ts";
import { failuresOf, readForm } from "./submitted-form.ts";

const ADD_BOOK = { key: "/books/add", document: {} };

export const addBook = command({
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
  load: async (_input, context) =>
    (await readForm(context)).map(([name, text]): FormField => [toAddBookField(name), text]),
  async submit({ loaded: fields }, context): Promise<Redirect | NotAdded> {
    const { form: nested, failures } = nestFields(toAddFormFields(fields));
    const { form, open, find } = settlePicks(nested);
    const isForPeople = isPerson(context);
    if (isForPeople && (find !== undefined || open.length > 0)) {
      const values = new Map([...fields, ...open.map(({ name }): FormField => [name, ""])]);
      const nameMatches = await findNames(open, find, context);
      return {
        names: {
          values,
          nameMatches,
          isbn: await findIsbnState(values.get("id_value") ?? "", context),
          find,
        },
      };
    }
    const { book, failures: bookFailures } = readAddBook(form);
    const { identifier } = book;
    const number = identifier?.name.startsWith("isbn") === true ? identifier.value : "";
    const isbn = isForPeople ? await findIsbnState(number, context) : ({ kind: "none" } as const);
    const doubts = { thisYear: yearOf(context), isConfirmed: Object.hasOwn(form, "_undated") };
    const undated = isForPeople
      ? findDoubtfulDates(ADD_BOOK, { publish_date: book.publishDate }, doubts)
      : [];
    const isMisprint = (isbn.kind === "bad" || isbn.kind === "length") && !Object.hasOwn(form, "_misprinted");
    const text = { key: "edit.not_isbn", values: { isbn: number } } as const;
    const misprints = isMisprint ? [documentFailure(text, { key: "/books/add", property: "id_value" })] : [];
    const all = [...failures, ...bookFailures, ...undated, ...misprints];
    if (all.length > 0) throw writeError(all);
    const isConfirmed = Object.hasOwn(form, "add_known");
    if (isbn.kind === "known" && !isConfirmed && !book.isTest) return { existing: isbn.edition };
    const { edition: known, work: knownWork, works } = await matchBook(context, book);
    if (works !== undefined) return { works };
    if (book.isTest) return { tested: keyOf(known ?? knownWork) };
    if (known !== undefined && !isForPeople) return redirectToForm(known, "found");
    if (known !== undefined && !isConfirmed) return { existing: known };
    const work = known === undefined ? keyOf(knownWork) : keysOf(known["works"])[0];
    const others = work === undefined ? [...book.newRecords.documents, buildNewWork(book)] : [];
    const edition = buildNewEdition(book, work ?? `/__new__/${others.length - 1}`);
    const { keys } = await createRecords(context, {
      documents: [...others, edition],
      kind: "add-book",
      comment: book.comment === "" ? "Added new book." : book.comment,
    });
    notify(context, "notice.book_added");
    return redirectToForm({ ...edition, key: keys.at(-1) }, work === undefined ? "add-work" : "add-book");
  },
  // Q108: the address stays `/books/add`, by which the Python client sees that nothing was added.
  asJson: ({ works, tested = null }) => json({ match: works?.map((work) => keyOf(work)) ?? tested }),
  page({ names, existing, works, tested }, { loaded: fields }) {
    const values = new Map(fields);
    if (works !== undefined) return workChoicePage(fields, works);
    if (existing !== undefined) {
      return {
        ...addBookPage({ values, existing, isbn: { kind: "known", edition: existing } }),
        status: 400,
      };
    }
    if (names === undefined) return testResultPage(tested);
    const authors = fields.filter(([name]) => /^authors--\d+--author--key_text$/.test(name)).length;
    const page = addBookPage({ ...names, authors: authors + Number(names.find === "authors") });
    return { ...page, status: names.find === undefined ? 400 : 200 };
  },
  again: (refusal, { loaded }) => addBookPage({ values: new Map(loaded), failures: failuresOf(refusal) }),
});

/** Reason why a book was not added. */
interface NotAdded {
  /** Matches of typed names, and the field whose name was looked up. */
  names?: Pick<AddBookPage, "values" | "nameMatches" | "isbn"> & { find: string | undefined };
  /** Edition that may be the same book. */
  existing?: CatalogRecord;
  /** Works to choose from. */
  works?: readonly CatalogRecord[];
  /** Record that matches a book that is only tested. */
  tested?: string | undefined;
}

function redirectToForm(edition: CatalogRecord, mode: "found" | "add-book" | "add-work"): Redirect {
  return redirect(303, `${recordPagePath(keyOf(edition) ?? "", edition, "/edit")}?mode=${mode}`);
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
