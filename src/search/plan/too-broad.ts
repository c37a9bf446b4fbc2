import { type Query, type Value, leavesOf } from "../query/query.ts";
import { wordsOf } from "../text/words.ts";
import { PHRASE_WORDS_MAX } from "./match.ts";
import type { Plan } from "./plan.ts";
import { TextError } from "../../catalog/texts.ts";

/** Maximum number of conditions such as `title:ab*` in one query: each one merges all terms with its beginning. */
const PREFIXES_MAX = 32;
/** Maximum number of these below `SHORT_PREFIX_LENGTH`: a single letter begins a tenth of all words. */
const SHORT_PREFIXES_MAX = 4;
const SHORT_PREFIX_LENGTH = 3;
/** Maximum number of conditions checked work by work: a statement repeats them. */
const CHECKED_CONDITIONS_MAX = 16;
/** Maximum number of words in one query with its edition conditions: phrases and compounds have many. */
export const QUERY_WORDS_MAX = 512;
/** Number of words of a part of a query that an error shows. */
const SHOWN_WORDS_MAX = 8;

/** Error for a query that the index would take long to answer. */
export class TooBroadError extends TextError {
  override readonly name: string = "TooBroadError";
}

/** Error for a part of a query that the index would take long to answer. Its message quotes the part. */
export class TooBroadPartError extends TooBroadError {
  override readonly name = "TooBroadPartError";
}

/** Throws a `TooBroadError` if the queries of one search have too many or too short beginnings of words. */
export function checkBreadth(queries: readonly Query[]): void {
  const lengths = new Map<string, number>();
  for (const { field, value } of queries.flatMap(leavesOf)) {
    if (value.kind !== "pattern" || value.parts.join("") === "") continue;
    lengths.set(JSON.stringify([field, value.parts]), value.parts[0]?.length ?? 0);
  }
  const short = [...lengths.values()].filter((length) => length < SHORT_PREFIX_LENGTH);
  if (lengths.size > PREFIXES_MAX || short.length > SHORT_PREFIXES_MAX) {
    throw new TooBroadError("validation.query_wildcards");
  }
}

/** Throws a `TooBroadError` for too many words in text fields, or in one phrase; null stands for no field. */
export function checkWords(queries: readonly Query[], isText: (field: string | null) => boolean): void {
  const leaves = queries.flatMap(leavesOf).filter(({ field }) => isText(field));
  const texts = leaves.flatMap(({ value }) => textsOf(value));
  // A word has at least one character, so that most texts need no analysis.
  const isShort = texts.every(({ length }) => length <= PHRASE_WORDS_MAX);
  if (isShort && texts.reduce((sum, { length }) => sum + length, 0) <= QUERY_WORDS_MAX) return;
  let count = 0;
  for (const text of texts) {
    const words = wordsOf(text);
    count += words.flatMap(({ parts }) => parts).length;
    if (count > QUERY_WORDS_MAX) throw new TooBroadError("validation.query_words");
    // A title of a script without blanks is one word of many characters.
    const spaced = words.flatMap(({ parts, unspaced }) => (unspaced ? [] : parts));
    if (spaced.length > PHRASE_WORDS_MAX)
      throw new TooBroadPartError("bad_request.phrase_words", {
        words: spaced.slice(0, SHOWN_WORDS_MAX).join(" "),
        most: PHRASE_WORDS_MAX,
      });
  }
}

function textsOf(value: Value): readonly string[] {
  if (value.kind === "word" || value.kind === "phrase") return [value.text];
  return value.kind === "pattern" ? value.parts : [];
}

/** Throws a `TooBroadError` if too many conditions must be checked work by work. */
export function checkConditions(conditions: readonly Plan[]): void {
  const count = conditions.reduce((sum, plan) => sum + conditionsIn(plan), 0);
  if (count > CHECKED_CONDITIONS_MAX) throw new TooBroadError("validation.query_conditions");
}

function conditionsIn(plan: Plan): number {
  if (plan.kind === "and" || plan.kind === "or")
    return plan.of.reduce((sum, part) => sum + conditionsIn(part), 0);
  return plan.kind === "not" ? conditionsIn(plan.of) : 1;
}
