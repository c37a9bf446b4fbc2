import * as z from "zod";
import { observationsByLabel } from "../../../catalog/patrons/observations.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { authorsLine, bookTitle } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { bookItems, numberedLinks } from "./book-list.ts";
import { patronPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** `GET /people/<u>/books/observations`: what a patron observed, for himself alone. */
export const observations = operation({
  id: "observationsPage",
  summary: "Page of one's own observations",
  tag: "people",
  path: { username: z.string() },
  query: { page: pageNumber() },
  responses: OWN_PAGE,
  async handle({ path: { username }, query: { page } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const paged = { page, size: ENTRIES_PER_PAGE };
    const part = await patronOf(context.stores, patron.username).pages.observed(paged);
    const works = part.entries.map(({ work }) => work);
    const shown = await shownBooks(context, works);
    const items = part.entries.flatMap(({ work, codes }) => {
      const book = shown.get(work);
      return book === undefined ? [] : [observedItem(book, codes)];
    });
    const path = personPath(patron.username, "/books/observations");
    const body = markup`${bookItems(items, "You have said nothing of any book.")}
${numberedLinks(path, { page: part.page, last: lastPage(part.total) })}`;
    return patronPage(patron, { title: "Your observations", body });
  },
});

function observedItem(book: ShownBook, codes: readonly string[]): Markup {
  const observed = Object.entries(observationsByLabel(codes.map(codeOf)));
  return markup`<li>${bookTitle(book)}${authorsLine(book)}
${factList(observed.map(([label, names]) => [label, names.join(", ")]))}</li>`;
}

function codeOf(text: string): { type: number; value: number } {
  const [type = 0, value = 0] = text.split(".").map(Number);
  return { type, value };
}
