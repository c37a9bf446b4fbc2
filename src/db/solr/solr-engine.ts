import type { Document, EngineHealth, SearchEngine, Generation } from "../../search/engine.ts";
import { READ_FIELDS } from "../../search/lucene/solr-documents.ts";
import { expandWork } from "../../search/present/expand.ts";
import { completeText } from "../../search/engine/complete-text.ts";
import { findCorrection } from "../../search/engine/find-correction.ts";
import { searchEditionRows, searchWorks, worksByKey } from "../../search/engine/search-works.ts";
import type { SolrSettings } from "./client.ts";
import { type SolrReader, countDocuments, readNow, readerOf } from "./reader.ts";
import { createSolrCompletionSource } from "./solr-complete.ts";
import { countSolrFacets, countSolrSubjects, readSolrSubjectCovers } from "./solr-facets.ts";
import { plainDocument, searchSolrPlain } from "./solr-plain.ts";
import { restoreOf } from "./solr-rows.ts";
import { createSolrWordReader } from "./solr-terms.ts";
import { createSolrWorkSource } from "./solr-works.ts";

// Q564
/**
 * Creates the engine of one generation in Solr, for one request. Its results equal those of the embedded engine. Methods
 * throw `SolrError`.
 */
export function createSolrEngine(
  settings: SolrSettings,
  generation: Generation,
  { prefix }: { readonly prefix: string },
): SearchEngine {
  const reader = readerOf(settings, generation, prefix);
  const works = createSolrWorkSource(reader);
  const correct = (typed: readonly string[], isOpen = false) =>
    findCorrection(createSolrWordReader(reader), works, typed, isOpen);
  return {
    works: (search) => searchWorks(works, search),
    worksByKey: (keys, request) => worksByKey(works, keys, request),
    authors: (search) => searchSolrPlain(reader, "author", search),
    subjects: (search) => searchSolrPlain(reader, "subject", search),
    lists: (search) => searchSolrPlain(reader, "list", search),
    editions: (search) => searchEditionRows(works, search),
    facets: (search) => countSolrFacets(reader, search),
    getMany: (keys, fields) => readDocuments(reader, keys, fields),
    complete: (completion) =>
      completeText(createSolrCompletionSource(reader), completion, (text) => correct([text], true)),
    findCorrection: (words) => correct(words),
    subjectCounts: (counted, limit) => countSolrSubjects(reader, counted, limit),
    subjectCovers: (tokens) => readSolrSubjectCovers(reader, tokens),
    health: () => readHealth(reader),
  };
}

async function readHealth(reader: SolrReader): Promise<EngineHealth> {
  const count = (kind: string): Promise<number> => countDocuments(reader, kind, "*:*");
  const [work, author, subject, list] = await Promise.all([
    count("work"),
    count("author"),
    count("subject"),
    count("list"),
  ]);
  return { documents: { work, author, subject, list } };
}

async function readDocuments(
  reader: SolrReader,
  keys: readonly string[],
  fields: readonly string[] | undefined,
): Promise<Document[]> {
  const fieldsWithKey = fields && ["key", ...fields];
  const byKey = await readNow(reader, [...new Set(keys)], [...READ_FIELDS, "n_work_count"]);
  const documents = await Promise.all(
    keys.map(async (key) => {
      const doc = byKey.get(key);
      switch (doc?.["kind"]) {
        case "work":
          return [expandWork(await restoreOf(doc)(), fieldsWithKey)];
        case "author":
        case "subject":
        case "list":
          return [plainDocument(doc["kind"], doc)];
        default:
          return [];
      }
    }),
  );
  return documents.flat();
}
