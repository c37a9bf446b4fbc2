import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { readFeed } from "../../../db/patrons/follows.ts";
import { operation } from "../../http/operation.ts";
import { seeOther } from "../../http/reply.ts";
import { feedPage } from "./rows-page.ts";
import { shownBooks } from "./shown-books.ts";
import { personPath, shownPatron } from "./shown-patron.ts";

/** Entries of the feed. */
const FEED_ENTRIES = 25;

/** `GET /people/<u>/books/feed`: what those are reading whom the patron follows, for himself alone. */
export const feed = operation({
  id: "feedPage",
  summary: "Page of what followed patrons are reading",
  tag: "people",
  path: { username: z.string() },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "Somebody else: to the page of the patron" },
    404: { description: "There is no such patron" },
  },
  async handle({ path: { username } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const entries = await readFeed(context.stores.patrons, patron.username, FEED_ENTRIES);
    const shown = await shownBooks(context, [...new Set(entries.map(({ work }) => work))]);
    return feedPage(
      patron,
      entries.flatMap(({ work, logged, shelf, username: publisher }) => {
        const book = shown.get(work);
        return book === undefined ? [] : [{ username: publisher, book, shelf, logged: datetimeText(logged) }];
      }),
    );
  },
});
