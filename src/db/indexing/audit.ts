import type { WorkDocument } from "../../search/documents/types.ts";
import type { Versioned } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { FACET_COLUMNS, workRows } from "../../search/indexing/work-rows.ts";
import type { Generation } from "../search/generation.ts";
import { toBriefText, packDocument } from "../search/stored-work.ts";
import { TEXT_ROW } from "../search/text-rows.ts";
import { type Database, batchGroups } from "../statement.ts";
import { type CodeRow, codeStatements, codesOf, entriesOf, packFacets } from "./entries.ts";

interface StoredRow {
  readonly id: number;
  readonly document: string;
  readonly packed: string | null;
  readonly ranking: string;
  /** Null for works written before this column existed. */
  readonly brief: string | null;
  /** Null for works written before their row depended on popularity. */
  readonly text_row: number | null;
}

/**
 * Returns the works that the index lacks or has in a different form, by comparing documents with the stored ones and
 * their editions. One round trip.
 */
export async function findDifferingWorks(
  search: Database,
  generation: Generation,
  { works, prefix }: { works: readonly Versioned<WorkDocument>[]; prefix: string },
): Promise<Versioned<WorkDocument>[]> {
  const rows = works.map(({ document, version }) => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    return workRows(document, { id, version, prefix });
  });
  const { values } = entriesOf(rows, undefined);
  const list = JSON.stringify(rows.map(({ id }) => id));
  const { codeRows, facets, documents, editions } = await batchGroups<{
    codeRows: CodeRow;
    facets: Readonly<Record<string, string>> & { readonly id: number };
    documents: StoredRow;
    editions: { work: number; document: string };
  }>(search, {
    codeRows: codeStatements(values, generation),
    facets: {
      sql: `SELECT w.id, ${FACET_COLUMNS.map(([name]) => `f.${name}`).join(", ")}
            FROM work_${generation} w JOIN work_facet_${generation} f ON f.id = ${TEXT_ROW}
            WHERE w.id IN (SELECT value FROM json_each(?1))`,
      values: [list],
    },
    documents: {
      sql: `SELECT d.id, d.document, d.packed, k.ranking, k.brief, w.text_row
            FROM work_document_${generation} d JOIN work_ranking_${generation} k ON k.id = d.id
            JOIN work_${generation} w ON w.id = d.id WHERE d.id IN (SELECT value FROM json_each(?1))`,
      values: [list],
    },
    editions: {
      sql: `SELECT work, document FROM edition_${generation}
            WHERE work IN (SELECT value FROM json_each(?1)) ORDER BY work, rank`,
      values: [list],
    },
  });
  const stored = new Map(documents.map((row) => [row.id, row]));
  const codes = codesOf(values, codeRows);
  const counted = new Map(facets.map((row) => [row.id, FACET_COLUMNS.map(([name]) => row[name])]));
  const byWork = Map.groupBy(editions, ({ work }) => work);
  const differing: Versioned<WorkDocument>[] = [];
  for (const [place, work] of works.entries()) {
    const expected = rows[place];
    if (expected === undefined) continue;
    const { id } = expected;
    const packed = await packDocument(expected.document);
    const brief = toBriefText(expected.document);
    const parts = [packed.document, packed.packed, expected.ranking, brief, expected.textRow];
    const editionDocuments = expected.editions
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ document }) => document);
    const facetsOf = packFacets(expected.facets, (name) => codes.get(name));
    const row = stored.get(id);
    const storedBrief = row?.brief ?? brief;
    const storedTextRow = row?.text_row ?? expected.textRow;
    const storedParts = [row?.document, row?.packed, row?.ranking, storedBrief, storedTextRow];
    const storedEditions = (byWork.get(id) ?? []).map(({ document }) => document);
    const isSame =
      JSON.stringify([parts, editionDocuments, facetsOf]) ===
      JSON.stringify([storedParts, storedEditions, counted.get(id)]);
    if (!isSame) differing.push(work);
  }
  return differing;
}
