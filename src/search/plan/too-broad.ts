import type { Query, Value } from "../query/query.ts";
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
  const collect = (query: Query): void => {
    if (query.op === "and" || query.op === "or") query.of.forEach(collect);
    else if (query.op === "not") collect(query.of);
    else if (query.op === "match" && query.value.kind === "pattern") {
      const [beginning = ""] = query.value.parts;
      if (beginning !== "") lengths.set(JSON.stringify([query.field, beginning]), beginning.length);
    }
  };
  queries.forEach(collect);
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
  const texts: string[] = [];
  const collect = (query: Query): void => {
    if (query.op === "and" || query.op === "or") query.of.forEach(collect);
    else if (query.op === "not") collect(query.of);
    else if (query.op === "match" && isText(query.field)) texts.push(...textsOf(query.value));
  };
  queries.forEach(collect);
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
  const count = conditions.reduce((sum, plan) => sum + leavesOf(plan), 0);
  if (count > CHECKED_CONDITIONS_MAX) throw new TooBroadError("The query has too many conditions on numbers");
}

function leavesOf(plan: Plan): number {
  if (plan.kind === "and" || plan.kind === "or")
    return plan.of.reduce((sum, part) => sum + leavesOf(part), 0);
  return plan.kind === "not" ? leavesOf(plan.of) : 1;
}
