import { SPELLING_TERM_LENGTH_MAX, editDistance, skeletonsNear } from "../../search/text/spelling.ts";
import { queryTerms } from "../../search/text/query-text.ts";
import { stem } from "../../search/text/stem.ts";
import { WORK_TEXT_COLUMNS } from "../../search/indexing/columns.ts";
import { type Match, allMatch, anyMatch, inColumns, matchText } from "../../search/plan/match.ts";
import { allValues, batchRows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";

/** Words of a query that are looked at for a correction. */
const CORRECTED_WORDS_MAX = 8;
/** Shorter words are never corrected, in characters. */
const CORRECTED_LENGTH_MIN = 4;
/** Words of the index that are compared with a misspelt one. */
export const CORRECTION_CANDIDATES_MAX = 500;
/** Letters that may differ. */
const DISTANCE_MAX = 2;
/** Longer words are not corrected either: no word of the index is near them, and looking would take long. */
export const CORRECTED_LENGTH_MAX = SPELLING_TERM_LENGTH_MAX + DISTANCE_MAX;
/** Spellings of one word that are tried, the nearest ones; and of the whole query. */
const SPELLINGS_OF_WORD = 6;
const SPELLINGS_MAX = 24;
/** Up to so many works are counted for each spelling of the query. */
export const COUNTED_WORKS = 1000;

const BLANKS = /(\s+)/;
const LETTERS = /^\p{L}+$/u;

/** What corrections ask of an index. */
interface SpellingSource {
  /** One round trip. */
  readWords(words: readonly NearWords[]): Promise<readonly ReadWord[]>;
  /** How many works match, up to `COUNTED_WORKS`, parallel to the matches. One round trip. */
  countWorks(matches: readonly Match[]): Promise<readonly number[]>;
}

/** A word as the index has it. */
interface ReadWord {
  /** Whether any work has it, and whether it stands so in a title or name. */
  readonly occurs: boolean;
  readonly isSpelt: boolean;
  /** Words of titles and names that may be near. */
  readonly near: readonly string[];
}

/** A word with what words near it have in common. */
export interface NearWords {
  readonly word: string;
  readonly stem: string;
  readonly skeletons: readonly string[];
  readonly shortest: number;
  readonly longest: number;
  readonly letter: string;
}

/**
 * Words or phrases as typed, by what they become when misspelt words are replaced: words that
 * occur nowhere, or, when all of them occur but no work has them all, the one whose change finds something. The
 * others are left out. Two round trips at most. Words must begin with the same letter.
 */
export async function correctedBy(
  source: SpellingSource,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = typed.flatMap((text) => text.split(BLANKS).flatMap((word) => wordToken(word) ?? []));
  const tokens = [...new Set(words)].slice(0, CORRECTED_WORDS_MAX);
  if (tokens.length === 0) return new Map();
  const read = await source.readWords(tokens.map(nearWords));
  const known = tokens.map((token, at) => {
    const { occurs = false, isSpelt = false, near = [] } = read[at] ?? {};
    // What stands so in a title or name is mostly right: it gives way to what differs by a single letter alone.
    return { token, occurs, near: nearest(token, near, isSpelt ? 1 : DISTANCE_MAX) };
  });
  const spellings = spellingsOf(known);
  if (spellings.length === 0) return new Map();
  const best = await firstThatFinds(source, typed, spellings);
  return new Map(
    typed.flatMap((text): [string, string][] => {
      const replaced = replaceWords(text, best);
      return replaced === text ? [] : [[text, replaced]];
    }),
  );
}

function nearWords(word: string): NearWords {
  return {
    word,
    stem: stem(word),
    skeletons: skeletonsNear(word),
    shortest: word.length - DISTANCE_MAX,
    longest: word.length + DISTANCE_MAX,
    letter: String.fromCodePoint(word.codePointAt(0) ?? 0),
  };
}

/** `SearchEngine.corrected`, of the embedded index. */
export function corrected(
  index: IndexReader,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { database, generation } = index;
  const text = `work_text_${generation}`;
  return correctedBy(
    {
      readWords: (words) => readWords(index, words),
      countWorks: (matches) =>
        allValues<number>(database, {
          sql: `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${text} WHERE ${text} MATCH j.value LIMIT ${COUNTED_WORKS}))
                FROM json_each(?1) j ORDER BY j.key`,
          values: [JSON.stringify(matches.map(matchText))],
        }),
    },
    typed,
  );
}

/** The folded form of a simple word of letters that is neither too short nor too long. */
function wordToken(word: string): string | undefined {
  const [term, ...more] = queryTerms(word);
  const [token = "", ...parts] = term?.tokens ?? [];
  if (more.length + parts.length > 0) return undefined;
  const isFit = token.length >= CORRECTED_LENGTH_MIN && token.length <= CORRECTED_LENGTH_MAX;
  return isFit && LETTERS.test(token) ? token : undefined;
}

function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  const words = text.split(BLANKS).map((word) => replacements.get(wordToken(word) ?? "") ?? word);
  return words.join("");
}

/** A word of the query, and the words of the index that are nearest to it. */
interface Word {
  readonly token: string;
  readonly occurs: boolean;
  readonly near: ReturnType<typeof nearest>;
}

async function readWords({ database, generation }: IndexReader, words: readonly NearWords[]) {
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
  const found = await batchRows(database, statements);
  return words.map((_word, at) => {
    // The statements of a word have these columns.
    const [known] = (found[2 * at] ?? []) as { isSpelt: number }[];
    const terms = (found[2 * at + 1] ?? []) as { term: string }[];
    const near = terms.map(({ term }) => term);
    return { occurs: known !== undefined, isSpelt: known?.isSpelt === 1, near };
  });
}

function nearest(token: string, terms: readonly string[], max: number) {
  return terms
    .map((term) => ({ term, distance: editDistance(token, term, max) }))
    .filter(({ distance }) => distance > 0 && distance <= max)
    .sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
    .slice(0, SPELLINGS_OF_WORD);
}

/** Words of the query by what replaces them, and how many letters differ in all. */
interface Spelling {
  readonly replacements: ReadonlyMap<string, string>;
  readonly distance: number;
}

const AS_TYPED: Spelling = { replacements: new Map(), distance: 0 };

/** Spellings of the query, the nearest first: words that occur nowhere are all replaced, of the others one at most. */
function spellingsOf(words: readonly Word[]): Spelling[] {
  let spellings = [AS_TYPED];
  for (const word of words) {
    spellings = nearestOf(word.occurs ? spellings : replacing(spellings, word));
  }
  const more = words.filter(({ occurs }) => occurs).flatMap((word) => replacing(spellings, word));
  return nearestOf([...spellings, ...more].filter(({ replacements }) => replacements.size > 0));
}

function replacing(spellings: readonly Spelling[], { token, near }: Word): Spelling[] {
  return spellings.flatMap(({ replacements, distance }) =>
    near.map((one) => ({
      replacements: new Map([...replacements, [token, one.term]]),
      distance: distance + one.distance,
    })),
  );
}

function nearestOf(spellings: readonly Spelling[]): Spelling[] {
  return spellings.toSorted((a, b) => a.distance - b.distance).slice(0, SPELLINGS_MAX);
}

/** The nearest spelling that works have all words of; of several, the one with most works. One round trip. */
async function firstThatFinds(
  source: SpellingSource,
  typed: readonly string[],
  spellings: readonly Spelling[],
): Promise<ReadonlyMap<string, string>> {
  const matches = spellings.map(({ replacements }) =>
    typed.flatMap((words) => wordMatches(replaceWords(words, replacements))),
  );
  const counted = await source.countWorks(
    matches.flatMap(([first, ...more]) => (first ? [allMatch([first, ...more])] : [])),
  );
  const finding = spellings.flatMap((spelling, place) => {
    const works = counted[place] ?? 0;
    return works === 0 ? [] : [{ ...spelling, works }];
  });
  const [best] = finding.sort((a, b) => a.distance - b.distance || b.works - a.works);
  return (best ?? AS_TYPED).replacements;
}

/** Works that have each word of a text anywhere, as it is written or by its stem. */
function wordMatches(text: string): Match[] {
  return queryTerms(text).map(({ tokens, others }) => {
    const compounds = tokens.length > 1 ? others : [];
    const forms = [tokens.map(stem), ...compounds.map((one) => [one])];
    return anyMatch([inColumns(ANYWHERE, tokens), ...forms.map((form) => inColumns(ANYWHERE, form))]);
  });
}

const ANYWHERE = [...WORK_TEXT_COLUMNS.map(({ name }) => name), "token"];
