import type { Condition } from "../changes/statements.ts";
import type { Draft } from "./draft.ts";
import type { ClaimedItem } from "./finish-item.ts";
import { hitsSql, workHitsSql, workLookups } from "./lookup-sql.ts";
import type { Reading } from "./read-found.ts";

/**
 * True when saving is allowed, all records that were looked at have the revision that was read, the others that are
 * referred to have their types, the item is claimed by the same, and the lookups give what they gave.
 */
const UNCHANGED = `(
  NOT EXISTS (SELECT 1 FROM service_state WHERE name = 'read_only' AND value = 'on')
  AND NOT EXISTS (SELECT 1 FROM json_each(?10, '$.records') e LEFT JOIN record r ON r.id = e.value->>0
                  WHERE r.change_id IS NOT e.value->>1)
  AND NOT EXISTS (SELECT 1 FROM json_each(?10, '$.types') e LEFT JOIN record r ON r.key = e.value->>0
                  WHERE r.type IS NOT e.value->>1)
  AND (?10->>'$.item.id' IS NULL OR EXISTS (SELECT 1 FROM import_item
       WHERE id = ?10->>'$.item.id' AND status = 'processing' AND claim = ?10->>'$.item.claim'))
  AND (SELECT count(*) = ?10->>'$.count' AND
              count(*) = total((h.n, h.id) IN (SELECT e.value->>0, e.value->>1 FROM json_each(?10, '$.pairs') e))
       FROM (${hitsSql("?10")} UNION ALL ${workHitsSql("?10")}) h))`;

/** What an import is committed under: that everything which it was decided on is still so. */
export function unchanged(reading: Reading, { types }: Pick<Draft, "types">, item?: ClaimedItem): Condition {
  const { asked, pairs, authors, works, workTitle } = reading.hits;
  const lookups = workLookups(authors, workTitle, asked.names.length);
  const numbers = new Map(authors.map((author, index) => [author, asked.names.length + index]));
  const all = [...pairs, ...works.map(([author, id]) => [numbers.get(author), id])];
  const value = {
    ...asked.list,
    works: lookups,
    records: [...reading.stored.values()].map(({ id, change }) => [id, change]),
    types,
    item: item ?? null,
    pairs: all,
    count: all.length,
  };
  return { sql: UNCHANGED, value: JSON.stringify(value) };
}
