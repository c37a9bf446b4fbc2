import { type Query, type Value, leavesOf } from "../query/query.ts";
import { queryTerms } from "../text/query-text.ts";
import type { Plan } from "./plan.ts";

/** Conditions such as `title:ab*` in one query: each one merges all terms that begin so. */
const PREFIXES_MAX = 32;
/** Of these, those with fewer letters than `SHORT_PREFIX_LENGTH`: a single letter begins a tenth of all words. */
const SHORT_PREFIXES_MAX = 4;
const SHORT_PREFIX_LENGTH = 3;
/** Conditions that are checked work by work, besides what the full-text index finds: a statement repeats them. */
const CHECKED_CONDITIONS_MAX = 16;
/** Words of the texts in one query, and in what it says of editions: phrases and compounds have many. */
export const QUERY_WORDS_MAX = 512;

/** A query that the index would take long to answer. The message is fit to be shown. */
export class TooBroadError extends Error {
  override readonly name = "TooBroadError";
}

/** Throws a `TooBroadError` when some queries that are asked together have too many or too short beginnings of words. */
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

/**
 * Throws a `TooBroadError` when some queries that are asked together have too many words: the index goes through all
 * places of each. `isText`: whether a field is compared by words; null is none.
 */
export function checkWords(queries: readonly Query[], isText: (field: string | null) => boolean): void {
  const leaves = queries.flatMap(leavesOf).filter(({ field }) => isText(field));
  const texts = leaves.flatMap(({ value }) => textsOf(value));
  // A word has a character at least, so that most texts need not be looked at.
  if (texts.reduce((sum, { length }) => sum + length, 0) <= QUERY_WORDS_MAX) return;
  let words = 0;
  for (const text of texts) {
    for (const { tokens } of queryTerms(text)) words += tokens.length;
    if (words > QUERY_WORDS_MAX) throw new TooBroadError("The query has too many words");
  }
}

function textsOf(value: Value): readonly string[] {
  if (value.kind === "word" || value.kind === "phrase") return [value.text];
  return value.kind === "pattern" ? value.parts : [];
}

/** Throws a `TooBroadError` when too much has to be checked work by work. */
export function checkConditions(conditions: readonly Plan[]): void {
  const count = conditions.reduce((sum, plan) => sum + conditionsIn(plan), 0);
  if (count > CHECKED_CONDITIONS_MAX) throw new TooBroadError("The query has too many conditions on numbers");
}

function conditionsIn(plan: Plan): number {
  if (plan.kind === "and" || plan.kind === "or")
    return plan.of.reduce((sum, part) => sum + conditionsIn(part), 0);
  return plan.kind === "not" ? conditionsIn(plan.of) : 1;
}
