import { MIB } from "../../catalog/units.ts";
import { REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import { toReadView } from "../../catalog/document.ts";
import type { Snapshot, RecordLookups } from "../../import/records/snapshot.ts";
import { type StoredNow, type StoredRow, toStoredNow } from "../editing/read-state.ts";
import type { PlaceRow } from "../records/permissions.ts";
import { type Database, type Statement, rows } from "../statement.ts";
import type { ClaimedItem } from "./import-request.ts";
import { type NumberedLookups, hitsSql, numberLookups, worksSql } from "./lookup-sql.ts";

/** Maximum bytes of the documents that one record is compared with. All of them are in memory at once. */
export const FOUND_BYTES = 16 * MIB;
/** Maximum bytes of these documents for a record imported concurrently with others. */
export const FOUND_BYTES_BESIDE = 2 * MIB;
/** Maximum number of records and hits behind one decision: the commit checks each of them again. */
const FOUND_ROWS = 40_000;
/** Maximum hops from an edition to its work and on to an author, with redirects. */
const FOUND_HOPS_MAX = 2 + REDIRECT_HOPS_MAX;

/** Lookups and their hits, which the commit checks again. */
interface Hits {
  readonly lookups: NumberedLookups;
  /** Pairs of lookup number and record id, in ascending order of id. */
  readonly pairs: readonly (readonly [lookup: number, id: number])[];
  readonly authors: readonly string[];
  readonly works: readonly (readonly [author: string, id: number])[];
}

/** Consistent snapshot for a decision, with the data needed to save it. */
export interface ImportReading {
  readonly found: Omit<Snapshot, "languages">;
  readonly stored: ReadonlyMap<string, StoredNow>;
  readonly hits: Hits;
  /** False if there is more than the limits allow; the other parts are then empty. */
  readonly isComplete: boolean;
  readonly isReadOnly: boolean;
  /** False if the item is no longer claimed, or claimed by another worker. */
  readonly isClaimed: boolean;
  /** Time of the newest change, naive UTC; "" if there is none. */
  readonly newest: string;
  /** Version of the languages. Changes whenever a language changes. */
  readonly languages: string;
  /** Permissions of whole folders. */
  readonly places: readonly PlaceRow[];
  /** Highest numbers given out, by sequence. */
  readonly sequences: ReadonlyMap<string, number>;
}

interface CatalogState {
  readonly isComplete: boolean | 0 | 1;
  readonly isReadOnly: boolean | 0 | 1;
  readonly isClaimed: boolean | 0 | 1;
  readonly newest: string | null;
  readonly languages: string | null;
  readonly places: readonly PlaceRow[];
  readonly sequences: readonly (readonly [name: string, value: number])[];
}

type Row =
  | { readonly part: "state"; readonly document: string }
  | { readonly part: "hit"; readonly n: number; readonly id: number }
  | { readonly part: "author"; readonly key: string }
  | { readonly part: "work"; readonly key: string; readonly id: number }
  | (StoredRow & { readonly part: "record" });

/**
 * Statement that reads everything that an import is decided on. `?1` lookups, `?2` number of lookups by title, `?3`
 * title key of works, `?4` and `?5` the claimed item, `?6` maximum bytes. Titles such as "Poems" are shared by very
 * many books, so the authors of title matches are compared but their works are not searched.
 */
const FOUND = `
  WITH RECURSIVE hit (n, id) AS MATERIALIZED (${hitsSql("?1")}),
  reached (id, by_title, hop) AS (
    SELECT DISTINCT id, n < ?2, 0 FROM hit
    UNION
    SELECT t.id, c.by_title, c.hop + 1 FROM reached c
    CROSS JOIN record r ON r.id = c.id
    CROSS JOIN json_tree(CASE r.type
      WHEN '/type/edition' THEN json_array(r.document -> '$.works', r.document -> '$.authors')
      WHEN '/type/work' THEN json_array(r.document -> '$.authors')
      WHEN '/type/redirect' THEN json_array(r.document -> '$.location')
      ELSE '[]' END) k
    CROSS JOIN record t ON t.key = CASE substr(k.atom, 1, 3)
      WHEN '/a/' THEN '/authors' || substr(k.atom, 3) WHEN '/b/' THEN '/books' || substr(k.atom, 3) ELSE k.atom END
    WHERE c.hop < ${FOUND_HOPS_MAX} AND k.type = 'text' AND substr(k.atom, 1, 2) IN ('/a', '/b', '/w')
  ),
  author (id, key) AS MATERIALIZED (
    SELECT a.id, a.key FROM (SELECT DISTINCT id FROM reached WHERE NOT by_title) c
    CROSS JOIN record a ON a.id = c.id AND a.type = '/type/author'),
  work (author, id) AS MATERIALIZED (${worksSql("author", "?3")}),
  found (id) AS MATERIALIZED (SELECT id FROM reached UNION SELECT id FROM work),
  size (is_complete) AS MATERIALIZED (
    SELECT (SELECT count(*) FROM hit) + count(*) <= ${FOUND_ROWS}
      AND coalesce(sum(octet_length(r.document)), 0) <= ?6
    FROM found f CROSS JOIN record r ON r.id = f.id)
  SELECT 'state' AS part, NULL AS n, NULL AS id, NULL AS key, NULL AS type, CAST(NULL AS BIGINT) AS revision,
    NULL AS created, CAST(NULL AS BIGINT) AS change, CAST(json_object(
      'isComplete', (SELECT is_complete FROM size),
      'isReadOnly', EXISTS (SELECT 1 FROM service_state WHERE name = 'read_only' AND value = 'on'),
      'isClaimed', CAST(?4 AS BIGINT) IS NULL OR EXISTS (
        SELECT 1 FROM import_item WHERE id = ?4 AND status = 'processing' AND claim = ?5),
      'newest', (SELECT created FROM change ORDER BY id DESC LIMIT 1),
      'languages', (SELECT max(id) FROM record WHERE type = '/type/language') || ' ' ||
        (SELECT max(last_modified) FROM record WHERE type = '/type/language'),
      'places', (SELECT json_group_array(json_object('key', r.key,
          'permission', coalesce(r.document->>'$.permission.key', r.document->>'$.permission'),
          'child', coalesce(r.document->>'$.child_permission.key', r.document->>'$.child_permission')))
        FROM record r WHERE r.key IN ('/', '/authors', '/books', '/works')),
      'sequences', (SELECT json_group_array(json_array(name, value)) FROM sequence)) AS TEXT) AS document
  UNION ALL SELECT 'hit', n, id, NULL, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN hit WHERE size.is_complete
  UNION ALL SELECT 'author', NULL, NULL, key, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN author WHERE size.is_complete
  UNION ALL SELECT 'work', NULL, id, author, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN work WHERE size.is_complete
  UNION ALL SELECT 'record', NULL, r.id, r.key, r.type, r.revision, r.created, r.change_id, r.document
    FROM size CROSS JOIN found f CROSS JOIN record r ON r.id = f.id WHERE size.is_complete`;

interface FoundQuery {
  readonly item?: ClaimedItem | undefined;
  /** Maximum bytes of the documents. Defaults to `FOUND_BYTES`. */
  readonly bytes?: number | undefined;
}

export function foundStatementOf(
  { list, titles, workTitle }: NumberedLookups,
  { item, bytes = FOUND_BYTES }: FoundQuery = {},
): Statement {
  const claim = [item?.id ?? null, item?.claim ?? null];
  return { sql: FOUND, values: [JSON.stringify(list), titles, workTitle, ...claim, bytes] };
}

/** Reads everything that an import is decided on except the languages: one statement, one round trip. */
export async function readFound(
  database: Database,
  query: FoundQuery & { readonly lookups: RecordLookups },
): Promise<ImportReading> {
  const lookups = numberLookups(query.lookups);
  const pairs: (readonly [lookup: number, id: number])[] = [];
  const authors: string[] = [];
  const works: (readonly [author: string, id: number])[] = [];
  const stored: StoredNow[] = [];
  let state: CatalogState | undefined;
  for (const row of await rows<Row>(database, foundStatementOf(lookups, query))) {
    if (row.part === "hit") pairs.push([row.n, row.id]);
    else if (row.part === "author") authors.push(row.key);
    else if (row.part === "work") works.push([row.key, row.id]);
    else if (row.part === "record") stored.push(toStoredNow(row));
    // This text was built by the statement.
    else state = JSON.parse(row.document) as CatalogState;
  }
  if (state === undefined) throw new Error("the state of the catalog is missing");
  pairs.sort((a, b) => a[1] - b[1]);
  works.sort((a, b) => a[1] - b[1]);
  const keys = new Map(stored.map(({ id, key }) => [id, key]));
  return {
    found: {
      hits: groupPairs(pairs.map(([lookup, id]) => [lookups.names[lookup] ?? "", keys.get(id)])),
      // Readers see upgraded documents: early records had other keys and forms.
      records: new Map(
        stored.map((record) => [record.key, { ...record, document: toReadView(record.document) }]),
      ),
      worksOf: groupPairs(works.map(([author, id]) => [author, keys.get(id)])),
    },
    stored: new Map(stored.map((record) => [record.key, record])),
    hits: { lookups, pairs, authors, works },
    isComplete: Boolean(state.isComplete),
    isReadOnly: Boolean(state.isReadOnly),
    isClaimed: Boolean(state.isClaimed),
    newest: state.newest ?? "",
    languages: state.languages ?? "",
    places: state.places,
    sequences: new Map(state.sequences),
  };
}

function groupPairs(pairs: readonly (readonly [string, string | undefined])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
