import { type Json, textOf } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";
import { SEED_KEY } from "./seed-columns.ts";

/** Lists of a patron that are looked at to say what they hold: those last changed. */
export const HOLDING_LISTS_MAX = 100;
/** Members of each that are told: the first ones. */
export const HOLDING_MEMBERS_MAX = 1000;

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
