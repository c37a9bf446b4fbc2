import { filterToken } from "../indexing/filter-token.ts";
import {
  type PlainColumn,
  type PlainField,
  type PlainScheme,
  PLAIN_FIELDS,
  plainColumns,
} from "../plain-fields.ts";
import type { Leaf, Query, Value } from "../query/query.ts";
import {
  type Match,
  type SearchColumn,
  allMatch,
  anyMatch,
  matchWithout,
  prefixMatch,
  textMatch,
  withToken,
  isFilled,
} from "./match.ts";

/** How one column compares. */
interface Comparison {
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

const ALL_PLAN: PlainPlan = { kind: "all" };
const NO_PLAN: PlainPlan = { kind: "none" };

/** All of some plans. */
function andPlan(plans: readonly PlainPlan[]): PlainPlan {
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
function orPlan(plans: readonly PlainPlan[]): PlainPlan {
  const parts = plans.flatMap((plan) => (plan.kind === "or" ? plan.of : [plan]));
  if (parts.some(({ kind }) => kind === "all")) return ALL_PLAN;
  const found = matchesOf(parts);
  const others = parts.filter(({ kind }) => kind !== "none" && kind !== "match");
  const match: PlainPlan[] = isFilled(found) ? [{ kind: "match", match: anyMatch(found) }] : [];
  return joinedPlan("or", [...match, ...others], NO_PLAN);
}

/** What a plan does not match. */
function notPlan(plan: PlainPlan): PlainPlan {
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

type ConditionValue = Exclude<Value, { kind: "exists" }>;

/** Above every text that begins with what stands before it. */
const LAST = "\u{10FFFF}";

const DEFAULT_COLUMNS = { author: unnamed("author"), subject: unnamed("subject"), list: unnamed("list") };

/** Columns of words that name no field. */
function unnamed(scheme: PlainScheme): PlainColumn[] {
  return plainColumns(scheme).filter(({ name }) => PLAIN_FIELDS[scheme].get(name)?.unnamed);
}

/** Words in a row, where words that name no field are looked for; undefined without a word. */
export function unnamedMatch(scheme: PlainScheme, text: string): Match | undefined {
  return textMatch(DEFAULT_COLUMNS[scheme], text);
}

/** Plans one condition; undefined when its text has no word. Fields that the scheme has not match nothing. */
function leafPlan({ field: name, value }: Leaf, scheme: PlainScheme): PlainPlan | undefined {
  if (name === null) return value.kind === "exists" ? ALL_PLAN : textPlan(DEFAULT_COLUMNS[scheme], value);
  const field = PLAIN_FIELDS[scheme].get(name);
  if (field === undefined) return NO_PLAN;
  if (value.kind === "exists") return field.optional ? { kind: "present", member: name } : ALL_PLAN;
  const { code, words, column } = field;
  if (code !== undefined) return tokenPlan(code, field, value);
  if (words !== undefined && value.kind !== "range") {
    return textPlan([{ name, stemmed: words === "stemmed" }], value);
  }
  if (column === undefined) return NO_PLAN;
  return column === "number" ? numberPlan(name, value) : stringPlan(name, value);
}

function textPlan(columns: readonly SearchColumn[], value: ConditionValue): PlainPlan | undefined {
  if (value.kind === "range") return NO_PLAN;
  if (value.kind !== "pattern") return matchPlan(textMatch(columns, value.text));
  const beginning = beginningOf(value.parts);
  return beginning === undefined ? NO_PLAN : matchPlan(prefixMatch(columns, beginning));
}

function matchPlan(match: Match | undefined): PlainPlan | undefined {
  return match === undefined ? undefined : { kind: "match", match };
}

/**
 * What values begin with that match a pattern with one wildcard, at its end. There is no list of the words of these
 * tables, so that patterns with others match nothing (Q78).
 */
function beginningOf([start = "", ...rest]: readonly string[]): string | undefined {
  return start === "" || rest.some((part) => part !== "") ? undefined : start;
}

function tokenPlan(code: string, { lastSegment }: PlainField, value: ConditionValue): PlainPlan | undefined {
  // Tokens are not in the order of their values.
  if (value.kind === "range") return NO_PLAN;
  const isPattern = value.kind === "pattern";
  const text = isPattern ? beginningOf(value.parts) : value.text;
  if (text === undefined) return NO_PLAN;
  const token = lastSegment ? text.slice(text.lastIndexOf("/") + 1) : text;
  return matchPlan(withToken(filterToken(code, token), isPattern));
}

function numberPlan(column: string, value: ConditionValue): PlainPlan {
  if (value.kind === "pattern") return NO_PLAN;
  if (value.kind === "range") return rangePlan(column, value, numberOf);
  return comparison(column, "=", numberOf(value.text));
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function stringPlan(column: string, value: ConditionValue): PlainPlan {
  if (value.kind === "range") return rangePlan(column, value, String);
  if (value.kind !== "pattern") return comparison(column, "=", value.text);
  const beginning = beginningOf(value.parts);
  if (beginning === undefined) return NO_PLAN;
  return andPlan([comparison(column, ">=", beginning), comparison(column, "<", beginning + LAST)]);
}

function rangePlan(
  column: string,
  range: Extract<Value, { kind: "range" }>,
  read: (text: string) => string | number,
): PlainPlan {
  const { from, to, includesFrom, includesTo } = range;
  return andPlan([
    ...(from === null ? [] : [comparison(column, includesFrom ? ">=" : ">", read(from))]),
    ...(to === null ? [] : [comparison(column, includesTo ? "<=" : "<", read(to))]),
  ]);
}

/** Nothing compares with what is no number. */
function comparison(column: string, operator: Comparison["operator"], value: string | number): PlainPlan {
  return Number.isNaN(value) ? NO_PLAN : { kind: "compare", column, operator, value };
}

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
