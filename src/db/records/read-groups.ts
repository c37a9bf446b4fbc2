import { type Database, rows } from "../statement.ts";

/** Keys of the usergroups that a user is a member of, sorted; exact equality in `members` (records.md 10.1). */
export async function readGroups(database: Database, userKey: string): Promise<string[]> {
  const found = await rows<{ key: string }>(database, {
    sql: `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
          WHERE p.name = 'members' AND p.value = ?1 AND r.type = '/type/usergroup' ORDER BY r.key`,
    values: [userKey],
  });
  return found.map(({ key }) => key);
}
