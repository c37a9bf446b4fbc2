import * as z from "zod";
import type { FacetRequest, Facets, WorkSelection } from "../../../search/engine.ts";
import { derived } from "../../answers/derived.ts";
import type { RequestContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { VARY_LANGUAGE } from "../../reader-language.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { type FacetRow, facetRows } from "../../search/facet-rows.ts";
import { guarded } from "../../search/guarded.ts";
import { selectionParameters } from "../../search/parameters.ts";
import { parseSelection } from "../../search/selection.ts";

/** Values of a field in an answer (search.md 5.2). */
export const FACET_ROWS = 100;
/** How long counts over all works are kept, in seconds (search.md 5.4). */
export const WHOLE_FACETS_SECONDS = 3600;

const FIELDS = [
  "author_facet",
  "first_publish_year",
  "has_fulltext",
  "language",
  "person_facet",
  "place_facet",
  "public_scan_b",
  "publisher_facet",
  "subject_facet",
  "time_facet",
] as const;

const row = z.object({ value: z.string(), label: z.string(), count: z.int() });

/** `GET /search/facets.json`: how many works have which values (search.md 5.4). */
export const searchFacets = operation({
  id: "searchFacets",
  summary: "Counts of field values over the works of a search",
  tag: "search",
  query: {
    ...selectionParameters,
    field: z.array(z.enum(FIELDS)).describe("Fields to count; repeat it for several"),
  },
  responses: {
    200: {
      description:
        "Values by field, most frequent first; X-Facets: approximate when a rarer one may be missing",
      schema: z.record(z.string(), z.array(row)),
    },
  },
  async handle({ query: { field, ...asked } }, context) {
    const { works, isEmpty } = parseSelection({ q: asked.q, parameters: asked }, context);
    const fields = [...new Set(field)];
    const facets = isEmpty
      ? await wholeFacets(fields, context)
      : await counted({ works, text: asked.q }, fields, context);
    const rows: [string, FacetRow[]][] = [];
    for (const name of fields) rows.push([name, await facetRows(name, facets.fields[name] ?? [], context)]);
    return json(Object.fromEntries(rows), {
      cacheControl: searchCacheControl(context, { sort: [] }),
      headers: { Vary: VARY_LANGUAGE, ...(facets.exact ? {} : { "X-Facets": "approximate" }) },
    });
  },
});

interface Counted {
  readonly works: WorkSelection;
  /** The query as it was asked. */
  readonly text: string;
}

function counted(
  { works, text }: Counted,
  fields: readonly string[],
  context: RequestContext,
): Promise<Facets> {
  return guarded(
    async () => (await engineOf(context)).facets({ ...works, facets: fields.map(facetRequest) }),
    text,
  );
}

/** What is counted of a field. */
export function facetRequest(field: string): FacetRequest {
  return { field, limit: FACET_ROWS, sort: "count", offset: 0, mincount: 1 };
}

/** Counts over all works, up to an hour old: they cost a walk through the terms of the index. */
export async function wholeFacets(fields: readonly string[], context: RequestContext): Promise<Facets> {
  const all: WorkSelection = { query: { op: "all" }, filters: [], editionClauses: [] };
  return derived(context.stores.cache, {
    name: `facets:v1:${fields.toSorted().join(",")}`,
    seconds: WHOLE_FACETS_SECONDS,
    make: () => counted({ works: all, text: "" }, fields, context),
    waitUntil: (promise) => context.waitUntil(promise),
  });
}
