import { latestRecordOf } from "../../catalog/document.ts";
import { HIGHEST_NUMBER, idRangeOf } from "../../catalog/key-numbers.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { LAST_CHANGE } from "../history/changes.ts";
import { type RecordRow, fitting, fittingRecords } from "../records/record-rows.ts";
import { FITTING_RECORDS } from "../records/records.ts";
import { type Database, type Statement, batchGroups, rows } from "../statement.ts";
import type { PageOf } from "./ranges.ts";

export interface RecordPage {
  readonly version: number;
  readonly records: ReadonlyMap<string, CatalogRecord>;
}

interface WalkPage extends RecordPage {
  /** Position from which the walk continues: the last record of the page, by number for authors, by id for others. */
  readonly position: number;
  readonly isLast: boolean;
}

const AUTHORS = idRangeOf("A");
const AUTHOR_PAGE = fittingRecords({
  source: `SELECT id FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3`,
  order: "id",
});
const LIST_PAGE = fittingRecords({
  source: "SELECT id FROM record WHERE type = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
  order: "id",
});

/**
 * Reads records by key as readers see them, including deleted and redirected ones, with the keys covered: as many at a
 * time as fit into memory. One round trip, unless they are very large.
 */
export async function* readNamed(
  catalog: Database,
  keys: readonly string[],
): AsyncGenerator<{ readonly keys: readonly string[]; readonly page: RecordPage }> {
  for (let remaining = keys; remaining.length > 0;) {
    // Records that did not fit are read in the next part.
    const { page, deferred } = await readPage(catalog, {
      sql: FITTING_RECORDS,
      values: [JSON.stringify(remaining)],
    });
    const later = new Set(deferred);
    yield { keys: remaining.filter((key) => !later.has(key)), page };
    remaining = deferred;
  }
}

/** Reads the next records under author keys, of any type, as far as they fit into memory. One round trip. */
export async function readAuthorPage(
  catalog: Database,
  { after, last = HIGHEST_NUMBER, limit }: PageOf,
): Promise<WalkPage> {
  const values = [AUTHORS.from + after, AUTHORS.from + last, limit];
  const page = await readWalk(catalog, { sql: AUTHOR_PAGE, values }, limit);
  return { ...page, position: page.position - AUTHORS.from };
}

/** Reads lists or series with ids after `after`, one type at a time, as far as they fit into memory. One round trip. */
export function readListPage(
  catalog: Database,
  { type, after, limit }: { type: "/type/list" | "/type/series"; after: number; limit: number },
): Promise<WalkPage> {
  return readWalk(catalog, { sql: LIST_PAGE, values: [type, after, limit] }, limit);
}

async function readWalk(catalog: Database, statement: Statement, limit: number): Promise<WalkPage> {
  const { page, records, deferred } = await readPage(catalog, statement);
  return {
    ...page,
    position: records.at(-1)?.id ?? 0,
    isLast: deferred.length === 0 && records.length < limit,
  };
}

/** Reads the records that fit into memory, and the keys of the others. */
async function readPage(catalog: Database, statement: Statement) {
  const { versions, recordRows } = await batchGroups<{ versions: { id: number }; recordRows: RecordRow }>(
    catalog,
    {
      versions: LAST_CHANGE,
      recordRows: statement,
    },
  );
  const records = fitting<RecordRow>(recordRows);
  const deferred = recordRows.slice(records.length).map(({ key }) => key);
  const version = versions[0]?.id ?? 0;
  const recordsByKey = new Map(records.map((row) => [row.key, latestRecordOf(row)]));
  return { page: { version, records: recordsByKey }, records, deferred };
}

/** Kinds of records that works and editions refer to, and whose names their documents show. */
export type Shown = "author" | "series";

export interface Naming {
  readonly key: string;
  /** Record with the reference; the cursor of a walk. */
  readonly recordId: number;
  readonly workId: number;
}

interface NamingOptions {
  readonly shown: Shown;
  readonly keys: readonly string[];
  readonly after: number;
  /** Newest change to include. Later changes are still to be followed, which rebuilds their works anyway. */
  readonly upTo: number;
  readonly limit: number;
}

/** `property` paths of the references in works and editions, as SQL. */
const PATHS: Readonly<Record<Shown, string>> = {
  author: "'authors', 'authors.author'",
  series: "'series.series'",
};
/** Maximum number of paths by which a record refers to a key. */
export const PATHS_MAX = 3;
const WORKS = idRangeOf("W");
const EDITIONS = idRangeOf("M");

/**
 * Returns SQL of a table `p` of the references of works and editions to a key, by default to authors and series. Join it
 * in a fixed order (CROSS JOIN), after the key.
 */
export function namingProperty(key: string, shown?: Shown): string {
  const paths = shown === undefined ? Object.values(PATHS).join(", ") : PATHS[shown];
  return `property p ON p.name IN (${paths}) AND p.value = ${key}
    AND p.record_id >= ${EDITIONS.from} AND p.record_id < ${WORKS.to}`;
}

/** SQL of `Naming` rows for the table `naming` of keys and ids of records that refer to them. */
export const NAMING_WORKS = `
  SELECT n.key, n.id AS recordId, CASE WHEN n.id >= ${WORKS.from} THEN n.id - ${WORKS.from}
           ELSE coalesce(w.id - ${WORKS.from}, ${EDITIONS.from} - n.id) END AS workId
  FROM naming n LEFT JOIN record e ON e.id = n.id AND n.id < ${WORKS.from}
  LEFT JOIN record w ON w.key = e.document->>'$.works[0].key'
  ORDER BY n.key, n.id`;

function namingSql(shown: Shown): string {
  return `
    WITH naming AS (
      SELECT DISTINCT p.value AS key, r.id
      FROM json_each(?1) k CROSS JOIN ${namingProperty("k.value", shown)} AND p.record_id > ?2
      CROSS JOIN record r ON r.id = p.record_id AND r.change_id <= ?3
      ORDER BY p.value, r.id LIMIT ?4)
    ${NAMING_WORKS}`;
}

/**
 * Reads works whose records or editions refer to some keys, by key and then by record. One statement. A full page may
 * be cut off anywhere: its last key may be incomplete, and further keys are missing.
 */
export function readNaming(
  catalog: Database,
  { shown, keys, after, upTo, limit }: NamingOptions,
): Promise<Naming[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return rows<Naming>(catalog, { sql: namingSql(shown), values: [JSON.stringify(keys), after, upTo, limit] });
}
