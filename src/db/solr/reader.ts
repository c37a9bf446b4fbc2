import * as z from "zod";
import type { Generation } from "../search/generation.ts";
import { type SolrSettings, Collection, PATIENT, SolrError } from "./client.ts";

/** What a reader of one generation needs; `vocabulary` is kept for one request (see `IndexReader`). */
export interface SolrReader {
  readonly collection: Collection;
  readonly prefix: string;
  readonly vocabulary: Map<string, readonly string[]>;
}

/** A reader of a generation, for one request. */
export function readerOf(settings: SolrSettings, generation: Generation, prefix: string): SolrReader {
  return { collection: new Collection(settings, generation), prefix, vocabulary: new Map() };
}

/** The same for what writes it. */
export function patientReaderOf(settings: SolrSettings, generation: Generation, prefix: string): SolrReader {
  return {
    ...readerOf(settings, generation, prefix),
    collection: new Collection(settings, generation, PATIENT),
  };
}

/** A document of an answer. */
export type Found = Readonly<Record<string, unknown>>;

/** Documents that were found, and how many there are. */
export interface FoundPage {
  readonly numFound: number;
  readonly docs: readonly Found[];
  /** Of all documents of the kind, and of each of `Ask.counted`. */
  readonly counts?: readonly [all: number, ...counted: number[]];
}

/** Documents of an answer. Their members are looked at where they are read: there are thousands of them. */
export const documentsSchema = z.custom<readonly Found[]>(
  (all) => Array.isArray(all) && all.every((one) => typeof one === "object" && one !== null),
);
const countSchema = z.object({ count: z.int() });
const foundSchema = z.object({
  response: z.object({ numFound: z.int(), docs: documentsSchema }),
  facets: z.object({ all: countSchema.catchall(countSchema).optional() }).optional(),
});

/** What is asked for, as the JSON of a request has it. */
interface Ask {
  readonly query: string;
  readonly fields?: readonly string[];
  readonly sort?: string;
  readonly limit: number;
  readonly offset?: number;
  /** Queries of which it is counted how many documents of the kind they have. */
  readonly counted?: readonly string[] | undefined;
}

/** Documents of a kind. */
export async function find(
  { collection }: SolrReader,
  kind: string,
  { query, sort = "no asc", fields = ["id"], counted = [], ...ask }: Ask,
): Promise<FoundPage> {
  const facet = counted.length === 0 ? {} : { facet: { all: countsFacet(kind, counted) } };
  const body = { ...bodyOf(kind, { query, sort, fields, ...ask }), ...facet };
  const { response, facets } = await collection.ask("query", body, foundSchema);
  if (counted.length === 0) return response;
  const { all } = facets ?? {};
  if (all === undefined) throw new SolrError("Solr: an answer without counts");
  // Where there are no documents Solr leaves out what it would count among them.
  return { ...response, counts: [all.count, ...counted.map((_one, at) => all[`q${at}`]?.count ?? 0)] };
}

/** A facet that counts the documents of a kind, and those that queries have, whatever else is asked; Solr does not keep these. */
function countsFacet(kind: string, queries: readonly string[]) {
  const counts = queries.map((one, at) => [`q${at}`, { type: "query", q: `{!cache=false}${one}` }]);
  return { type: "query", domain: { query: `kind:${kind}` }, facet: Object.fromEntries(counts) };
}

/** The body of a request for documents of a kind. */
export function bodyOf(kind: string, ask: Omit<Ask, "counted">) {
  return { filter: [`kind:${kind}`], ...ask };
}

/** How many documents of a kind a query has. */
export async function countOf(reader: SolrReader, kind: string, query: string): Promise<number> {
  return (await find(reader, kind, { query, limit: 0 })).numFound;
}

/** A number of a document; undefined for one that it lacks. */
export function numberIn(document: Found, field: string): number | undefined {
  const value = document[field];
  return typeof value === "number" ? value : undefined;
}

/** A text that every such document has. */
export function textIn(document: Found, field: string): string {
  const value = document[field];
  if (typeof value !== "string") throw new SolrError(`Solr: a document without ${field}`);
  return value;
}

/** JSON out of a column of bytes that every such document has. */
export function bytesIn(document: Found, field: string): string {
  return atob(textIn(document, field));
}

/** The number that every such document has. */
export function noOf(document: Found): number {
  const no = numberIn(document, "no");
  if (no === undefined) throw new SolrError("Solr: a document without a number");
  return no;
}
