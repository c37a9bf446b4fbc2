import type { ListEntry } from "../../catalog/lists/list-view.ts";
import { type Database, type Statement, type Window, batchRows } from "../statement.ts";
import { nameText } from "../records/titles.ts";
import { SEED_KEY } from "./read-lists.ts";

/** Maximum number of members, from the start, that determine when a list was last updated (Q244). */
const UPDATE_SEEDS_MAX = 1000;

export type ListsOf =
  /** Lists of a patron, by key of the user; `prefix` is the prefix of record numbers. */
  | { readonly kind: "owner"; readonly key: string; readonly prefix: string }
  | { readonly kind: "record"; readonly key: string }
  /** Lists that contain a subject, under any of these seeds. */
  | { readonly kind: "subject"; readonly seeds: readonly string[] };

/** Page of lists, and the record that they belong to or contain. */
export interface ListsFound {
  /** Undefined if the record does not exist, and for subjects. */
  readonly about: AboutRow | undefined;
  readonly size: number;
  readonly entries: readonly ListEntry[];
}

interface AboutRow {
  readonly type: string;
  readonly revision: number;
  readonly location: string | null;
  /** Title or name, as JSON text. */
  readonly name: string | null;
}

/** Row of a page. `name` is JSON; all columns except `size` are null on an empty page. */
type PageRow = Omit<ListEntry, "key" | "name"> &
  Record<"key" | "name", string | null> & { readonly size: number };

/**
 * Reads a page of lists, last changed first, then by key. One round trip; the lists and their total come from one
 * statement.
 */
export async function readLists(
  database: Database,
  of: ListsOf,
  { limit, offset }: Window,
): Promise<ListsFound> {
  const { sql, values } = matchingSql(of);
  // Lists of an owner are indexed in order; those that contain a record must be sorted, so they are looked up once.
  const hint = of.kind === "owner" ? "NOT MATERIALIZED" : "MATERIALIZED";
  const page: Statement = { sql: pageSql(`${hint} (${sql})`), values: [...values, limit, offset] };
  const [lists = [], abouts = []] = await batchRows(
    database,
    of.kind === "subject" ? [page] : [page, aboutStatement(of.key)],
  );
  // The rows have the columns of the statements.
  const pageRows = lists as PageRow[];
  return {
    about: (abouts as AboutRow[])[0],
    size: pageRows[0]?.size ?? 0,
    entries: pageRows.flatMap(entriesOf),
  };
}

function aboutStatement(key: string): Statement {
  return {
    sql: `SELECT type, revision, document ->> '$.location' AS location,
            coalesce(document -> '$.title', document -> '$.displayname', document -> '$.name') AS name
          FROM record WHERE key = ?1`,
    values: [key],
  };
}

/** Returns the statement for the matching lists (`id`, `key`, `last_modified`), with one value. */
function matchingSql(of: ListsOf): Statement {
  if (of.kind === "owner") {
    return {
      sql: `SELECT id, key, last_modified FROM record
            WHERE type = '/type/list' AND rtrim(rtrim(key, 'L'), '0123456789') = ?1`,
      values: [`${of.key}/lists/${of.prefix}`],
    };
  }
  const seeds = of.kind === "record" ? [of.key] : of.seeds;
  return {
    // `+` prevents a scan of all lists.
    sql: `SELECT id, key, last_modified FROM record
          WHERE +type = '/type/list' AND id IN (
            SELECT p.record_id FROM json_each(?1) s CROSS JOIN property p
            ON p.name IN ('seeds', 'seeds.thing') AND p.value = s.value)`,
    values: [JSON.stringify(seeds)],
  };
}

function pageSql(lists: string): string {
  return `
    WITH found AS ${lists},
      page AS (SELECT id FROM found ORDER BY last_modified DESC, key LIMIT ?2 OFFSET ?3)
    SELECT n.size, l.key, l.revision, l.document -> '$.name' AS name,
      coalesce(json_array_length(l.document, '$.seeds'), 0) AS seedCount,
      (SELECT max(m.last_modified) FROM json_each(l.document, '$.seeds') e CROSS JOIN record m
       ON m.key = ${SEED_KEY} WHERE e.key < ${UPDATE_SEEDS_MAX}) AS lastUpdate
    FROM (SELECT count(*) AS size FROM found) n
    LEFT JOIN page ON true LEFT JOIN record l ON l.id = page.id
    ORDER BY l.last_modified DESC NULLS LAST, l.key`;
}

function entriesOf({ key, revision, name, seedCount, lastUpdate }: PageRow): ListEntry[] {
  if (key === null) return [];
  return [{ key, revision, name: nameText(name) ?? "", seedCount, lastUpdate }];
}
