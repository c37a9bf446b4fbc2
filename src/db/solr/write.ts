import * as z from "zod";
import type { SolrDocument } from "../../search/lucene/solr-documents.ts";
import { SolrError } from "./client.ts";
import { type Found, type SolrReader, documentsSchema, numberIn } from "./reader.ts";

/** A document to be written unless a newer one is there. */
export interface Write {
  readonly id: string;
  readonly version: number;
  /** Made of what is there under its id, if anything is. */
  documentOf(old: Found | undefined): SolrDocument;
}

/**
 * Documents of one request, and how often what somebody else has written meanwhile is read again. Solr takes in one request after
 * the other on one thread, and several of them side by side: a page of 500 works comes in four.
 */
const BATCH_DOCUMENTS_MAX = 125;
const ATTEMPTS_MAX = 5;
const CONFLICT = 409;

/** How documents are written. */
interface WriteOptions {
  /** What is read of those that are there. */
  readonly fields?: readonly string[];
  /** Whether there will hardly be any: they are not looked for before Solr says so. Default false. */
  readonly areNew?: boolean;
}

/**
 * Writes documents. Resolves to what was there under the ids that were written, as far as it was read. A document that is newer
 * stays: Solr refuses what was not made of the one that it has, and then it is read again.
 */
export async function writeAll(
  reader: SolrReader,
  writes: readonly Write[],
  options: WriteOptions = {},
): Promise<Found[]> {
  const pages: Promise<Found[]>[] = [];
  for (let at = 0; at < writes.length; at += BATCH_DOCUMENTS_MAX) {
    pages.push(writePage(reader, writes.slice(at, at + BATCH_DOCUMENTS_MAX), options));
  }
  return (await Promise.all(pages)).flat();
}

async function writePage(
  reader: SolrReader,
  writes: readonly Write[],
  { fields = [], areNew = false }: WriteOptions,
): Promise<Found[]> {
  for (let attempt = 1; ; attempt += 1) {
    const looked = areNew && attempt === 1 ? [] : writes;
    const there = await readNow(
      reader,
      looked.map(({ id }) => id),
      ["version", "_version_", ...fields],
    );
    const taken = writes.filter(
      ({ id, version }) => (numberIn(there.get(id) ?? {}, "version") ?? 0) <= version,
    );
    const documents = taken.map((one) => {
      const old = there.get(one.id);
      // A negative number: there must be none.
      return { ...one.documentOf(old), _version_: old?.["_version_"] ?? "-1" };
    });
    try {
      if (documents.length > 0) await reader.collection.update(documents, false);
      return taken.map(({ id }) => there.get(id)).filter((one) => one !== undefined);
    } catch (error) {
      if (!(error instanceof SolrError) || error.status !== CONFLICT || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

const nowSchema = z.object({ response: z.object({ docs: documentsSchema }) });

/** Documents by id as they were written last, visible or not. */
export async function readNow(
  { collection }: SolrReader,
  ids: readonly string[],
  fields: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  if (ids.length === 0) return new Map();
  const parameters = [
    ...ids.map((id) => ["id", id] as const),
    // Two of the same make a list of the answer, even of one document.
    ["id", ids[0] ?? ""] as const,
    ["fl", ["id", "kind", ...fields].join(",")] as const,
    ["omitHeader", "false"] as const,
  ];
  const { response } = await collection.get("get", parameters, nowSchema);
  return new Map(response.docs.map((one) => [String(one["id"]), one]));
}

/** Lets searches find all that was written. */
export function makeVisible({ collection }: SolrReader): Promise<void> {
  return collection.update([], true);
}

/** Puts the segments of a collection together; false when that goes on after the time of a call. */
export async function mergeSegments({ collection }: SolrReader): Promise<boolean> {
  try {
    await collection.merge();
    return true;
  } catch (error) {
    if (error instanceof SolrError && error.isLate) return false;
    throw error;
  }
}
