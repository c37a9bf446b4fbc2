import type { SolrDocument } from "../../search/lucene/solr-documents.ts";
import { SolrError } from "./client.ts";
import { type SolrFields, type SolrReader, numberIn, readNow } from "./reader.ts";

/** Document to write unless Solr has a newer one. */
export interface Write {
  readonly id: string;
  readonly version: number;
  documentOf(old: SolrFields | undefined): SolrDocument;
}

/**
 * Maximum number of documents per request. Solr indexes a request on one thread and several requests concurrently: a page
 * of 500 works is sent in four.
 */
const BATCH_DOCUMENTS_MAX = 125;
/** Maximum number of attempts if other writers change the same documents. */
const ATTEMPTS_MAX = 5;
const CONFLICT = 409;

interface WriteOptions {
  readonly fields?: readonly string[];
  /** True if there are hardly any old documents: they are only read after a conflict. Default false. */
  readonly areNew?: boolean;
}

/**
 * Writes documents, except those of which Solr has a newer version. Resolves to the replaced documents, as far as they
 * were read. A document changed since it was read is refused by Solr, and read again.
 */
export async function writeAll(
  reader: SolrReader,
  writes: readonly Write[],
  options: WriteOptions = {},
): Promise<SolrFields[]> {
  const pages: Promise<SolrFields[]>[] = [];
  for (let at = 0; at < writes.length; at += BATCH_DOCUMENTS_MAX) {
    pages.push(writePage(reader, writes.slice(at, at + BATCH_DOCUMENTS_MAX), options));
  }
  return (await Promise.all(pages)).flat();
}

async function writePage(
  reader: SolrReader,
  writes: readonly Write[],
  { fields = [], areNew = false }: WriteOptions,
): Promise<SolrFields[]> {
  for (let attempt = 1; ; attempt += 1) {
    const ids = areNew && attempt === 1 ? [] : writes.map(({ id }) => id);
    const stored = await readNow(reader, ids, ["version", "_version_", ...fields]);
    const newer = writes.filter(
      ({ id, version }) => (numberIn(stored.get(id) ?? {}, "version") ?? 0) <= version,
    );
    const documents = newer.map((write) => {
      const old = stored.get(write.id);
      // A negative version requires that there is no document.
      return { ...write.documentOf(old), _version_: old?.["_version_"] ?? "-1" };
    });
    try {
      if (documents.length > 0) await reader.collection.update(documents, false);
      return newer.map(({ id }) => stored.get(id)).filter((doc) => doc !== undefined);
    } catch (error) {
      if (!(error instanceof SolrError) || error.status !== CONFLICT || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

export function makeVisible({ collection }: SolrReader): Promise<void> {
  return collection.update([], true);
}

/** Merges the segments of a collection. Resolves to false if the merge continues after a timeout. */
export async function mergeSegments({ collection }: SolrReader): Promise<boolean> {
  try {
    await collection.merge();
    return true;
  } catch (error) {
    if (error instanceof SolrError && error.isLate) return false;
    throw error;
  }
}
