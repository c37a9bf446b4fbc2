import { type Database, allValues, firstValue, rows } from "../statement.ts";
import { groupsOf } from "./permissions.ts";
import type { RecordColumns } from "./rows.ts";
import { type Fitting, fitting, fittingRecords } from "./whole-documents.ts";

/** Key of the user with a name, whatever its case; undefined when there is none. */
export async function findUserKey(database: Database, username: string): Promise<string | undefined> {
  const sql = "SELECT key FROM record WHERE type = '/type/user' AND lower(key) = lower(?1) LIMIT 1";
  return firstValue<string>(database, { sql, values: [`/people/${username}`] });
}

/** Those of the usernames, in lower case, that records have, whatever their case: of users, or of those who have left. */
export async function readRecordedNames(
  database: Database,
  usernames: readonly string[],
): Promise<Set<string>> {
  const sql = `SELECT lower(e.value) AS name FROM json_each(?1) e
               WHERE EXISTS (SELECT 1 FROM record WHERE key = '/people/' || e.value)
                  OR EXISTS (SELECT 1 FROM record
                             WHERE type = '/type/user' AND lower(key) = lower('/people/' || e.value))`;
  return new Set(await allValues<string>(database, { sql, values: [JSON.stringify(usernames)] }));
}

/** Keys of the usergroups that a user is a member of, sorted. */
export async function readGroups(database: Database, userKey: string): Promise<string[]> {
  return allValues<string>(database, groupsOf(userKey));
}

/** A record below a key. */
export type BelowRow = Pick<RecordColumns, "key" | "type" | "revision" | "document">;

const BELOW = fittingRecords({
  source: `SELECT id, key FROM record
    WHERE key > ?1 AND key > ?2 AND key < ?3 AND type <> '/type/delete' AND type = coalesce(?4, type)
    ORDER BY key LIMIT ?5`,
  order: "key",
});

/**
 * Records that are not deleted and whose keys begin with a folder such as `/people/joe/`, after a key, in order of key, as
 * far as there is room; the last one is followed by others unless there are none.
 */
export async function readBelow(
  catalog: Database,
  folder: string,
  { after, limit, type = null }: { after: string; limit: number; type?: string | null },
): Promise<BelowRow[]> {
  // Nothing but the folder's own records lies between it and its name with the next character.
  const end = `${folder.slice(0, -1)}0`;
  const values = [folder, after, end, type, limit];
  return fitting<BelowRow>(await rows<Fitting<BelowRow>>(catalog, { sql: BELOW, values }));
}
