import { type Match, allMatch, anyMatch, matchWithout } from "./match.ts";

/** How one column compares. */
export interface Comparison {
  readonly kind: "compare";
  readonly column: string;
  readonly operator: "=" | "<" | "<=" | ">" | ">=";
  readonly value: string | number;
}

/**
 * A query as the tables of a scheme answer it: what the full-text table finds, and conditions on columns.
 * Conjunctions have one match at most, and nothing in them is a conjunction; the same goes for disjunctions.
 */
export type PlainPlan =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "match"; readonly match: Match }
  /** The document has a member. */
  | { readonly kind: "present"; readonly member: string }
  | Comparison
  | { readonly kind: "and" | "or"; readonly of: readonly PlainPlan[] }
  | { readonly kind: "not"; readonly of: PlainPlan };

export const ALL_PLAN: PlainPlan = { kind: "all" };
export const NO_PLAN: PlainPlan = { kind: "none" };

/** All of some plans. */
export function andPlan(plans: readonly PlainPlan[]): PlainPlan {
  const parts = plans.flatMap((plan) => (plan.kind === "and" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "none")) return NO_PLAN;
  const positive = matchesOf(parts);
  const others = parts.filter(({ kind }) => kind !== "all" && kind !== "match");
  if (!isFilled(positive)) return joinedPlan("and", others, ALL_PLAN);
  const found = allMatch(positive);
  const negative = others.flatMap((part) => (part.kind === "not" ? matchesOf([part.of]) : []));
  const match = isFilled(negative) ? matchWithout(found, anyMatch(negative)) : found;
  const rest = others.filter((part) => !(part.kind === "not" && part.of.kind === "match"));
  return joinedPlan("and", [{ kind: "match", match }, ...rest], ALL_PLAN);
}

/** At least one of some plans. */
export function orPlan(plans: readonly PlainPlan[]): PlainPlan {
  const parts = plans.flatMap((plan) => (plan.kind === "or" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "all")) return ALL_PLAN;
  const found = matchesOf(parts);
  const others = parts.filter(({ kind }) => kind !== "none" && kind !== "match");
  const match: PlainPlan[] = isFilled(found) ? [{ kind: "match", match: anyMatch(found) }] : [];
  return joinedPlan("or", [...match, ...others], NO_PLAN);
}

/** What a plan does not match. */
export function notPlan(plan: PlainPlan): PlainPlan {
  if (plan.kind === "all") return NO_PLAN;
  if (plan.kind === "none") return ALL_PLAN;
  return plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

function joinedPlan(kind: "and" | "or", of: readonly PlainPlan[], empty: PlainPlan): PlainPlan {
  const [first, ...more] = of;
  if (first === undefined) return empty;
  return more.length === 0 ? first : { kind, of };
}

function matchesOf(plans: readonly PlainPlan[]): Match[] {
  return plans.flatMap((plan) => (plan.kind === "match" ? [plan.match] : []));
}

function isFilled<Value>(values: readonly Value[]): values is readonly [Value, ...Value[]] {
  return values.length > 0;
}
