import { lexileValue } from "../index/work-rows.ts";
import type { Value } from "../query/query.ts";
import { accessMatch, flagMatch, levelOf } from "./access.ts";
import { boundsOf, integerOf, numberOf } from "./bounds.ts";
import type { FieldScheme } from "./field-scheme.ts";
import type { Match } from "./match.ts";
import { type Bounds, NO_WORKS, type Plan, matchPlan } from "./plan.ts";
import { yearMatch } from "./years.ts";

/** Codes of the fields that have tokens of years. */
const YEAR_CODES = new Map([
  ["publish_year", "y"],
  ["first_publish_year", "fy"],
]);
/** Greater than every year with a token. */
const NO_YEAR = 10_000;
/** Above every text that begins with what stands before it. */
const LAST = "\u{10FFFF}";

/** Plans a condition on a field that is compared by its type; undefined when the field is another one. */
export function typedPlan(field: string, value: Value, scheme: FieldScheme): Plan | undefined {
  if (field === "ebook_access") return foundPlan(mapped(boundsOf(value, levelOf), accessMatch));
  if (field === "has_fulltext" || field === "public_scan_b") {
    return foundPlan("text" in value ? flagMatch(field, value.text) : undefined);
  }
  const code = YEAR_CODES.get(field);
  if (code !== undefined)
    return foundPlan(mapped(boundsOf(value, integerOf), (bounds) => yearsMatch(code, bounds)));
  const number = scheme.numbers.get(field);
  if (number !== undefined) return numberPlan(field, value, number.fractional);
  if (scheme.strings.has(field)) return stringPlan(field, value);
  if (!scheme.values.has(field)) return undefined;
  return field === "lexile" ? lexilePlan(value) : callNumberPlan(field, value);
}

/** The plan of a match, if there is anything to match. */
export function foundPlan(match: Match | undefined): Plan {
  return match === undefined ? NO_WORKS : matchPlan(match);
}

function yearsMatch(code: string, { from, to, includesFrom, includesTo }: Bounds<number>): Match | undefined {
  const first = from === undefined ? 0 : from + (includesFrom ? 0 : 1);
  return yearMatch(code, first, to === undefined ? NO_YEAR : to - (includesTo ? 0 : 1));
}

function numberPlan(column: string, value: Value, fractional: boolean): Plan {
  const bounds = boundsOf(value, fractional ? numberOf : integerOf);
  return bounds === undefined ? NO_WORKS : { kind: "number", column, bounds };
}

function stringPlan(column: string, value: Value): Plan {
  const bounds = value.kind === "pattern" ? beginningBounds(value.parts) : boundsOf(value, asText);
  return bounds === undefined ? NO_WORKS : { kind: "text", column, bounds };
}

function lexilePlan(value: Value): Plan {
  const bounds = boundsOf(value, (text) => mapped(integerOf(text), lexileValue));
  return bounds === undefined ? NO_WORKS : { kind: "values", field: "lexile", bounds };
}

/** Ranges of lcc and ddc; other conditions on them are tokens. */
function callNumberPlan(field: string, value: Value): Plan | undefined {
  if (value.kind !== "range") return undefined;
  const bounds = boundsOf(value, asText);
  return bounds === undefined ? NO_WORKS : { kind: "values", field, bounds };
}

/** A column of texts has no list of its values: wildcards stand at the end only. */
function beginningBounds(parts: readonly string[]): Bounds<string> | undefined {
  const [beginning = "", ...others] = parts;
  if (beginning === "" || others.some((part) => part !== "")) return undefined;
  return { from: beginning, to: beginning + LAST, includesFrom: true, includesTo: false };
}

function asText(text: string): string {
  return text;
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value);
}
