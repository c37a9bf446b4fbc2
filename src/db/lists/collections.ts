import type { ListEntry } from "../../catalog/lists/list-view.ts";
import { type Database, type Statement, type Window, batchRows } from "../statement.ts";
import { nameText } from "../records/titles.ts";
import { SEED_KEY } from "./read-lists.ts";

/** Members of a list that decide when it was last updated, the first ones; a longer one is judged by these (Q244). */
const UPDATE_SEEDS_MAX = 1000;

/** What lists are asked about: a record that has to exist, or a subject. */
export type ListsOf =
  /** The lists of a patron, by key of the user; `prefix` is that of record numbers. */
  | { readonly kind: "owner"; readonly key: string; readonly prefix: string }
  /** Lists that hold a record. */
  | { readonly kind: "record"; readonly key: string }
  /** Lists that hold a subject, under any of these seeds. */
  | { readonly kind: "subject"; readonly seeds: readonly string[] };

/** A page of lists, and the record that they are of. */
export interface ListsFound {
  /** Undefined when there is no such record, and for subjects. */
  readonly about: AboutRow | undefined;
  /** How many there are in all. */
  readonly size: number;
  readonly entries: readonly ListEntry[];
}

/** The record that lists are of. */
interface AboutRow {
  readonly type: string;
  readonly revision: number;
  /** Of a redirect: where it leads. */
  readonly location: string | null;
  /** Title or name, as JSON text. */
  readonly name: string | null;
}

/** `name` is JSON; all but `size` is null where the page has no list. */
type PageRow = Omit<ListEntry, "key" | "name"> &
  Record<"key" | "name", string | null> & { readonly size: number };

/** A page of lists, last changed first, then by key. One round trip; lists and their number come in one statement. */
export async function readLists(
  database: Database,
  of: ListsOf,
  { limit, offset }: Window,
): Promise<ListsFound> {
  const { sql, values } = matchingSql(of);
  // The lists of an owner lie in their order; those with a record have to be sorted, and are looked up once.
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

/** The lists that are meant: `id`, `key`, `last_modified`, by one value. */
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
    // `+` keeps the planner from walking all lists.
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
