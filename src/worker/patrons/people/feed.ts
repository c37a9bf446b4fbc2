import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { readFeed } from "../../../db/patrons/follows.ts";
import { operation } from "../../http/operation.ts";
import { seeOther } from "../../http/reply.ts";
import { bookRow } from "../../ui/book-row.ts";
import { SHELF_WORDS, dropper } from "../../ui/dropper.ts";
import { markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { moment, say } from "../../ui/words.ts";
import { bookItems } from "./book-list.ts";
import { patronPage } from "./patron-page.ts";
import { shownBooks } from "./shown-books.ts";
import { OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** Entries of the feed, at most. */
const FEED_ENTRIES = 25;

/** `GET /people/<u>/books/feed`: current reading of the patrons whom the patron follows, visible to them alone. */
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
    const works = [...new Set(entries.map(({ work }) => work))];
    const shown = await shownBooks(context, works);
    const items = entries.flatMap(({ work, username: name, shelf, logged }) => {
      const book = shown.get(work);
      if (book === undefined) return [];
      const { id, key } = SHELVES.find((one) => one.id === shelf) ?? SHELVES[0];
      const shelfLink = link(personPath(name, `/books/${key}`), say(SHELF_WORDS[id]));
      return bookRow(book, {
        notes: [markup`${link(personPath(name), name)}: ${shelfLink}`, moment(datetimeText(logged))],
        action: dropper(book),
      });
    });
    const body = bookItems(items, markup`${say("feed.none")} ${link("/people", say("people.title"))}`);
    return patronPage(patron, { tab: "feed", title: say("feed.title"), body });
  },
});
