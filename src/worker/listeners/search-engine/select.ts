import { project } from "../../../search/present/fields.ts";
import type { Document, FacetValue, Facets, SearchEngine } from "../../../search/engine.ts";
import { SolrRequestError, rawSelection } from "../../../search/solr/queries.ts";
import {
  type NamedList,
  type SelectRequest,
  returnedFields,
  selectRequest,
} from "../../../search/solr/select-request.ts";
import { type Reply, json } from "../../http/reply.ts";
import { type EngineCall, echoed, responseHeader } from "./call.ts";
import { type RawHits, type RawSearch, searchAll, searchFor } from "./search-all.ts";

const NOTHING: RawHits = { numFound: 0, numFoundExact: true, documents: [], scores: [] };
const NO_FACETS: Facets = { numFound: 0, fields: {}, exact: true };

/** `/select`: documents by a query. */
export async function select(call: EngineCall): Promise<Reply> {
  const request = selectRequest(call.parameters);
  const { response, facets } = await selected(request, call.engine);
  return json({
    responseHeader: responseHeader(call, { params: echoed(call.parameters) }),
    response,
    ...(request.facets.length === 0 ? {} : { facet_counts: facetCounts(request, facets) }),
  });
}

/** The search of a request; undefined when it has no query. */
export function searchOf(request: SelectRequest): RawSearch | undefined {
  const selection = rawSelection(request.q, request.fq);
  if (selection === undefined) return undefined;
  const { sort, start, rows } = request;
  return { ...selection, sort, start, rows };
}

/** Documents and counts of a request. */
export async function selected(
  request: SelectRequest,
  engine: SearchEngine,
): Promise<{ response: Record<string, unknown>; facets: Facets }> {
  const search = searchOf(request);
  const hits =
    search === undefined ? NOTHING : await searchAll(engine, { ...search, fields: request.fields });
  const facets = search === undefined ? NO_FACETS : await countedFacets(request, search, engine);
  return { response: responseBody(request, hits), facets };
}

/** Fields are counted over works: nothing else has facets. */
async function countedFacets(
  { facets }: SelectRequest,
  search: RawSearch,
  engine: SearchEngine,
): Promise<Facets> {
  const works = facets.length === 0 ? undefined : searchFor("work", search);
  return works === undefined ? NO_FACETS : engine.facets({ ...works, editionClauses: [], facets });
}

function responseBody({ start, fields }: SelectRequest, hits: RawHits): Record<string, unknown> {
  const withScore = fields.includes("score");
  const docs = hits.documents.map((document, index) => {
    const shown = project(document, fields);
    return withScore ? { ...shown, score: hits.scores[index] ?? 0 } : shown;
  });
  const { numFound, numFoundExact } = hits;
  const head = { numFound, start, numFoundExact };
  return withScore ? { ...head, maxScore: maximum(docs), docs } : { ...head, docs };
}

function maximum(docs: readonly Document[]): number {
  return docs.reduce((most, { score }) => (typeof score === "number" ? Math.max(most, score) : most), 0);
}

/** Values of a facet; none of a field that is not counted, whatever objects have by that name. */
export function valuesOf({ fields }: Facets, field: string): readonly FacetValue[] {
  return Object.hasOwn(fields, field) ? (fields[field] ?? []) : [];
}

function facetCounts({ facets: asked, namedList }: SelectRequest, facets: Facets) {
  const lists = asked.map(({ field }) => [field, named(valuesOf(facets, field), namedList)]);
  return {
    facet_queries: {},
    facet_fields: Object.fromEntries(lists),
    facet_ranges: {},
    facet_intervals: {},
    facet_heatmaps: {},
  };
}

function named(values: readonly FacetValue[], form: NamedList): unknown {
  const pairs = values.map(({ value, count }): [string, number] => [value, count]);
  if (form === "map") return Object.fromEntries(pairs);
  return form === "arrarr" ? pairs : pairs.flat();
}

/** Documents that one request may ask for by key. */
const GET_KEYS_MAX = 1000;

/** `/get`: documents by key. */
export async function getDocuments({ parameters, engine }: EngineCall): Promise<Reply> {
  const fields = returnedFields(parameters.getAll("fl"));
  const ids = parameters.getAll("ids").flatMap((list) => list.split(","));
  const keys = [...parameters.getAll("id"), ...ids].map((key) => key.trim()).filter((key) => key !== "");
  if (keys.length > GET_KEYS_MAX) throw new SolrRequestError(`more than ${GET_KEYS_MAX} ids`);
  const documents = keys.length === 0 ? [] : await engine.getMany(keys);
  const docs = documents.map((document) => project(document, fields));
  if (!parameters.has("ids")) return json({ doc: docs[0] ?? null });
  return json({ response: { numFound: docs.length, start: 0, numFoundExact: true, docs } });
}
