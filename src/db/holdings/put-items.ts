import type { HoldingLine } from "../../catalog/lending/holding-line.ts";
import { type Database, rows } from "../statement.ts";

/** Stores items of the holdings, in place of what was known of them. `now`: naive UTC. */
export async function putItems(catalog: Database, items: readonly HoldingLine[], now: string): Promise<void> {
  await rows(catalog, {
    sql: `INSERT INTO item (ocaid, collections, access_restricted, copies, browse, mediatype, imagecount, updated)
          SELECT i.value->>'ocaid', i.value->'collections', i.value->>'accessRestricted', i.value->>'copies',
                 i.value->>'browse', i.value->>'mediatype', i.value->>'imagecount', ?2
          FROM json_each(?1) i WHERE true
          ON CONFLICT (ocaid) DO UPDATE SET
            collections = excluded.collections, access_restricted = excluded.access_restricted,
            copies = excluded.copies, browse = excluded.browse, mediatype = excluded.mediatype,
            imagecount = excluded.imagecount, updated = excluded.updated`,
    values: [JSON.stringify(items), now],
  });
}

/** Keys of the works whose editions have one of the scans; of an edition without a work its own key. */
export async function readWorksOfScans(catalog: Database, ocaids: readonly string[]): Promise<string[]> {
  const found = await rows<{ key: string }>(catalog, {
    // CROSS JOIN keeps the order: else all scans of the catalog would be looked at.
    sql: `SELECT DISTINCT coalesce(j.value->>'key', e.key) AS key FROM json_each(?1) w
          CROSS JOIN identifier i ON i.kind = 'ocaid' AND i.value = w.value
          CROSS JOIN record e ON e.id = i.edition_id AND e.type = '/type/edition'
          LEFT JOIN json_each(e.document, '$.works') j`,
    values: [JSON.stringify(ocaids)],
  });
  return found.map(({ key }) => key);
}
