import * as z from "zod";
import { seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { booksPage } from "../../pages/people/books-pages.ts";
import { listedBooks } from "../../people/listed-books.ts";
import { personPath, shownPatron } from "../../people/shown-patron.ts";
import { patronOf } from "../../http/session.ts";

/** Books of each shelf on the page of all. */
export const OVERVIEW_BOOKS = 10;

/** `GET /people/<u>/books`: all shelves of a patron, for people (patrons.md 3.11). */
export const books = operation({
  id: "booksPage",
  summary: "Page of the books of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "A private log: to the page of the patron" },
    404: { description: "There is no such patron" },
  },
  async handle({ path: { username } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const year = new Date(context.now).getUTCFullYear();
    const overview = await patronOf(context.stores, patron.username).pages.overview({
      limit: OVERVIEW_BOOKS,
      year,
    });
    const { sizes, newest, goal, booksRead } = overview;
    return booksPage({ patron, sizes, year, goal, booksRead, newest: await listedBooks(context, newest) });
  },
});
