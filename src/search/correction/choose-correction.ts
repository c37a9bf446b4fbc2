import type { Correction } from "../engine.ts";
import { STRONG_COLUMNS, WORK_FIELDS } from "../plan/field-conditions.ts";
import {
  type Match,
  conjoinMatches,
  disjoinMatches,
  isFilled,
  matchPrefix,
  matchTokens,
  matchWords,
} from "../plan/match.ts";
import { makeScorer, removeArticle } from "../rank.ts";
import { SENTINEL } from "../text/analysis.ts";
import { stem } from "../text/stem.ts";
import { type Form, LIKELY_KNOWN_COST, type TypedWord, type WordForms } from "./word-forms.ts";

/** Minimum length of an unfinished word that works must have. */
const OPEN_LENGTH_MIN = 4;
/** Additional cost if the two words of one are not in a row, as at the end of a title and the start of a name. */
const APART_COST = 0.5;
/** Cost of a typed word that is in other fields than title, author and series. */
const ELSEWHERE_COST = 3;
/** Factor by which a spelling must find better works, for each letter of its cost. */
const COST_FACTOR = 10;
/** Score of a whole name, which search ranks no higher than a part of it. */
const WHOLE_NAME = 100;
/** Factor by which the chosen spelling must surpass the next one, and what was typed. */
const SURE_FACTOR = 1.1;
const SUGGESTED_FACTOR = 3;

/** Returns the match of works with each word: as typed anywhere, or another form in title, author or series. */
export function matchForms(words: readonly TypedWord[], forms: WordForms): Match | undefined {
  const parts = words.flatMap(({ text, isOpen }, at) => {
    // A short beginning would match too many words.
    if (isOpen && text.length < OPEN_LENGTH_MIN) return [];
    const typed = isOpen ? matchPrefix(STRONG_COLUMNS, text) : matchWords(WORK_FIELDS.defaults, text);
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
  const open = words.find(({ isOpen }) => isOpen)?.token;
  return [...new Set(tokens)].map((token) => toRankedTerm(token, token === open));
}

function toRankedTerm(token: string, prefix = false) {
  return { tokens: [token], others: [], prefix, field: null, boost: 1 };
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
    const score =
      scorers.get(name) ?? makeScorer({ terms: tokens.map((token) => toRankedTerm(token)), words: tokens });
    scorers.set(name, score);
    const whole = wholeOf(candidate, tokens);
    const bonus = whole === "name" ? WHOLE_NAME * candidate.boost : 0;
    const value = (score(candidate) + bonus) / COST_FACTOR ** spelling.cost;
    if (value <= (ratings.get(name)?.value ?? 0)) continue;
    ratings.set(name, { ...spelling, value, isWhole: whole !== undefined });
  }
  return decide([...ratings.values()], { typed, words });
}

/**
 * Returns a function that returns the additional cost of tokens in the texts of a candidate, the last one as a beginning if
 * `isOpen`; infinite if absent.
 */
function makeFinder({ texts: [titles = "", authors = "", series = ""] }: Candidate) {
  const stemmed = ` ${titles} ${SENTINEL} ${series} `;
  const plain = ` ${authors} `;
  const has = (tokens: readonly string[], end = " "): boolean =>
    stemmed.includes(` ${tokens.map(stem).join(" ")}${end}`) || plain.includes(` ${tokens.join(" ")}${end}`);
  return (tokens: readonly string[], isOpen = false): number => {
    if (has(tokens, isOpen ? "" : " ")) return 0;
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
    const { tokens = [], isOpen = false } = words[at] ?? {};
    const cost = tokens.length === 0 ? 0 : Math.min(find(tokens, isOpen), ELSEWHERE_COST);
    let best = extend(rest, undefined, cost);
    for (const form of forms[at] ?? []) {
      if (form.rows?.every((row) => find(row) > 0)) continue;
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
