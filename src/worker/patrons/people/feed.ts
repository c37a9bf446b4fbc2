import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { readFeed } from "../../../db/patrons/follows.ts";
import { operation } from "../../http/operation.ts";
import { seeOther } from "../../http/reply.ts";
import { authorsLine, bookTitle } from "../../ui/book-row.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { bookItems } from "./book-list.ts";
import { patronPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";
import { moment } from "../../ui/words.ts";

/** Entries of the feed. */
const FEED_ENTRIES = 25;

/** `GET /people/<u>/books/feed`: what those are reading whom the patron follows, for himself alone. */
export const feed = operation({
  id: "feedPage",
  summary: "Page of what followed patrons are reading",
  tag: "people",
  path: { username: z.string() },
  responses: OWN_PAGE,
  async handle({ path: { username } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const entries = await readFeed(context.stores.patrons, patron.username, FEED_ENTRIES);
    const shown = await shownBooks(context, [...new Set(entries.map(({ work }) => work))]);
    const items = entries.flatMap((entry) => {
      const book = shown.get(entry.work);
      return book === undefined ? [] : [newsItem(entry, book)];
    });
    const body = bookItems(items, "Nothing new. Follow patrons on their pages to see here what they read.");
    return patronPage(patron, { title: "News of those you follow", body });
  },
});

/** A book that somebody who is followed put onto a shelf. */
function newsItem(
  { username, shelf, logged }: Awaited<ReturnType<typeof readFeed>>[number],
  book: ShownBook,
): Markup {
  const { key, name } = SHELVES.find(({ id }) => id === shelf) ?? SHELVES[0];
  return markup`<li><p>${link(personPath(username), username)}: ${link(personPath(username, `/books/${key}`), name)},
${moment(datetimeText(logged))}</p>${bookTitle(book)}${authorsLine(book)}</li>`;
}
