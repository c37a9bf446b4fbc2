import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { ACCESS_FLAGS } from "../documents/scans.ts";
import { codeOf, findFieldsHaving } from "../fields.ts";
import { EDITION_TEXT_COLUMNS, NUMBER_COLUMN, WORK_TEXT_COLUMNS } from "../indexing/columns.ts";
import {
  INDEXED_YEAR_MAX,
  INDEXED_YEAR_MIN,
  accessTokenOf,
  toFilterToken,
} from "../indexing/filter-token.ts";
import { lexileValueOf } from "../indexing/work-rows.ts";
import type { Value } from "../query/query.ts";
import { type Match, type SearchColumn, disjoinMatches, excludeMatch, matchToken } from "./match.ts";
import { type Bounds, type Plan, NOTHING, toMatchPlan } from "./plan.ts";

export interface FieldColumns {
  readonly defaults: readonly SearchColumn[];
  /** Fields whose whole value text without a field may be, if it has a digit. */
  readonly defaultTokens: readonly string[];
  readonly texts: ReadonlyMap<string, readonly SearchColumn[]>;
  readonly numbers: ReadonlyMap<string, { readonly fractional: boolean }>;
  readonly strings: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const UNNAMED = findFieldsHaving("unnamed");
const COMPARED = findFieldsHaving("compared");

/** Columns in which a word without a field counts for far more than in the others. */
export const STRONG_COLUMNS = columnsNamed(UNNAMED.filter(([, unnamed]) => unnamed === "strong"));

export const WORK_FIELDS: FieldColumns = {
  defaults: [...columnsNamed(UNNAMED.filter(([, unnamed]) => unnamed !== "value")), NUMBER_COLUMN],
  defaultTokens: UNNAMED.flatMap(([name, unnamed]) => (unnamed === "value" ? [name] : [])),
  texts: textColumnsOf(WORK_TEXT_COLUMNS, [["title_suggest", "title"]]),
  numbers: new Map(
    COMPARED.flatMap(([name, as]) =>
      as === "whole" || as === "fraction" ? [[name, { fractional: as === "fraction" }]] : [],
    ),
  ),
  strings: new Set(COMPARED.flatMap(([name, as]) => (as === "text" ? [name] : []))),
  values: new Set(COMPARED.flatMap(([name, as]) => (as === "values" ? [name] : []))),
};

export const STRONG_WORK_FIELDS: FieldColumns = { ...WORK_FIELDS, defaults: STRONG_COLUMNS };

/** Fields of editions for conditions. Other fields say nothing about editions. */
export const EDITION_FIELDS: FieldColumns = {
  defaults: EDITION_TEXT_COLUMNS,
  defaultTokens: [],
  texts: textColumnsOf(EDITION_TEXT_COLUMNS, [
    ["title_suggest", "title"],
    ["alternative_subtitle", "subtitle"],
  ]),
  numbers: new Map(),
  strings: new Set(),
  values: new Set(),
};

function columnsNamed(fields: readonly (readonly [name: string, ...unknown[]])[]): SearchColumn[] {
  return fields.flatMap(([field]) => WORK_TEXT_COLUMNS.filter(({ name }) => name === field));
}

/** Returns the columns of each field: its own, and for other names of a column, that column. */
function textColumnsOf(
  columns: readonly SearchColumn[],
  others: readonly (readonly [name: string, column: string])[],
): Map<string, readonly SearchColumn[]> {
  const ownNames = columns
    .filter((column) => column !== NUMBER_COLUMN)
    .map(({ name }) => [name, name] as const);
  return new Map(
    [...ownNames, ...others].map(([field, column]) => [field, columns.filter(({ name }) => name === column)]),
  );
}

const HIGHEST = EBOOK_ACCESS_LEVELS.length - 1;

/** Returns the index of a level by its name; undefined for other texts. */
export function levelOf(text: string): number | undefined {
  const level = EBOOK_ACCESS_LEVELS.findIndex((name) => name === text);
  return level === -1 ? undefined : level;
}

/** Returns the match of works whose access lies between two levels; undefined if no level does. */
function matchAccess({ from, to, includesFrom, includesTo }: Bounds<number>): Match | undefined {
  const lowest = from === undefined ? 0 : from + (includesFrom ? 0 : 1);
  const highest = to === undefined ? HIGHEST : to - (includesTo ? 0 : 1);
  if (lowest > highest) return undefined;
  const atLeast = matchToken(accessTokenOf(lowest));
  return highest >= HIGHEST ? atLeast : excludeMatch(atLeast, matchToken(accessTokenOf(highest + 1)));
}

function matchFlag(field: string, text: string): Match | undefined {
  const level = ACCESS_FLAGS.get(field);
  if (level === undefined || (text !== "true" && text !== "false")) return undefined;
  return text === "true"
    ? matchAccess({ from: level, to: undefined, includesFrom: true, includesTo: true })
    : matchAccess({ from: undefined, to: level, includesFrom: true, includesTo: false });
}

/** Reader of a text as a value of a field's type; undefined for other texts. */
type ValueReader<Type> = (text: string) => Type | undefined;

const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Returns the range that a condition allows; undefined for texts of another type: nothing matches. */
function boundsOf<Type>(value: Value, read: ValueReader<Type>): Bounds<Type> | undefined {
  if (value.kind === "word" || value.kind === "phrase") {
    const only = read(value.text);
    return only === undefined ? undefined : { from: only, to: only, includesFrom: true, includesTo: true };
  }
  if (value.kind !== "range") return undefined;
  const from = value.from === null ? undefined : read(value.from);
  const to = value.to === null ? undefined : read(value.to);
  const isTyped = (from !== undefined || value.from === null) && (to !== undefined || value.to === null);
  return isTyped ? { from, to, includesFrom: value.includesFrom, includesTo: value.includesTo } : undefined;
}

function integerOf(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text) : undefined;
}

function numberOf(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const YEARS_PER_DECADE = 10;
const YEARS_PER_CENTURY = 100;

/** Steps that cover a range, longest first, with the suffixes of their tokens after the code of the field. */
const STEPS = [
  { years: YEARS_PER_CENTURY, suffix: "c" },
  { years: YEARS_PER_DECADE, suffix: "d" },
  { years: 1, suffix: "" },
] as const;

/**
 * Returns the match of works with a year from one to another, both included, by at most 96 tokens of centuries, decades
 * and years; undefined if the index has no such year. `code` is that of the field.
 */
export function matchYears(code: string, from: number, to: number): Match | undefined {
  const tokens: string[] = [];
  const last = Math.min(to, INDEXED_YEAR_MAX);
  for (let year = Math.max(INDEXED_YEAR_MIN, from); year <= last;) {
    const step = stepAt(year, last);
    tokens.push(toFilterToken(code + step.suffix, String(Math.floor(year / step.years))));
    year += step.years;
  }
  const [first, ...more] = tokens.map((token) => matchToken(token));
  return first === undefined ? undefined : disjoinMatches([first, ...more]);
}

function stepAt(year: number, last: number): (typeof STEPS)[number] {
  const [century, decade, single] = STEPS;
  const fits = ({ years }: { years: number }): boolean => year % years === 0 && year + years - 1 <= last;
  if (fits(century)) return century;
  return fits(decade) ? decade : single;
}

const YEAR_CODES = new Map([
  ["publish_year", codeOf("publish_year")],
  ["first_publish_year", codeOf("first_publish_year")],
]);
const NO_YEAR = 10_000;
/** Suffix that sorts a text above all texts with the same beginning. */
const LAST = "\u{10FFFF}";

/** Returns the plan of a condition on a field that is compared by its type; undefined for other fields. */
export function planTypedLeaf(field: string, value: Value, scheme: FieldColumns): Plan | undefined {
  if (field === "ebook_access") return toMatchPlan(mapDefined(boundsOf(value, levelOf), matchAccess));
  if (ACCESS_FLAGS.has(field)) {
    return toMatchPlan("text" in value ? matchFlag(field, value.text) : undefined);
  }
  const code = YEAR_CODES.get(field);
  if (code !== undefined)
    return toMatchPlan(mapDefined(boundsOf(value, integerOf), (bounds) => matchYearBounds(code, bounds)));
  const number = scheme.numbers.get(field);
  if (number !== undefined) {
    const bounds = boundsOf(value, number.fractional ? numberOf : integerOf);
    return bounds === undefined ? NOTHING : { kind: "number", column: field, bounds };
  }
  if (scheme.strings.has(field)) {
    const bounds = value.kind === "pattern" ? boundsOfBeginning(value.parts) : boundsOf(value, String);
    return bounds === undefined ? NOTHING : { kind: "text", column: field, bounds };
  }
  // Conditions on lcc and ddc other than ranges are tokens.
  if (!scheme.values.has(field) || (field !== "lexile" && value.kind !== "range")) return undefined;
  const read = field === "lexile" ? (text: string) => mapDefined(integerOf(text), lexileValueOf) : String;
  const bounds = boundsOf(value, read);
  return bounds === undefined ? NOTHING : { kind: "values", field, bounds };
}

function matchYearBounds(
  code: string,
  { from, to, includesFrom, includesTo }: Bounds<number>,
): Match | undefined {
  const first = from === undefined ? INDEXED_YEAR_MIN : from + (includesFrom ? 0 : 1);
  return matchYears(code, first, to === undefined ? NO_YEAR : to - (includesTo ? 0 : 1));
}

/** Returns the bounds of a pattern with a wildcard only at its end: text columns have no list of values. */
function boundsOfBeginning(parts: readonly string[]): Bounds<string> | undefined {
  const [beginning = "", ...others] = parts;
  if (beginning === "" || others.some((part) => part !== "")) return undefined;
  return { from: beginning, to: beginning + LAST, includesFrom: true, includesTo: false };
}

function mapDefined<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value);
}
