import { editDistance } from "../../search/text/edit-distance.ts";
import { queryTerms } from "../../search/text/query-text.ts";
import { skeletonsNear } from "../../search/text/skeleton.ts";
import { stem } from "../../search/text/stem.ts";
import { batchRows, rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";

/** Words of a query that are looked at for a correction. */
export const CORRECTED_WORDS_MAX = 8;
/** Shorter words are never corrected, in characters (search.md 13.7). */
export const CORRECTED_LENGTH_MIN = 4;
/** Words of the index that are compared with a misspelt one. */
export const CORRECTION_CANDIDATES_MAX = 500;
/** Letters that may differ (search.md 13.7). */
const DISTANCE_MAX = 2;
/** Candidates whose frequency is looked up, the nearest ones. */
const COUNTED_CANDIDATES = 20;

const BLANKS = /(\s+)/;
const LETTERS = /^\p{L}+$/u;

/**
 * Words or phrases as typed, by what they become when words that occur nowhere are replaced by the nearest that
 * do; the others are left out (search.md 13.7). Two round trips at most. Words must begin with the same letter.
 */
export async function corrected(
  index: IndexReader,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tokens = [...new Set(typed.flatMap(misspellable))].slice(0, CORRECTED_WORDS_MAX);
  if (tokens.length === 0) return new Map();
  const candidates = await candidatesOf(index, tokens);
  if (candidates.size === 0) return new Map();
  const replacements = await mostFrequent(index, candidates);
  return new Map(
    typed.flatMap((text): [string, string][] => {
      const replaced = replaceWords(text, replacements);
      return replaced === text ? [] : [[text, replaced]];
    }),
  );
}

function misspellable(text: string): string[] {
  return text.split(BLANKS).flatMap((word) => wordToken(word) ?? []);
}

/** The folded form of a simple word of letters that is long enough. */
function wordToken(word: string): string | undefined {
  const [term, ...more] = queryTerms(word);
  const [token = "", ...parts] = term?.tokens ?? [];
  if (more.length + parts.length > 0 || token.length < CORRECTED_LENGTH_MIN) return undefined;
  return LETTERS.test(token) ? token : undefined;
}

function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  const words = text.split(BLANKS).map((word) => replacements.get(wordToken(word) ?? "") ?? word);
  return words.join("");
}

/** Words that occur nowhere, each with the nearest ones that do. One round trip. */
async function candidatesOf(
  { database, generation }: IndexReader,
  tokens: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const statements = tokens.flatMap((token) => [
    {
      sql: `SELECT 1 FROM spelling_${generation} WHERE term = ?1
            UNION ALL SELECT 1 FROM work_term_${generation} WHERE term = ?1
            UNION ALL SELECT 1 FROM work_term_${generation} WHERE term = ?2 LIMIT 1`,
      values: [token, stem(token)],
    },
    {
      sql: `SELECT term FROM json_each(?1) j JOIN spelling_${generation} s ON s.skeleton = j.value
            WHERE length(term) BETWEEN ?2 AND ?3 AND substr(term, 1, 1) = ?4 LIMIT ${CORRECTION_CANDIDATES_MAX}`,
      values: [
        JSON.stringify(skeletonsNear(token)),
        token.length - DISTANCE_MAX,
        token.length + DISTANCE_MAX,
        String.fromCodePoint(token.codePointAt(0) ?? 0),
      ],
    },
  ]);
  const found = await batchRows(database, statements);
  return new Map(
    tokens.flatMap((token, at): [string, Candidate[]][] => {
      if ((found[2 * at] ?? []).length > 0) return [];
      // The second statement of a word answers terms.
      const terms = (found[2 * at + 1] ?? []) as { term: string }[];
      const near = nearest(
        token,
        terms.map(({ term }) => term),
      );
      return near.length === 0 ? [] : [[token, near]];
    }),
  );
}

interface Candidate {
  readonly term: string;
  readonly distance: number;
}

function nearest(token: string, terms: readonly string[]): Candidate[] {
  return terms
    .map((term) => ({ term, distance: editDistance(token, term, DISTANCE_MAX) }))
    .filter(({ distance }) => distance <= DISTANCE_MAX)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, COUNTED_CANDIDATES);
}

/** For each word the nearest candidate, of several the most frequent. One statement. */
async function mostFrequent(
  { database, generation }: IndexReader,
  candidates: ReadonlyMap<string, readonly Candidate[]>,
): Promise<Map<string, string>> {
  const terms = [...candidates.values()].flat().flatMap(({ term }) => [term, stem(term)]);
  const counted = await rows<{ term: string; doc: number }>(database, {
    sql: `SELECT term, doc FROM work_term_${generation} WHERE term IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify([...new Set(terms)])],
  });
  const counts = new Map(counted.map(({ term, doc }) => [term, doc]));
  const frequency = (term: string): number => Math.max(counts.get(term) ?? 0, counts.get(stem(term)) ?? 0);
  return new Map(
    [...candidates].flatMap(([token, near]): [string, string][] => {
      const [best] = near.toSorted(
        (a, b) =>
          a.distance - b.distance || frequency(b.term) - frequency(a.term) || (a.term < b.term ? -1 : 1),
      );
      return best === undefined ? [] : [[token, best.term]];
    }),
  );
}
