import { idOfKey } from "../../catalog/key-numbers.ts";
import { olidOfKey } from "../../catalog/keys.ts";
import { stringsOf } from "../../catalog/record.ts";
import { readByIds, readRecord } from "../../db/records/records.ts";
import type { Window } from "../../db/statement.ts";
import { equals } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { askIndex } from "../search/guarded.ts";

/** Maximum number of works and editions without a work of an author whose works can be sorted. */
const SORTED_WORKS_MAX = 3000;

/**
 * Q817: reads a page of the works of an author in an order of the search index. Two round trips after each other. The index
 * also has the author's editions without a work, which are left out of the page and of the size. Throws 422 for too many.
 */
export async function readSortedWorks(
  author: string,
  { sort = "", limit, offset }: Window & { readonly sort: string | undefined },
  context: RequestContext,
) {
  const { numFound, documents } = await askIndex(context, "", (engine) =>
    engine.works({
      query: equals("author_key", olidOfKey(author) ?? ""),
      filters: [],
      editionClauses: [],
      sort: parseWorkSort(sort, context.now).sorts,
      start: 0,
      rows: SORTED_WORKS_MAX,
      fields: ["key"],
      withEditions: false,
    }),
  );
  if (numFound > SORTED_WORKS_MAX) {
    const options = { status: 422, code: "too_many_works" };
    throw failure("bad_data.too_many_works", { most: SORTED_WORKS_MAX }, options);
  }
  const ids = documents
    .flatMap((document) => stringsOf(document["key"]))
    .filter((key) => key.endsWith("W"))
    .flatMap((key) => idOfKey(key, context.settings.RECORD_PREFIX) ?? []);
  const database = catalogReader(context);
  const [owner, { found }] = await Promise.all([
    readRecord(database, author),
    readByIds(database, ids.slice(offset, offset + limit)),
  ]);
  return { owner, size: ids.length, members: found };
}
