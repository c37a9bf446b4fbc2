import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { VOLUME_SCANS_MAX } from "../../catalog/lookup/volumes.ts";
import { type CatalogRecord, REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import type { ItemJoin } from "../lending/holdings.ts";
import type { Database } from "../statement.ts";
import { type ReadRow, type RecordRow, READ_COLUMNS, fittingRecords, wholeRows } from "./record-rows.ts";

/** Records by the requested key, as readers see them, with their revisions. */
export interface Related {
  readonly records: ReadonlyMap<string, CatalogRecord>;
  readonly revisions: readonly { readonly key: string; readonly revision: number }[];
}

/**
 * Returns SQL of the ids of the authors of records, whose ids are in `table`. `reference`: path of the key in an element of
 * `authors`.
 */
export function authorsSql({ table, reference }: { table: string; reference: string }): string {
  const key = `a.value->>'$.${reference}'`;
  return `
    SELECT r.id FROM ${table} t CROSS JOIN record w ON w.id = t.id, json_each(w.document, '$.authors') a
    JOIN record r ON r.key = CASE WHEN a.type = 'object' THEN
      CASE substr(${key}, 1, 3) WHEN '/a/' THEN '/authors/' || substr(${key}, 4) ELSE ${key} END END`;
}

/** SQL of the ids of the authors and series of works, whose ids are in the table `work`. */
export const REFERENCES_OF_WORKS = `
    ${authorsSql({ table: "work", reference: "author.key" })}
    UNION
    SELECT r.id FROM work t CROSS JOIN record w ON w.id = t.id, json_each(w.document, '$.series') s
    JOIN record r ON r.key = CASE WHEN s.type = 'object' THEN s.value->>'$.series.key' END`;

const WORKS_AND_AUTHORS = `
  WITH work AS (SELECT id FROM record WHERE key IN (SELECT value FROM json_each(?1)))
  ${fittingRecords({
    source: `
    SELECT id FROM work UNION ${REFERENCES_OF_WORKS}
    UNION SELECT id FROM record WHERE key IN (SELECT value FROM json_each(?2))`,
    order: "id",
    columns: READ_COLUMNS,
  })}`;

function readWorksAndAuthors(
  database: Database,
  works: readonly string[],
  authors: readonly string[],
): Promise<ReadRow[]> {
  const values = [JSON.stringify(works), JSON.stringify(authors)];
  return wholeRows<ReadRow>(database, { sql: WORKS_AND_AUTHORS, values });
}

/**
 * Reads works, the authors and series of those works, and further authors. One round trip, or none if they are among the
 * `known` rows, and one more per redirect hop. Deleted records are left out. Throws `DocumentsTooLarge`.
 */
export async function readRelated(
  database: Database,
  { works, authors }: { works: readonly string[]; authors: readonly string[] },
  known: readonly ReadRow[] = [],
): Promise<Related> {
  if (works.length + authors.length === 0) return { records: new Map(), revisions: [] };
  let all = new Map(known.map((row) => [row.key, row]));
  if (![...works, ...authors].every((key) => all.has(key))) {
    all = new Map((await readWorksAndAuthors(database, works, authors)).map((row) => [row.key, row]));
  }
  await followRedirects(database, all);
  const records = new Map<string, CatalogRecord>();
  for (const key of all.keys()) {
    const target = resolveRedirect(key, all);
    if (target !== undefined && target.type !== "/type/delete") records.set(key, latestRecordOf(target));
  }
  return { records, revisions: [...all.values()].map(({ key, revision }) => ({ key, revision })) };
}

/** Reads the targets of all redirects among `all`, hop by hop, into `all`, including authors of redirected works. */
async function followRedirects(database: Database, all: Map<string, ReadRow>): Promise<void> {
  for (let hop = 0; hop < REDIRECT_HOPS_MAX; hop += 1) {
    const missing = [...all.values()].flatMap((row) => locationOf(row) ?? []).filter((key) => !all.has(key));
    if (missing.length === 0) return;
    // Reads the targets of any type, and the authors of those that are works.
    for (const row of await readWorksAndAuthors(database, missing, [])) all.set(row.key, row);
  }
}

function resolveRedirect(key: string, all: ReadonlyMap<string, ReadRow>): ReadRow | undefined {
  let row = all.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && row?.type === "/type/redirect"; hop += 1) {
    const location = locationOf(row);
    row = location === undefined ? undefined : all.get(location);
  }
  return row?.type === "/type/redirect" ? undefined : row;
}

/** Returns the target of a redirect, or undefined for other records. */
function locationOf(row: Pick<ReadRow, "type" | "document">): string | undefined {
  if (row.type !== "/type/redirect") return undefined;
  const location = parseDocument(row.document)["location"];
  return typeof location === "string" ? location : undefined;
}

export interface ScanRow extends RecordRow, ItemJoin<"collections" | "restricted"> {
  readonly work: string;
}

/** SQL with a fixed join order (CROSS JOIN): by property name alone all editions would be scanned. */
const SCANS = fittingRecords({
  source: `SELECT work, id FROM (
    SELECT w.value AS work, r.id, row_number() OVER (PARTITION BY w.value ORDER BY r.id) AS position
    FROM json_each(?1) w
    CROSS JOIN property p ON p.name = 'works' AND p.value = w.value
    CROSS JOIN record r ON r.id = p.record_id AND r.type = '/type/edition'
    WHERE r.document->>'$.ocaid' <> '') WHERE position <= ?2`,
  order: "id",
  more: ["work"],
});

/**
 * Reads the scanned editions of several works, at most 500 of each, by key, and the holdings of the scans. One
 * statement. Throws `DocumentsTooLarge`.
 */
export function readScans(database: Database, works: readonly string[]): Promise<ScanRow[]> {
  if (works.length === 0) return Promise.resolve([]);
  return wholeRows<ScanRow>(database, {
    sql: `SELECT f.*, i.collections, i.access_restricted AS restricted
          FROM (${SCANS}) f LEFT JOIN item i ON i.ocaid = f.document->>'$.ocaid' ORDER BY f.id`,
    values: [JSON.stringify([...new Set(works)]), VOLUME_SCANS_MAX],
  });
}
