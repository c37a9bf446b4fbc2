import * as z from "zod";
import { latestText } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { atomFeed } from "../../catalog/lists/list-view.ts";
import { readMemberChanges, readListEditions } from "../../db/lists/list-contents.ts";
import type { Window } from "../../db/statement.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, baseUrl, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, jsonText } from "../http/reply.ts";
import { RECORD_KEEP } from "../records/record-answer.ts";
import { jsonOrListPage } from "./list.ts";
import { editionSchema } from "../records/schemas.ts";
import {
  LISTS_CACHE_CONTROL,
  LIST_PATH,
  NO_LIST,
  OLID_PATH,
  listNotFound,
  listOperations,
} from "./operation.ts";

/** Editions of an answer: when no limit is given, and at most. */
const LIST_EDITIONS = { default: 50, max: 1000 };

const answer = z
  .object({
    size: z.int().describe("Editions that are members themselves"),
    start: z.int(),
    end: z.int().describe("offset and limit added up, whatever there is"),
    entries: z.array(editionSchema),
    links: z.object({
      self: z.string(),
      next: z.string().nullable(),
      prev: z.string().nullable(),
      list: z.string(),
    }),
  })
  .meta({ id: "ListEditionsModel" });

/** `GET <list>/editions.json`: editions that are members of a list; a series has none. */
export const listEditions = listOperations({
  ids: { people: "peopleListEditions", lists: "listEditions", series: "seriesEditions" },
  summary: "Editions in a list",
  path: OLID_PATH,
  query: {
    limit: integer(z.int().gte(0)).default(LIST_EDITIONS.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  keep: RECORD_KEEP,
  responses: { ...NO_LIST, 200: { description: "A page of editions", schema: answer } },
  handle({ key }, { query: { limit, offset } }, context) {
    // Q249: a greater limit is taken as the greatest.
    const window = { limit: Math.min(limit, LIST_EDITIONS.max), offset };
    return jsonOrListPage(key, context, () => editionsReply(key, window, context));
  },
});

/** `GET <list>/feeds/updates.atom`: changes of the editions in a list, or of the works in a series. */
export const listFeed = listOperations({
  ids: { people: "peopleListFeed", lists: "listFeed", series: "seriesFeed" },
  summary: "Feed of the changes of a list's editions, or of a series' works",
  path: LIST_PATH,
  responses: {
    200: { description: "An Atom feed, newest change first", contentType: "application/atom+xml" },
    404: { description: "No such list or series" },
  },
  async handle({ key }, _input, context) {
    const found = await readMemberChanges(catalogReader(context), key);
    if (found === undefined) throw listNotFound();
    const { list, changes } = found;
    return jsonText(atomFeed(list, changes, baseUrl(context)), {
      contentType: 'application/atom+xml; charset="utf-8"',
      etag: revisionsEtag([list], changes.map((change) => `${change.key}@${change.changeId}`).join()),
      cacheControl: LISTS_CACHE_CONTROL,
    });
  },
});

async function editionsReply(key: string, window: Window, context: RequestContext): Promise<Reply> {
  const { RECORD_PREFIX: prefix } = context.settings;
  const found = await readListEditions(catalogReader(context), key, { ...window, prefix });
  if (found === undefined) throw new CarrelError(404, "not_found", { message: "Editions not found" });
  const { list, size, editions } = found;
  const { limit, offset } = window;
  // Q496: a page of large records ends early. Beyond the greatest number, they are not exact.
  const isShort = editions.length > 0 && editions.length < Math.min(limit, size - offset);
  const end = Math.min(offset + (isShort ? editions.length : limit), Number.MAX_SAFE_INTEGER);
  const { url } = context;
  // Q242
  const links = {
    self: url.pathname + url.search,
    next: limit > 0 && end < size ? withWindow(url, window, end) : null,
    prev: limit > 0 && offset > 0 ? withWindow(url, window, Math.max(0, offset - limit)) : null,
    list: key,
  };
  const entries = editions.map(latestText).join(",");
  const head = JSON.stringify({ size, start: offset, end }).slice(0, -1);
  return jsonText(`${head},"entries":[${entries}],"links":${JSON.stringify(links)}}`, {
    etag: revisionsEtag([list, ...editions], String(size)),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key, ...editions.map((edition) => edition.key)],
  });
}

/** The request's path and query with another window. */
function withWindow(url: URL, { limit }: Window, offset: number): string {
  const search = new URLSearchParams(url.search);
  search.set("limit", String(limit));
  search.set("offset", String(offset));
  return `${url.pathname}?${search}`;
}
