import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { type LendingTerms, termsFromSubjects, termsOf } from "../../catalog/lending/holdings.ts";
import { type Json, REDIRECT_HOPS_MAX, stringsOf } from "../../catalog/record.ts";
import { TARGETS } from "../redirects.ts";
import { type Database, allValues, rows } from "../statement.ts";

/** Row of `item` in D1 `CATALOG`: a scan of the holdings; `restricted` is the column `access_restricted`. */
interface ItemRow {
  readonly ocaid: string;
  /** JSON array. */
  readonly collections: string;
  readonly restricted: number;
  readonly copies: number;
  readonly browse: number;
}

/** Row of a join with `item`: all columns are null if the holdings do not have the scan. */
export type ItemJoin<Column extends keyof ItemRow> = { readonly [Name in Column]: ItemRow[Name] | null };

export function metadataOf(row: ItemJoin<"collections" | "restricted">): ItemMetadata | undefined {
  if (row.collections === null) return undefined;
  return { collections: textsOf(row.collections), accessRestricted: row.restricted === 1 };
}

function textsOf(json: string): readonly string[] {
  return stringsOf(JSON.parse(json) as Json);
}

/**
 * Row of `lending_item` in D1 `PATRONS`: an item as its desk last reported it. Times in milliseconds since the epoch.
 */
export interface LentItem {
  readonly ocaid: string;
  readonly borrows: number;
  readonly browses: number;
  readonly waiting: number;
  readonly reserved: number;
  readonly lastLoan: number | null;
  readonly lastWaiting: number | null;
  readonly nextExpiry: number | null;
}

/** Row of `waiting_loan` in D1 `PATRONS`: a place in the queue of an item. */
export interface WaitingPatronRow {
  readonly number: number;
  readonly patron: string;
  readonly book: string;
  readonly since: number;
  readonly updated: number;
  /** End of the reservation of a copy; null: still waiting. */
  readonly expiry: number | null;
}

const COLLECTION_ITEMS = `SELECT i.ocaid, c.value AS name FROM item i CROSS JOIN json_each(i.collections) c
  WHERE i.ocaid IN (SELECT value FROM json_each(?1)) AND c.value = ?2`;
/** Scans of works with subjects as long as ?2. SQL cannot compare them: SQLite's `lower` knows ASCII alone. */
const SUBJECT_ITEMS = `SELECT d.value AS ocaid, s.value AS name FROM identifier d
  JOIN record e ON e.id = d.edition_id
  JOIN record w ON w.key = e.document->>'$.works[0].key'
  CROSS JOIN json_each(w.document, '$.subjects') s
  WHERE d.kind = 'ocaid' AND d.value IN (SELECT value FROM json_each(?1))
    AND s.type = 'text' AND length(s.value) = length(?2)`;

/** Returns the given items that are in a collection, or about a subject (any case, `_` for spaces). One statement. */
export async function filterItems(
  catalog: Database,
  ocaids: readonly string[],
  { kind, value }: { kind: "collections" | "subjects"; value: string },
): Promise<ReadonlySet<string>> {
  const isSubject = kind === "subjects";
  const toName = (text: string) => (isSubject ? text.toLowerCase().replaceAll(" ", "_") : text);
  const namedItems = await rows<{ ocaid: string; name: string }>(catalog, {
    sql: isSubject ? SUBJECT_ITEMS : COLLECTION_ITEMS,
    values: [JSON.stringify(ocaids), value],
  });
  return new Set(namedItems.filter(({ name }) => toName(name) === toName(value)).map(({ ocaid }) => ocaid));
}

/** Reads the metadata of scanned items, by item id; items without a row are absent. One statement. */
export async function readItems(
  database: Database,
  ocaids: readonly string[],
): Promise<ReadonlyMap<string, ItemMetadata>> {
  if (ocaids.length === 0) return new Map();
  const sql = `SELECT ocaid, collections, access_restricted AS restricted FROM item
               WHERE ocaid IN (SELECT value FROM json_each(?1))`;
  const items = await rows<Pick<ItemRow, "ocaid" | "collections" | "restricted">>(database, {
    sql,
    values: [JSON.stringify(ocaids)],
  });
  return new Map(
    items.flatMap((item) => {
      const metadata = metadataOf(item);
      return metadata === undefined ? [] : [[item.ocaid, metadata] as const];
    }),
  );
}

/** `subjects`: JSON array of the subjects of the scan's work; null if not requested. */
const READ = `
  SELECT w.value AS ocaid, i.collections, i.access_restricted AS restricted, i.copies, i.browse,
    CASE WHEN i.ocaid IS NULL AND ?2 = 1 THEN (
      WITH RECURSIVE work(key, hops) AS (
        SELECT * FROM (
          SELECT e.document->>'$.works[0].key', 0 FROM identifier d JOIN record e ON e.id = d.edition_id
          WHERE d.kind = 'ocaid' AND d.value = w.value ORDER BY d.edition_id LIMIT 1)
        UNION ALL
        SELECT r.document->>'$.location', work.hops + 1 FROM work JOIN record r ON r.key = work.key
        WHERE r.type = '/type/redirect' AND work.hops < ${REDIRECT_HOPS_MAX})
      SELECT r.document->'$.subjects' FROM work JOIN record r ON r.key = work.key
      WHERE r.type = '/type/work') END AS subjects
  FROM json_each(?1) w LEFT JOIN item i ON i.ocaid = w.value`;

/**
 * Reads the terms on which scanned items can be read and lent, by item id; unknown items are absent. `derive`: derives
 * the terms of items without a row from the subjects of their work, following redirects. One statement.
 */
export async function readTerms(
  catalog: Database,
  ocaids: readonly string[],
  { derive }: { derive: boolean },
): Promise<ReadonlyMap<string, LendingTerms>> {
  if (ocaids.length === 0) return new Map();
  const found = await rows<
    Pick<ItemRow, "ocaid"> &
      ItemJoin<"collections" | "restricted" | "copies" | "browse"> & { readonly subjects: string | null }
  >(catalog, { sql: READ, values: [JSON.stringify([...new Set(ocaids)]), Number(derive)] });
  const termsById = new Map<string, LendingTerms>();
  for (const { ocaid, subjects, ...item } of found) {
    const metadata = metadataOf(item);
    const ofItem = metadata && termsOf({ ...metadata, copies: item.copies ?? 1, browse: item.browse === 1 });
    const terms = ofItem ?? (subjects === null ? undefined : termsFromSubjects(textsOf(subjects)));
    if (terms !== undefined) termsById.set(ocaid, terms);
  }
  return termsById;
}

/** Reads the keys of the works whose editions have one of the scans; for an edition without a work, its own key. */
export async function readWorksOfScans(catalog: Database, ocaids: readonly string[]): Promise<string[]> {
  // CROSS JOIN keeps the order: otherwise SQLite would read all scans of the catalog.
  const sql = `SELECT DISTINCT coalesce(j.value->>'key', e.key) AS key FROM json_each(?1) w
               CROSS JOIN identifier i ON i.kind = 'ocaid' AND i.value = w.value
               CROSS JOIN record e ON e.id = i.edition_id AND e.type = '/type/edition'
               LEFT JOIN json_each(e.document, '$.works') j ON true`;
  return allValues<string>(catalog, { sql, values: [JSON.stringify(ocaids)] });
}

/** Keys by which scans are looked up: keys of works, keys of editions, or ids of scans. */
export type ScannedBy = "work" | "edition" | "ocaid";

export interface ScannedRow {
  readonly position: number;
  readonly edition: string;
  readonly ocaid: string;
  readonly isbn: string | null;
  readonly oclc: string | null;
  /** Key of its first work, a redirect followed. */
  readonly work: string | null;
}

/** Scans of one work that are read, the first by number; and scans per statement, shared equally by the works. */
const WORK_SCANS_MAX = 500;
const SCANNED_ROWS_MAX = 10_000;

/** CROSS JOIN keeps the order of the tables: otherwise SQLite would read all editions of the catalog. */
const FOUND: Readonly<Record<ScannedBy, string>> = {
  work: `${TARGETS},
  found AS (
    SELECT t.position, p.record_id AS id,
           row_number() OVER (PARTITION BY t.position ORDER BY p.record_id) AS place
    FROM target t CROSS JOIN property p ON p.name = 'works' AND p.value = t.key
    CROSS JOIN record r ON r.id = p.record_id AND r.type = '/type/edition' AND r.document->>'$.ocaid' <> '')`,
  edition: `${TARGETS},
  found AS (SELECT t.position, r.id, 1 AS place FROM target t JOIN record r ON r.key = t.key)`,
  // Finds the edition of a scan like lookups: by its own id, otherwise by the source record of the item.
  ocaid: `
  found AS (
    SELECT a.key AS position, a.value AS ocaid, 1 AS place, coalesce(
      (SELECT edition_id FROM identifier WHERE kind = 'ocaid' AND value = a.value ORDER BY edition_id LIMIT 1),
      (SELECT edition_id FROM identifier WHERE kind = 'source' AND value = 'ia:' || a.value
       ORDER BY edition_id LIMIT 1)) AS id
    FROM json_each(?1) a)`,
};

/**
 * Reads the scanned editions of works, editions or scans (`values`: keys or scan ids), in the order of the list and
 * then by number. Follows redirects. A scan without an edition has no row. The more works, the fewer scans of each are
 * read, but at least the first. One statement.
 */
export function readScanned(
  database: Database,
  by: ScannedBy,
  values: readonly string[],
): Promise<ScannedRow[]> {
  const share = Math.max(1, Math.min(WORK_SCANS_MAX, Math.floor(SCANNED_ROWS_MAX / values.length)));
  const ocaid = by === "ocaid" ? "f.ocaid" : "e.document->>'$.ocaid'";
  const sql = `WITH RECURSIVE ${FOUND[by]}
           SELECT f.position, e.key AS edition, ${ocaid} AS ocaid,
                  coalesce(e.document->>'$.isbn_13[0]', e.document->>'$.isbn_10[0]') AS isbn,
                  e.document->>'$.oclc_numbers[0]' AS oclc,
                  coalesce(w.document->>'$.location', w.key) AS work
           FROM found f
           CROSS JOIN record e ON e.id = f.id AND e.type = '/type/edition'
           LEFT JOIN record w ON w.key = e.document->>'$.works[0].key'
           WHERE f.place <= ?2 AND (${ocaid}) <> ''
           ORDER BY f.position, e.id LIMIT ?3`;
  return rows<ScannedRow>(database, { sql, values: [JSON.stringify(values), share, SCANNED_ROWS_MAX] });
}
