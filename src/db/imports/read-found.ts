import { REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import { readView } from "../../catalog/view.ts";
import type { Found, RecordLookups } from "../../import/load/found.ts";
import { type StoredNow, type StoredRow, storedNow } from "../editing/read-state.ts";
import type { PlaceRow } from "../records/permissions.ts";
import { type Database, type Statement, rows } from "../statement.ts";
import type { ClaimedItem } from "./load-request.ts";
import { type NumberedLookups, hitsSql, numberedLookups, worksSql } from "./lookup-sql.ts";

/** Most bytes of the documents that one record is compared with: they are all in memory at once. */
export const FOUND_BYTES = 16 * 1024 * 1024;
/** Most bytes of them for a record that is imported beside others. */
export const FOUND_BYTES_BESIDE = 2 * 1024 * 1024;
/** Most records, and findings of lookups, that it is decided on: what is committed asks for each of them again. */
const FOUND_ROWS = 40_000;
/** From an edition to its work and from there to an author, each perhaps by redirects. */
const FOUND_HOPS_MAX = 2 + REDIRECT_HOPS_MAX;

/** What was looked up and what it gave: all that a commit needs to ask whether it still does. */
interface Hits {
  readonly lookups: NumberedLookups;
  /** By the numbers of the lookups, ascending by number of the record. */
  readonly pairs: readonly (readonly [lookup: number, id: number])[];
  /** Authors among whose works the title was looked for. */
  readonly authors: readonly string[];
  readonly works: readonly (readonly [author: string, id: number])[];
}

/** What a decision is made on, as of one instant, and what it is saved with. */
export interface Reading {
  readonly found: Omit<Found, "languages">;
  /** The same records as they are stored. */
  readonly stored: ReadonlyMap<string, StoredNow>;
  readonly hits: Hits;
  /** False when there is more than may be read; then nothing is here. */
  readonly isComplete: boolean;
  readonly isReadOnly: boolean;
  /** False when somebody else has the item by now, or nobody. */
  readonly isClaimed: boolean;
  /** Time of the newest change, naive UTC; "" when there is none. */
  readonly newest: string;
  /** Another text when the languages are others. */
  readonly languages: string;
  /** What is said of permissions for whole folders. */
  readonly places: readonly PlaceRow[];
}

/** What is read besides the records. */
interface State {
  readonly isComplete: boolean | 0 | 1;
  readonly isReadOnly: boolean | 0 | 1;
  readonly isClaimed: boolean | 0 | 1;
  readonly newest: string | null;
  readonly languages: string | null;
  readonly places: readonly PlaceRow[];
}

type Row =
  | { readonly part: "state"; readonly document: string }
  | { readonly part: "hit"; readonly n: number; readonly id: number }
  | { readonly part: "author"; readonly key: string }
  | { readonly part: "work"; readonly key: string; readonly id: number }
  | (StoredRow & { readonly part: "record" });

/**
 * Reads everything that an import record is decided on: one statement. `?1` lookups, `?2` how many of them are by title,
 * `?3` title key of works, `?4` and `?5` the claimed item, `?6` the most bytes. Very many books have a title such as
 * "Poems": the authors of those are compared, and nothing is looked for among their works.
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
        FROM record r WHERE r.key IN ('/', '/authors', '/books', '/works'))) AS TEXT) AS document
  UNION ALL SELECT 'hit', n, id, NULL, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN hit WHERE size.is_complete
  UNION ALL SELECT 'author', NULL, NULL, key, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN author WHERE size.is_complete
  UNION ALL SELECT 'work', NULL, id, author, NULL, NULL, NULL, NULL, NULL
    FROM size CROSS JOIN work WHERE size.is_complete
  UNION ALL SELECT 'record', NULL, r.id, r.key, r.type, r.revision, r.created, r.change_id, r.document
    FROM size CROSS JOIN found f CROSS JOIN record r ON r.id = f.id WHERE size.is_complete`;

interface FoundQuery {
  readonly lookups: RecordLookups;
  readonly item?: ClaimedItem | undefined;
  /** Most bytes of the documents; `FOUND_BYTES` by default. */
  readonly bytes?: number | undefined;
}

/** The statement of `readFound`. */
export function foundStatement(
  { list, titles, workTitle }: NumberedLookups,
  { item, bytes = FOUND_BYTES }: Omit<FoundQuery, "lookups"> = {},
): Statement {
  const claim = [item?.id ?? null, item?.claim ?? null];
  return { sql: FOUND, values: [JSON.stringify(list), titles, workTitle, ...claim, bytes] };
}

/** Reads everything that an import record is decided on but the languages: one statement, one round trip. */
export async function readFound(database: Database, query: FoundQuery): Promise<Reading> {
  const lookups = numberedLookups(query.lookups);
  const read = await rows<Row>(database, foundStatement(lookups, query));
  const parts: Parts = { pairs: [], authors: [], works: [], stored: [] };
  let state: State | undefined;
  for (const row of read) {
    if (row.part === "hit") parts.pairs.push([row.n, row.id]);
    else if (row.part === "author") parts.authors.push(row.key);
    else if (row.part === "work") parts.works.push([row.key, row.id]);
    else if (row.part === "record") parts.stored.push(storedNow(row));
    // The statement has made this text.
    else state = JSON.parse(row.document) as State;
  }
  if (state === undefined) throw new Error("the state of the catalog is missing");
  parts.pairs.sort((a, b) => a[1] - b[1]);
  parts.works.sort((a, b) => a[1] - b[1]);
  return {
    found: foundOf(parts, lookups),
    stored: new Map(parts.stored.map((record) => [record.key, record])),
    hits: { lookups, ...parts },
    isComplete: Boolean(state.isComplete),
    isReadOnly: Boolean(state.isReadOnly),
    isClaimed: Boolean(state.isClaimed),
    newest: state.newest ?? "",
    languages: state.languages ?? "",
    places: state.places,
  };
}

interface Parts {
  readonly pairs: (readonly [number, number])[];
  readonly authors: string[];
  readonly works: (readonly [string, number])[];
  readonly stored: StoredNow[];
}

function foundOf({ pairs, works, stored }: Parts, { names }: NumberedLookups): Reading["found"] {
  const keys = new Map(stored.map(({ id, key }) => [id, key]));
  return {
    hits: grouped(pairs.map(([lookup, id]) => [names[lookup] ?? "", keys.get(id)])),
    // As readers get them: the early years had other keys and forms.
    records: new Map(stored.map((one) => [one.key, { ...one, document: readView(one.document) }])),
    worksOf: grouped(works.map(([author, id]) => [author, keys.get(id)])),
  };
}

function grouped(pairs: readonly (readonly [string, string | undefined])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
