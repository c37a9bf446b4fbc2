import * as z from "zod";
import { badData } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { listedBooks } from "./book-list.ts";
import { bookPage, booksPage, numbered, yearForm } from "./books-page.ts";
import { personPath, shownPatron } from "./shown-patron.ts";

/** Books of each shelf on the page of all. */
const OVERVIEW_BOOKS = 10;

/** `GET /people/<u>/books`: all shelves of a patron, for people. */
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

const YEAR = /^[1-9]\d{3}$/;

/** The year of a path; throws 400 for one that is not from 1000 to 9999. */
export function yearOf(text: string): number {
  if (!YEAR.test(text)) throw badData("A year has four digits, and is 1000 or later.");
  return Number(text);
}

/** `GET /people/<u>/books/already-read/year/<yyyy>`: what a patron finished in a year, for people. */
export const booksOfYear = operation({
  id: "booksOfYearPage",
  summary: "Page of the books that a patron finished in a year",
  tag: "people",
  path: { username: z.string(), year: z.string() },
  query: { page: pageNumber() },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "A private log: to the page of the patron" },
    400: { description: "No year from 1000 on" },
    404: { description: "There is no such patron" },
  },
  async handle({ path, query: { page } }, context) {
    const year = yearOf(path.year);
    const patron = await shownPatron(context, path.username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const { username } = patron;
    const paged = { page, size: ENTRIES_PER_PAGE };
    const part = await patronOf(context.stores, username).pages.finished(year, paged);
    return bookPage({
      patron,
      title: patron.isOwn ? `Finished in ${year}` : `Finished in ${year}: ${username}`,
      books: await listedBooks(context, part.entries),
      page: part.page,
      total: part.total,
      size: ENTRIES_PER_PAGE,
      addressOf: (number) => numbered(personPath(username, `/books/already-read/year/${year}`), number),
      more: yearForm(patron, year),
    });
  },
});
