import { SPELLING_TERM_LENGTH_MAX, editDistance, listNearSkeletons } from "../../search/text/spelling.ts";
import { queryTermsOf } from "../../search/text/analysis.ts";
import { stem } from "../../search/text/stem.ts";
import { WORK_TEXT_COLUMNS } from "../../search/indexing/columns.ts";
import {
  type Match,
  conjoinMatches,
  disjoinMatches,
  matchInColumns,
  matchTextOf,
} from "../../search/plan/match.ts";
import { allValues, batchRows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";

const CORRECTED_WORDS_MAX = 8;
const CORRECTED_LENGTH_MIN = 4;
/** Maximum number of index words compared with a misspelt one. */
export const CORRECTION_CANDIDATES_MAX = 500;
const DISTANCE_MAX = 2;
/** Maximum length of a corrected word: no index word is near a longer one, and comparing would take long. */
export const CORRECTED_LENGTH_MAX = SPELLING_TERM_LENGTH_MAX + DISTANCE_MAX;
/** Maximum number of nearest spellings tried per word. `SPELLINGS_MAX` limits those of the whole query. */
const SPELLINGS_OF_WORD = 6;
const SPELLINGS_MAX = 24;
export const COUNTED_WORKS = 1000;

const BLANKS = /(\s+)/;
const LETTERS = /^\p{L}+$/u;

export interface SpellingSource {
  /** Reads the words and their neighbours. One round trip. */
  readWords(words: readonly WordRequest[]): Promise<readonly IndexedWord[]>;
  /** Counts the works of each match, up to `COUNTED_WORKS`, in the order of the matches. One round trip. */
  countWorks(matches: readonly Match[]): Promise<readonly number[]>;
}

export interface IndexedWord {
  /** True if any work has the word. `isSpelt` is true if a title or name has it in this form. */
  readonly occurs: boolean;
  readonly isSpelt: boolean;
  readonly near: readonly string[];
}

/** Word with the properties that its neighbours share. */
export interface WordRequest {
  readonly word: string;
  readonly stem: string;
  readonly skeletons: readonly string[];
  readonly shortest: number;
  readonly longest: number;
  readonly letter: string;
}

/**
 * Implements `SearchEngine.corrected`. Returns replacements for words or phrases with misspelt words, by the typed text. Replaces words that occur nowhere
 * or, if all occur but no work has them all, the one word whose replacement finds something. Unchanged texts are left
 * out. At most two round trips. Replacements start with the same letter.
 */
export async function correctWords(
  source: SpellingSource,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = typed.flatMap((text) => text.split(BLANKS).flatMap((word) => wordToken(word) ?? []));
  const tokens = [...new Set(words)].slice(0, CORRECTED_WORDS_MAX);
  if (tokens.length === 0) return new Map();
  const read = await source.readWords(tokens.map(wordRequest));
  const indexed = tokens.map((token, at) => {
    const { occurs = false, isSpelt = false, near = [] } = read[at] ?? {};
    // A word in this form in a title or name is usually right, so only a replacement that differs by a single letter is
    // tried.
    return { token, occurs, near: nearest(token, near, isSpelt ? 1 : DISTANCE_MAX) };
  });
  const spellings = spellingsOf(indexed);
  if (spellings.length === 0) return new Map();
  const replacements = await findSpelling(source, typed, spellings);
  return new Map(
    typed.flatMap((text): [string, string][] => {
      const replaced = replaceWords(text, replacements);
      return replaced === text ? [] : [[text, replaced]];
    }),
  );
}

function wordRequest(word: string): WordRequest {
  return {
    word,
    stem: stem(word),
    skeletons: listNearSkeletons(word),
    shortest: word.length - DISTANCE_MAX,
    longest: word.length + DISTANCE_MAX,
    letter: String.fromCodePoint(word.codePointAt(0) ?? 0),
  };
}

/** Returns the operations of the embedded index for corrections. Methods throw database errors. */
export function createSpellingSource(index: IndexReader): SpellingSource {
  const { database, generation } = index;
  const text = `work_text_${generation}`;
  return {
    readWords: (words) => readWords(index, words),
    countWorks: (matches) =>
      allValues<number>(database, {
        sql: `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${text} WHERE ${text} MATCH j.value LIMIT ${COUNTED_WORKS}))
              FROM json_each(?1) j ORDER BY j.key`,
        values: [JSON.stringify(matches.map(matchTextOf))],
      }),
  };
}

/** Returns the folded form of a word of letters; undefined for other words, and for too short or too long ones. */
function wordToken(word: string): string | undefined {
  const [term, ...more] = queryTermsOf(word);
  const [token = "", ...parts] = term?.tokens ?? [];
  if (more.length + parts.length > 0) return undefined;
  const isFit = token.length >= CORRECTED_LENGTH_MIN && token.length <= CORRECTED_LENGTH_MAX;
  return isFit && LETTERS.test(token) ? token : undefined;
}

function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  const words = text.split(BLANKS).map((word) => replacements.get(wordToken(word) ?? "") ?? word);
  return words.join("");
}

async function readWords(
  { database, generation }: IndexReader,
  words: readonly WordRequest[],
): Promise<IndexedWord[]> {
  const statements = words.flatMap(({ word, stem: stemmed, skeletons, shortest, longest, letter }) => [
    {
      sql: `SELECT 1 AS isSpelt FROM spelling_${generation} WHERE term = ?1
            UNION ALL SELECT 0 FROM work_term_${generation} WHERE term = ?1
            UNION ALL SELECT 0 FROM work_term_${generation} WHERE term = ?2 LIMIT 1`,
      values: [word, stemmed],
    },
    {
      sql: `SELECT term FROM json_each(?1) j JOIN spelling_${generation} s ON s.skeleton = j.value
            WHERE length(term) BETWEEN ?2 AND ?3 AND substr(term, 1, 1) = ?4 LIMIT ${CORRECTION_CANDIDATES_MAX}`,
      values: [JSON.stringify(skeletons), shortest, longest, letter],
    },
  ]);
  const results = await batchRows(database, statements);
  return words.map((_word, at) => {
    // The statements of a word have these columns.
    const [occurrence] = (results[2 * at] ?? []) as { isSpelt: number }[];
    const terms = (results[2 * at + 1] ?? []) as { term: string }[];
    const near = terms.map(({ term }) => term);
    return { occurs: occurrence !== undefined, isSpelt: occurrence?.isSpelt === 1, near };
  });
}

interface Word {
  token: string;
  occurs: boolean;
  near: ReturnType<typeof nearest>;
}

function nearest(token: string, terms: readonly string[], max: number) {
  return terms
    .map((term) => ({ term, distance: editDistance(token, term, max) }))
    .filter(({ distance }) => distance > 0 && distance <= max)
    .sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
    .slice(0, SPELLINGS_OF_WORD);
}

interface Spelling {
  readonly replacements: ReadonlyMap<string, string>;
  readonly distance: number;
}

const AS_TYPED: Spelling = { replacements: new Map(), distance: 0 };

/**
 * Returns spellings of the query, nearest first: words that occur nowhere are all replaced, and at most one of the
 * others.
 */
function spellingsOf(words: readonly Word[]): Spelling[] {
  let spellings = [AS_TYPED];
  for (const word of words) {
    spellings = nearestOf(word.occurs ? spellings : withReplacements(spellings, word));
  }
  const more = words.filter(({ occurs }) => occurs).flatMap((word) => withReplacements(spellings, word));
  return nearestOf([...spellings, ...more].filter(({ replacements }) => replacements.size > 0));
}

function withReplacements(spellings: readonly Spelling[], { token, near }: Word): Spelling[] {
  return spellings.flatMap(({ replacements, distance }) =>
    near.map((neighbour) => ({
      replacements: new Map([...replacements, [token, neighbour.term]]),
      distance: distance + neighbour.distance,
    })),
  );
}

function nearestOf(spellings: readonly Spelling[]): Spelling[] {
  return spellings.toSorted((a, b) => a.distance - b.distance).slice(0, SPELLINGS_MAX);
}

/**
 * Returns the nearest spelling for which works have all words; among equally near ones the one with most works. One
 * round trip.
 */
async function findSpelling(
  source: SpellingSource,
  typed: readonly string[],
  spellings: readonly Spelling[],
): Promise<ReadonlyMap<string, string>> {
  const matches = spellings.map(({ replacements }) =>
    typed.flatMap((words) => wordMatches(replaceWords(words, replacements))),
  );
  const counted = await source.countWorks(
    matches.flatMap(([first, ...more]) => (first ? [conjoinMatches([first, ...more])] : [])),
  );
  const finding = spellings.flatMap((spelling, place) => {
    const works = counted[place] ?? 0;
    return works === 0 ? [] : [{ ...spelling, works }];
  });
  const [best] = finding.sort((a, b) => a.distance - b.distance || b.works - a.works);
  return (best ?? AS_TYPED).replacements;
}

/** Returns matches for works that have each word of a text anywhere, as written or by its stem. */
function wordMatches(text: string): Match[] {
  return queryTermsOf(text).map(({ tokens, others }) => {
    const compounds = tokens.length > 1 ? others : [];
    const forms = [tokens.map(stem), ...compounds.map((compound) => [compound])];
    return disjoinMatches([
      matchInColumns(ANYWHERE, tokens),
      ...forms.map((form) => matchInColumns(ANYWHERE, form)),
    ]);
  });
}

const ANYWHERE = [...WORK_TEXT_COLUMNS.map(({ name }) => name), "token"];
