import { toFilterToken } from "../indexing/filter-token.ts";
import {
  type PlainColumn,
  type PlainField,
  type PlainScheme,
  PLAIN_FIELDS,
  plainColumnsOf,
} from "../plain-fields.ts";
import type { Leaf, Query, Value } from "../query/query.ts";
import { type Match, type SearchColumn, matchPrefix, matchWords, matchToken } from "./match.ts";
import { type Plan, EVERYTHING, NOTHING, conjoinPlans, planWith, toMatchPlan } from "./plan.ts";

interface Presence {
  kind: "present";
  member: string;
}

interface ColumnComparison {
  kind: "compare";
  column: string;
  operator: "=" | "<" | "<=" | ">" | ">=";
  value: string | number;
}

export type PlainPlan = Plan<ColumnComparison | Presence>;

type ConditionValue = Exclude<Value, { kind: "exists" }>;

/** Suffix that sorts a text above all texts with the same beginning. */
const LAST = "\u{10FFFF}";

const DEFAULT_COLUMNS = {
  author: unnamedColumnsOf("author"),
  subject: unnamedColumnsOf("subject"),
  list: unnamedColumnsOf("list"),
};

function unnamedColumnsOf(scheme: PlainScheme): PlainColumn[] {
  return plainColumnsOf(scheme).filter(({ name }) => PLAIN_FIELDS[scheme].get(name)?.unnamed);
}

/** Returns the match of words in a row in the columns for text without a field; undefined without a word. */
export function matchUnnamed(scheme: PlainScheme, text: string): Match | undefined {
  return matchWords(DEFAULT_COLUMNS[scheme], text);
}

/** Plans one condition; undefined if its text has no word. Unknown fields match nothing. */
function planLeaf({ field: name, value }: Leaf, scheme: PlainScheme): PlainPlan | undefined {
  if (name === null) return value.kind === "exists" ? EVERYTHING : planText(DEFAULT_COLUMNS[scheme], value);
  const field = PLAIN_FIELDS[scheme].get(name);
  if (field === undefined) return NOTHING;
  if (value.kind === "exists") return field.optional ? { kind: "present", member: name } : EVERYTHING;
  const { code, words, column } = field;
  if (code !== undefined) return planTokens(code, field, value);
  if (words !== undefined && value.kind !== "range") {
    return planText([{ name, stemmed: words === "stemmed" }], value);
  }
  if (column === undefined) return NOTHING;
  return column === "number" ? planNumber(name, value) : planString(name, value);
}

function planText(columns: readonly SearchColumn[], value: ConditionValue): PlainPlan | undefined {
  if (value.kind === "range") return NOTHING;
  const isPattern = value.kind === "pattern";
  const text = isPattern ? beginningOf(value.parts) : value.text;
  if (text === undefined) return NOTHING;
  const match = isPattern ? matchPrefix(columns, text) : matchWords(columns, text);
  return match === undefined ? undefined : toMatchPlan(match);
}

/** Returns the beginning of `a*`; undefined for other patterns, which match nothing here (Q78). */
function beginningOf([start = "", ...rest]: readonly string[]): string | undefined {
  return start === "" || rest.some((part) => part !== "") ? undefined : start;
}

function planTokens(code: string, { lastSegment }: PlainField, value: ConditionValue): PlainPlan | undefined {
  // Tokens are not in the order of their values.
  if (value.kind === "range") return NOTHING;
  const isPattern = value.kind === "pattern";
  const text = isPattern ? beginningOf(value.parts) : value.text;
  if (text === undefined) return NOTHING;
  const token = lastSegment ? text.slice(text.lastIndexOf("/") + 1) : text;
  return toMatchPlan(matchToken(toFilterToken(code, token), isPattern));
}

function planNumber(column: string, value: ConditionValue): PlainPlan {
  if (value.kind === "pattern") return NOTHING;
  if (value.kind === "range") return planRange(column, value, numberOf);
  return planComparison(column, "=", numberOf(value.text));
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function planString(column: string, value: ConditionValue): PlainPlan {
  if (value.kind === "range") return planRange(column, value, String);
  if (value.kind !== "pattern") return planComparison(column, "=", value.text);
  const beginning = beginningOf(value.parts);
  if (beginning === undefined) return NOTHING;
  return conjoinPlans([
    planComparison(column, ">=", beginning),
    planComparison(column, "<", beginning + LAST),
  ]);
}

function planRange(
  column: string,
  range: Extract<Value, { kind: "range" }>,
  read: (text: string) => string | number,
): PlainPlan {
  const { from, to, includesFrom, includesTo } = range;
  return conjoinPlans([
    ...(from === null ? [] : [planComparison(column, includesFrom ? ">=" : ">", read(from))]),
    ...(to === null ? [] : [planComparison(column, includesTo ? "<=" : "<", read(to))]),
  ]);
}

/** Returns a comparison, or nothing for a value that is not a number. */
function planComparison(
  column: string,
  operator: ColumnComparison["operator"],
  value: string | number,
): PlainPlan {
  return Number.isNaN(value) ? NOTHING : { kind: "compare", column, operator, value };
}

/** Returns the plan of a query for authors, subjects or lists. */
export function planPlainQuery(query: Query, scheme: PlainScheme): PlainPlan {
  return planWith(query, { leaf: (leaf) => planLeaf(leaf, scheme) });
}

/** Returns the leaves without a field that every result must match: the words that the client typed. */
export function freeLeavesOf(query: Query): Leaf[] {
  if (query.op === "and") return query.of.flatMap(freeLeavesOf);
  return query.op === "match" && query.field === null ? [query] : [];
}
