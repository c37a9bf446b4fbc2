import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/parse-dump-line.ts";
import { BusyError } from "../../db/editing/commit.ts";
import { type LoadResult, loadRecords } from "../../db/editing/load-records.ts";
import type { Database } from "../../db/statement.ts";
import { wakeListeners } from "../history/feed.ts";
import { bodyText } from "../http/bytes.ts";
import { badData, unavailable } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { json } from "../http/reply.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";

/** Largest body of a load request, in bytes, and most lines in it. */
const LOAD_BODY_BYTES = 8 * 1024 * 1024;
const LOAD_LINES = 2000;
/** Documents stored in one transaction, in bytes: well below the 2,000,000 of a bound value of D1. */
const LOAD_TRANSACTION_BYTES = 700_000;

const rejected = z.object({
  line: z.int().describe("Number of the line in the body, from 1"),
  reason: z.string(),
});
const summary = z.object({
  changes: z.array(z.int()).describe("Ids of the changes made"),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int().describe("Revisions that were stored already"),
  kept: z.int().describe("Revisions older than the stored one of the same number"),
  rejected: z.array(rejected),
});

/** A line that can be read, and its number. */
interface Line {
  readonly line: number;
  readonly record: DumpRecord;
}

/** `POST /system/load`: stores lines of a dump. Idempotent; a bad line is reported and stops nothing. */
export const load = operation({
  id: "load",
  summary: "Store lines of a dump file",
  tag: "operation",
  body: {
    contentType: "text/tab-separated-values",
    description: "Lines of the dump format: type, key, revision, last_modified, JSON",
  },
  query: {
    index: z
      .enum(["now", "later"])
      .optional()
      .describe(
        "`later`: the search index follows when POST /system/index is called, or with the next sweep",
      ),
  },
  responses: { 200: { description: "What became of the lines", schema: summary } },
  async handle({ query }, context) {
    const lines = splitLines(await bodyText(context.request, LOAD_BODY_BYTES));
    const rejects: z.infer<typeof rejected>[] = [];
    const parsed: Line[] = [];
    for (const [index, text] of lines.entries()) {
      const line = parseDumpLine(text);
      if ("reason" in line) rejects.push({ line: index + 1, reason: line.reason });
      else parsed.push({ line: index + 1, record: line });
    }
    const totals = { changes: [] as number[], created: 0, updated: 0, unchanged: 0, kept: 0 };
    const session = context.stores.catalog.withSession("first-primary");
    for (const part of transactions(parsed)) {
      const result = await loadPart(part, session, context);
      if (result.change !== null) {
        totals.changes.push(result.change);
        context.waitUntil(wakeListeners(context.stores.changeFeed, result.change));
        // Q65: a load of millions of lines is indexed at its end, and not line by line.
        if (query.index !== "later")
          context.waitUntil(announceChange(context.stores.indexQueue, result.change));
      }
      totals.created += result.created;
      totals.updated += result.updated;
      totals.unchanged += result.unchanged;
      totals.kept += result.kept;
      for (const { index, reason } of result.refused) rejects.push({ line: part[index]?.line ?? 0, reason });
    }
    // With the bookmark the caller reads what it has just written.
    const headers = { [BOOKMARK_HEADER]: session.getBookmark() ?? "" };
    return json({ ...totals, rejected: rejects.sort((a, b) => a.line - b.line) }, { headers });
  },
});

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length > LOAD_LINES) throw badData(`more than ${LOAD_LINES} lines in one request`);
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Records in parts that one transaction takes. */
export function transactions<One extends Pick<Line, "record">>(lines: readonly One[]): One[][] {
  const parts: One[][] = [];
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

async function loadPart(
  part: readonly Line[],
  session: Database,
  context: RequestContext,
): Promise<LoadResult> {
  const { settings, sources, cache } = context;
  const records = part.map(({ record }) => record);
  const now = datetimeText(sources.now());
  const options = { prefix: settings.RECORD_PREFIX, now, comment: "Loaded from a dump" };
  const result = await loadRecords(session, records, options).catch(unlessBusy);
  if (result.change !== null) cache.forget(result.keys, sources.now());
  return result;
}

/** The caller may try again: the same lines then find what the others have stored. */
export function unlessBusy(error: unknown): never {
  throw error instanceof BusyError ? unavailable("The same records are being written by others.") : error;
}
