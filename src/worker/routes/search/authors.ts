import * as z from "zod";
import { project } from "../../../search/documents/fields.ts";
import type { Document, Hits, PlainSearch } from "../../../search/engine.ts";
import { fieldNames } from "../../../search/present/fields.ts";
import { parseAuthorSort } from "../../../search/sort/plain-sorts.ts";
import type { RequestContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { guarded } from "../../search/guarded.ts";
import { pagingParameters, windowOf } from "../../search/parameters.ts";
import { plainQuery, sortParameter } from "../../search/plain-parameters.ts";
import { NOTHING_FOUND, hitsSchema } from "./hits.ts";

const FOLDER = "/authors/";

/** `GET /search/authors.json`: authors by name (search.md 7.1). */
export const searchAuthors = operation({
  id: "searchAuthors",
  summary: "Authors by their names",
  tag: "search",
  query: {
    q: z.string().default("").describe("Words of a name, or field:value; `*:*` is everybody"),
    fields: z.string().default("*").describe("Names of members, separated by commas"),
    sort: sortParameter(parseAuthorSort),
    ...pagingParameters,
  },
  responses: { 200: { description: "A page of authors; keys are record numbers", schema: hitsSchema } },
  async handle({ query: asked }, context) {
    const parsed = parseAuthorSort(asked.sort, context.now);
    // The parameter's schema has refused what is no order.
    const sort = "sorts" in parsed ? parsed.sorts : [];
    const { start, rows } = windowOf(asked);
    const hits = await findAuthors(asked.q, { sort, start, rows }, context);
    const fields = fieldNames([asked.fields]);
    const { numFound, numFoundExact } = hits;
    const docs = hits.documents.map((document) => authorRow(document, fields));
    const cacheControl = searchCacheControl(context, { sort });
    return json({ numFound, start, numFoundExact, docs }, { cacheControl });
  },
});

/** Authors by a query; none without one. One round trip. */
export function findAuthors(
  q: string,
  part: Pick<PlainSearch, "sort" | "start" | "rows">,
  context: RequestContext,
): Promise<Hits> {
  const query = plainQuery(q, "author");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  return guarded(async () => (await engineOf(context)).authors({ query, filters: [], ...part }), q);
}

/** Keys go without their folder here. Nothing asked for is everything. */
function authorRow(document: Document, fields: readonly string[]): Document {
  const { key } = document;
  const bare = typeof key === "string" ? { ...document, key: key.slice(FOLDER.length) } : document;
  return project(bare, fields.length === 0 ? ["*"] : fields);
}
