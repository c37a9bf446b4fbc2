import * as z from "zod";
import { SHELF_KEYS, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { PRIVATE, REVALIDATE, json } from "../../http/reply.ts";
import { notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { logOwner } from "../../reading/readable-log.ts";
import { readShelf } from "../../reading/read-shelf.ts";
import { shelfFilter } from "../../reading/shelf-filter.ts";
import { guarded } from "../../search/guarded.ts";
import { integer } from "../../http/parameters.ts";

/** Entries of an answer: when no limit is given, and at most. */
export const SHELF_LIMIT = { default: 100, max: 1000 };
/** Longest text that a shelf is searched for, in characters. */
export const SHELF_QUERY_LENGTH = 100;

const work = z.object({
  title: z.string().nullable(),
  key: z.string(),
  author_keys: z.array(z.string()),
  author_names: z.array(z.string()),
  first_publish_year: z.int().nullable(),
  lending_edition_s: z.string().nullable(),
  edition_key: z.array(z.string()).nullable(),
  cover_id: z.int().nullable(),
  cover_edition_key: z.string().nullable(),
});
const answer = z.object({
  page: z.int(),
  numFound: z.int(),
  reading_log_entries: z.array(
    z.object({ work, logged_edition: z.string().nullable(), logged_date: z.string().nullable() }),
  ),
});

/** `GET /people/<u>/books/<shelf>.json`: a shelf of a patron (patrons.md 5.2). */
export const shelfPage = operation({
  id: "shelf",
  summary: "A shelf of a patron who shows his reading log, or one's own",
  tag: "reading",
  path: { username: z.string(), key: z.enum(SHELF_KEYS) },
  query: {
    q: z.string().max(SHELF_QUERY_LENGTH).default("").describe("Search text of three or more characters"),
    mode: z.string().default("everything").describe("ebooks: only works that can be read or borrowed"),
    limit: integer(z.int().gte(0)).default(SHELF_LIMIT.default).describe("More than 1,000 is taken as 1,000"),
    offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
    page: integer(z.int().gte(1)).optional(),
    // Q293
    sort: z.string().optional().describe("`asc`: the oldest first. Anything else: the newest first"),
  },
  responses: {
    200: { description: "In the order of sort; the best first where q or mode filters", schema: answer },
    403: { description: "The patron does not show his reading log" },
    404: { description: "No such patron" },
  },
  async handle({ path: { username, key }, query }, context) {
    const shelf = shelfOfKey(key);
    if (shelf === undefined) throw notFound();
    const owner = await logOwner(context, username);
    const { page, ...window } = shelfWindow(query);
    const oldestFirst = query.sort === "asc";
    const wanted = { shelf: shelf.id, filter: shelfFilter(query), ...window, oldestFirst };
    const { total, entries } = await guarded(() => readShelf(context, owner, wanted), query.q);
    return json(
      { page, numFound: total, reading_log_entries: entries },
      { cacheControl: owner.isOwn ? PRIVATE : REVALIDATE, headers: { Vary: "Cookie" } },
    );
  },
});

interface Paging {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly page?: number | undefined;
}

/** Which entries, and which page that is. Q220: `offset` counts, and more than a thousand rows are a thousand. */
function shelfWindow({ limit, offset, page = 1 }: Paging): { start: number; rows: number; page: number } {
  const rows = Math.min(limit, SHELF_LIMIT.max);
  if (offset === undefined) return { start: rows * (page - 1), rows, page };
  return { start: offset, rows, page: rows === 0 ? 1 : Math.floor(offset / rows) + 1 };
}
