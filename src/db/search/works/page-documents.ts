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

/** What a page is made of. */
export interface PageWanted {
  readonly ids: readonly number[];
  readonly withEditions: boolean;
  readonly fields: readonly string[] | undefined;
  /** Rows of works that have been read already. */
  readonly known: ReadonlyMap<number, StoredWorkRow>;
}

/**
 * Documents of works by number, and their editions. Works that are gone since are left out. One round trip, or
 * none when all is known.
 */
export async function readPage(
  index: IndexReader,
  wanted: PageWanted,
): Promise<ReadonlyMap<number, PageDocument>> {
  const { works, editions } = await readRows(index, wanted);
  const byWork = Map.groupBy(editions, ({ work }) => work);
  const pages = works.map(async (row): Promise<[number, PageDocument]> => {
    const work = await storedWork(row);
    const found = (byWork.get(row.id) ?? []).map((edition) => expandEdition(storedEdition(edition, work)));
    return [row.id, { document: expandWork(work, wanted.fields), editions: found }];
  });
  return new Map(await Promise.all(pages));
}

interface PageRows {
  readonly works: readonly StoredWorkRow[];
  readonly editions: readonly StoredEditionRow[];
}

async function readRows(
  { database, generation }: IndexReader,
  { ids, withEditions, known }: PageWanted,
): Promise<PageRows> {
  const unknown = ids.filter((id) => !known.has(id));
  const statements = [
    ...(unknown.length > 0 ? [readWorksStatement(generation, unknown)] : []),
    ...(withEditions && ids.length > 0 ? [readEditionsStatement(generation, ids, PAGE_EDITIONS_MAX)] : []),
  ];
  const results = statements.length === 0 ? [] : await batchRows(database, statements);
  const read = unknown.length > 0 ? results.shift() : [];
  // The rows have the columns of their statements.
  return {
    works: [...ids.flatMap((id) => known.get(id) ?? []), ...((read ?? []) as StoredWorkRow[])],
    editions: (results[0] ?? []) as StoredEditionRow[],
  };
}
