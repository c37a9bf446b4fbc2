import { SPELLING_TERM_LENGTH_MAX, editDistance, skeletonsNear } from "../../search/text/spelling.ts";
import { queryTerms } from "../../search/text/query-text.ts";
import { stem } from "../../search/text/stem.ts";
import { batchRows, rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";

/** Words of a query that are looked at for a correction. */
const CORRECTED_WORDS_MAX = 8;
/** Shorter words are never corrected, in characters. */
const CORRECTED_LENGTH_MIN = 4;
/** Words of the index that are compared with a misspelt one. */
const CORRECTION_CANDIDATES_MAX = 500;
/** Letters that may differ. */
const DISTANCE_MAX = 2;
/** Longer words are not corrected either: no word of the index is near them, and looking would take long. */
export const CORRECTED_LENGTH_MAX = SPELLING_TERM_LENGTH_MAX + DISTANCE_MAX;
/** Spellings of one word that are tried, the nearest ones; and of the whole query. */
const SPELLINGS_OF_WORD = 6;
const SPELLINGS_MAX = 24;
/** Up to so many works are counted for each spelling of the query. */
const COUNTED_WORKS = 1000;

const BLANKS = /(\s+)/;
const LETTERS = /^\p{L}+$/u;

/**
 * Words or phrases as typed, by what they become when misspelt words are replaced: words that
 * occur nowhere, or, when all of them occur but no work has them all, the one whose change finds something. The
 * others are left out. Two round trips at most. Words must begin with the same letter.
 */
export async function corrected(
  index: IndexReader,
  typed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = typed.flatMap((text) => text.split(BLANKS).flatMap((word) => wordToken(word) ?? []));
  const tokens = [...new Set(words)].slice(0, CORRECTED_WORDS_MAX);
  if (tokens.length === 0) return new Map();
  const spellings = spellingsOf(await readWords(index, tokens));
  if (spellings.length === 0) return new Map();
  const best = await firstThatFinds(index, typed, spellings);
  return new Map(
    typed.flatMap((text): [string, string][] => {
      const replaced = replaceWords(text, best);
      return replaced === text ? [] : [[text, replaced]];
    }),
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

/** One round trip. */
async function readWords({ database, generation }: IndexReader, tokens: readonly string[]): Promise<Word[]> {
  const statements = tokens.flatMap((token) => [
    {
      sql: `SELECT 1 AS isSpelt FROM spelling_${generation} WHERE term = ?1
            UNION ALL SELECT 0 FROM work_term_${generation} WHERE term = ?1
            UNION ALL SELECT 0 FROM work_term_${generation} WHERE term = ?2 LIMIT 1`,
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
  return tokens.map((token, at) => {
    // The statements of a word have these columns.
    const [known] = (found[2 * at] ?? []) as { isSpelt: number }[];
    const terms = (found[2 * at + 1] ?? []) as { term: string }[];
    // What stands so in a title or name is mostly right: it gives way to what differs by a single letter alone.
    const distance = known?.isSpelt === 1 ? 1 : DISTANCE_MAX;
    return { token, occurs: known !== undefined, near: nearest(token, terms, distance) };
  });
}

function nearest(token: string, terms: readonly { readonly term: string }[], max: number) {
  return terms
    .map(({ term }) => ({ term, distance: editDistance(token, term, max) }))
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
  { database, generation }: IndexReader,
  typed: readonly string[],
  spellings: readonly Spelling[],
): Promise<ReadonlyMap<string, string>> {
  const text = `work_text_${generation}`;
  const expressions = spellings.map(({ replacements }) =>
    typed.map((words) => matchOf(replaceWords(words, replacements))).join(" AND "),
  );
  const counted = await rows<{ place: number; works: number }>(database, {
    sql: `SELECT key AS place, (SELECT count(*) FROM
            (SELECT 1 FROM ${text} WHERE ${text} MATCH j.value LIMIT ${COUNTED_WORKS})) AS works
          FROM json_each(?1) j`,
    values: [JSON.stringify(expressions)],
  });
  const finding = counted.flatMap(({ place, works }) => {
    const spelling = spellings[place];
    return spelling === undefined || works === 0 ? [] : [{ ...spelling, works }];
  });
  const [best] = finding.sort((a, b) => a.distance - b.distance || b.works - a.works);
  return (best ?? AS_TYPED).replacements;
}

/** Works that have all words of a text anywhere, as they are written or by their stems. */
function matchOf(text: string): string {
  const words = queryTerms(text).map(({ tokens, others }) => {
    const compounds = tokens.length > 1 ? others : [];
    const forms = [tokens, tokens.map(stem), ...compounds.map((one) => [one])];
    const quoted = forms.map((form) => `"${form.join(" ").replaceAll('"', '""')}"`);
    return `(${[...new Set(quoted)].join(" OR ")})`;
  });
  return words.length === 0 ? '""' : words.join(" AND ");
}
