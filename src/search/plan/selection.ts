import type { PlainSearch, SearchConditions } from "../engine.ts";
import { workIdOfKey } from "../indexing/ids.ts";
import { addAmpersands } from "../query/ampersand.ts";
import { addByline } from "../query/byline.ts";
import { planEditionClauses } from "./editions.ts";
import { EDITION_FIELDS, STRONG_WORK_FIELDS, WORK_FIELDS } from "./field-conditions.ts";
import { type Match, EVERY_ROW, conjoinMatches, matchTextOf } from "./match.ts";
import { planQuery, requestsOf } from "./plan-query.ts";
import { type Plan, conjoinPlans, splitPlan } from "./plan.ts";
import { checkBreadth, checkConditions, checkWords } from "./too-broad.ts";
import type { Vocabulary, VocabularyRequest } from "./vocabulary.ts";

export interface Selection {
  /** Match of the full-text table; undefined if every work is a candidate. */
  readonly match: Match | undefined;
  readonly conditions: readonly Plan[];
  /** Numbers of the works that the selection is limited to, each once. */
  readonly ids: readonly number[] | undefined;
}

/** Selection with the part of it that has the words in the fields that count most. */
export interface SearchPlan {
  /** Selection of all matches; undefined if nothing can match. */
  readonly all: Selection | undefined;
  /** Part with the words in the strong fields; undefined if it is empty or equal to `all`. */
  readonly strong: Selection | undefined;
}

export type LookUp = (requests: readonly VocabularyRequest[]) => Promise<Vocabulary>;

/** Plans a selection. Throws a `TooBroadError`, and the errors of `lookUp`. */
export async function planSearch(
  selection: SearchConditions,
  prefix: string,
  lookUp: LookUp,
): Promise<SearchPlan> {
  const { query, filters, editionClauses } = selection;
  const queries = [query, ...filters, ...editionClauses];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || WORK_FIELDS.texts.has(field));
  const vocabulary = await lookUp(requestsOf(queries, WORK_FIELDS));
  const all = selectionOf(selection, vocabulary, { prefix, isStrong: false });
  const strong = selectionOf(selection, vocabulary, { prefix, isStrong: true });
  const isEqual =
    all?.match !== undefined &&
    strong?.match !== undefined &&
    matchTextOf(all.match) === matchTextOf(strong.match);
  return { all, strong: isEqual ? undefined : strong };
}

/** Returns the works of a selection that also have another match. */
export function narrowSelection(selection: Selection, match: Match): Selection {
  return {
    ...selection,
    match: selection.match === undefined ? match : conjoinMatches([selection.match, match]),
  };
}

/** Plans a search. With `isStrong`, words must be in the strong fields; excluded words may be in any. */
function selectionOf(
  { query, filters, editionClauses, keys }: SearchConditions,
  vocabulary: Vocabulary,
  { prefix, isStrong }: { prefix: string; isStrong: boolean },
): Selection | undefined {
  const context = { scheme: WORK_FIELDS, vocabulary };
  const strong = { scheme: STRONG_WORK_FIELDS, excludedScheme: WORK_FIELDS, vocabulary };
  const plan = conjoinPlans([
    planQuery(addByline(addAmpersands(query)), isStrong ? strong : context),
    ...filters.map((filter) => planQuery(filter, context)),
    planEditionClauses({ clauses: editionClauses, works: [query, ...filters], vocabulary }),
  ]);
  const driven = splitPlan(plan);
  if (driven === undefined) return undefined;
  checkConditions(driven.conditions);
  const ids = keys?.flatMap((key) => workIdOfKey(key, prefix) ?? []);
  return { ...driven, ids: ids && [...new Set(ids)] };
}

/** Returns the match for rows of editions; undefined for none. Throws like `planSearch`. */
export async function planEditionMatch(
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
