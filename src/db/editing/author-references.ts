import { type WriteFailure, documentFailure } from "../../catalog/editing/failure.ts";
import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import { indexRowsOf } from "../../catalog/index-rows.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, type Statement, batchGroups, overList } from "../statement.ts";
import { requestKeys } from "./request.ts";

const NAMED_REFERENCES_MAX = 20;

export interface AuthorReferences {
  readonly author: string;
  readonly total: number;
  readonly keys: readonly string[];
}

/** Property paths under which editions and works refer to their authors. */
const AUTHOR_PATHS: ReadonlySet<string> = new Set(["authors", "authors.author"]);
const NAMING = `FROM property p JOIN record s ON s.id = p.record_id
  WHERE p.name IN ('authors', 'authors.author') AND p.value = a.key AND s.type IN ('/type/edition', '/type/work')`;

/**
 * Reads the references to authors, except references by these documents. Unreferenced authors are absent. One round
 * trip; none without authors.
 */
export async function readAuthorReferences(
  database: Database,
  authors: readonly string[],
  documents: readonly CatalogRecord[],
): Promise<AuthorReferences[]> {
  const outside = `${NAMING} AND s.key NOT IN (SELECT value FROM json_each(?2))`;
  const statements = overList(
    authors,
    `SELECT * FROM (
       SELECT a.key AS author, (SELECT count(DISTINCT s.id) ${outside}) AS total,
              (SELECT json_group_array(key) FROM (SELECT DISTINCT s.id, s.key ${outside} ORDER BY s.id LIMIT ${NAMED_REFERENCES_MAX})) AS keys
       FROM json_each(?1) e CROSS JOIN record a ON a.key = e.value WHERE a.type = '/type/author')
     WHERE total > 0`,
  );
  const all = JSON.stringify(requestKeys(documents));
  const { references } = await batchGroups<{ references: { author: string; total: number; keys: string } }>(
    database,
    { references: statements.map(({ sql, values }) => ({ sql, values: [...values, all] })) },
  );
  // Column built by json_group_array from keys.
  return references.map(({ author, total, keys }) => ({ author, total, keys: JSON.parse(keys) as string[] }));
}

/** Returns the keys of authors that these writes delete or turn into another type. */
export function removedAuthorsOf(writes: readonly PreparedWrite[]): string[] {
  return writes
    .filter(({ before, type }) => before?.type === "/type/author" && type !== "/type/author")
    .map(({ key }) => key);
}

/** Returns failures for deleted authors that records inside or outside the change still refer to afterwards (Q98). */
export function findReferencedAuthors(
  writes: readonly PreparedWrite[],
  outside: readonly AuthorReferences[],
  prefix: string,
): WriteFailure[] {
  const takenAuthors = new Set(removedAuthorsOf(writes));
  if (takenAuthors.size === 0) return [];
  const inside = groupNamingWrites(writes, takenAuthors, prefix);
  const known = new Map(outside.map((references) => [references.author, references]));
  return writes.flatMap(({ key, type }) => {
    if (!takenAuthors.has(key)) return [];
    const here = inside.get(key) ?? [];
    const total = (known.get(key)?.total ?? 0) + here.length;
    const keys = [...(known.get(key)?.keys ?? []), ...here].slice(0, NAMED_REFERENCES_MAX);
    return total === 0 ? [] : [toReferencedFailure({ author: key, total, keys }, type)];
  });
}

function toReferencedFailure({ author, total, keys }: AuthorReferences, type: string): WriteFailure {
  const key = type === "/type/delete" ? "bad_data.author_in_use" : "bad_data.author_type";
  const values = { count: total, author, keys: `${keys.join(", ")}${total > keys.length ? ", ..." : ""}` };
  return documentFailure({ key, values }, { key: author, property: "type" });
}

function groupNamingWrites(
  writes: readonly PreparedWrite[],
  authors: ReadonlySet<string>,
  prefix: string,
): ReadonlyMap<string, string[]> {
  const naming = new Map<string, string[]>();
  for (const { key, type, members } of writes) {
    if (type !== "/type/edition" && type !== "/type/work") continue;
    const { properties } = indexRowsOf({ ...members, key, type: { key: type } }, prefix);
    const named = properties.filter(({ name, value }) => AUTHOR_PATHS.has(name) && authors.has(value));
    for (const author of new Set(named.map(({ value }) => value))) {
      naming.set(author, [...(naming.get(author) ?? []), key]);
    }
  }
  return naming;
}

/**
 * Returns statements that fail the change if a record refers to one of the deleted authors by then. CROSS JOIN keeps
 * the table order; otherwise all authors of all works would be scanned.
 */
export function guardUnreferenced(authors: readonly string[]): Statement[] {
  return overList(
    authors,
    `INSERT INTO expectation (met)
     SELECT 0 FROM json_each(?1) a CROSS JOIN property p ON p.name IN ('authors', 'authors.author') AND p.value = a.value
     CROSS JOIN record s ON s.id = p.record_id WHERE s.type IN ('/type/edition', '/type/work') LIMIT 1`,
  );
}
