import type { SearchEngine } from "../../search/engine.ts";
import type { Database } from "../statement.ts";
import { complete } from "./complete/complete.ts";
import { corrected } from "./corrected.ts";
import { countFacets } from "./facets/facets.ts";
import type { Generation } from "./generation.ts";
import { readHealth } from "./health.ts";
import type { IndexReader } from "./index-reader.ts";
import { searchPlain } from "./plain/search.ts";
import { readDocuments } from "./read-documents.ts";
import { worksByKey } from "./works/by-key.ts";
import { searchWorks } from "./works/search-works.ts";

/**
 * The embedded engine (search.md 13): one generation of the index in D1, for one request. `prefix` is that of record numbers.
 * Methods throw what the database throws.
 */
export function createEngine(
  database: Database,
  generation: Generation,
  { prefix }: { readonly prefix: string },
): SearchEngine {
  const index: IndexReader = { database, generation, prefix, vocabulary: new Map() };
  return {
    works: (search) => searchWorks(index, search),
    worksByKey: (keys, wish) => worksByKey(index, keys, wish),
    authors: (search) => searchPlain(index, "author", search),
    subjects: (search) => searchPlain(index, "subject", search),
    lists: (search) => searchPlain(index, "list", search),
    facets: (search) => countFacets(index, search),
    getMany: (keys, fields) => readDocuments(index, keys, fields),
    complete: (completion) => complete(index, completion),
    corrected: (words) => corrected(index, words),
    health: () => readHealth(database, generation),
  };
}
