import type { WorkHits, WorkSearch } from "../../../search/engine.ts";
import { workIdOfKey } from "../../../search/index/ids.ts";
import type { IndexReader } from "../index-reader.ts";
import { readPage } from "./page-documents.ts";

/**
 * Works by key (`/works/OL1W`) in the order asked for, as a search finds them; those that the index has not are left out.
 * One round trip.
 */
export async function worksByKey(
  index: IndexReader,
  keys: readonly string[],
  { withEditions, fields }: Pick<WorkSearch, "withEditions" | "fields">,
): Promise<WorkHits> {
  const ids = [...new Set(keys.flatMap((key) => workIdOfKey(key, index.prefix) ?? []))];
  const documents = await readPage(index, { ids, withEditions, fields, known: new Map() });
  const found = ids.flatMap((id) => documents.get(id) ?? []);
  return {
    numFound: found.length,
    numFoundExact: true,
    documents: found.map(({ document }) => document),
    scores: found.map(() => 0),
    editions: found.map(({ editions }) => editions),
  };
}
