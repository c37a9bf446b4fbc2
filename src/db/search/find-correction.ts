import type { Correction } from "../../search/engine.ts";
import {
  type IndexedWord,
  type WordRequest,
  chooseCorrection,
  formTermsOf,
  matchForms,
  typedWordsOf,
  wordFormsOf,
  wordRequestsOf,
} from "../../search/correction.ts";
import { ALL } from "../../search/query/query.ts";
import { batchRows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import type { WorkSource } from "./work-search.ts";

/** Maximum number of index words compared with a misspelt one. */
export const CORRECTION_CANDIDATES_MAX = 500;

/** Reads words and their neighbours. One round trip. */
export type WordReader = (words: readonly WordRequest[]) => Promise<readonly IndexedWord[]>;

/** Search that reads candidates without their documents. */
const CANDIDATES_ONLY = {
  query: ALL,
  filters: [],
  editionClauses: [],
  sort: [],
  start: 0,
  rows: 0,
  withEditions: false,
  fields: ["key"],
};

/**
 * Implements `SearchEngine.findCorrection`: looks up the words, then reads the most popular works that have all of them in
 * some spelling. Two round trips, one more in Solr for many works.
 */
export async function findCorrection(
  readWords: WordReader,
  works: WorkSource,
  typed: readonly string[],
): Promise<Correction | undefined> {
  const words = typedWordsOf(typed);
  const requests = wordRequestsOf(words);
  if (requests.length === 0) return undefined;
  const read = await readWords(requests);
  const indexed = new Map(
    requests.map(({ word }, at) => [word, read[at] ?? { isSpelt: false, near: [] }] as const),
  );
  const forms = wordFormsOf(words, indexed);
  const match = matchForms(words, forms);
  if (match === undefined || forms.every((ways) => ways.length === 0)) return undefined;
  const selection = { all: { match, conditions: [], ids: undefined }, strong: undefined };
  const terms = { terms: formTermsOf(words, forms), words: [] };
  const { candidates } = await works.readCandidates(selection, terms, CANDIDATES_ONLY);
  return chooseCorrection(typed, { words, forms }, candidates);
}

/** Returns the reader of words of the embedded index. Throws database errors. */
export function createWordReader({ database, generation }: IndexReader): WordReader {
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
