import { type Database, type Statement, batchRows, batchGroups, firstRow } from "../statement.ts";
import {
  type WordReader,
  CORRECTION_CANDIDATES_MAX,
  findCorrection,
} from "../../search/engine/find-correction.ts";
import type { Document, EngineHealth, SearchEngine, Generation } from "../../search/engine.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { expandWork } from "../../search/present/expand.ts";
import { createCompletionSource } from "./complete-sql.ts";
import { completeText } from "../../search/engine/complete-text.ts";
import { countFacets, countSubjectsOfWorks, readSubjectCovers } from "./facets.ts";
import type { IndexReader } from "./index-reader.ts";
import { tablesOf } from "./plain-sql.ts";
import { PLAIN_SOURCES, PLAIN_SCHEMES } from "../../search/engine/plain-search.ts";
import { searchPlain } from "./plain.ts";
import { workReadingOf } from "./stored-work.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import { readWorksStatement, requireRoom } from "./read-works.ts";
import { createWorkSource } from "./work-pages.ts";
import { searchEditionRows, searchWorks, worksByKey } from "../../search/engine/search-works.ts";

/**
 * Creates the embedded engine: one generation of the index in D1, for one request. `prefix` is that of record numbers;
 * `facetValues` and `counts` can be reused as long as the generation is live. Methods throw database errors.
 */
export function createEngine(
  database: Database,
  generation: Generation,
  options: Pick<IndexReader, "prefix" | "facetValues" | "counts" | "keepFacets">,
): SearchEngine {
  const index: IndexReader = { database, generation, ...options, vocabulary: new Map() };
  const works = createWorkSource(index);
  const correct = (typed: readonly string[], isOpen = false) =>
    findCorrection(createWordReader(index), works, typed, isOpen);
  return {
    works: (search) => searchWorks(works, search),
    worksByKey: (keys, request) => worksByKey(works, keys, request),
    authors: (search) => searchPlain(index, "author", search),
    subjects: (search) => searchPlain(index, "subject", search),
    lists: (search) => searchPlain(index, "list", search),
    editions: (search) => searchEditionRows(works, search),
    facets: (search) => countFacets(index, search),
    getMany: (keys, fields) => readDocuments(index, keys, fields),
    complete: (completion) =>
      completeText(createCompletionSource(index), completion, (text) => correct([text], true)),
    findCorrection: (words) => correct(words),
    subjectCounts: (counted, limit) => countSubjectsOfWorks(index, counted, limit),
    subjectCovers: (tokens) => readSubjectCovers(index, tokens),
    health: () => readHealth(database, generation),
  };
}

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
 * Implements `SearchEngine.getMany`. One round trip. A subject's key is `/subjects/place:france`; every key of no other
 * kind is that of a list or series.
 */
async function readDocuments(
  { database, generation, prefix }: IndexReader,
  keys: readonly string[],
  fields: readonly string[] | undefined,
): Promise<Document[]> {
  if (keys.length === 0) return [];
  const fieldsWithKey = fields && ["key", ...fields];
  const reading = workReadingOf({ withEditions: false, fields: fieldsWithKey });
  const works = keys.flatMap((key) => workIdOfKey(key, prefix) ?? []);
  const authors = keys.flatMap((key) => authorIdOfKey(key, prefix) ?? []);
  const others = keys.filter((key) => !key.startsWith("/works/") && !key.startsWith("/authors/"));
  const plainStatement = (
    scheme: PlainScheme,
    column: "id" | "key",
    values: readonly (string | number)[],
  ): Statement[] => {
    const sql = `SELECT ${PLAIN_SOURCES[scheme].columns.join(", ")} FROM ${tablesOf(scheme, generation).table}
                 WHERE ${column} IN (SELECT value FROM json_each(?1))`;
    return values.length === 0 ? [] : [{ sql, values: [JSON.stringify(values)] }];
  };
  const results = await batchGroups<
    Record<PlainScheme, Readonly<Record<string, unknown>>> & { work: WorkRow }
  >(database, {
    work: works.length === 0 ? [] : readWorksStatement(generation, works, reading),
    author: plainStatement("author", "id", authors),
    subject: plainStatement("subject", "key", others),
    list: plainStatement("list", "key", others),
  });
  const storedWorks = await Promise.all(requireRoom(results.work).map((row) => reading.work(row)));
  const documents = [
    ...storedWorks.map((work) => expandWork(work, fieldsWithKey)),
    ...PLAIN_SCHEMES.flatMap((scheme) => results[scheme].map((row) => PLAIN_SOURCES[scheme].documentOf(row))),
  ];
  const byKey = new Map(documents.map((document) => [document["key"], document]));
  return keys.map((key) => byKey.get(key)).filter((document) => document !== undefined);
}

/** Returns the reader of words of the embedded index. Throws database errors. */
function createWordReader({ database, generation }: IndexReader): WordReader {
  return async (words) => {
    const statements = words.flatMap(({ word, skeletons, shortest, longest, beginnings }) => [
      { sql: `SELECT term FROM spelling_${generation} WHERE term = ?1`, values: [word] },
      {
        sql: `SELECT s.term FROM json_each(?1) j CROSS JOIN spelling_${generation} s ON s.skeleton = j.value
              WHERE length(s.term) BETWEEN ?2 AND ?3
                AND (j.key = 0 OR substr(s.term, 1, 1) = ?4 OR substr(s.term, 1, 2) = ?5)
              LIMIT ${CORRECTION_CANDIDATES_MAX}`,
        values: [JSON.stringify(skeletons), shortest, longest, ...beginnings],
      },
    ]);
    // The statements have this column.
    const results = (await batchRows(database, statements)) as { term: string }[][];
    return words.map((_word, at) => ({
      isSpelt: (results[2 * at] ?? []).length > 0,
      near: (results[2 * at + 1] ?? []).map(({ term }) => term),
    }));
  };
}
