import type { Query } from "../query/query.ts";
import type { FieldScheme } from "./field-scheme.ts";
import { type LeafContext, leafPlan } from "./leaf.ts";
import { ALL_WORKS, NO_WORKS, type Plan, andPlan, notPlan, orPlan } from "./plan.ts";
import { type VocabularyRequest, vocabularyRequests } from "./vocabulary.ts";

/**
 * Plans a query. Conditions without a word (`"!"`) count as not written; a query of nothing else finds nothing.
 */
export function planQuery(query: Query, context: LeafContext): Plan {
  return planOf(query, context) ?? NO_WORKS;
}

/** What has to be looked up among the terms of the index before some queries can be planned. */
export function requestsOf(queries: readonly Query[], scheme: FieldScheme): VocabularyRequest[] {
  return vocabularyRequests(queries, {
    isText: (field) => field === null || scheme.texts.has(field),
    isTyped: (field) => scheme.strings.has(field) || scheme.numbers.has(field) || TYPED.has(field),
    hasOrder: (field) => scheme.values.has(field),
  });
}

/** Fields with tokens that are not compared as texts. */
const TYPED = new Set([
  "ebook_access",
  "has_fulltext",
  "public_scan_b",
  "publish_year",
  "first_publish_year",
  "lexile",
]);

function planOf(query: Query, context: LeafContext): Plan | undefined {
  switch (query.op) {
    case "all":
      return ALL_WORKS;
    case "none":
      return NO_WORKS;
    case "match":
      return leafPlan(query, context);
    case "not": {
      const inner = planOf(query.of, { ...context, scheme: context.excludedScheme ?? context.scheme });
      return inner === undefined ? undefined : notPlan(inner);
    }
    default: {
      const plans = query.of.flatMap((part) => planOf(part, context) ?? []);
      if (plans.length === 0) return query.of.length === 0 ? emptyPlan(query.op) : undefined;
      return query.op === "and" ? andPlan(plans) : orPlan(plans);
    }
  }
}

function emptyPlan(op: "and" | "or"): Plan {
  return op === "and" ? ALL_WORKS : NO_WORKS;
}
