import type { EngineHealth, SearchEngine } from "../../search/engine.ts";
import { type Database, firstRow } from "../statement.ts";
import { complete } from "./complete.ts";
import { corrected } from "./corrected.ts";
import { searchEditions } from "./editions.ts";
import { countFacets } from "./facets.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { searchPlain } from "./plain.ts";
import { readDocuments } from "./read-documents.ts";
import { worksByKey } from "./read-works.ts";
import { countSubjectsOfWorks, readSubjectCovers } from "./subject-counts.ts";
import { searchWorks } from "./works.ts";

/** Counts the documents of each kind in one generation. One statement. */
export async function readHealth(database: Database, generation: Generation): Promise<EngineHealth> {
  const documents = await firstRow<EngineHealth["documents"]>(database, {
    sql: `SELECT (SELECT count(*) FROM work_${generation}) AS work, (SELECT count(*) FROM author_${generation}) AS author,
            (SELECT count(*) FROM subject_${generation}) AS subject, (SELECT count(*) FROM list_${generation}) AS list`,
    values: [],
  });
  return { documents: documents ?? { work: 0, author: 0, subject: 0, list: 0 } };
}

/**
 * Creates the embedded engine: one generation of the index in D1, for one request. `prefix` is that of record numbers;
 * `facetValues` can be reused as long as the generation is live. Methods throw database errors.
 */
export function createEngine(
  database: Database,
  generation: Generation,
  options: Pick<IndexReader, "prefix" | "facetValues" | "keepFacets">,
): SearchEngine {
  const index: IndexReader = { database, generation, ...options, vocabulary: new Map() };
  return {
    works: (search) => searchWorks(index, search),
    worksByKey: (keys, wish) => worksByKey(index, keys, wish),
    authors: (search) => searchPlain(index, "author", search),
    subjects: (search) => searchPlain(index, "subject", search),
    lists: (search) => searchPlain(index, "list", search),
    editions: (search) => searchEditions(index, search),
    facets: (search) => countFacets(index, search),
    getMany: (keys, fields) => readDocuments(index, keys, fields),
    complete: (completion) => complete(index, completion),
    corrected: (words) => corrected(index, words),
    subjectCounts: (works, limit) => countSubjectsOfWorks(index, works, limit),
    subjectCovers: (tokens) => readSubjectCovers(index, tokens),
    health: () => readHealth(database, generation),
  };
}
