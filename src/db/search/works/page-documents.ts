import { expandEdition, expandWork } from "../../../search/documents/expand.ts";
import type { Document } from "../../../search/engine.ts";
import { batchRows } from "../../statement.ts";
import type { IndexReader } from "../index-reader.ts";
import {
  type StoredEditionRow,
  type StoredWorkRow,
  readEditionsStatement,
  readWorksStatement,
  storedEdition,
  storedWork,
} from "../read-works.ts";

/** Editions of one work that a search looks at, the most open ones first (search.md 13.6). */
export const PAGE_EDITIONS_MAX = 200;

/** A work of a page with its editions. */
export interface PageDocument {
  readonly document: Document;
  /** In order of number. Empty unless asked for. */
  readonly editions: readonly Document[];
}

/** Documents of works by number, and their editions. Works that are gone since are left out. One round trip. */
export async function readPage(
  { database, generation }: IndexReader,
  ids: readonly number[],
  withEditions: boolean,
): Promise<ReadonlyMap<number, PageDocument>> {
  if (ids.length === 0) return new Map();
  const [works = [], editions = []] = await batchRows(database, [
    readWorksStatement(generation, ids),
    ...(withEditions ? [readEditionsStatement(generation, ids, PAGE_EDITIONS_MAX)] : []),
  ]);
  // The rows have the columns of their statements.
  const byWork = Map.groupBy(editions as StoredEditionRow[], ({ work }) => work);
  const pages = (works as StoredWorkRow[]).map(async (row): Promise<[number, PageDocument]> => {
    const work = await storedWork(row);
    const found = (byWork.get(row.id) ?? []).map((edition) => expandEdition(storedEdition(edition, work)));
    return [row.id, { document: expandWork(work), editions: found }];
  });
  return new Map(await Promise.all(pages));
}
