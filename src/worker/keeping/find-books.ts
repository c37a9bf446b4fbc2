import { canonicalIsbn, oppositeIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { findEditions } from "../../db/records/identifiers.ts";
import type { RecordRow } from "../../db/records/read.ts";
import { wholeRows } from "../../db/records/whole-documents.ts";
import { editionIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import type { Jobs } from "../http/queue.ts";

/** An edition that has a work: numbers of their keys. */
export interface FoundBook {
  readonly edition: number;
  readonly work: number;
}

/** Editions by ISBN in either length; those that are not found, or have no work, are absent. One round trip. */
export async function findBooks(
  { stores, settings }: Pick<Jobs, "stores" | "settings">,
  isbns: readonly string[],
): Promise<ReadonlyMap<string, FoundBook>> {
  const spellings = isbns.flatMap((isbn) => {
    const both = [canonicalIsbn(isbn), oppositeIsbn(isbn)].filter((one) => one !== undefined);
    return both.map((value) => ({ isbn, value }));
  });
  const wanted = spellings.map(({ value }) => ({ kind: "isbn", value }));
  const found = await wholeRows<RecordRow & { position: number }>(stores.catalog, findEditions(wanted));
  const books = new Map<string, FoundBook>();
  for (const { position, document } of found) {
    const isbn = spellings[position]?.isbn;
    // What is stored went through validation when it was written.
    const book = bookOf(JSON.parse(document) as CatalogRecord, settings.RECORD_PREFIX);
    if (isbn !== undefined && book !== undefined && !books.has(isbn)) books.set(isbn, book);
  }
  return books;
}

function bookOf(record: CatalogRecord, prefix: string): FoundBook | undefined {
  const { works } = record;
  const [first] = Array.isArray(works) ? works : [];
  const edition = editionIdOfKey(keyOf(record) ?? "", prefix);
  const work = workIdOfKey(keyOf(first) ?? "", prefix);
  return edition === undefined || work === undefined || work < 1 ? undefined : { edition, work };
}
