import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import { type Database, type Statement, allValues, batchGroups, firstValue, rows } from "../statement.ts";
import { FITTING_DOCUMENTS } from "./records.ts";
import {
  type Fitting,
  type ReadRow,
  type RecordRow,
  READ_COLUMNS,
  RECORD_COLUMNS,
  fitting,
  fittingRecords,
  requireWhole,
} from "./record-rows.ts";
import { REFERENCES_OF_WORKS, authorsSql } from "./related.ts";

/**
 * Returns the key of the edition with the first identifier of the list that any edition has. Returns undefined if there
 * is none.
 */
export async function findEditionKey(
  database: Database,
  identifiers: readonly Identifier[],
): Promise<string | undefined> {
  const sql = `SELECT r.key FROM json_each(?1) w
               JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1
               JOIN record r ON r.id = i.edition_id
               ORDER BY w.key, i.edition_id LIMIT 1`;
  return firstValue<string>(database, { sql, values: [pairsOf(identifiers)] });
}

/** Returns the keys of all editions with any of the identifiers, oldest first. One statement. */
export async function findEditionKeys(
  database: Database,
  identifiers: readonly Identifier[],
  limit: number,
): Promise<string[]> {
  const sql = `SELECT r.key FROM record r
               WHERE r.id IN (SELECT i.edition_id FROM json_each(?1) w
                              JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1)
               ORDER BY r.id LIMIT ?2`;
  return allValues<string>(database, { sql, values: [pairsOf(identifiers), limit] });
}

const FOUND = `
  WITH sought AS MATERIALIZED (SELECT key AS position, value->>0 AS kind, value->>1 AS value FROM json_each(?1)),
  found AS (
    SELECT position, CASE kind
      WHEN 'key' THEN (SELECT id FROM record WHERE key = sought.value)
      ELSE coalesce(
        (SELECT edition_id FROM identifier i WHERE i.kind = sought.kind AND i.value = sought.value
         ORDER BY edition_id LIMIT 1),
        CASE kind WHEN 'ocaid' THEN
          (SELECT edition_id FROM identifier i WHERE i.kind = 'source' AND i.value = 'ia:' || sought.value
           ORDER BY edition_id LIMIT 1) END)
      END AS id
    FROM sought)`;
const FIND_MANY = `${FOUND}
  ${fittingRecords({ source: "SELECT position, id FROM found", order: "position", more: ["position"], columns: READ_COLUMNS })}`;
const FIND_FEW = `${FOUND}
  SELECT position, ${READ_COLUMNS}, r.document
  FROM found JOIN record r ON r.id = found.id ORDER BY position`;

/** Position of related records, after those of all editions. */
const RELATED = 1_000_000;
const FIND_RELATED = `${FOUND},
  edition AS (SELECT DISTINCT id FROM found WHERE id IS NOT NULL),
  work AS (SELECT DISTINCT w.id FROM edition f CROSS JOIN record e ON e.id = f.id
           CROSS JOIN record w ON w.key = e.document->>'$.works[0].key'),
  every AS (
    SELECT position, id FROM found
    UNION ALL
    SELECT ${RELATED} AS position, id FROM (
      SELECT id FROM work UNION ${REFERENCES_OF_WORKS}
      UNION ${authorsSql({ table: "edition", reference: "key" })}) o)
  ${fittingRecords({ source: "SELECT position, id FROM every", order: "position, id", more: ["position"], columns: READ_COLUMNS })}`;

export function pairsOf(identifiers: readonly Identifier[]): string {
  return JSON.stringify(identifiers.map(({ kind, value }) => [kind, value]));
}

interface FoundEditions {
  /** Editions by the position of their identifier in the list. */
  readonly editions: Map<number, ReadRow>;
  /** First works of the editions, with the authors and series of those works, and authors of the editions. */
  readonly related: readonly ReadRow[];
}

/**
 * Finds editions by identifiers or, with the kind `key`, by record key. If several editions share an identifier, the one
 * with the lowest number is used. A scan is also found by the source record of its item. `withRelated`: reads the records
 * related to them, too, unless they are too large together. One statement. Throws `DocumentsTooLarge`.
 */
export async function findEditions(
  database: Database,
  identifiers: readonly Identifier[],
  { withRelated = false }: { withRelated?: boolean } = {},
): Promise<FoundEditions> {
  const find = identifiers.length <= FITTING_DOCUMENTS ? FIND_FEW : FIND_MANY;
  const statement = { sql: withRelated ? FIND_RELATED : find, values: [pairsOf(identifiers)] };
  const found = await rows<Fitting<ReadRow & { position: number }>>(database, statement);
  const editions = requireWhole<ReadRow & { position: number }>(
    found.filter(({ position }) => position < RELATED),
  );
  const others = found.slice(editions.length);
  const related = fitting<ReadRow>(others);
  return {
    editions: new Map(editions.map((row) => [row.position, row])),
    related: related.length === others.length ? related : [],
  };
}

/** Returns the statement of the keys of the records that `findEditions` finds. */
export function foundKeysStatement(identifiers: readonly Identifier[]): Statement {
  const sql = `SELECT r.key FROM (${FOUND} SELECT id FROM found) f CROSS JOIN record r ON r.id = f.id`;
  return { sql, values: [pairsOf(identifiers)] };
}

/** Edition with most of the identifiers; of several the one with the lowest number. */
const MOST_HITS = `
  SELECT ${RECORD_COLUMNS}
  FROM (SELECT i.edition_id FROM json_each(?1) w
        CROSS JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1
        GROUP BY i.edition_id ORDER BY count(*) DESC, i.edition_id LIMIT 1) found
  JOIN record r ON r.id = found.edition_id`;

/**
 * Finds the edition that a library system refers to: one with any of the ISBNs, or else the one with most of the other
 * identifiers. Identifiers must be distinct and in index form. Returns undefined if there is none. One round trip.
 */
export async function findByIdentifiers(
  database: Database,
  identifiers: readonly Identifier[],
): Promise<RecordRow | undefined> {
  const editions = await batchGroups<{ isbns: RecordRow; others: RecordRow }>(database, {
    isbns: mostHitsStatement(identifiers.filter(({ kind }) => kind === "isbn")),
    others: mostHitsStatement(identifiers.filter(({ kind }) => kind !== "isbn")),
  });
  return editions.isbns[0] ?? editions.others[0];
}

function mostHitsStatement(identifiers: readonly Identifier[]): Statement[] {
  if (identifiers.length === 0) return [];
  return [{ sql: MOST_HITS, values: [pairsOf(identifiers)] }];
}
