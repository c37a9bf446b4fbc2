import { numberOfPair, otherFormsOfNumber } from "../query/number-words.ts";
import { AND_FORMS } from "../query/reading-words.ts";
import { COMMON_WORDS } from "../rank.ts";
import { queryTermsOf } from "../text/analysis.ts";
import {
  DISTANCE_MAX,
  SPELLING_TERM_LENGTH_MAX,
  beginningCostOf,
  listNearSkeletons,
  misspellingCostOf,
} from "../text/spelling.ts";
import { stem } from "../text/stem.ts";

/** Longest phrase that is corrected, in words. */
const PHRASE_WORDS_MAX = 24;
/** Maximum number of words of a phrase that are looked up, and of the nearest spellings tried for each. */
const CORRECTED_WORDS_MAX = 10;
const SPELLINGS_OF_WORD = 16;
const CORRECTED_LENGTH_MIN = 3;
/** Maximum length of a corrected word: no index word is near a longer one, and comparing would take long. */
export const CORRECTED_LENGTH_MAX = SPELLING_TERM_LENGTH_MAX + DISTANCE_MAX;
/** Lengths of words that may be two words written as one. */
const SPLIT_LENGTH_MIN = 4;
const SPLIT_LENGTH_MAX = 24;
/** Maximum length that an unfinished word may lack, and highest cost of its beginning, which has many neighbours. */
const ENDING_MAX = 6;
const OPEN_COST_MAX = 1;
const ONE_LETTER_WORDS = new Set(["a", "i"]);

/** Costs of spellings, in letters of another sound. */
const SPLIT_COST = 0.5;
const JOIN_COST = 0.5;
/** Cost of another form of a number, and of `and`. */
const RESPELLED_COST = 0.3;
/** Highest cost at which a word of a title or name is replaced, without and with a word that has no title or name. */
const KNOWN_WORD_COST_MAX = 1;
const OTHER_KNOWN_WORD_COST_MAX = 0.5;
/** Additional cost of replacing a word that a title or name has. */
const KNOWN_COST = 1;
/** Highest cost at which it is replaced even in a part of a title or name. */
export const LIKELY_KNOWN_COST = KNOWN_COST + OTHER_KNOWN_WORD_COST_MAX;

/** Blanks, hyphens and slashes: the parts of a compound are corrected one by one. */
const SEPARATORS = /([\s\p{Dash_Punctuation}/]+)/u;
const LETTERS = /^\p{L}+$/u;

/** Word of a phrase as typed. */
export interface TypedWord {
  /** Place of its text among the typed ones. */
  readonly place: number;
  /** Separator before the word; empty for the first one of a text. */
  readonly separator: string;
  readonly text: string;
  readonly tokens: readonly string[];
  /** Folded form of a word of letters; undefined for other words. */
  readonly token: string | undefined;
  /** True for the last word of an unfinished text, which may go on. */
  readonly isOpen: boolean;
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
export interface Form {
  readonly tokens: readonly string[];
  readonly takes: 1 | 2;
  readonly cost: number;
  readonly isOfKnown: boolean;
  /** Texts of which a work must have one: the form in a row with a word beside it. */
  readonly rows?: readonly (readonly string[])[];
}

/** Forms of each word, in order. */
export type WordForms = readonly (readonly Form[])[];

/** Returns the words of a typed phrase; none for a phrase that is too long to be corrected. `isOpen`: the last may go on. */
export function typedWordsOf(typed: readonly string[], isOpen = false): TypedWord[] {
  const words = typed.flatMap((whole, place) => {
    const parts = whole.split(SEPARATORS);
    return parts.flatMap((text, at) =>
      at % 2 === 1 || text === "" ? [] : { place, separator: parts[at - 1] ?? "", text },
    );
  });
  if (words.length > PHRASE_WORDS_MAX) return [];
  return words.map(({ place, separator, text }, at) => {
    const tokens = queryTermsOf(text).flatMap((term) => term.tokens);
    const [token = ""] = tokens;
    const isWord = tokens.length === 1 && LETTERS.test(token);
    return {
      place,
      separator,
      text,
      tokens,
      token: isWord ? token : undefined,
      isOpen: isOpen && at === words.length - 1,
    };
  });
}

/** Returns the words to look up in the spelling of titles and names. */
export function wordRequestsOf(words: readonly TypedWord[]): WordRequest[] {
  const tokens = words.flatMap(({ token = "" }) => (isCorrectable(token) ? [token] : []));
  const open = words.find(({ isOpen }) => isOpen)?.token;
  return [...new Set(tokens)].slice(0, CORRECTED_WORDS_MAX).map((word) => {
    const [first = "", second = ""] = word;
    return {
      word,
      skeletons: listNearSkeletons(word),
      shortest: word.length - DISTANCE_MAX,
      longest: word.length + (word === open ? ENDING_MAX : DISTANCE_MAX),
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
  return words.map(({ token = "", isOpen }, at) => {
    const entry = indexed.get(token);
    const others = [...joinForms(token, words[at + 1]?.token ?? ""), ...respelledForms(words, at)];
    if (entry === undefined) return others;
    const near = (costMax: number) => nearForms(token, entry, { costMax, isOpen });
    if (!entry.isSpelt) {
      return [...near(isOpen ? OPEN_COST_MAX : DISTANCE_MAX), ...splitForms(token), ...others];
    }
    return [...near(isAnyUnknown ? OTHER_KNOWN_WORD_COST_MAX : KNOWN_WORD_COST_MAX), ...others];
  });
}

function nearForms(
  token: string,
  { near, isSpelt }: IndexedWord,
  { costMax, isOpen }: { costMax: number; isOpen: boolean },
): Form[] {
  return near
    .map((term) => ({ term, cost: isOpen ? beginningCostOf(token, term) : misspellingCostOf(token, term) }))
    .filter(({ cost }) => cost > 0 && cost <= costMax)
    .sort((a, b) => a.cost - b.cost || a.term.length - b.term.length || (a.term < b.term ? -1 : 1))
    .slice(0, SPELLINGS_OF_WORD)
    .map(({ term, cost }) => ({
      tokens: [term],
      takes: 1,
      cost: cost + (isSpelt ? KNOWN_COST : 0),
      isOfKnown: isSpelt,
    }));
}

/** Returns the other forms of a number, of two words that are one, and of `and`. */
function respelledForms(words: readonly TypedWord[], at: number): Form[] {
  const [before, word, next] = [-1, 0, 1].map((place) => words[at + place]?.tokens ?? []);
  if (before === undefined || word?.length !== 1 || next === undefined) return [];
  const [token = ""] = word;
  const pair = next.length === 1 ? numberOfPair(token, next[0] ?? "") : undefined;
  const after = words[at + 2]?.tokens ?? [];
  const forms: [tokens: string[], takes: 1 | 2][] = [
    ...(AND_FORMS.has(token) ? [["and"]] : otherFormsOfNumber(token)).map((tokens): [string[], 1] => [
      tokens,
      1,
    ]),
    ...(pair === undefined ? [] : [[[pair], 2] as [string[], 2]]),
  ];
  return forms.map(([tokens, takes]) => ({
    tokens,
    takes,
    cost: RESPELLED_COST,
    isOfKnown: false,
    rows: [
      [...before, ...tokens],
      [...tokens, ...(takes === 2 ? after : next)],
    ].filter((row) => row.length > tokens.length),
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
