import { USUAL } from "./documents/popularity.ts";
import { bylineOf } from "./query/byline.ts";
import type { Leaf, Query } from "./query/query.ts";
import { SENTINEL, queryTermsOf } from "./text/analysis.ts";
import { stem } from "./text/stem.ts";

const COMMON_WORD_WEIGHT = 0.2;

/** Words that most texts have. */
export const COMMON_WORDS = new Set(
  (
    "a an and are as at be but by for from if in into is it its no not of on or that the their then there these " +
    "they this to was with der die das und ein eine des dem den im von zu le la les l un une de du d et en au aux " +
    "el los las y del al il lo gli i e di da per o os as um uma do dos das na no van het een"
  ).split(" "),
);

interface RankedField {
  name: string;
  stemmed: boolean;
  /** Factor of a word; `phrase` is that of the query as a phrase, `pair` that of two words in a row. */
  word: number;
  phrase: number;
  /** True if the phrase counts besides that of another field. */
  phraseAdds?: true;
  pair: number;
  /** Usual length of a value, in tokens. */
  length: number;
}

const FIELDS: readonly RankedField[] = [
  { name: "alternative_title", stemmed: true, word: 40, phrase: 50, pair: 20, length: 5 },
  { name: "author_name", stemmed: false, word: 40, phrase: 50, pair: 20, length: 2.5 },
  { name: "series_name", stemmed: true, word: 5, phrase: 5, phraseAdds: true, pair: 5, length: 4 },
];
const ALIASES = new Map([["title", "alternative_title"]]);
/** Factor of a word in none of the compared fields, and therefore in one of the others. */
const OTHER_FIELD = 1;
/** Scores of a title that equals the query, and of one with only words of the query. */
const EXACT_TITLE = 120;
const COVERED_TITLE = 60;
/** Lowest score of a work without readers whose whole title is the query. */
export const WHOLE_TITLE_SCORE = EXACT_TITLE * USUAL;
/** Additional score of the work's own title over those of editions and alternative titles. */
const OWN_TITLE = 10;

/** Usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const ARTICLE = /^(?:the|an?) (?=.)/;
const LONGEST_ARTICLE = 3;

/** Terms of a query, and the unstemmed tokens of a possible whole title, in order. */
interface RankedWords {
  terms: readonly RankedTerm[];
  words: readonly string[];
}

/** Returns words such that a text with none of them scores nothing. */
export function searchedTextsOf({ terms, words }: RankedWords): ReadonlySet<string> {
  const texts = terms.map(needleOf).flatMap(({ stemmed, plain }) => stemmed.concat(plain));
  return new Set([...words.map(stem), ...words, ...texts.map((text) => text.trim())]);
}

/**
 * Returns a function that scores candidates, by their popularity and their analysed texts in the order of
 * `RANKING_FIELDS`, against a query. Greater is better.
 */
export function makeScorer({
  terms,
  words,
}: RankedWords): (candidate: { boost: number; texts: readonly string[] }) => number {
  const needles = terms.map(needleOf);
  const order = makeOrderScorer(words);
  const byline = bylineOf(words, (word) => word);
  const parts = byline && makeBylineScorer(byline);
  const searchedTexts = searchedTextsOf({ terms, words });
  return ({ boost, texts }) => {
    const fields = FIELDS.map((field, index) => ({
      field,
      values: valuesOf(texts[index] ?? "", searchedTexts),
    }));
    let score = 0;
    for (const needle of needles) score += scoreTerm(needle, fields);
    return boost * (score + Math.max(order(fields), parts?.(fields) ?? 0));
  };
}

interface FieldValues {
  field: RankedField;
  values: readonly string[];
}

/** Returns a function that scores the order of words: as a phrase, in pairs, as a whole title. */
function makeOrderScorer(words: readonly string[]): (fields: readonly FieldValues[]) => number {
  const stems = words.map(stem);
  const title = makeTitleScorer(stems);
  const order: WordOrder = { count: words.length, of: ({ stemmed }) => (stemmed ? stems : words) };
  return (fields) => scorePhrase(fields, order) + scorePairs(fields, order) + title(fields[0]?.values ?? []);
}

/** Returns a function that scores a title and a name in order, for works by an author of this name. */
function makeBylineScorer({ title, author }: { title: readonly string[]; author: readonly string[] }) {
  const ofTitle = makeOrderScorer(title);
  const order: WordOrder = { count: author.length, of: () => author };
  return (fields: readonly FieldValues[]): number => {
    const names = fields.filter(({ field }) => field.name === "author_name");
    const isBy = names.some(({ values }) =>
      author.every((word) => values.some((value) => value.includes(` ${word} `))),
    );
    return isBy ? ofTitle(fields) + scorePhrase(names, order) + scorePairs(names, order) : 0;
  };
}

interface WordOrder {
  count: number;
  of(field: RankedField): readonly string[];
}

interface Needle {
  term: RankedTerm;
  weight: number;
  /** Texts to find in stemmed fields and in others (`plain`), between blanks. */
  stemmed: readonly string[];
  plain: readonly string[];
}

function needleOf(term: RankedTerm): Needle {
  const end = term.prefix ? "" : " ";
  const text = (tokens: readonly string[]): string => ` ${tokens.join(" ")}${end}`;
  const forms = [term.tokens, ...term.others.map((other) => [other])];
  return {
    term,
    // Words that occur in most texts say little.
    weight:
      term.boost * Math.max(...term.tokens.map((word) => (COMMON_WORDS.has(word) ? COMMON_WORD_WEIGHT : 1))),
    plain: forms.map(text),
    stemmed: [...forms.map((tokens) => text(tokens.map(stem))), ...(term.prefix ? [text(term.tokens)] : [])],
  };
}

const NONE: readonly string[] = [];

/** Returns values between blanks, with joined compounds, if one may contain a wanted text. */
function valuesOf(text: string, searchedTexts: ReadonlySet<string>): readonly string[] {
  for (const searched of searchedTexts) {
    if (text.includes(searched)) return text.split(SENTINEL).map((value) => ` ${value.trim()} `);
  }
  return NONE;
}

function scoreTerm(needle: Needle, fields: readonly FieldValues[]): number {
  const { term, weight } = needle;
  let best = 0;
  for (const { field, values } of fields) {
    if (term.field !== null && (ALIASES.get(term.field) ?? term.field) !== field.name) continue;
    const forms = field.stemmed ? needle.stemmed : needle.plain;
    const factor = term.field === null ? field.word : 1;
    for (const value of values) {
      if (!forms.some((text) => value.includes(text))) continue;
      best = Math.max(best, factor * saturationOf(value, field.length));
    }
  }
  return weight * (best === 0 ? OTHER_FIELD : best);
}

/** Returns the BM25 factor of a word that occurs once in a value: less in long values. */
function saturationOf(value: string, usualLength: number): number {
  const length = countTokens(value) / usualLength;
  return (SATURATION + 1) / (1 + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));
}

function countTokens(value: string): number {
  let count = -1;
  for (let at = value.indexOf(" "); at !== -1; at = value.indexOf(" ", at + 1)) count += 1;
  return count;
}

function scorePhrase(fields: readonly FieldValues[], order: WordOrder): number {
  if (order.count < 2) return 0;
  let best = 0;
  let sum = 0;
  for (const { values, field } of fields) {
    const needle = ` ${order.of(field).join(" ")} `;
    if (!values.some((value) => value.includes(needle))) continue;
    if (field.phraseAdds) sum += field.phrase;
    else best = Math.max(best, field.phrase);
  }
  return best + sum;
}

function scorePairs(fields: readonly FieldValues[], order: WordOrder): number {
  let score = 0;
  for (let at = 0; at < order.count - 1; at += 1) {
    let best = 0;
    for (const { values, field } of fields) {
      const words = order.of(field);
      const needle = ` ${words[at]} ${words[at + 1]} `;
      if (field.pair > best && values.some((value) => value.includes(needle))) best = field.pair;
    }
    score += best;
  }
  return score;
}

/** Returns a function that scores whole titles above partial ones. `words` are the stemmed query. */
function makeTitleScorer(words: readonly string[]): (titles: readonly string[]) => number {
  if (words.length === 0) return () => 0;
  const wanted = new Set(words);
  const whole = removeArticle(words.join(" "));
  return (titles) => {
    let best = 0;
    for (const [place, title] of titles.entries()) {
      // A longer title has words that are not in the query.
      if (title.length > whole.length + LONGEST_ARTICLE + 3) continue;
      const text = removeArticle(title.trim());
      const bonus = place === 0 ? OWN_TITLE : 0;
      if (text === whole) best = Math.max(best, EXACT_TITLE + bonus);
      else if (text.split(" ").every((token) => wanted.has(token)))
        best = Math.max(best, COVERED_TITLE + bonus);
    }
    return best;
  };
}

/** Returns an analysed title without its article. */
export function removeArticle(text: string): string {
  return text.replace(ARTICLE, "");
}

interface RankedTerm {
  /** Folded and unstemmed tokens; several form a phrase. */
  tokens: readonly string[];
  /** Equivalent single tokens: forms written as one word, synonyms. */
  others: readonly string[];
  prefix: boolean;
  /** Index field; null for any of the default ones. */
  field: string | null;
  boost: number;
}

const TITLE_FIELDS = new Set<string | null>([null, "alternative_title", "title"]);

/** Returns the words and phrases that results must or may have, without those that they must not have. */
export function rankedTermsOf(query: Query): RankedTerm[] {
  if (query.op === "and" || query.op === "or") return query.of.flatMap(rankedTermsOf);
  return query.op === "match" ? leafTermsOf(query) : [];
}

/** Returns the words that every result must have and that may be a title, in order. */
export function titleWordsOf(query: Query): string[] {
  if (query.op === "and") return query.of.flatMap(titleWordsOf);
  if (query.op !== "match" || !TITLE_FIELDS.has(query.field) || !("text" in query.value)) return [];
  return queryTermsOf(query.value.text).flatMap(({ tokens }) => tokens);
}

function leafTermsOf({ field, value, boost }: Leaf): RankedTerm[] {
  if (value.kind === "pattern") {
    const tokens = queryTermsOf(value.parts[0] ?? "").flatMap((term) => term.tokens);
    return tokens.length === 0 ? [] : [{ tokens, others: [], prefix: true, field, boost }];
  }
  if (!("text" in value)) return [];
  const [first, ...more] = queryTermsOf(value.text);
  if (first === undefined) return [];
  if (more.length > 0) {
    const tokens = [first, ...more].flatMap((term) => term.tokens);
    return [{ tokens, others: [], prefix: false, field, boost }];
  }
  return [{ ...first, prefix: false, field, boost }];
}
