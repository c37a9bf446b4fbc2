import type { Correction } from "./engine.ts";
import { STRONG_COLUMNS, WORK_FIELDS } from "./plan/field-conditions.ts";
import {
  type Match,
  conjoinMatches,
  disjoinMatches,
  isFilled,
  matchTokens,
  matchWords,
} from "./plan/match.ts";
import { COMMON_WORDS, makeScorer, removeArticle } from "./rank.ts";
import { SENTINEL, queryTermsOf } from "./text/analysis.ts";
import {
  DISTANCE_MAX,
  SPELLING_TERM_LENGTH_MAX,
  listNearSkeletons,
  misspellingCostOf,
} from "./text/spelling.ts";
import { stem } from "./text/stem.ts";

/** Longest phrase that is corrected, in words. */
const PHRASE_WORDS_MAX = 24;
/** Maximum number of words of a phrase that are looked up, and of the nearest spellings tried for each. */
const CORRECTED_WORDS_MAX = 10;
const SPELLINGS_OF_WORD = 10;
const CORRECTED_LENGTH_MIN = 3;
/** Maximum length of a corrected word: no index word is near a longer one, and comparing would take long. */
export const CORRECTED_LENGTH_MAX = SPELLING_TERM_LENGTH_MAX + DISTANCE_MAX;
/** Lengths of words that may be two words written as one. */
const SPLIT_LENGTH_MIN = 4;
const SPLIT_LENGTH_MAX = 24;
const ONE_LETTER_WORDS = new Set(["a", "i"]);

/** Costs of spellings, in letters of another sound. */
const SPLIT_COST = 0.5;
const JOIN_COST = 0.5;
/** Additional cost if the two words of one are not in a row, as at the end of a title and the start of a name. */
const APART_COST = 0.5;
/** Highest cost at which a word of a title or name is replaced, without and with a word that has no title or name. */
const KNOWN_WORD_COST_MAX = 1;
const OTHER_KNOWN_WORD_COST_MAX = 0.5;
/** Additional cost of replacing a word that a title or name has. */
const KNOWN_COST = 1;
/** Highest cost at which it is replaced even in a part of a title or name. */
const LIKELY_KNOWN_COST = KNOWN_COST + OTHER_KNOWN_WORD_COST_MAX;
/** Cost of a typed word that is in other fields than title, author and series. */
const ELSEWHERE_COST = 3;
/** Factor by which a spelling must find better works, for each letter of its cost. */
const COST_FACTOR = 10;
/** Score of a whole name, which search ranks no higher than a part of it. */
const WHOLE_NAME = 100;
/** Factor by which the chosen spelling must surpass the next one, and what was typed. */
const SURE_FACTOR = 1.1;
const SUGGESTED_FACTOR = 3;

/** Blanks, hyphens and slashes: the parts of a compound are corrected one by one. */
const SEPARATORS = /([\s\p{Dash_Punctuation}/]+)/u;
const LETTERS = /^\p{L}+$/u;

/** Word of a phrase as typed. */
interface TypedWord {
  /** Place of its text among the typed ones. */
  readonly place: number;
  /** Separator before the word; empty for the first one of a text. */
  readonly separator: string;
  readonly text: string;
  readonly tokens: readonly string[];
  /** Folded form of a word of letters; undefined for other words. */
  readonly token: string | undefined;
}

/** Word with the properties that its neighbours in the index share. */
export interface WordRequest {
  readonly word: string;
  /** Skeletons of the neighbours, that of the word itself first. */
  readonly skeletons: readonly string[];
  readonly shortest: number;
  readonly longest: number;
  /** Beginnings of the neighbours with other skeletons than the word: its first letter, and its first two swapped. */
  readonly beginnings: readonly [string, string];
}

export interface IndexedWord {
  /** True if a title or name has the word. */
  readonly isSpelt: boolean;
  readonly near: readonly string[];
}

/** Another way to write a typed word, or two typed words as one. */
interface Form {
  readonly tokens: readonly string[];
  readonly takes: 1 | 2;
  readonly cost: number;
  readonly isOfKnown: boolean;
}

/** Forms of each word, in order. */
type WordForms = readonly (readonly Form[])[];

/** Returns the words of a typed phrase; none for a phrase that is too long to be corrected. */
export function typedWordsOf(typed: readonly string[]): TypedWord[] {
  const words = typed.flatMap((whole, place) => {
    const parts = whole.split(SEPARATORS);
    return parts.flatMap((text, at) =>
      at % 2 === 1 || text === "" ? [] : toTypedWord(text, { place, separator: parts[at - 1] ?? "" }),
    );
  });
  return words.length > PHRASE_WORDS_MAX ? [] : words;
}

function toTypedWord(text: string, position: Pick<TypedWord, "place" | "separator">): TypedWord {
  const tokens = queryTermsOf(text).flatMap((term) => term.tokens);
  const [token = ""] = tokens;
  return { ...position, text, tokens, token: tokens.length === 1 && LETTERS.test(token) ? token : undefined };
}

/** Returns the words to look up in the spelling of titles and names. */
export function wordRequestsOf(words: readonly TypedWord[]): WordRequest[] {
  const tokens = words.flatMap(({ token = "" }) => (isCorrectable(token) ? [token] : []));
  return [...new Set(tokens)].slice(0, CORRECTED_WORDS_MAX).map((word) => {
    const [first = "", second = ""] = word;
    return {
      word,
      skeletons: listNearSkeletons(word),
      shortest: word.length - DISTANCE_MAX,
      longest: word.length + DISTANCE_MAX,
      beginnings: [first, second + first],
    };
  });
}

function isCorrectable(token: string): boolean {
  return (
    token.length >= CORRECTED_LENGTH_MIN && token.length <= CORRECTED_LENGTH_MAX && !COMMON_WORDS.has(token)
  );
}

/** Returns the other ways to write each word. `indexed` has the words that were looked up. */
export function wordFormsOf(
  words: readonly TypedWord[],
  indexed: ReadonlyMap<string, IndexedWord>,
): WordForms {
  const isAnyUnknown = [...indexed.values()].some(({ isSpelt }) => !isSpelt);
  return words.map(({ token = "" }, at) => {
    const entry = indexed.get(token);
    const joined = joinForms(token, words[at + 1]?.token ?? "");
    if (entry === undefined) return joined;
    if (!entry.isSpelt) return [...nearForms(token, entry, DISTANCE_MAX), ...splitForms(token), ...joined];
    const costMax = isAnyUnknown ? OTHER_KNOWN_WORD_COST_MAX : KNOWN_WORD_COST_MAX;
    return [...nearForms(token, entry, costMax), ...joined];
  });
}

function nearForms(token: string, { near, isSpelt }: IndexedWord, costMax: number): Form[] {
  return near
    .map((term) => ({ term, cost: misspellingCostOf(token, term) }))
    .filter(({ cost }) => cost > 0 && cost <= costMax)
    .sort((a, b) => a.cost - b.cost || (a.term < b.term ? -1 : 1))
    .slice(0, SPELLINGS_OF_WORD)
    .map(({ term, cost }) => ({
      tokens: [term],
      takes: 1,
      cost: cost + (isSpelt ? KNOWN_COST : 0),
      isOfKnown: isSpelt,
    }));
}

function splitForms(token: string): Form[] {
  if (token.length < SPLIT_LENGTH_MIN || token.length > SPLIT_LENGTH_MAX) return [];
  const splits = Array.from(token.slice(1), (_letter, at) => [token.slice(0, at + 1), token.slice(at + 1)]);
  return splits
    .filter((parts) => parts.every((part) => part.length > 1 || ONE_LETTER_WORDS.has(part)))
    .map((tokens) => ({ tokens, takes: 1, cost: SPLIT_COST, isOfKnown: false }));
}

function joinForms(first: string, second: string): Form[] {
  const joined = first + second;
  if (first === "" || second === "" || joined.length > SPELLING_TERM_LENGTH_MAX) return [];
  // The second word may be no more than an ending.
  if (stem(joined) === stem(first)) return [];
  return [{ tokens: [joined], takes: 2, cost: JOIN_COST, isOfKnown: false }];
}

/** Returns the match of works with each word: as typed anywhere, or another form in title, author or series. */
export function matchForms(words: readonly TypedWord[], forms: WordForms): Match | undefined {
  const parts = words.flatMap(({ text }, at) => {
    const typed = matchWords(WORK_FIELDS.defaults, text);
    if (typed === undefined) return [];
    const joined = (forms[at - 1] ?? []).filter(({ takes }) => takes === 2);
    const others = [...(forms[at] ?? []), ...joined].flatMap(({ tokens }) => {
      const each = tokens.map((token) => matchTokens(STRONG_COLUMNS, [token]));
      return isFilled(each) ? [conjoinMatches(each)] : [];
    });
    return [disjoinMatches([typed, ...others])];
  });
  return isFilled(parts) ? conjoinMatches(parts) : undefined;
}

/** Returns the terms that some texts must have to be compared: all forms of all words. */
export function formTermsOf(words: readonly TypedWord[], forms: WordForms) {
  const tokens = [...words, ...forms.flat()].flatMap((form) => form.tokens);
  return [...new Set(tokens)].map(toRankedTerm);
}

function toRankedTerm(token: string) {
  return { tokens: [token], others: [], prefix: false, field: null, boost: 1 };
}

interface Candidate {
  readonly boost: number;
  /** Analysed texts in the order of `RANKING_FIELDS`. */
  readonly texts: readonly string[];
}

/** Spelling of a phrase: the form of each word, or of two; undefined for words as typed. */
interface Spelling {
  readonly forms: readonly (Form | undefined)[];
  readonly cost: number;
}

interface RatedSpelling extends Spelling {
  /** Score of the best work that it finds, lowered by its cost. */
  readonly value: number;
  /** True if it is that work's title, an author's name, or both. */
  readonly isWhole: boolean;
}

/**
 * Returns the correction of a phrase by the works that its forms find: of the spellings of single works the one whose
 * work scores best, by words in order, whole titles and names, and popularity. Undefined if what was typed is as good.
 */
export function chooseCorrection(
  typed: readonly string[],
  { words, forms }: { words: readonly TypedWord[]; forms: WordForms },
  candidates: readonly Candidate[],
): Correction | undefined {
  const ratings = new Map<string, RatedSpelling>();
  const scorers = new Map<string, ReturnType<typeof makeScorer>>();
  for (const candidate of candidates) {
    const spelling = spell(words, forms, makeFinder(candidate));
    if (spelling === undefined || spelling.forms.filter((form) => form?.isOfKnown).length > 1) continue;
    const tokens = tokensOf(words, spelling);
    const name = tokens.map(stem).join(" ");
    const score = scorers.get(name) ?? makeScorer({ terms: tokens.map(toRankedTerm), words: tokens });
    scorers.set(name, score);
    const whole = wholeOf(candidate, tokens);
    const bonus = whole === "name" ? WHOLE_NAME * candidate.boost : 0;
    const value = (score(candidate) + bonus) / COST_FACTOR ** spelling.cost;
    if (value <= (ratings.get(name)?.value ?? 0)) continue;
    ratings.set(name, { ...spelling, value, isWhole: whole !== undefined });
  }
  return decide([...ratings.values()], { typed, words });
}

/** Returns a function that returns the additional cost of tokens in the texts of a candidate; infinite if absent. */
function makeFinder({ texts: [titles = "", authors = "", series = ""] }: Candidate) {
  const stemmed = ` ${titles} ${SENTINEL} ${series} `;
  const plain = ` ${authors} `;
  const has = (tokens: readonly string[]): boolean =>
    stemmed.includes(` ${tokens.map(stem).join(" ")} `) || plain.includes(` ${tokens.join(" ")} `);
  return (tokens: readonly string[]): number => {
    if (has(tokens)) return 0;
    return tokens.length > 1 && tokens.every((token) => has([token])) ? APART_COST : Number.POSITIVE_INFINITY;
  };
}

/** Returns the cheapest spelling whose forms a candidate has. */
function spell(
  words: readonly TypedWord[],
  forms: WordForms,
  find: ReturnType<typeof makeFinder>,
): Spelling | undefined {
  let [rest, restOfTwo]: (Spelling | undefined)[] = [{ forms: [], cost: 0 }, undefined];
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const { tokens = [] } = words[at] ?? {};
    let best = extend(rest, undefined, tokens.length === 0 ? 0 : Math.min(find(tokens), ELSEWHERE_COST));
    for (const form of forms[at] ?? []) {
      const other = extend(form.takes === 2 ? restOfTwo : rest, form, form.cost + find(form.tokens));
      if (other !== undefined && other.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = other;
    }
    [rest, restOfTwo] = [best, rest];
  }
  return rest;
}

function extend(rest: Spelling | undefined, form: Form | undefined, cost: number): Spelling | undefined {
  if (rest === undefined) return undefined;
  const places = form?.takes === 2 ? [form, form] : [form];
  return { forms: [...places, ...rest.forms], cost: cost + rest.cost };
}

function tokensOf(words: readonly TypedWord[], { forms }: Spelling): string[] {
  return forms.flatMap((form, at) => {
    if (isSecondOfJoined(forms, at)) return [];
    return [...(form ?? words[at] ?? { tokens: [] }).tokens];
  });
}

/** Returns true for the place of the second of two words that are one. */
function isSecondOfJoined(forms: Spelling["forms"], at: number): boolean {
  return forms[at]?.takes === 2 && forms[at - 1] === forms[at];
}

function wholeOf({ texts: [titles = "", authors = ""] }: Candidate, tokens: readonly string[]) {
  const [first = ""] = titles.split(SENTINEL, 1);
  const title = removeArticle(first.trim());
  const phrase = removeArticle(tokens.map(stem).join(" "));
  const names = authors.split(SENTINEL).map((name) => name.trim().split(" ").map(stem).join(" "));
  if (names.includes(phrase)) return "name";
  return phrase === title || names.some((name) => phrase === `${title} ${name}`) ? "title" : undefined;
}

function decide(
  ratings: readonly RatedSpelling[],
  phrase: { typed: readonly string[]; words: readonly TypedWord[] },
): Correction | undefined {
  const [best, next] = ratings.toSorted((a, b) => b.value - a.value || a.cost - b.cost);
  const asTyped = ratings.find((spelling) => isAsTyped(spelling));
  if (best === undefined || isAsTyped(best)) return undefined;
  if (asTyped !== undefined && best.value < SUGGESTED_FACTOR * asTyped.value) return undefined;
  const isClear = best.value >= SURE_FACTOR * (next?.value ?? 0);
  const isLikely =
    best.isWhole || best.forms.every((form) => !form?.isOfKnown || form.cost <= LIKELY_KNOWN_COST);
  return { replacements: replacementsOf(phrase, best), isSure: isClear && isLikely };
}

function isAsTyped({ forms }: Spelling): boolean {
  return forms.every((form) => form === undefined);
}

/** Returns the changed texts by the typed ones. */
function replacementsOf(
  { typed, words }: { typed: readonly string[]; words: readonly TypedWord[] },
  { forms }: Spelling,
): Map<string, string> {
  const written = words.map(({ place, separator, text }, at) => ({
    place,
    isChanged: forms[at] !== undefined,
    text: isSecondOfJoined(forms, at) ? "" : separator + (forms[at]?.tokens.join(" ") ?? text),
  }));
  return new Map(
    typed.flatMap((text, place): [string, string][] => {
      const wordsOfText = written.filter((word) => word.place === place);
      if (!wordsOfText.some(({ isChanged }) => isChanged)) return [];
      const replacement = wordsOfText.map((word) => word.text).join("");
      return [[text, replacement.trim()]];
    }),
  );
}
