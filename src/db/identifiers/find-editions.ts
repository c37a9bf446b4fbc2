import { FITTING_DOCUMENTS } from "../records/read-record.ts";
import { fittingRecords } from "../records/whole-documents.ts";
import type { Statement } from "../statement.ts";

/**
 * What an edition is looked up by: a normalised identifier of the index, or with the kind `key` the key of
 * its record.
 */
export interface Wanted {
  readonly kind: string;
  readonly value: string;
}

const FOUND = `
  WITH wanted AS (SELECT key AS position, value->>0 AS kind, value->>1 AS value FROM json_each(?1)),
  found AS (
    SELECT position, CASE kind
      WHEN 'key' THEN (SELECT id FROM record WHERE key = wanted.value)
      ELSE coalesce(
        (SELECT edition_id FROM identifier i WHERE i.kind = wanted.kind AND i.value = wanted.value
         ORDER BY edition_id LIMIT 1),
        CASE kind WHEN 'ocaid' THEN
          (SELECT edition_id FROM identifier i WHERE i.kind = 'source' AND i.value = 'ia:' || wanted.value
           ORDER BY edition_id LIMIT 1) END)
      END AS id
    FROM wanted)`;
const FIND_MANY = `${FOUND}
  ${fittingRecords({ source: "SELECT position, id FROM found", order: "position", more: ["position"] })}`;
const FIND_FEW = `${FOUND}
  SELECT position, r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags,
         r.last_modified AS lastModified, r.document
  FROM found JOIN record r ON r.id = found.id ORDER BY position`;

/**
 * The statement that finds editions: of several with one identifier the one with the lowest number. A scan
 * is also found by the source record of its item. Rows are `RecordRow` with the `position` in the list, when they are
 * `whole`.
 */
export function findEditions(wanted: readonly Wanted[]): Statement {
  const sql = wanted.length <= FITTING_DOCUMENTS ? FIND_FEW : FIND_MANY;
  return { sql, values: [JSON.stringify(wanted.map(({ kind, value }) => [kind, value]))] };
}
