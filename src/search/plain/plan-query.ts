import type { Leaf, Query } from "../query/query.ts";
import { leafPlan } from "./leaf.ts";
import { ALL_PLAN, NO_PLAN, type PlainPlan, andPlan, notPlan, orPlan } from "./plan.ts";
import type { PlainScheme } from "./scheme.ts";

/** Plans a query; words that the analysis leaves nothing of count as not written, alone they find nothing. */
export function plainPlan(query: Query, scheme: PlainScheme): PlainPlan {
  return planOf(query, scheme) ?? NO_PLAN;
}

function planOf(query: Query, scheme: PlainScheme): PlainPlan | undefined {
  switch (query.op) {
    case "all":
      return ALL_PLAN;
    case "none":
      return NO_PLAN;
    case "match":
      return leafPlan(query, scheme);
    case "not": {
      const inner = planOf(query.of, scheme);
      return inner === undefined ? undefined : notPlan(inner);
    }
    default: {
      const plans = query.of.flatMap((part) => planOf(part, scheme) ?? []);
      if (plans.length === 0) return undefined;
      return query.op === "and" ? andPlan(plans) : orPlan(plans);
    }
  }
}

/** The leaves that every result must match and that name no field: what the reader typed. */
export function freeLeaves(query: Query): Leaf[] {
  if (query.op === "and") return query.of.flatMap(freeLeaves);
  return query.op === "match" && query.field === null ? [query] : [];
}
