import { idOfKey } from "../../catalog/key-numbers.ts";
import { olidOfKey } from "../../catalog/keys.ts";
import { stringsOf } from "../../catalog/record.ts";
import { readByIds, readRecord } from "../../db/records/records.ts";
import type { Window } from "../../db/statement.ts";
import { equals } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { askIndex } from "../search/guarded.ts";

/**
 * Q817: reads a page of the works of an author in an order of the search index. Two round trips after each other. `taken`:
 * rows of the index, which also has the author's editions without a work.
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
      start: offset,
      rows: limit,
      fields: ["key"],
      withEditions: false,
    }),
  );
  const keys = documents.flatMap((document) => stringsOf(document["key"]));
  const ids = keys.flatMap((key) => idOfKey(key, context.settings.RECORD_PREFIX) ?? []);
  const database = catalogReader(context);
  const [owner, { found }] = await Promise.all([readRecord(database, author), readByIds(database, ids)]);
  const members = found.filter(({ type }) => type === "/type/work");
  return { owner, size: numFound, members, taken: documents.length };
}
