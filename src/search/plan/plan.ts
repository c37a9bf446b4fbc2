import { EVERY_ROW, type Match, allMatch, anyMatch, matchWithout, isFilled } from "./match.ts";

/** Bounds of a range; undefined is an open end. */
export interface Bounds<Value> {
  readonly from: Value | undefined;
  readonly to: Value | undefined;
  readonly includesFrom: boolean;
  readonly includesTo: boolean;
}

/** A condition that the columns of `work` tell, not the full-text index. */
type ColumnPlan =
  | { readonly kind: "number"; readonly column: string; readonly bounds: Bounds<number> }
  | { readonly kind: "text"; readonly column: string; readonly bounds: Bounds<string> }
  /** One of the values of `work_value` lies in a range. */
  | { readonly kind: "values"; readonly field: string; readonly bounds: Bounds<string> }
  /** Works of which one edition matches, or that have none. */
  | { readonly kind: "edition"; readonly match: Match };

/**
 * A query as the index answers it: what the full-text table finds, and conditions on columns.
 * Conjunctions and disjunctions hold one match at most and nothing of their own kind.
 */
export type Plan =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "match"; readonly match: Match }
  | ColumnPlan
  | { readonly kind: "and" | "or"; readonly of: readonly Plan[] }
  | { readonly kind: "not"; readonly of: Plan };

export const ALL_WORKS: Plan = { kind: "all" };
export const NO_WORKS: Plan = { kind: "none" };

/** What rows of the full-text table match. */
export function matchPlan(match: Match): Plan {
  return { kind: "match", match };
}

/** All of some plans; without any: everything. */
export function andPlan(plans: readonly Plan[]): Plan {
  const parts = plans.flatMap((plan) => (plan.kind === "and" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "none")) return NO_WORKS;
  const positive = matchesOf(parts);
  const negative = parts.flatMap((part) => (part.kind === "not" ? matchesOf([part.of]) : []));
  const others = parts.filter((part) => part.kind !== "all" && !isMatch(part) && !isNotMatch(part));
  const found = positiveMatch(positive, negative);
  if (found !== undefined) return joined("and", [matchPlan(found), ...others], ALL_WORKS);
  return joined("and", [...negative.map((match) => notPlan(matchPlan(match))), ...others], ALL_WORKS);
}

/** At least one of some plans; without any: nothing. */
export function orPlan(plans: readonly Plan[]): Plan {
  const parts = plans.flatMap((plan) => (plan.kind === "or" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "all")) return ALL_WORKS;
  const matches = parts.flatMap((part) => {
    if (part.kind === "match") return [part.match];
    return isNotMatch(part) ? [matchWithout(EVERY_ROW, part.of.match)] : [];
  });
  const others = parts.filter((part) => part.kind !== "none" && !isMatch(part) && !isNotMatch(part));
  return joined("or", [...(isFilled(matches) ? [matchPlan(anyMatch(matches))] : []), ...others], NO_WORKS);
}

/** What a plan does not match. */
export function notPlan(plan: Plan): Plan {
  if (plan.kind === "all") return NO_WORKS;
  if (plan.kind === "none") return ALL_WORKS;
  return plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

/** A plan split into what drives it and what is left to check. */
interface DrivenPlan {
  /** Undefined: the conditions are checked for every work. */
  readonly match: Match | undefined;
  /** All of them must hold. */
  readonly conditions: readonly Plan[];
}

/** Splits a plan; undefined when it matches nothing. */
export function drivenPlan(plan: Plan): DrivenPlan | undefined {
  if (plan.kind === "none") return undefined;
  if (isNotMatch(plan)) return { match: matchWithout(EVERY_ROW, plan.of.match), conditions: [] };
  const parts = plan.kind === "and" ? plan.of : [plan];
  if (parts.every(isNotMatch))
    return { match: withoutAll(parts.flatMap(({ of }) => of.match)), conditions: [] };
  const [match] = matchesOf(parts);
  return { match, conditions: parts.filter((part) => part.kind !== "all" && !isMatch(part)) };
}

function withoutAll(negative: readonly Match[]): Match | undefined {
  return isFilled(negative) ? matchWithout(EVERY_ROW, anyMatch(negative)) : undefined;
}

function positiveMatch(positive: readonly Match[], negative: readonly Match[]): Match | undefined {
  if (!isFilled(positive)) return undefined;
  const found = allMatch(positive);
  return isFilled(negative) ? matchWithout(found, anyMatch(negative)) : found;
}

function joined(kind: "and" | "or", of: readonly Plan[], empty: Plan): Plan {
  const [first, ...more] = of;
  if (first === undefined) return empty;
  return more.length === 0 ? first : { kind, of };
}

type MatchPlan = Extract<Plan, { kind: "match" }>;

function isMatch(plan: Plan): plan is MatchPlan {
  return plan.kind === "match";
}

function isNotMatch(plan: Plan): plan is { readonly kind: "not"; readonly of: MatchPlan } {
  return plan.kind === "not" && plan.of.kind === "match";
}

function matchesOf(plans: readonly Plan[]): Match[] {
  return plans.filter(isMatch).map(({ match }) => match);
}
