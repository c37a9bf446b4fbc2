import * as z from "zod";
import { objectsOf } from "../../catalog/record.ts";
import type { RouteCaller } from "./call-route.ts";
import {
  fitList,
  keyedObjects,
  nextCursor,
  offsetCursor,
  paging,
  recordName,
  requireKey,
  offsetOf,
  tool,
} from "./tool.ts";
const record = z.looseObject({ key: z.string() });
const total = z.int().describe("Number of all entries");

export const listWorksTool = tool({
  name: "list_works",
  title: "List works of an author, subject or series",
  description:
    "Lists the works of an author (`/authors/OL1A`), a subject (`/subjects/love`) or a series (`/series/OL1L`).",
  hints: "reads",
  input: z.object({
    of: recordName("Key of the author, subject or series"),
    sort: z
      .enum(["new", "old", "editions", "title", "rating"])
      .optional()
      .describe("Not for series, which have their own order"),
    ...paging,
  }),
  output: z.object({ total, works: z.array(record), ...nextCursor }),
  async run({ of, sort, limit, cursor, max_bytes: most }, caller) {
    const start = offsetOf({ cursor });
    const query = { limit, offset: start, ...(sort !== undefined && { sort }) };
    const { all, works } = await readWorks(of, query, caller);
    return fitList({ total: all, works }, "works", { most, ...offsetCursor(start, all) });
  },
});

async function readWorks(
  of: string,
  { sort, ...window }: { limit: number; offset: number; sort?: string },
  caller: RouteCaller,
): Promise<{ all: number; works: { key: string }[] }> {
  const order = sort === undefined ? {} : { sort };
  const [, subject] = /^\/?subjects\/([^/?#]{1,200})$/.exec(of.trim()) ?? [];
  if (subject !== undefined) {
    const path = `/subjects/${encodeURIComponent(subject)}.json`;
    const { work_count: all, works } = await caller.object(path, { query: { ...window, ...order } });
    return { all: Number(all), works: keyedObjects(works) };
  }
  const [, series] = /^\/?series\/([A-Z]{1,10}\d{1,15}L)$/.exec(of.trim()) ?? [];
  if (series !== undefined) {
    const { size, entries } = await caller.object(`/series/${series}/seeds.json`, { query: window });
    const works = objectsOf(entries).map(({ url, ...entry }) => Object.assign({ key: String(url) }, entry));
    return { all: Number(size), works };
  }
  const key = requireKey(of, ["author"], caller);
  const query = { ...window, ...order, fields: "title,subtitle,first_publish_date,subjects,covers" };
  const { size, entries } = await caller.object(`${key}/works.json`, { query });
  return { all: Number(size), works: keyedObjects(entries) };
}

const EDITION_MEMBERS =
  "title,subtitle,publishers,publish_date,languages,isbn_10,isbn_13,lccn,oclc_numbers,number_of_pages,physical_format,ocaid,edition_name";

export const listEditionsTool = tool({
  name: "list_editions",
  title: "List editions of a work",
  description: "Lists the editions of a work, by year, language or period if asked.",
  hints: "reads",
  input: z.object({
    work: recordName("Key of the work, such as `/works/OL1W`"),
    sort: z.enum(["old", "new"]).optional().describe("By year of publication"),
    language: z.array(z.string().max(100)).max(20).optional().describe("Codes or names; matches any of them"),
    published_in: z.string().max(9).optional().describe("Year, or range such as 1850-1899"),
    ...paging,
  }),
  output: z.object({ total, editions: z.array(record), ...nextCursor }),
  async run({ work, limit, cursor, max_bytes: most, ...selection }, caller) {
    const key = requireKey(work, ["work"], caller);
    const start = offsetOf({ cursor });
    const query = { ...selection, limit, offset: start, fields: EDITION_MEMBERS };
    const { size, entries } = await caller.object(`${key}/editions.json`, { query });
    const editions = keyedObjects(entries);
    const all = Number(size);
    return fitList({ total: all, editions }, "editions", { most, ...offsetCursor(start, all) });
  },
});

/** Records of a change that are named. */
const CHANGE_RECORDS_MAX = 50;

const change = z.object({
  id: z.int(),
  kind: z.string(),
  timestamp: z.string(),
  comment: z.string().nullable(),
  author: z.string().nullable(),
  records: z
    .array(z.object({ key: z.string(), revision: z.int() }))
    .describe("The first records of the change"),
  records_total: z.int(),
});
interface FedChange extends Omit<z.input<typeof change>, "author" | "records" | "records_total"> {
  readonly author: { readonly key: string } | null;
  readonly changes: readonly { key: string; revision: number }[] | null;
}

export const listChangesTool = tool({
  name: "list_changes",
  title: "List what has changed",
  description:
    "Lists changes of the catalog after a cursor, oldest first. Without a cursor it returns only the cursor of now: keep it, and call with it later.",
  hints: "reads",
  input: z.object(paging),
  output: z.object({
    changes: z.array(change),
    next_cursor: z.string().describe("Cursor of the next call"),
    has_more: z.boolean(),
  }),
  async run({ limit, cursor, max_bytes: most }, caller) {
    if (cursor === undefined) {
      const { end } = await caller.object("/changes.json", { query: { since: 0, limit: 0 } });
      return { changes: [], next_cursor: String(end), has_more: false };
    }
    const response = await caller.call("/changes.json", { query: { since: cursor, limit } });
    const fed = await response.json<{ changes: FedChange[]; cursor: number; end: number }>();
    const changes = fed.changes.map(({ id, kind, timestamp, comment, author, changes: records }) => ({
      id,
      kind,
      timestamp,
      comment,
      author: author?.key ?? null,
      records: (records ?? []).slice(0, CHANGE_RECORDS_MAX).map(({ key, revision }) => ({ key, revision })),
      records_total: records?.length ?? 0,
    }));
    const page = fitList({ changes, has_more: false }, "changes", {
      most,
      cursorAt: (count) => (count === changes.length ? fed.cursor : changes[count - 1]?.id),
    });
    const { next_cursor: next = cursor } = page;
    return { ...page, next_cursor: next, has_more: Number(next) < fed.end };
  },
});
