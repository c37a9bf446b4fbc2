import type { Correction } from "../engine.ts";
import { chooseCorrection, formTermsOf, matchForms } from "../correction/choose-correction.ts";
import {
  type IndexedWord,
  type WordRequest,
  typedWordsOf,
  wordFormsOf,
  wordRequestsOf,
} from "../correction/word-forms.ts";
import { ALL } from "../query/query.ts";
import type { WorkSource } from "./search-works.ts";

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
 * some spelling. `isOpen`: the last word
 * may go on. Two round trips, one more in Solr for many works.
 */
export async function findCorrection(
  readWords: WordReader,
  works: WorkSource,
  typed: readonly string[],
  isOpen: boolean,
): Promise<Correction | undefined> {
  const words = typedWordsOf(typed, isOpen);
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
