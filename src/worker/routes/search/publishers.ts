import * as z from "zod";
import type { FacetRequest } from "../../../search/engine.ts";
import { clausesOf } from "../../../search/query/field-clauses.ts";
import { allOf } from "../../../search/query/query.ts";
import { publisherPageKey } from "../../../search/present/subject-target.ts";
import type { RequestContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { guarded } from "../../search/guarded.ts";

/** Publishers in an answer (search.md 7.6). */
export const PUBLISHERS_LIMIT = 25;

/** Answer of a search for publishers. */
export const publishersSchema = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), count: z.int() })),
});

/** `GET /search/publishers.json`: publishers by a part of their name (search.md 7.6). */
export const searchPublishers = operation({
  id: "searchPublishers",
  summary: "Publishers by their names, those of most works first",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: {
    200: {
      description: "Publishers whose name contains q; numFound counts the works of all of them",
      schema: publishersSchema,
    },
  },
  async handle({ query: { q } }, context) {
    return json(await findPublishers(q, context), {
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});

/** A publisher that was found: `count` works are by it. */
export interface FoundPublisher {
  readonly name: string;
  readonly key: string;
  readonly count: number;
}

/** Publishers by words of their names, those of most works first; `numFound` counts the works of all of them. */
export async function findPublishers(
  q: string,
  context: RequestContext,
): Promise<{ numFound: number; docs: FoundPublisher[] }> {
  const name = q.trim();
  if (name === "") return { numFound: 0, docs: [] };
  const { clauses } = clausesOf({ publisher: name }, { prefix: context.settings.RECORD_PREFIX });
  const facet: FacetRequest = {
    field: "publisher_facet",
    limit: PUBLISHERS_LIMIT,
    sort: "count",
    offset: 0,
    mincount: 1,
    contains: name,
  };
  const { numFound, fields } = await guarded(
    async () =>
      (await engineOf(context)).facets({
        query: allOf(clauses),
        filters: [],
        editionClauses: [],
        facets: [facet],
      }),
    name,
  );
  const docs = (fields["publisher_facet"] ?? []).map(({ value, count }) => ({
    name: value,
    key: publisherPageKey(value),
    count,
  }));
  return { numFound, docs };
}
