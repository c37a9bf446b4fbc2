import { type Query, type Value, leavesOf } from "../query/query.ts";
import { queryTermsOf } from "../text/analysis.ts";
import type { Plan } from "./plan.ts";

/** Maximum number of conditions such as `title:ab*` in one query: each one merges all terms with its beginning. */
const PREFIXES_MAX = 32;
/** Maximum number of these below `SHORT_PREFIX_LENGTH`: a single letter begins a tenth of all words. */
const SHORT_PREFIXES_MAX = 4;
const SHORT_PREFIX_LENGTH = 3;
/** Maximum number of conditions checked work by work: a statement repeats them. */
const CHECKED_CONDITIONS_MAX = 16;
/** Maximum number of words in one query with its edition conditions: phrases and compounds have many. */
export const QUERY_WORDS_MAX = 512;

/** Error for a query that the index would take long to answer. The message may be shown to clients. */
export class TooBroadError extends Error {
  override readonly name = "TooBroadError";
}

/** Throws a `TooBroadError` if the queries of one search have too many or too short beginnings of words. */
export function checkBreadth(queries: readonly Query[]): void {
  const lengths = new Map<string, number>();
  for (const { field, value } of queries.flatMap(leavesOf)) {
    const [beginning = ""] = value.kind === "pattern" ? value.parts : [];
    if (beginning !== "") lengths.set(JSON.stringify([field, beginning]), beginning.length);
  }
  const short = [...lengths.values()].filter((length) => length < SHORT_PREFIX_LENGTH);
  if (lengths.size > PREFIXES_MAX || short.length > SHORT_PREFIXES_MAX) {
    throw new TooBroadError("The query has too many wildcards");
  }
}

/** Throws a `TooBroadError` for too many words in text fields; null stands for no field. */
export function checkWords(queries: readonly Query[], isText: (field: string | null) => boolean): void {
  const leaves = queries.flatMap(leavesOf).filter(({ field }) => isText(field));
  const texts = leaves.flatMap(({ value }) => textsOf(value));
  // A word has at least one character, so that most texts need no analysis.
  if (texts.reduce((sum, { length }) => sum + length, 0) <= QUERY_WORDS_MAX) return;
  let words = 0;
  for (const text of texts) {
    for (const { tokens } of queryTermsOf(text)) words += tokens.length;
    if (words > QUERY_WORDS_MAX) throw new TooBroadError("The query has too many words");
  }
}

function textsOf(value: Value): readonly string[] {
  if (value.kind === "word" || value.kind === "phrase") return [value.text];
  return value.kind === "pattern" ? value.parts : [];
}

/** Throws a `TooBroadError` if too many conditions must be checked work by work. */
export function checkConditions(conditions: readonly Plan[]): void {
  const count = conditions.reduce((sum, plan) => sum + conditionsIn(plan), 0);
  if (count > CHECKED_CONDITIONS_MAX) throw new TooBroadError("The query has too many conditions on numbers");
}

function conditionsIn(plan: Plan): number {
  if (plan.kind === "and" || plan.kind === "or")
    return plan.of.reduce((sum, part) => sum + conditionsIn(part), 0);
  return plan.kind === "not" ? conditionsIn(plan.of) : 1;
}
