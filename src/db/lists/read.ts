import type { ListHead } from "../../catalog/lists/view.ts";
import { idRange } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, type Json, textOf } from "../../catalog/record.ts";
import { type Database, type Statement, batchRows, firstRow, rows } from "../statement.ts";
import { SEED_KEY } from "./rows.ts";

/** A row of `listHead`. */
export interface HeadRow {
  readonly id: number;
  readonly key: string;
  readonly type: ListHead["type"];
  readonly revision: number;
  readonly created: string;
  readonly lastModified: string;
  readonly members: string;
  readonly seedCount: number;
}

const WORKS = idRange("W");

/** A list or series without its members; undefined for other records and for those that are gone. One statement. */
export async function readList(database: Database, key: string): Promise<ListHead | undefined> {
  return headOf(await firstRow<HeadRow>(database, listHead(key)));
}

/** The statement of `readList`, for batches. */
export function listHead(key: string): Statement {
  return {
    sql: `SELECT id, key, type, revision, created, last_modified AS lastModified,
            json_object('name', document -> '$.name', 'description', document -> '$.description') AS members,
            iif(type = '/type/list', coalesce(json_array_length(document, '$.seeds'), 0),
              (SELECT count(*) FROM property p WHERE p.name = 'series.series' AND p.value = record.key
                 AND p.record_id >= ${WORKS.from} AND p.record_id < ${WORKS.to})) AS seedCount
          FROM record WHERE key = ?1 AND type IN ('/type/list', '/type/series')`,
    values: [key],
  };
}

/** The list of a row of `listHead`. */
export function headOf(row: HeadRow | undefined): ListHead | undefined {
  // Made by `json_object`.
  return row === undefined ? undefined : { ...row, members: JSON.parse(row.members) as CatalogRecord };
}

/** Lists of a patron that are looked at to say what they hold: those last changed. */
const HOLDING_LISTS_MAX = 100;
/** Members of each that are told: the first ones. */
const HOLDING_MEMBERS_MAX = 1000;

/** A list and the keys of what it holds; subjects are seeds such as `subject:love`. */
export interface HoldingList {
  readonly key: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** What a patron's own lists hold, the last changed first. `prefix` is that of record numbers. One statement. */
export async function readOwnMembers(
  database: Database,
  userKey: string,
  prefix: string,
): Promise<HoldingList[]> {
  const found = await rows<{ key: string; name: string | null; members: string }>(database, {
    sql: `SELECT l.key, l.document -> '$.name' AS name,
            (SELECT json_group_array(${SEED_KEY}) FROM json_each(l.document, '$.seeds') e
             WHERE e.key < ${HOLDING_MEMBERS_MAX}) AS members
          FROM record l
          WHERE l.type = '/type/list' AND rtrim(rtrim(l.key, 'L'), '0123456789') = ?1
          ORDER BY l.last_modified DESC, l.key LIMIT ?2`,
    values: [`${userKey}/lists/${prefix}`, HOLDING_LISTS_MAX],
  });
  return found.map(({ key, name, members }) => ({
    key,
    // Parts of a stored document, and what the statement made of one.
    name: (name === null ? undefined : textOf(JSON.parse(name) as Json)) ?? "",
    members: (JSON.parse(members) as (string | null)[]).filter((member) => member !== null),
  }));
}

/** Names of records by key, such as those of authors; records without one are left out. One statement or none. */
export async function readNames(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const found = await rows<{ key: string; name: string | null }>(database, {
    sql: `SELECT key, document -> '$.name' AS name FROM record
          WHERE key IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify([...new Set(keys)])],
  });
  return new Map(
    found.flatMap(({ key, name }) => {
      // A part of a stored document.
      const text = name === null ? undefined : textOf(JSON.parse(name) as Json);
      return text === undefined || text === "" ? [] : [[key, text] as const];
    }),
  );
}

/** What a list is about: keys of works, of editions without a work, and other seeds. */
export interface SeedWorks {
  readonly list: ListHead;
  /** Works and editions that are seeds or the works of such; an edition with a work is told by its work. */
  readonly books: readonly string[];
  /** Keys of authors, and subject strings. */
  readonly others: readonly string[];
}

const WORK_IDS = idRange("W");

/** What the works of a list or series are found by. Undefined when there is none under that key. One round trip. */
export async function readSeedWorks(database: Database, key: string): Promise<SeedWorks | undefined> {
  const seeds = `SELECT ${SEED_KEY} AS named FROM record l, json_each(l.document, '$.seeds') e
    WHERE l.key = ?1 AND l.type = '/type/list'
    UNION SELECT r.key FROM property p CROSS JOIN record r ON r.id = p.record_id
    WHERE p.name = 'series.series' AND p.value = ?1 AND p.record_id >= ${WORK_IDS.from} AND p.record_id < ${WORK_IDS.to}`;
  const [heads = [], found = []] = await batchRows(database, [
    listHead(key),
    {
      sql: `SELECT DISTINCT coalesce(iif(m.type = '/type/edition', m.document ->> '$.works[0].key', NULL), s.named) AS named
            FROM (${seeds}) s LEFT JOIN record m ON m.key = s.named AND s.named >= '/books/' AND s.named < '/books0'
            WHERE s.named IS NOT NULL`,
      values: [key],
    },
  ]);
  // The rows have the columns of the statements.
  const list = headOf((heads as HeadRow[])[0]);
  if (list === undefined) return undefined;
  const named = (found as { named: string }[]).map((row) => row.named);
  return { list, books: named.filter(isBook), others: named.filter((one) => !isBook(one)) };
}

function isBook(key: string): boolean {
  return key.startsWith("/works/") || key.startsWith("/books/");
}
