import type { ListHead } from "../../catalog/lists/list-view.ts";
import { type Database, batchRows } from "../statement.ts";
import { idRange } from "../../catalog/record-id.ts";
import { type HeadRow, headOf, listHead } from "./read-list.ts";
import { SEED_KEY } from "./seed-columns.ts";

/** What a list is about: keys of works, of editions without a work, and other seeds. */
export interface SeedWorks {
  readonly list: ListHead;
  /** Works and editions that are seeds or the works of such; an edition with a work is told by its work. */
  readonly books: readonly string[];
  /** Keys of authors, and subject strings. */
  readonly others: readonly string[];
}

const WORKS = idRange("W");

/** What the works of a list or series are found by. Undefined when there is none under that key. One round trip. */
export async function readSeedWorks(database: Database, key: string): Promise<SeedWorks | undefined> {
  const seeds = `SELECT ${SEED_KEY} AS named FROM record l, json_each(l.document, '$.seeds') e
    WHERE l.key = ?1 AND l.type = '/type/list'
    UNION SELECT r.key FROM property p CROSS JOIN record r ON r.id = p.record_id
    WHERE p.name = 'series.series' AND p.value = ?1 AND p.record_id >= ${WORKS.from} AND p.record_id < ${WORKS.to}`;
  const [heads = [], found = []] = await batchRows(database, [
    listHead(key),
    {
      sql: `SELECT DISTINCT coalesce(iif(m.type = '/type/edition', m.document ->> '$.works[0].key', NULL), s.named) AS named
            FROM (${seeds}) s LEFT JOIN record m ON m.key = s.named AND s.named >= '/books/' AND s.named < '/books0'
            WHERE s.named IS NOT NULL`,
      values: [key],
    },
  ]);
  // The rows have the columns of the statements.
  const list = headOf((heads as HeadRow[])[0]);
  if (list === undefined) return undefined;
  const named = (found as { named: string }[]).map((row) => row.named);
  return { list, books: named.filter(isBook), others: named.filter((one) => !isBook(one)) };
}

function isBook(key: string): boolean {
  return key.startsWith("/works/") || key.startsWith("/books/");
}
