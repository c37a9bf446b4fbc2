import * as z from "zod";
import { seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { bookPage, numbered, yearForm } from "../../pages/people/books-pages.ts";
import { listedBooks } from "../../people/listed-books.ts";
import { ENTRIES_PER_PAGE, pageNumber } from "../../http/parameters.ts";
import { personPath, shownPatron } from "../../people/shown-patron.ts";
import { yearOf } from "../../people/year.ts";
import { patronOf } from "../../http/session.ts";

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
