import { type Database, firstRow } from "../statement.ts";

/** Tags that are looked at for one with a name: they are few, and no index knows their readable names. */
export const TAGS_LOOKED_AT = 20_000;

/** What a tag is looked for by. */
export interface WantedTag {
  /** Such as `subject`. */
  readonly type: string;
  /** One of its `slugs`, or its name with `_` for blanks in any case. */
  readonly slug: string;
}

/** Key of the tag of a type with a readable name; of several the one whose slugs say so, then the oldest. One statement. */
export async function findTag(database: Database, { type, slug }: WantedTag): Promise<string | undefined> {
  const row = await firstRow<{ key: string }>(database, {
    sql: `SELECT key FROM (SELECT id, key, document FROM record
                           WHERE type = '/type/tag' ORDER BY id LIMIT ${TAGS_LOOKED_AT}) r
          CROSS JOIN (SELECT ?2 AS slug) w
          WHERE r.document->>'$.tag_type' = ?1
            AND (lower(replace(r.document->>'$.name', ' ', '_')) = lower(w.slug)
                 OR EXISTS (SELECT 1 FROM json_each(r.document, '$.slugs') s WHERE s.value = w.slug))
          ORDER BY NOT EXISTS (SELECT 1 FROM json_each(r.document, '$.slugs') s WHERE s.value = w.slug), r.id
          LIMIT 1`,
    values: [type, slug],
  });
  return row?.key;
}
