import * as z from "zod";
import { observationsByLabel } from "../../../catalog/patrons/observations.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { markup } from "../../ui/markup.ts";
import { definitions } from "../../ui/parts.ts";
import { bookItems, bookTitle, numberedLinks } from "./book-list.ts";
import { patronPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

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
    const shown = await shownBooks(
      context,
      part.entries.map(({ work }) => work),
    );
    return observationsPage({
      patron,
      page: part.page,
      last: lastPage(part.total),
      books: part.entries.flatMap(({ work, codes }) => {
        const book = shown.get(work);
        return book === undefined ? [] : [{ book, observed: observationsByLabel(codes.map(codeOf)) }];
      }),
    });
  },
});

/** What a patron observed, book by book. */
function observationsPage(what: {
  readonly patron: ShownPatron;
  readonly books: readonly {
    readonly book: ShownBook;
    readonly observed: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly page: number;
  readonly last: number;
}): Reply {
  const { patron, books, page, last } = what;
  const path = personPath(patron.username, "/books/observations");
  const items = books.map(
    ({ book, observed }) => markup`<li>${bookTitle(book)}
${definitions(Object.entries(observed).map(([label, names]) => [label, names.join(", ")] as const))}</li>`,
  );
  const body = markup`${bookItems(items, "You have said nothing of any book.")}
${numberedLinks(path, { page, last })}`;
  return patronPage(patron, { title: "Your observations", body });
}

function codeOf(text: string): { type: number; value: number } {
  const [type = 0, value = 0] = text.split(".").map(Number);
  return { type, value };
}
