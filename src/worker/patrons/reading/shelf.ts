import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { SHELF_KEYS, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { findAccount } from "../../../db/accounts/read.ts";
import { hidesLog } from "../../accounts/follow.ts";
import { CarrelError, forbidden, notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { PRIVATE, REVALIDATE, json } from "../../http/reply.ts";
import { askingSession, patronOf } from "../../http/session.ts";
import { engineOf } from "../../search/engine.ts";
import { guarded } from "../../search/guarded.ts";
import { editionKey } from "./parameters.ts";
import { type FilteredPart, type FoundEntries, filteredShelf, shelfFilter } from "./shelf-filter.ts";
import { shelfWorks } from "./shelf-works.ts";

/** Entries of an answer: default and maximum. */
const SHELF_LIMIT = { default: 100, max: 1000 };
/** Longest search text of a shelf, in characters. */
export const SHELF_QUERY_LENGTH = 100;

const shownWork = z
  .object({
    title: z.string().nullable(),
    key: z.string(),
    author_keys: z.array(z.string()),
    author_names: z.array(z.string()),
    first_publish_year: z.int().nullable(),
    lending_edition_s: z.string().nullable(),
    edition_key: z.array(z.string()).nullable(),
    cover_id: z.int().nullable(),
    cover_edition_key: z.string().nullable(),
  })
  .meta({ id: "WorkData" });
const answer = z
  .object({
    page: z.int(),
    numFound: z.int(),
    reading_log_entries: z.array(
      z.object({
        work: shownWork,
        logged_edition: z.string().nullable(),
        logged_date: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "ReadingLogResponse" });

/** `GET /people/<u>/books/<shelf>.json`: a shelf of a patron. */
export const shelfPage = operation({
  id: "shelf",
  summary: "A shelf of a patron with a public reading log, or the caller's own",
  tag: "reading",
  path: { username: z.string(), key: z.enum(SHELF_KEYS) },
  query: {
    q: z.string().max(SHELF_QUERY_LENGTH).default("").describe("Search text of three or more characters"),
    mode: z.string().default("everything").describe("ebooks: only works that can be read or borrowed"),
    limit: integer(z.int().gte(0)).default(SHELF_LIMIT.default).describe("More than 1,000 is taken as 1,000"),
    offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
    page: integer(z.int().gte(1)).optional(),
    // Q293
    sort: z
      .string()
      .optional()
      .meta({ description: "By the day it was put there (the newest first)", enum: ["asc", "desc"] }),
  },
  responses: {
    200: { description: "In the order of sort; the best first where q or mode filters", schema: answer },
    403: { description: "The reading log of the patron is private" },
    404: { description: "No such patron" },
  },
  async handle({ path: { username, key }, query }, context) {
    const shelf = shelfOfKey(key);
    if (shelf === undefined) throw notFound();
    const owner = await logOwner(context, username);
    const { page = 1, offset } = query;
    // Q220: `offset` counts, and more than a thousand rows are a thousand.
    const rows = Math.min(query.limit, SHELF_LIMIT.max);
    const start = offset ?? rows * (page - 1);
    const shownPage = rows === 0 ? 1 : Math.floor(start / rows) + 1;
    const oldestFirst = query.sort === "asc";
    const wanted = { shelf: shelf.id, filter: shelfFilter(query), start, rows, oldestFirst };
    const { total, entries } = await guarded(() => readShelf(context, owner, wanted), query.q);
    return json(
      { page: offset === undefined ? page : shownPage, numFound: total, reading_log_entries: entries },
      { cacheControl: owner.isOwn ? PRIVATE : REVALIDATE, headers: { Vary: "Cookie" } },
    );
  },
});

/** Patron whose reading log is requested, and if the request comes from their own session. */
type LogOwner = Awaited<ReturnType<typeof logOwner>>;

/**
 * Returns the owner of a reading log. Throws 404 if there is no such patron. Does not call their object: a call would
 * create one.
 */
async function logOwner(context: RequestContext, username: string) {
  const [account, session] = await Promise.all([
    findAccount(context.stores.patrons, { username }),
    askingSession(context),
  ]);
  if (account === undefined) throw new CarrelError(404, "not_found", { message: "User not found" });
  return { account, isOwn: session?.username.toLowerCase() === account.usernameFolded };
}

/** Part of a shelf. `oldestFirst` applies only without a filter, because searches sort best matches first. */
interface ShelfPart extends Omit<FilteredPart, "filter"> {
  readonly filter: FilteredPart["filter"] | undefined;
  readonly oldestFirst: boolean;
}

/** Returns a part of a shelf, and its total number of entries. Throws a 403 if the patron hides it. */
async function readShelf(context: RequestContext, owner: LogOwner, wanted: ShelfPart) {
  const { total, entries } = await findEntries(context, owner, wanted);
  const works = await shelfWorks(context, await engineOf(context), entries);
  const shown = entries.flatMap(({ work, edition, created }) => {
    const found = works.get(work);
    const logged = { logged_edition: editionKey(context, edition), logged_date: loggedDate(created) };
    return found === undefined ? [] : [{ work: found, ...logged }];
  });
  return { total, entries: shown };
}

async function findEntries(
  context: RequestContext,
  owner: LogOwner,
  { shelf, filter, start, rows, oldestFirst }: ShelfPart,
): Promise<FoundEntries> {
  const patron = patronOf(context.stores, owner.account.username);
  if (filter === undefined) {
    const page = patron.shelves.page(shelf, { offset: start, limit: rows, oldestFirst });
    // Both run concurrently; if both fail, the refusal is thrown.
    const [refused, found] = await Promise.allSettled([requireReadable(context, owner), page]);
    if (refused.status === "rejected") throw refused.reason;
    if (found.status === "rejected") throw found.reason;
    return found.value;
  }
  // A search costs more than checking the permission first.
  await requireReadable(context, owner);
  return filteredShelf(context, patron, { shelf, filter, start, rows });
}

/** Throws 403 for clients other than the patron if the patron hides the log, administrators included. */
async function requireReadable({ stores }: RequestContext, { account, isOwn }: LogOwner): Promise<void> {
  if (!isOwn && (await hidesLog(stores, account.username))) throw forbidden("This reading log is private");
}

/** Formats the log time of a work, in UTC as reading logs write it: `2026/01/02, 03:04:05`. */
function loggedDate(milliseconds: number): string {
  const text = datetimeText(milliseconds);
  return `${text.slice(0, 10).replaceAll("-", "/")}, ${text.slice(11, 19)}`;
}
