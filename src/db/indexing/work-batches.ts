import type { WorkDocument } from "../../search/documents/types.ts";
import type { Versioned } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { type WorkRows, toWorkRows } from "../../search/indexing/work-rows.ts";

export interface PartWork {
  readonly document: WorkDocument;
  readonly rows: WorkRows;
}

const BATCH_WORKS_MAX = 500;
/**
 * Maximum length of the texts and documents of the works per transaction, in characters. A single work may exceed it.
 */
const BATCH_LENGTH_MAX = 8_000_000;

/** Splits works into batches of bounded size. Rows are built once, and documents are packed per batch. */
export function workBatches(works: readonly Versioned<WorkDocument>[], prefix: string): PartWork[][] {
  const batches: { works: PartWork[]; length: number }[] = [];
  for (const { document, version } of works) {
    const id = workIdOfKey(document.key, prefix);
    if (id === undefined) continue;
    const rows = toWorkRows(document, { id, version, prefix });
    const texts = [...rows.texts, ...rows.editions.map((edition) => edition.document)];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    let last = batches.at(-1);
    const isFull =
      (last?.works.length ?? 0) >= BATCH_WORKS_MAX || (last?.length ?? 0) + length > BATCH_LENGTH_MAX;
    if (last === undefined || isFull) batches.push((last = { works: [], length: 0 }));
    last.works.push({ document, rows });
    last.length += length;
  }
  return batches.map((batch) => batch.works);
}

export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_page, index) => items.slice(index * size, (index + 1) * size));
}
