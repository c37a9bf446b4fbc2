import * as z from "zod";
import { addBookPage } from "../../forms/add-page.ts";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

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
    return addBookPage({ values, failures: [] });
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
