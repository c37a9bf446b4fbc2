import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { SHELF_KEYS, shelfOfKey } from "../../catalog/patrons/shelves.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { hidesLog } from "../accounts/follow.ts";
import { notFound } from "../http/errors.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { REVALIDATE } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { listBooks } from "../patrons/people/book-list.ts";
import { personPath } from "../patrons/people/patron-page.ts";
import { FEED_ENTRIES, FEED_RESPONSES, format, replyWithFeed, zonedTime } from "./feed-reply.ts";

export const shelfFeed = operation({
  id: "shelfFeed",
  summary: "Get the newest books of a public shelf as a feed",
  tag: "reading",
  path: { username: z.string(), shelf: z.string().describe(SHELF_KEYS.join(", ")), format },
  responses: {
    ...FEED_RESPONSES,
    404: { description: "Patron or shelf not found, or the reading log is private" },
  },
  async handle({ path: { username: name, shelf: key, format: as } }, context) {
    const shelf = shelfOfKey(key);
    // Without an account there is no object to call: a call would create one.
    const account = await findAccount(context.stores.patrons, { username: name });
    if (shelf === undefined || account === undefined || (await hidesLog(context.stores, account.username)))
      throw notFound();
    const { username, displayname } = account;
    const request = { order: "added", page: 1, size: FEED_ENTRIES } as const;
    const { entries: books } = await patronOf(context.stores, username).pages.shelf(shelf.id, request);
    const page = personPath(username, `/books/${key}`);
    const site = baseUrl(context);
    const entries = (await listBooks(context, books)).map(({ book, created }) => ({
      title: book.title,
      href: site + book.href,
      id: `${site}${page}#${book.key}`,
      updated: zonedTime(formatDatetime(created ?? 0)),
      summary: book.year === undefined ? undefined : String(book.year),
      authors: (book.authors ?? []).map((author) => author.name),
    }));
    const title = `${displayname || username}: ${shelf.name}`;
    const etag = computeRevisionsEtag([], title + entries.map((entry) => Object.values(entry).join()).join());
    return replyWithFeed(as, { title, page, entries, etag, cacheControl: REVALIDATE }, context);
  },
});
