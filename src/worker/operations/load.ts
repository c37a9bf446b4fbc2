import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/parse-dump-line.ts";
import { BusyError } from "../../db/editing/commit.ts";
import { loadRecords } from "../../db/editing/load-records.ts";
import { english } from "../../catalog/texts.ts";
import { wakeListeners } from "../history/change-feed.ts";
import { bodyText } from "../http/bytes.ts";
import { operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { json } from "../http/reply.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { FeedError, applyFeed } from "../../db/editing/apply-feed.ts";
import { queryJson } from "../http/request-body.ts";
import { Failure, failure } from "../http/failure.ts";

const LOAD_BODY_BYTES = 8 * MIB;
const LOAD_LINES = 2000;
/** Documents stored in one transaction, in bytes: well below the 2,000,000 of a bound value of D1. */
const LOAD_TRANSACTION_BYTES = 700_000;

const rejected = z.object({
  line: z.int().describe("Line number in the body, from 1"),
  reason: z.string(),
});
const summary = z.object({
  changes: z.array(z.int()).describe("Numbers of the changes made"),
  time: z.string().describe("Time of the last change (naive UTC); empty if there are no changes"),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int().describe("Revisions that were already stored"),
  kept: z.int().describe("Revisions older than the stored one of the same number"),
  rejected: z.array(rejected),
});

type Line = { line: number; record: DumpRecord };

/** `POST /system/load`: stores lines of a dump. Idempotent; a bad line is reported and does not stop the others. */
export const load = operation({
  id: "load",
  summary: "Load lines of a dump file",
  tag: "operation",
  body: {
    contentType: "text/tab-separated-values",
    description: "Lines of the dump format: type, key, revision, last_modified, JSON",
  },
  query: {
    index: z
      .enum(["now", "later"])
      .optional()
      .describe("`later` to leave indexing to POST /system/index or the next scheduled run"),
  },
  responses: {
    200: {
      description: "Numbers of changed and unchanged revisions, and the rejected lines",
      schema: summary,
    },
  },
  async handle({ query }, context) {
    const lines = (await bodyText(context.request, LOAD_BODY_BYTES)).split("\n");
    if (lines.at(-1) === "") lines.pop();
    if (lines.length > LOAD_LINES) throw failure("bad_data.too_many_lines", { most: LOAD_LINES });
    const rejects: z.infer<typeof rejected>[] = [];
    const parsed: Line[] = [];
    for (const [index, text] of lines.entries()) {
      const line = parseDumpLine(text.replace(/\r$/, ""));
      if ("reason" in line) rejects.push({ line: index + 1, reason: english(line.reason) });
      else parsed.push({ line: index + 1, record: line });
    }
    const totals = { changes: [] as number[], time: "", created: 0, updated: 0, unchanged: 0, kept: 0 };
    const { stores, settings, sources, cache } = context;
    const session = stores.catalog.withSession("first-primary");
    for (const part of splitIntoTransactions(parsed)) {
      const records = part.map(({ record }) => record);
      const now = formatDatetime(sources.now());
      const options = { prefix: settings.RECORD_PREFIX, now, comment: "Loaded from a dump" };
      const result = await loadRecords(session, records, options).catch(throwUnlessBusy);
      const { change } = result;
      if (change !== null) {
        cache.forget(result.keys, sources.now());
        totals.changes.push(change);
        totals.time = now;
        context.waitUntil(wakeListeners(stores.changeFeed, change));
        // Q65: a load of millions of lines is indexed once, at its end.
        if (query.index !== "later") context.waitUntil(announceChange(stores.indexQueue, change));
      }
      totals.created += result.created;
      totals.updated += result.updated;
      totals.unchanged += result.unchanged;
      totals.kept += result.kept;
      for (const { index, reason } of result.refused)
        rejects.push({ line: part[index]?.line ?? 0, reason: english(reason) });
    }
    // With the bookmark the caller reads its own writes.
    const headers = { [BOOKMARK_HEADER]: session.getBookmark() ?? "" };
    return json({ ...totals, rejected: rejects.sort((a, b) => a.line - b.line) }, { headers });
  },
});

export function splitIntoTransactions<Item extends Pick<Line, "record">>(lines: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const size = line.record.bytes;
    if (length + size > LOAD_TRANSACTION_BYTES) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(line);
    length += size;
  }
  return parts;
}

/** Converts a conflict of writers into a 503: when the caller retries, the other writer has finished. */
function throwUnlessBusy(error: unknown): never {
  throw error instanceof BusyError ? failure("unavailable.busy") : error;
}

/** Largest part of a feed in one request, in bytes: a change is never split, and has documents of at most 8 MiB. */
const APPLY_BODY_BYTES = 12 * MIB;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/;

const fedChange = z.object({
  id: z.int().min(1),
  kind: z.string().max(256),
  timestamp: z.string().regex(TIME),
  comment: z.string().nullable(),
  author: z.object({ key: z.string() }).nullable(),
  bot: z.boolean(),
  // Custom types, because zod would copy documents, and their members must keep their order.
  data: z.custom<CatalogRecord>(isObject),
  loaded: z.boolean(),
  changes: z.array(z.object({ key: z.string(), revision: z.int() })),
  documents: z.array(z.custom<CatalogRecord>(isObject)),
});
const feed = z.object({ since: z.int().min(0), changes: z.array(fedChange) });

/** `POST /system/changes`: stores a part of another service's feed, so that this service mirrors it. Idempotent. */
export const applyChanges = operation({
  id: "applyChanges",
  summary: "Load changes from the feed of another service",
  tag: "operation",
  query: {
    index: z
      .enum(["now", "later"])
      .default("now")
      .describe("`later` to leave indexing to POST /system/index or the next scheduled run"),
  },
  body: { contentType: "application/json", description: "Response of /changes.json, unmodified" },
  responses: {
    200: {
      description: "Number of changes stored and already known",
      schema: z.object({
        stored: z.int(),
        known: z.int().describe("Changes that were already stored"),
        end: z.int().describe("Number of the last change here, for the next request"),
      }),
    },
    409: { description: "Local log is not a prefix of the other log" },
  },
  async handle({ query }, context) {
    const text = await bodyText(context.request, APPLY_BODY_BYTES);
    const { data, error } = feed.safeParse(queryJson(text, APPLY_BODY_BYTES));
    if (error !== undefined) throw failure("bad_data.feed", { problem: z.prettifyError(error) });
    const { since } = data;
    let previous = since;
    const changes = data.changes.map(({ timestamp, author, data: details, loaded, changes: of, ...rest }) => {
      if (rest.id <= previous) throw failure("bad_data.feed_order");
      previous = rest.id;
      return Object.assign(rest, {
        created: timestamp,
        author: author === null ? null : author.key,
        data: JSON.stringify(details),
        changes: loaded ? null : JSON.stringify(of),
      });
    });
    const { settings, stores, sources, cache } = context;
    const session = stores.catalog.withSession("first-primary");
    const options = { prefix: settings.RECORD_PREFIX, since };
    const { keys, ...done } = await applyFeed(session, changes, options).catch((failed: unknown) => {
      if (!(failed instanceof FeedError)) return throwUnlessBusy(failed);
      const { message, text: reason } = failed;
      throw new Failure(409, "conflict", { text: reason, body: { error: "conflict", message } });
    });
    if (done.stored > 0) {
      cache.forget(keys, sources.now());
      if (query.index === "now") context.waitUntil(announceChange(stores.indexQueue, done.end));
      context.waitUntil(wakeListeners(stores.changeFeed, done.end));
    }
    return json(done, { headers: { [BOOKMARK_HEADER]: session.getBookmark() ?? "" } });
  },
});
