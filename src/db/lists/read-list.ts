import type { ListHead } from "../../catalog/lists/list-view.ts";
import { idRange } from "../../catalog/record-id.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, type Statement, firstRow } from "../statement.ts";

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
