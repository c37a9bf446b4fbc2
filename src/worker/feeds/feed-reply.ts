import * as z from "zod";
import { FEED_TYPES, type FeedEntry, renderAtom, renderJsonFeed } from "../../catalog/web-feed.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { type Reply, jsonText } from "../http/reply.ts";

export const FEED_ENTRIES = 50;
/** Time of a feed without entries: that of none. */
const EPOCH = "1970-01-01T00:00:00Z";

export const format = z.enum(["atom", "json"]);

export const FEED_RESPONSES = {
  200: {
    description: "Atom feed or JSON Feed 1.1, newest first",
    contentType: FEED_TYPES.atom,
    also: [FEED_TYPES.json],
  },
  404: { description: "Not found" },
};

interface FeedContent {
  readonly title: string;
  /** Path of the page that the feed belongs to. */
  readonly page: string;
  readonly entries: readonly FeedEntry[];
  /** Changes if the entries do. */
  readonly etag: string;
  readonly cacheControl: string;
}

/** Q837: answers with a feed whose addresses and ids are those of the service. */
export async function replyWithFeed(
  as: z.output<typeof format>,
  { title, page, entries, etag, cacheControl }: FeedContent,
  context: RequestContext,
): Promise<Reply> {
  const site = baseUrl(context);
  const updated =
    entries
      .map((entry) => entry.updated)
      .toSorted()
      .at(-1) ?? EPOCH;
  const feed = {
    title,
    self: site + context.url.pathname,
    page: site + page,
    updated,
    author: (await context.site()).name,
    entries,
  };
  return jsonText(as === "atom" ? renderAtom(feed) : renderJsonFeed(feed), {
    contentType: as === "atom" ? `${FEED_TYPES.atom}; charset=utf-8` : FEED_TYPES.json,
    etag,
    cacheControl,
  });
}

/** Writes a naive time in UTC as RFC 3339, to the second. */
export function zonedTime(time: string): string {
  return `${time.slice(0, "2026-11-01T00:00:00".length)}Z`;
}
