import type { WorkDocument } from "../../search/documents/types.ts";
import type { Versioned } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { workRows } from "../../search/indexing/work-rows.ts";
import type { Generation } from "../search/generation.ts";
import { packDocument } from "../search/stored-document.ts";
import { type Database, allValues, batchGroups } from "../statement.ts";

interface StoredRow {
  readonly id: number;
  readonly document: string;
  readonly packed: string | null;
  readonly ranking: string;
}

/**
 * Those of some works that the index shows differently, or not at all: documents as they should be, compared with
 * what is stored of them and of their editions. One round trip.
 */
export async function differingWorks(
  search: Database,
  generation: Generation,
  { works, prefix }: { works: readonly Versioned<WorkDocument>[]; prefix: string },
): Promise<Versioned<WorkDocument>[]> {
  const ids = works.map(({ document }) => workIdOfKey(document.key, prefix) ?? 0);
  const list = JSON.stringify(ids);
  const { documents, editions } = await batchGroups<{
    documents: StoredRow;
    editions: { work: number; document: string };
  }>(search, {
    documents: {
      sql: `SELECT d.id, d.document, d.packed, k.ranking
            FROM work_document_${generation} d JOIN work_ranking_${generation} k ON k.id = d.id
            WHERE d.id IN (SELECT value FROM json_each(?1))`,
      values: [list],
    },
    editions: {
      sql: `SELECT work, document FROM edition_${generation}
            WHERE work IN (SELECT value FROM json_each(?1)) ORDER BY work, rank`,
      values: [list],
    },
  });
  const stored = new Map(documents.map((row) => [row.id, row]));
  const byWork = Map.groupBy(editions, ({ work }) => work);
  const differing: Versioned<WorkDocument>[] = [];
  for (const [place, work] of works.entries()) {
    const id = ids[place] ?? 0;
    const expected = workRows(work.document, { id, version: work.version, prefix });
    const packed = await packDocument(expected.document);
    const parts = [packed.document, packed.packed, expected.ranking];
    const own = expected.editions.toSorted((a, b) => a.rank - b.rank).map(({ document }) => document);
    const found = stored.get(id);
    const storedParts = [found?.document, found?.packed, found?.ranking];
    const storedOwn = (byWork.get(id) ?? []).map(({ document }) => document);
    const isSame = JSON.stringify([parts, own]) === JSON.stringify([storedParts, storedOwn]);
    if (!isSame) differing.push(work);
  }
  return differing;
}

/** `SearchIndex.worksBetween`. One statement. */
export async function worksBetween(
  search: Database,
  generation: Generation,
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const sql = `SELECT id FROM work_${generation} WHERE id >= ?1 AND id <= ?2 ORDER BY id`;
  return allValues<number>(search, { sql, values: [from, to] });
}
