import * as z from "zod";
import { observationsByLabel } from "../../../catalog/patrons/observations.ts";
import { operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bookRow } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { say } from "../../ui/words.ts";
import { bookItems, numberedLinks, ownBookPath } from "./book-list.ts";
import { patronPage } from "./patron-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** `GET /people/<u>/books/observations`: a patron's observations, visible to them alone. */
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
      return book === undefined ? [] : [observedItem(book, codes, patron)];
    });
    const path = personPath(patron.username, "/books/observations");
    const body = markup`${bookItems(items, say("observations.none"))}
${numberedLinks(path, { page: part.page, last: lastPage(part.total) })}`;
    return patronPage(patron, { tab: "observations", title: say("observations.title"), body });
  },
});

function observedItem(book: ShownBook, codes: readonly string[], { username }: ShownPatron): Markup {
  const ofBook = markup`<span class="unseen"> ${book.title}</span>`;
  const change = `${ownBookPath(username, book.key)}#observations`;
  return bookRow(book, {
    more: factList(observedFacts(codes)),
    action: markup`<a class="button" href="${change}">${say("notes.change")}${ofBook}</a>`,
  });
}

/** Groups the observations of a book by topic. */
function observedFacts(codes: readonly string[]): readonly (readonly [Piece, Piece])[] {
  const numbers = codes.map((text) => {
    const [type = 0, value = 0] = text.split(".").map(Number);
    return { type, value };
  });
  return Object.entries(observationsByLabel(numbers)).map(([label, names]) => [
    mood(label),
    names.map((name, at) => [at > 0 && say("list.comma"), mood(name)]),
  ]);
}
