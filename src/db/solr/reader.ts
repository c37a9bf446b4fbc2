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
}

/** Documents of an answer. Their members are looked at where they are read: there are thousands of them. */
export const documentsSchema = z.array(
  z.custom<Found>((one) => typeof one === "object" && one !== null && !Array.isArray(one)),
);
const foundSchema = z.object({ response: z.object({ numFound: z.int(), docs: documentsSchema }) });

/** What is asked for, as the JSON of a request has it. */
interface Ask {
  readonly query: string;
  readonly fields?: readonly string[];
  readonly sort?: string;
  readonly limit: number;
  readonly offset?: number;
  readonly facet?: object;
}

/** Documents of a kind. */
export async function find(
  { collection }: SolrReader,
  kind: string,
  { query, sort = "no asc", fields = ["id"], ...ask }: Ask,
): Promise<FoundPage> {
  const { response } = await collection.ask(
    "query",
    bodyOf(kind, { query, sort, fields, ...ask }),
    foundSchema,
  );
  return response;
}

/** The body of a request for documents of a kind. */
export function bodyOf(kind: string, ask: Ask) {
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
