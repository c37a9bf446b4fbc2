import { type Database, prepare } from "../statement.ts";

/** Tags of one account. */
export const ACCOUNT_TAGS_MAX = 50;

/** Adds a tag to an account that lacks it; false when nothing was added. Two additions at a time both hold. */
export async function addTag(patrons: Database, username: string, tag: string): Promise<boolean> {
  const { meta } = await prepare(patrons, {
    sql: `UPDATE account SET tags = json_insert(tags, '$[#]', ?2)
          WHERE username_folded = ?1 AND json_array_length(tags) < ${ACCOUNT_TAGS_MAX}
            AND NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?2)`,
    values: [username.toLowerCase(), tag],
  }).run();
  return meta.changes > 0;
}

/** Takes a tag away from an account. */
export async function removeTag(patrons: Database, username: string, tag: string): Promise<void> {
  await prepare(patrons, {
    sql: `UPDATE account SET tags = (SELECT json_group_array(value) FROM json_each(tags) WHERE value <> ?2)
          WHERE username_folded = ?1`,
    values: [username.toLowerCase(), tag],
  }).run();
}
