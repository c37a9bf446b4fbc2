import type { PlainSearch } from "../engine.ts";
import { EDITION_FIELDS } from "./fields.ts";
import { EVERY_ROW, type Match } from "./match.ts";
import { planQuery, requestsOf } from "./plan-query.ts";
import { conjoinPlans, splitPlan } from "./plan.ts";
import type { LookUp } from "./selection.ts";
import { checkBreadth, checkWords } from "./too-broad.ts";

/**
 * Returns the match for rows of editions; undefined if nothing can match. Throws a `TooBroadError`, and the errors of
 * `lookUp`.
 */
export async function editionMatch(
  { query, filters }: Pick<PlainSearch, "query" | "filters">,
  lookUp: LookUp,
): Promise<Match | undefined> {
  const queries = [query, ...filters];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || EDITION_FIELDS.texts.has(field));
  const vocabulary = await lookUp(requestsOf(queries, EDITION_FIELDS));
  const plans = queries.map((part) => planQuery(part, { scheme: EDITION_FIELDS, vocabulary }));
  // Editions have no columns of numbers, so that all conditions are one expression.
  const driven = splitPlan(conjoinPlans(plans));
  return driven && (driven.match ?? EVERY_ROW);
}
