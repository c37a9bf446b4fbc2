import { parseDocument } from "../../catalog/document.ts";
import { type WriteFailure, documentFailure } from "../../catalog/editing/failure.ts";
import {
  type SeedChange,
  TOO_MANY_SEEDS,
  applySeedChange,
  buildListChangeData,
  withSeeds,
} from "../../catalog/lists/list-change.ts";
import {
  type Seed,
  LIST_SEEDS_MAX,
  annotationOf,
  seedKeyOf,
  seedsOfRecord,
} from "../../catalog/lists/seeds.ts";
import { withEdge, withoutEdge } from "../../catalog/lists/series.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readRecords } from "../records/records.ts";
import type { RecordRow } from "../records/record-rows.ts";
import { BUSY } from "./check-request.ts";
import type { SaveRequest, SeedsRequest, SeedsResult } from "./request.ts";
import { type Desk, saveDocuments } from "./save.ts";

/** Maximum number of attempts if a bulk load, or a desk being evicted, changes the list in between. */
const SEEDS_ATTEMPTS = 10;

const COMMENT = "Updated list.";

type SeedsPlan = Pick<SaveRequest, "kind" | "data" | "touched"> & { readonly documents: CatalogRecord[] };

/**
 * Adds and removes seeds of a list, or works of a series, in one change. Members of a series are stored in the works;
 * its own record gets a revision with them. Returns a 404 failure with the key if the list does not exist.
 */
export async function saveSeeds(desk: Desk, request: SeedsRequest): Promise<SeedsResult> {
  const change = { add: parseSeeds(request.add), remove: request.remove };
  for (let attempt = 1; attempt <= SEEDS_ATTEMPTS; attempt += 1) {
    const { known } = request;
    const rows =
      known !== undefined && attempt === 1
        ? [known]
        : await readRecords(desk.catalog.withSession("first-primary"), seedsKeysOf(request));
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const list = byKey.get(request.list);
    const isSeries = list?.type === "/type/series";
    if (list === undefined || !(isSeries || list.type === "/type/list"))
      return toFailedResult(listNotFound(request.list));
    const plan = isSeries ? planSeriesChange(request, change, byKey) : planListChange(request, change, list);
    if (plan === undefined) return toUnchangedResult(list);
    if ("status" in plan) return toFailedResult(plan);
    const { documents, ...notes } = plan;
    const expected = Object.fromEntries(
      documents.map(({ key }) => [String(key), byKey.get(String(key))?.revision ?? 0]),
    );
    const { writer, now } = request;
    const result = await saveDocuments(desk, documents, {
      writer,
      now,
      comment: COMMENT,
      expected,
      ...notes,
    });
    if (result.ok) {
      const saved = result.saved.find(({ key }) => key === list.key);
      return { ...result, revision: saved?.revision ?? list.revision };
    }
    if (result.failures[0]?.error !== "conflict") return result;
  }
  return toFailedResult(BUSY);
}

/** Returns the keys of the records of a request: the list, and the works added to or removed from a series. */
export function seedsKeysOf({ list, add, remove }: SeedsRequest): string[] {
  if (!list.startsWith("/series/")) return [list];
  return [...new Set([list, ...parseSeeds(add).flatMap((seed) => seedKeyOf(seed) ?? []), ...remove])];
}

function planListChange(
  request: SeedsRequest,
  change: SeedChange,
  row: RecordRow,
): SeedsPlan | WriteFailure | undefined {
  const list = parseDocument(row.document);
  const before = seedsOfRecord(list);
  const after = applySeedChange(before, change);
  if (after === undefined) return undefined;
  if (after.length > LIST_SEEDS_MAX && after.length > before.length) {
    return documentFailure(TOO_MANY_SEEDS, { key: row.key, property: "seeds" });
  }
  const seeds = after.flatMap((seed) => seedKeyOf(seed) ?? []);
  const data = buildListChangeData(row.key, { ...parseSent(request), seeds });
  return { documents: [withSeeds(list, after)], kind: "edit-list-seeds", data: JSON.stringify(data) };
}

function planSeriesChange(
  request: SeedsRequest,
  { add, remove }: SeedChange,
  rows: ReadonlyMap<string, RecordRow>,
): SeedsPlan | WriteFailure | undefined {
  const series = { key: request.list };
  const works = new Map<string, { readonly before: CatalogRecord; after: CatalogRecord }>();
  for (const key of seedsKeysOf(request)) {
    const row = rows.get(key);
    if (key === series.key || row?.type !== "/type/work") continue;
    const work = parseDocument(row.document);
    works.set(key, { before: work, after: work });
  }
  for (const seed of add) {
    const key = seedKeyOf(seed) ?? "";
    const work = works.get(key);
    if (work === undefined) return workNotFound(key, request.list);
    work.after = withEdge(work.after, { series, ...annotationOf(seed) });
  }
  for (const key of remove) {
    const work = works.get(key);
    if (work !== undefined) work.after = withoutEdge(work.after, series.key);
  }
  const changed = [...works.values()].filter(
    ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
  );
  const row = rows.get(series.key);
  if (changed.length === 0 || row === undefined) return undefined;
  return {
    documents: [parseDocument(row.document), ...changed.map(({ after }) => after)],
    kind: "edit-series-seeds",
    // Q259: the members of a series are stored in its works.
    data: JSON.stringify(buildListChangeData(series.key, parseSent(request))),
    touched: [series.key],
  };
}

/** Parses seeds that the worker normalised and serialised. */
function parseSeeds(text: string): Seed[] {
  return JSON.parse(text) as Seed[];
}

function parseSent({ sent: text }: SeedsRequest): CatalogRecord {
  // The worker serialised this text from an object.
  return JSON.parse(text) as CatalogRecord;
}

function toUnchangedResult({ key, revision }: RecordRow): SeedsResult {
  return { ok: true, change: null, saved: [], keys: [key], affected: [], bookmark: null, revision };
}

function toFailedResult(failure: WriteFailure): SeedsResult & { readonly ok: false } {
  return { ok: false, failures: [failure] };
}

function listNotFound(key: string): WriteFailure {
  return { status: 404, error: "notfound", text: { key: "not_found.list" }, key };
}

function workNotFound(key: string, at: string): WriteFailure {
  return {
    status: 404,
    error: "notfound",
    text: { key: "bad_data.no_record", values: { key } },
    key,
    at: { key: at },
  };
}
