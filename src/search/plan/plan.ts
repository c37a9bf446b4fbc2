import type { Leaf, Query } from "../query/query.ts";
import { type Match, EVERY_ROW, conjoinMatches, disjoinMatches, isFilled, excludeMatch } from "./match.ts";

/** Bounds of a range; undefined is an open end. */
export interface Bounds<Value> {
  readonly from: Value | undefined;
  readonly to: Value | undefined;
  readonly includesFrom: boolean;
  readonly includesTo: boolean;
}

type ColumnPlan =
  | { readonly kind: "number"; readonly column: string; readonly bounds: Bounds<number> }
  | { readonly kind: "text"; readonly column: string; readonly bounds: Bounds<string> }
  /** One of the values of `work_value` lies in a range. */
  | { readonly kind: "values"; readonly field: string; readonly bounds: Bounds<string> }
  /** Works with one edition that matches, or without editions. */
  | { readonly kind: "edition"; readonly match: Match };

/**
 * Plan of a query for an index: the match of its full-text table, with conditions on columns. Conjunctions and
 * disjunctions hold one match at most and nothing of their own kind.
 */
export type Plan<Condition = ColumnPlan> =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "match"; readonly match: Match }
  | Condition
  | { readonly kind: "and" | "or"; readonly of: readonly Plan<Condition>[] }
  | { readonly kind: "not"; readonly of: Plan<Condition> };

interface AnyCondition {
  kind: ColumnPlan["kind"] | "present" | "compare";
}

export const EVERYTHING = { kind: "all" } as const;
export const NOTHING = { kind: "none" } as const;

/** Returns the plan of a match; nothing without a match. */
export function toMatchPlan(match: Match | undefined): typeof NOTHING | MatchPlan {
  return match === undefined ? NOTHING : { kind: "match", match };
}

interface Planner<Condition> {
  /** Returns the plan of a condition; undefined if its text has no word, so that it has no effect. */
  leaf(leaf: Leaf, isExcluded: boolean): Plan<Condition> | undefined;
  /** Match of every row, if there is one: with it, the complement of a match is a match too. */
  everyRow?: Match;
}

/** Plans a query. Conditions without a word (`"!"`) are ignored; a query of only these finds nothing. */
export function planWith<Condition extends AnyCondition>(
  query: Query,
  planner: Planner<Condition>,
): Plan<Condition> {
  const planOf = (part: Query, isExcluded: boolean): Plan<Condition> | undefined => {
    switch (part.op) {
      case "all":
        return EVERYTHING;
      case "none":
        return NOTHING;
      case "match":
        return planner.leaf(part, isExcluded);
      case "not": {
        const inner = planOf(part.of, true);
        return inner === undefined ? undefined : negatePlan(inner);
      }
      default: {
        const plans = part.of.flatMap((operand) => planOf(operand, isExcluded) ?? []);
        if (plans.length === 0) return undefined;
        return part.op === "and" ? conjoinPlans(plans) : disjoinPlans(plans, planner.everyRow);
      }
    }
  };
  return planOf(query, false) ?? NOTHING;
}

/** Returns the conjunction of some plans; without any: everything. */
export function conjoinPlans<Condition extends AnyCondition>(
  plans: readonly Plan<Condition>[],
): Plan<Condition> {
  const parts = plans.flatMap((plan) => (plan.kind === "and" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "none")) return NOTHING;
  const positive = parts.flatMap(matchesIn);
  const others = parts.filter((part) => part.kind !== "all" && part.kind !== "match");
  if (!isFilled(positive)) return combinePlans("and", others, EVERYTHING);
  const included = conjoinMatches(positive);
  const negative = others.flatMap(excludedMatchesOf);
  const match = isFilled(negative) ? excludeMatch(included, disjoinMatches(negative)) : included;
  const rest = others.filter((part) => excludedMatchesOf(part).length === 0);
  return combinePlans("and", [toMatchPlan(match), ...rest], EVERYTHING);
}

/** Returns the disjunction of some plans; without any: nothing. */
export function disjoinPlans<Condition extends AnyCondition>(
  plans: readonly Plan<Condition>[],
  everyRow: Match | undefined,
): Plan<Condition> {
  const parts = plans.flatMap((plan) => (plan.kind === "or" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "all")) return EVERYTHING;
  const matchesOf = (part: Plan<Condition>): Match[] => {
    const excluded = everyRow === undefined ? [] : excludedMatchesOf(part);
    return everyRow !== undefined && isFilled(excluded)
      ? [excludeMatch(everyRow, disjoinMatches(excluded))]
      : matchesIn(part);
  };
  const matches = parts.flatMap(matchesOf);
  const others = parts.filter((part) => part.kind !== "none" && matchesOf(part).length === 0);
  return combinePlans(
    "or",
    [...(isFilled(matches) ? [toMatchPlan(disjoinMatches(matches))] : []), ...others],
    NOTHING,
  );
}

interface DrivenPlan {
  /** Match that drives the search; undefined if the conditions are checked for every work. */
  match: Match | undefined;
  conditions: readonly Plan[];
}

/** Returns a plan in two parts; undefined if it matches nothing. */
export function splitPlan(plan: Plan): DrivenPlan | undefined {
  if (plan.kind === "none") return undefined;
  const parts = plan.kind === "and" ? plan.of : [plan];
  const negative = parts.flatMap(excludedMatchesOf);
  if (isFilled(negative) && negative.length === parts.length) {
    return { match: excludeMatch(EVERY_ROW, disjoinMatches(negative)), conditions: [] };
  }
  const conditions = parts.filter(({ kind }) => kind !== "all" && kind !== "match");
  return { match: parts.flatMap(matchesIn)[0], conditions };
}

function negatePlan<Condition extends AnyCondition>(plan: Plan<Condition>): Plan<Condition> {
  if (plan.kind === "all") return NOTHING;
  if (plan.kind === "none") return EVERYTHING;
  return plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

function combinePlans<Condition>(
  kind: "and" | "or",
  of: readonly Plan<Condition>[],
  empty: Plan<Condition>,
): Plan<Condition> {
  const [first, ...more] = of;
  if (first === undefined) return empty;
  return more.length === 0 ? first : { kind, of };
}

type MatchPlan = Extract<Plan, { kind: "match" }>;

function matchesIn<Condition extends AnyCondition>(plan: Plan<Condition>): Match[] {
  return plan.kind === "match" ? [plan.match] : [];
}

function excludedMatchesOf<Condition extends AnyCondition>(plan: Plan<Condition>): Match[] {
  return plan.kind === "not" ? matchesIn(plan.of) : [];
}
