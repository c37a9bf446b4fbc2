import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { SHELF_KEYS, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { hidesLog } from "../../accounts/follow.ts";
import { notFound } from "../../http/errors.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { PRIVATE, REVALIDATE, json } from "../../http/reply.ts";
import { optionalClaim, optionalSession, patronOf } from "../../http/session.ts";
import { withSelectedMembers } from "../../records/record-answer.ts";
import { type PartSelection, hasParts, partParameters } from "../../records/part-parameters.ts";
import { engineOf } from "../../search/engine.ts";
import { withSearchErrors } from "../../search/guarded.ts";
import { editionKey, workKey } from "./own-data.ts";
import { readShelfWorks } from "./shelf-works.ts";
import { type ShelfMatches, type ShelfSearch, searchShelf, parseShelfFilter } from "./shelf-filter.ts";

const SHELF_LIMIT = { default: 100, max: 1000 };
export const SHELF_QUERY_LENGTH = 100;

const workData = z
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
const logResponse = z
  .object({
    page: z.int(),
    numFound: z.int(),
    reading_log_entries: z.array(
      z.object({
        work: withSelectedMembers(workData),
        logged_edition: z.string().nullable().optional(),
        logged_date: z.string().nullable().optional(),
      }),
    ),
  })
  .meta({ id: "ReadingLogResponse" });

export const shelfJson = operation({
  id: "shelf",
  summary: "Get a shelf of a public reading log, or of your own",
  tag: "reading",
  path: { username: z.string(), key: z.enum(SHELF_KEYS) },
  query: {
    q: z.string().max(SHELF_QUERY_LENGTH).default("").describe("Search text, at least three characters"),
    mode: z.string().default("everything").describe("`ebooks`: only works to read or borrow"),
    limit: integer(z.int().gte(0)).default(SHELF_LIMIT.default).describe("Page size; at most 1,000"),
    offset: integer(z.int().gte(0)).optional().describe("Takes precedence over page"),
    page: integer(z.int().gte(1)).optional(),
    ...partParameters,
    // Q293
    sort: z
      .string()
      .optional()
      .meta({ description: "Order by the day of the entry; default desc", enum: ["asc", "desc"] }),
  },
  responses: {
    200: { description: "Ordered by `sort`, or by relevance with `q` or `mode`", schema: logResponse },
    403: { description: "Private reading log" },
  },
  async handle({ path: { username, key }, query }, context) {
    const shelf = shelfOfKey(key);
    if (shelf === undefined) throw notFound();
    const { page = 1, offset } = query;
    // Q220: `offset` counts, and more than a thousand rows are a thousand.
    const rows = Math.min(query.limit, SHELF_LIMIT.max);
    const start = offset ?? rows * (page - 1);
    const pageOfOffset = rows === 0 ? 1 : Math.floor(start / rows) + 1;
    const oldestFirst = query.sort === "asc";
    const request = { shelf: shelf.id, filter: parseShelfFilter(query), start, rows, oldestFirst };
    const { total, entries, isOwn, named } = await withSearchErrors(
      () => readShelf(context, username, { ...request, selection: query }),
      query.q,
    );
    const more = { cacheControl: isOwn ? PRIVATE : REVALIDATE, headers: { Vary: "Cookie" } };
    return json(
      { page: offset === undefined ? page : pageOfOffset, numFound: total, reading_log_entries: entries },
      named?.parts.reply(more) ?? more,
    );
  },
});

type LogOwner = Awaited<ReturnType<typeof findLogOwner>>;

/** Finds the account of a reading log. Throws 404 without one. Does not call the object: a call would create it. */
async function findLogOwner(context: RequestContext, username: string) {
  const [account, session] = await Promise.all([
    findAccount(context.stores.patrons, { username }),
    optionalSession(context),
  ]);
  if (account === undefined) throw failure("not_found.reader");
  return { account, isOwn: session?.username.toLowerCase() === account.usernameFolded };
}

/** Requested part of a shelf. `oldestFirst` applies only without a filter: searches sort best matches first. */
interface LogRequest extends Omit<ShelfSearch, "filter"> {
  filter: ShelfSearch["filter"] | undefined;
  oldestFirst: boolean;
}

async function readShelf(
  context: RequestContext,
  username: string,
  { selection, ...request }: LogRequest & { selection: PartSelection },
) {
  const [{ total, entries, isOwn }, engine] = await Promise.all([
    findEntries(context, username, request),
    engineOf(context),
  ]);
  const { readEntryRecords } = hasParts(selection) ? await import("../../records/parts.ts") : {};
  const keys = entries.map((entry) => workKey(context, entry.work));
  const [works, named] = await Promise.all([
    readShelfWorks(context, engine, entries),
    readEntryRecords?.(selection, keys, context),
  ]);
  const logged = entries.flatMap(({ work: number, edition, created }) => {
    const work = works.get(number);
    if (work === undefined) return [];
    const dates = { logged_edition: editionKey(context, edition), logged_date: formatLogTime(created) };
    const key = workKey(context, number);
    if (named === undefined) return [{ work, ...dates }];
    const shown = Object.entries(dates).filter(([name]) => named.isShown(name));
    return [{ work: named.show(key, work), ...Object.fromEntries(shown) }];
  });
  return { total, entries: logged, isOwn, named };
}

type LogMatches = ShelfMatches & { readonly isOwn: boolean };

async function findEntries(
  context: RequestContext,
  username: string,
  request: LogRequest,
): Promise<LogMatches> {
  const own = request.filter === undefined ? await readOwnPage(context, username, request) : undefined;
  if (own !== undefined) return { ...own, isOwn: true };
  const owner = await findLogOwner(context, username);
  return { ...(await readLog(context, owner, request)), isOwn: owner.isOwn };
}

/** Reads a page of a shelf of the caller's own in one call, which checks the session; undefined for other clients. */
async function readOwnPage(
  context: RequestContext,
  username: string,
  { shelf, start: offset, rows: limit, oldestFirst }: LogRequest,
): Promise<ShelfMatches | undefined> {
  const claim = await optionalClaim(context);
  if (claim === undefined || claim.username.toLowerCase() !== username.toLowerCase()) return undefined;
  const { shelves } = patronOf(context.stores, username);
  return shelves.ownPage(shelf, { offset, limit, oldestFirst }, { id: claim.id, now: context.now });
}

async function readLog(
  context: RequestContext,
  owner: LogOwner,
  { shelf, filter, start, rows, oldestFirst }: LogRequest,
): Promise<ShelfMatches> {
  const patron = patronOf(context.stores, owner.account.username);
  if (filter === undefined) {
    // Both run concurrently; if both fail, the 403 is thrown.
    const [permission, page] = await Promise.allSettled([
      requireReadable(context, owner),
      patron.shelves.page(shelf, { offset: start, limit: rows, oldestFirst }),
    ]);
    if (permission.status === "rejected") throw permission.reason;
    if (page.status === "rejected") throw page.reason;
    return page.value;
  }
  // Not concurrently: a search costs more than checking the permission first.
  await requireReadable(context, owner);
  return searchShelf(context, patron, { shelf, filter, start, rows });
}

/** Throws 403 if the patron hides the log, unless the client is the patron. Administrators are refused, too. */
async function requireReadable({ stores }: RequestContext, { account, isOwn }: LogOwner): Promise<void> {
  if (!isOwn && (await hidesLog(stores, account.username))) throw failure("forbidden.private_log");
}

/** Formats a time in UTC as reading logs write it: `2026/01/02, 03:04:05`. */
function formatLogTime(milliseconds: number): string {
  const text = formatDatetime(milliseconds);
  return `${text.slice(0, 10).replaceAll("-", "/")}, ${text.slice(11, 19)}`;
}
