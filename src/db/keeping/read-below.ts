import { type Fitting, fitting, fittingRecords } from "../records/whole-documents.ts";
import { type Database, rows } from "../statement.ts";

/** A record below a key. */
export interface BelowRow {
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  readonly document: string;
}

const BELOW = fittingRecords({
  source: `SELECT id, key FROM record
    WHERE key > ?1 AND key > ?2 AND key < ?3 AND type <> '/type/delete' AND (?4 IS NULL OR type = ?4)
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
  const found = await rows<Fitting<BelowRow>>(catalog, {
    sql: BELOW,
    values: [folder, after, end, type, limit],
  });
  return fitting<BelowRow>(found);
}
