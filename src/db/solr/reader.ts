import * as z from "zod";
import type { Generation } from "../../search/engine.ts";
import { type SolrSettings, Collection, SolrError, WRITER_LIMITS } from "./client.ts";

export interface SolrReader {
  readonly collection: Collection;
  readonly prefix: string;
  /** Terms matched by wildcards (see `IndexReader`). */
  readonly vocabulary: Map<string, readonly string[]>;
}

export function readerOf(settings: SolrSettings, generation: Generation, prefix: string): SolrReader {
  return { collection: new Collection(settings, generation), prefix, vocabulary: new Map() };
}

/** Returns a reader for the indexer, with longer time limits. */
export function writerOf(settings: SolrSettings, generation: Generation, prefix: string): SolrReader {
  const collection = new Collection(settings, generation, WRITER_LIMITS);
  return { collection, prefix, vocabulary: new Map() };
}

export type SolrFields = Readonly<Record<string, unknown>>;

export interface SolrPage {
  readonly numFound: number;
  readonly docs: readonly SolrFields[];
  /** Number of documents of each query of `FindRequest.counted`. */
  readonly counts?: readonly number[];
}

/** Schema of the documents of a response. Their members are checked where they are read: there are thousands of them. */
const documentsSchema = z.custom<readonly SolrFields[]>(
  (all) => Array.isArray(all) && all.every((doc) => typeof doc === "object" && doc !== null),
);
const countSchema = z.object({ count: z.int() });
const foundSchema = z.object({
  response: z.object({ numFound: z.int(), docs: documentsSchema }),
  facets: z.object({ all: countSchema.catchall(countSchema).optional() }).optional(),
});
const nowSchema = z.object({ response: z.object({ docs: documentsSchema }) });

/** Request for documents, with members as in the JSON that Solr accepts. */
interface FindRequest {
  query: string;
  fields?: readonly string[];
  sort?: string;
  limit: number;
  offset?: number;
  /** Queries whose documents of the kind are counted. */
  counted?: readonly string[] | undefined;
}

/** Finds documents of a kind. Throws `SolrError`. */
export async function find(
  { collection }: SolrReader,
  kind: string,
  { query, sort = "no asc", fields = ["id"], counted = [], ...page }: FindRequest,
): Promise<SolrPage> {
  const facet = counted.length === 0 ? {} : { facet: { all: countsFacet(kind, counted) } };
  const body = { ...bodyOf(kind, { query, sort, fields, ...page }), ...facet };
  const { response, facets } = await collection.ask("query", body, foundSchema);
  if (counted.length === 0) return response;
  const { all } = facets ?? {};
  if (all === undefined) throw new SolrError("Solr: an answer without counts");
  // Solr omits the counts of queries if there are no documents at all.
  return { ...response, counts: counted.map((_query, at) => all[`q${at}`]?.count ?? 0) };
}

/**
 * Returns a facet that counts the documents of a kind and those of each query, independent of the main query. Not cached by
 * Solr.
 */
function countsFacet(kind: string, queries: readonly string[]) {
  const counts = queries.map((query, at) => [`q${at}`, { type: "query", q: `{!cache=false}${query}` }]);
  return { type: "query", domain: { query: `kind:${kind}` }, facet: Object.fromEntries(counts) };
}

/** Returns the body of a request for documents of a kind. */
export function bodyOf(kind: string, request: Omit<FindRequest, "counted">) {
  return { filter: [`kind:${kind}`], ...request };
}

/** Counts the documents of a kind that a query finds. */
export async function countDocuments(reader: SolrReader, kind: string, query: string): Promise<number> {
  return (await find(reader, kind, { query, limit: 0 })).numFound;
}

export const bucketsSchema = z.object({
  buckets: z.array(z.object({ val: z.union([z.string(), z.number()]), count: z.int() })),
});
const countedSchema = z.object({ count: z.int() }).catchall(z.union([bucketsSchema, z.number()]));
const facetsSchema = z.object({ facets: z.looseObject({ count: z.int() }) });

export type CountedQuery = z.infer<typeof countedSchema>;

/** Counts the works of several queries, with the same facets of each. One round trip, none without queries. */
export async function countEach(
  { collection }: SolrReader,
  queries: readonly string[],
  facet: Readonly<Record<string, unknown>> = {},
): Promise<CountedQuery[]> {
  if (queries.length === 0) return [];
  const facets = queries.map((q, at) => [`q${at}`, { type: "query", q, facet }]);
  const body = { ...bodyOf("work", { query: "*:*", limit: 0 }), facet: Object.fromEntries(facets) };
  const response = await collection.ask("query", body, facetsSchema);
  return queries.map((_query, at) => countedSchema.parse(response.facets[`q${at}`] ?? { count: 0 }));
}

/** Returns a facet of the values of a field, most frequent first; by default all values. */
export function valuesFacet(field: string, limit = -1) {
  return { type: "terms", field, limit, mincount: 1 };
}

/** Reads documents by id in their newest form, including changes that searches do not see yet. */
export async function readNow(
  { collection }: SolrReader,
  ids: readonly string[],
  fields: readonly string[],
): Promise<ReadonlyMap<string, SolrFields>> {
  const [first] = ids;
  if (first === undefined) return new Map();
  // With a repeated id the response is a list even for a single document.
  const parameters = [...ids, first].map((id): [string, string] => ["id", id]);
  parameters.push(["fl", ["id", "kind", ...fields].join(",")], ["omitHeader", "false"]);
  const { response } = await collection.get("get", parameters, nowSchema);
  return new Map(response.docs.map((doc) => [String(doc["id"]), doc]));
}

/** Returns a number of a document; undefined if the document lacks it. */
export function numberIn(doc: SolrFields, field: string): number | undefined {
  const value = doc[field];
  return typeof value === "number" ? value : undefined;
}

/** Returns a required text. Throws `SolrError` if the document lacks it. */
export function textIn(doc: SolrFields, field: string): string {
  const value = doc[field];
  if (typeof value !== "string") throw new SolrError(`Solr: a document without ${field}`);
  return value;
}

/** Returns the JSON in a required binary field. Throws `SolrError` if the document lacks it. */
export function bytesIn(doc: SolrFields, field: string): string {
  return atob(textIn(doc, field));
}

/** Returns the index number of a document. Throws `SolrError` if the document lacks it. */
export function noOf(doc: SolrFields): number {
  const no = numberIn(doc, "no");
  if (no === undefined) throw new SolrError("Solr: a document without a number");
  return no;
}
