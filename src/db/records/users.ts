import { type Database, allValues, firstValue, rows } from "../statement.ts";
import { groupsStatement } from "./permissions.ts";
import { type RecordColumns, type Fitting, fitting, fittingRecords } from "./record-rows.ts";

/** Returns the key of the user with a name, ignoring case. Returns undefined if there is none. */
export async function findUserKey(database: Database, username: string): Promise<string | undefined> {
  const sql = "SELECT key FROM record WHERE type = '/type/user' AND lower(key) = lower(?1) LIMIT 1";
  return firstValue<string>(database, { sql, values: [`/people/${username}`] });
}

/**
 * Returns the usernames, in lower case, that records have, ignoring case: those of users, and of users who have left.
 */
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

export async function readGroups(database: Database, userKey: string): Promise<string[]> {
  return allValues<string>(database, groupsStatement(userKey));
}

export type BelowRow = Pick<RecordColumns, "key" | "type" | "revision" | "document">;

const BELOW = fittingRecords({
  source: `SELECT id, key FROM record
    WHERE key > ?1 AND key > ?2 AND key < ?3 AND type <> '/type/delete' AND type = coalesce(?4, type)
    ORDER BY key LIMIT ?5`,
  order: "key",
});

/**
 * Reads records that are not deleted and whose keys start with a folder such as `/people/joe/`, after a key, in order
 * of key, as far as they fit. Only an empty result means that there are no more.
 */
export async function readBelow(
  catalog: Database,
  folder: string,
  { after, limit, type = null }: { after: string; limit: number; type?: string | null },
): Promise<BelowRow[]> {
  // Only records of the folder lie between its name and its name with the next character.
  const end = `${folder.slice(0, -1)}0`;
  const values = [folder, after, end, type, limit];
  return fitting<BelowRow>(await rows<Fitting<BelowRow>>(catalog, { sql: BELOW, values }));
}

/** Lists the usernames of all user records, also deleted ones, after a name. */
export async function readUsernames(
  catalog: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const sql = `SELECT substr(key, 9) FROM record
    WHERE key > '/people/' || ?1 AND key < '/people0' AND instr(substr(key, 9), '/') = 0 ORDER BY key LIMIT ?2`;
  return allValues<string>(catalog, { sql, values: [after, limit] });
}
