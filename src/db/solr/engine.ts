import type { Document, EngineHealth, SearchEngine } from "../../search/engine.ts";
import { expandWork } from "../../search/present/expand.ts";
import { storedWork } from "../search/stored-work.ts";
import { READ_FIELDS } from "../../search/lucene/solr-documents.ts";
import type { Generation } from "../search/generation.ts";
import type { SolrSettings } from "./client.ts";
import { complete } from "./complete.ts";
import { corrected } from "./corrected.ts";
import { searchEditions } from "./editions.ts";
import { countFacets } from "./facets.ts";
import { plainDocument, searchPlain } from "./plain.ts";
import { workRow, worksByKey } from "./read-works.ts";
import { type SolrReader, countOf, readerOf } from "./reader.ts";
import { countSubjectsOfWorks, readSubjectCovers } from "./aggregates.ts";
import { readNow } from "./write.ts";
import { searchWorks } from "./works.ts";

// Q564
/** The engine of one generation in Solr, for one request: its answers are those of the embedded one. Methods throw SolrError. */
export function createSolrEngine(
  settings: SolrSettings,
  generation: Generation,
  { prefix }: { readonly prefix: string },
): SearchEngine {
  const reader = readerOf(settings, generation, prefix);
  return {
    works: (search) => searchWorks(reader, search),
    worksByKey: (keys, wish) => worksByKey(reader, keys, wish),
    authors: (search) => searchPlain(reader, "author", search),
    subjects: (search) => searchPlain(reader, "subject", search),
    lists: (search) => searchPlain(reader, "list", search),
    editions: (search) => searchEditions(reader, search),
    facets: (search) => countFacets(reader, search),
    getMany: (keys, fields) => readDocuments(reader, keys, fields),
    complete: (completion) => complete(reader, completion),
    corrected: (words) => corrected(reader, words),
    subjectCounts: (works, limit) => countSubjectsOfWorks(reader, works, limit),
    subjectCovers: (tokens) => readSubjectCovers(reader, tokens),
    health: () => readHealth(reader),
  };
}

async function readHealth(reader: SolrReader): Promise<EngineHealth> {
  const count = (kind: string): Promise<number> => countOf(reader, kind, "*:*");
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
  const wanted = fields && ["key", ...fields];
  const found = await readNow(reader, [...new Set(keys)], [...READ_FIELDS, "n_work_count"]);
  const documents = await Promise.all(
    keys.map(async (key) => {
      const one = found.get(key);
      switch (one?.["kind"]) {
        case "work":
          return [expandWork(await storedWork(workRow(one)), wanted)];
        case "author":
        case "subject":
        case "list":
          return [plainDocument(one["kind"], one)];
        default:
          return [];
      }
    }),
  );
  return documents.flat();
}
