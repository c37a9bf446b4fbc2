import { tagNameValueOf, tagSlugValueOf } from "../../catalog/tags.ts";
import { type Database, firstValue } from "../statement.ts";

/**
 * Returns the key of the tag of a type, such as `subject`, with a readable name (`slug`): one of its `slugs`, or its
 * name with `_` for blanks, ignoring case. Of several the one with the slug comes first, then the oldest. Returns
 * undefined if there is none. One statement.
 */
export async function findTag(
  database: Database,
  { type, slug }: { type: string; slug: string },
): Promise<string | undefined> {
  const sql = `SELECT r.key FROM (
                 SELECT * FROM (SELECT record_id, 1 AS place FROM property
                                WHERE name = 'tag_slug' AND value = ?1 ORDER BY record_id LIMIT 1)
                 UNION ALL
                 SELECT * FROM (SELECT record_id, 2 FROM property
                                WHERE name = 'tag_name' AND value = ?2 ORDER BY record_id LIMIT 1)) f
               JOIN record r ON r.id = f.record_id ORDER BY f.place LIMIT 1`;
  return firstValue<string>(database, {
    sql,
    values: [tagSlugValueOf(type, slug), tagNameValueOf(type, slug)],
  });
}
