import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { SHELF_KEYS, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import type { JsonObject } from "../../../catalog/record.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { readLostWorks } from "../../../db/records/titles.ts";
import type { SearchEngine } from "../../../search/engine.ts";
import { READING_LOG_FIELDS, toReadingLogWork, toTitledWork } from "../../../search/present/works.ts";
import { hidesLog } from "../../accounts/follow.ts";
import { notFound } from "../../http/errors.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { PRIVATE, REVALIDATE, json } from "../../http/reply.ts";
import { optionalClaim, optionalSession, patronOf } from "../../http/session.ts";
import { withSelectedMembers } from "../../records/record-answer.ts";
import { hasParts, partParameters } from "../../records/part-parameters.ts";
import { engineOf } from "../../search/engine.ts";
import { withSearchErrors } from "../../search/guarded.ts";
import { editionKey, workKey } from "./own-data.ts";
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
  async handle({ path, query }, context) {
    const shelf = shelfOfKey(path.key);
    if (shelf === undefined) throw notFound();
    const { page = 1, offset } = query;
    // Q220: `offset` counts, and more than a thousand rows are a thousand.
    const rows = Math.min(query.limit, SHELF_LIMIT.max);
    const start = offset ?? rows * (page - 1);
    const pageOfOffset = rows === 0 ? 1 : Math.floor(start / rows) + 1;
    const oldestFirst = query.sort === "asc";
    const request = { shelf: shelf.id, filter: parseShelfFilter(query), start, rows, oldestFirst };
    return withSearchErrors(async () => {
      const [{ total, entries, isOwn }, engine] = await Promise.all([
        readEntries(context, path.username, request),
        engineOf(context),
      ]);
      const { readEntryRecords } = hasParts(query) ? await import("../../records/parts.ts") : {};
      const keys = entries.map((entry) => workKey(context, entry.work));
      const [works, named] = await Promise.all([
        readShelfWorks(context, engine, keys),
        readEntryRecords?.(query, keys, context),
      ]);
      const logged = entries.map((entry) => {
        const key = workKey(context, entry.work);
        const work = works.get(key) ?? toTitledWork(key, key);
        const dates = Object.entries({
          logged_edition: editionKey(context, entry.edition),
          // `2026/01/02, 03:04:05`, UTC
          logged_date: formatDatetime(entry.created).slice(0, 19).replaceAll("-", "/").replace("T", ", "),
        }).filter(([name]) => named?.isShown(name) ?? true);
        return Object.fromEntries([["work", named?.show(key, work) ?? work], ...dates]);
      });
      const more = { cacheControl: isOwn ? PRIVATE : REVALIDATE, headers: { Vary: "Cookie" } };
      return json(
        { page: offset === undefined ? page : pageOfOffset, numFound: total, reading_log_entries: logged },
        named?.parts.reply(more) ?? more,
      );
    }, query.q);
  },
});

/** Requested part of a shelf. `oldestFirst` applies only without a filter: searches sort best matches first. */
interface LogRequest extends Omit<ShelfSearch, "filter"> {
  filter: ShelfSearch["filter"] | undefined;
  oldestFirst: boolean;
}

/**
 * Reads a part of a shelf: of the caller's own in one call, which checks the session. Throws 404 without an account, 403
 * if the patron hides the log from others, administrators included.
 */
async function readEntries(
  context: RequestContext,
  username: string,
  { shelf, filter, start, rows, oldestFirst }: LogRequest,
): Promise<ShelfMatches & { readonly isOwn: boolean }> {
  const { stores, now } = context;
  const window = { offset: start, limit: rows, oldestFirst };
  const claim = filter === undefined ? await optionalClaim(context) : undefined;
  if (claim?.username.toLowerCase() === username.toLowerCase()) {
    const page = await patronOf(stores, username).shelves.ownPage(shelf, window, { id: claim.id, now });
    if (page !== undefined) return { ...page, isOwn: true };
  }
  const [account, session] = await Promise.all([
    findAccount(stores.patrons, { username }),
    optionalSession(context),
  ]);
  // The object is not called without an account: a call would create it.
  if (account === undefined) throw failure("not_found.reader");
  const isOwn = session?.username.toLowerCase() === account.usernameFolded;
  const patron = patronOf(stores, account.username);
  const hides = isOwn ? false : hidesLog(stores, account.username);
  if (filter === undefined) {
    const [isHidden, page] = await Promise.all([hides, patron.shelves.page(shelf, window)]);
    if (isHidden) throw failure("forbidden.private_log");
    return { ...page, isOwn };
  }
  // Not concurrently: a search costs more than to check the permission first.
  if (await hides) throw failure("forbidden.private_log");
  return { ...(await searchShelf(context, patron, { shelf, filter, start, rows })), isOwn };
}

const DELETED_TITLE = "[Record deleted]";

/**
 * Reads works as a shelf shows them, by key; unknown ones are absent. One round trip to the index; one to the catalog if
 * works are missing in the index, and one more to the index if they were merged into others.
 */
async function readShelfWorks(context: RequestContext, engine: SearchEngine, keys: readonly string[]) {
  const readIndexed = async (wanted: readonly string[]) =>
    new Map((await engine.getMany(wanted, READING_LOG_FIELDS)).map((work) => [work["key"], work]));
  const indexed = await readIndexed(keys);
  const works = new Map<string, JsonObject>();
  for (const [key, document] of indexed) works.set(String(key), toReadingLogWork(String(key), document));
  const missing = keys.filter((key) => !works.has(key));
  if (missing.length === 0) return works;
  const lost = await readLostWorks(catalogReader(context), missing);
  const moved = lost.flatMap(({ key, target }) => (target === key ? [] : [target]));
  const targets = await readIndexed([...new Set(moved)]);
  for (const { key, type, target } of lost) {
    const document = targets.get(target);
    if (type === "/type/delete") works.set(key, toTitledWork(key, DELETED_TITLE));
    // Q219: a merged work is shown as its target, with the key that the patron logged.
    else if (document !== undefined) works.set(key, toReadingLogWork(key, document));
    else if (type === "/type/redirect") works.set(key, toTitledWork(key, ""));
  }
  return works;
}
