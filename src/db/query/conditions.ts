import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { textOfValue } from "../../catalog/query/parse-query.ts";
import {
  type Comparison,
  type Condition,
  type QueryValue,
  QueryError,
} from "../../catalog/query/record-query.ts";

/** Maximum length of a pattern on D1, in bytes. */
const PATTERN_BYTES = 50;
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ["key", "r.key"],
  ["type", "r.type"],
  ["created", "r.created"],
  ["last_modified", "r.last_modified"],
]);

export function conditionSql(condition: Condition, sql: SqlBuilder): string {
  const derived = derivedSql(condition, sql);
  if (derived !== undefined) return derived;
  const { element, comparisons } = condition;
  if (element.length === 0) {
    return comparisons.map((comparison) => comparisonSql(comparison, sql)).join(" AND ");
  }
  const { from, last } = elementsSql(undefined, element, sql);
  const inner = comparisons.map((comparison) => leafExists(comparison, last, sql));
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${inner.join(" AND ")})`;
}

function comparisonSql(comparison: Comparison, sql: SqlBuilder): string {
  const [name = "", ...rest] = comparison.path;
  const column = rest.length === 0 ? COLUMNS.get(name) : undefined;
  if (column !== undefined) return columnSql(column, comparison, sql);
  return leafExists(comparison, undefined, sql);
}

function columnSql(column: string, { operator, values }: Comparison, sql: SqlBuilder): string {
  const texts = values.flatMap((value) => textOfValue(value) ?? []).map((text) => columnText(column, text));
  const [text] = texts;
  // Columns contain texts, so numbers never match.
  if (text === undefined) return "1 = 0";
  if (operator === "~" || operator === "~i") return patternSql(column, { operator, pattern: text }, sql);
  if (texts.length > 1) return `${column} IN (${sql.bindList(texts)})`;
  return `${column} ${operator} ${sql.bind(text)}`;
}

function columnText(column: string, text: string): string {
  return column === "r.created" || column === "r.last_modified" ? text.replace(" ", "T") : text;
}

let aliases = 0;

/**
 * Joins `json_each` along a path, from an element or the document; arrays on the way are expanded to their elements.
 */
function elementsSql(
  element: string | undefined,
  path: readonly string[],
  sql: SqlBuilder,
): { from: string; last: string } {
  let last = element;
  const joins = path.map((name) => {
    const [isObject, value] =
      last === undefined ? ["1 = 1", "r.document"] : [`${last}.type = 'object'`, `${last}.value`];
    last = `e${(aliases = (aliases + 1) % 100_000)}`;
    const at = sql.bind(`$."${name}"`);
    return `json_each(CASE WHEN NOT (${isObject}) THEN '[]'
        WHEN json_type(${value}, ${at}) = 'array' THEN ${value} -> ${at}
        ELSE json_array(${value} -> ${at}) END) ${last}`;
  });
  return { from: joins.join(", "), last: last ?? "r.document" };
}

function leafExists(comparison: Comparison, element: string | undefined, sql: SqlBuilder): string {
  const { from, last } = elementsSql(element, comparison.path, sql);
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${leafSql(comparison, last, sql)})`;
}

function leafSql({ operator, values }: Comparison, leaf: string, sql: SqlBuilder): string {
  const [value] = values;
  if (value === undefined) return "1 = 0";
  if (operator === "~" || operator === "~i") {
    const pattern = { operator, pattern: textOfValue(value) ?? "" };
    return `(${leaf}.type = 'text' AND ${patternSql(`${leaf}.atom`, pattern, sql)})`;
  }
  const any = KINDS.flatMap(({ type, operand, listed, valueOf }) => {
    const operands = values.flatMap((item) => valueOf(item) ?? []);
    const [first] = operands;
    if (first === undefined) return [];
    const right =
      operator === "=" ? `IN (${sql.bindList(operands, listed)})` : `${operator} ${sql.bind(first)}`;
    return [`(${leaf}.type = '${type}' AND ${operand(leaf)} ${right})`];
  });
  return `(${any.join(" OR ")})`;
}

/** Kinds of values: only values of the same kind are compared. */
const KINDS: readonly {
  /** Type name of SQLite's `json_each`. */
  readonly type: string;
  operand(leaf: string): string;
  /** SQL of an element in a list of values. */
  readonly listed?: string;
  valueOf(value: QueryValue): string | number | undefined;
}[] = [
  {
    type: "integer",
    operand: (leaf) => `CASE ${leaf}.type WHEN 'integer' THEN CAST(${leaf}.atom AS NUMERIC) END`,
    listed: "CAST(value AS NUMERIC)",
    valueOf: (value) => (value.kind === "number" ? value.number : undefined),
  },
  {
    type: "text",
    operand: (leaf) => `${leaf}.atom`,
    valueOf: (value) => (value.kind === "text" || value.kind === "loose" ? value.text : undefined),
  },
  { type: "object", operand: (leaf) => `${leaf}.value->>'$.key'`, valueOf: referenceKeySql },
];

function referenceKeySql(value: QueryValue): string | undefined {
  if (value.kind === "reference") return value.key;
  return value.kind === "loose" && value.text.startsWith("/") ? value.text : undefined;
}

/** Returns SQL for a pattern in which `*` matches any characters. */
function patternSql(
  operand: string,
  { operator, pattern }: { operator: "~" | "~i"; pattern: string },
  sql: SqlBuilder,
): string {
  const prefix = prefixOf(pattern);
  if (operator === "~" && prefix !== undefined) {
    return `substr(${operand}, 1, ${[...prefix].length}) = ${sql.bind(prefix)}`;
  }
  const translated = operator === "~" ? globPattern(pattern) : likePattern(pattern);
  if (new TextEncoder().encode(translated).byteLength > PATTERN_BYTES) {
    throw new QueryError("bad_data.query_pattern_bytes", { most: PATTERN_BYTES });
  }
  // Q36: LIKE folds ASCII letters only.
  const bound = sql.bind(translated);
  return operator === "~"
    ? `${operand} GLOB ${bound}`
    : `${operand} COLLATE BINARY LIKE ${bound} ESCAPE '\\'`;
}

/** Returns the prefix of a pattern whose only `*` is at the end. Returns undefined for other patterns. */
export function prefixOf(pattern: string): string | undefined {
  return /^(?:[^*\\])*\*$/.test(pattern) ? pattern.slice(0, -1) : undefined;
}

const PARTS = /\\\*|\*|[^*\\]+|\\/g;

function globPattern(pattern: string): string {
  return pattern.replace(PARTS, (part) => {
    if (part === "*") return "*";
    return (part === "\\*" ? "*" : part).replace(/[*?[]/g, "[$&]");
  });
}

function likePattern(pattern: string): string {
  return pattern.replace(PARTS, (part) => {
    if (part === "*") return "%";
    return (part === "\\*" ? "*" : part).replace(/[%_\\]/g, "\\$&");
  });
}

/** Lookup in one index, by any of the values. */
export interface IndexTerm {
  readonly index: "key" | "identifier" | "property" | "editionAuthors" | "keyPrefix" | "titlePrefix";
  readonly name?: string;
  readonly values: readonly string[];
}

/** Returns the FROM and WHERE parts of a lookup, or of all records without one. */
export function driverSql(term: IndexTerm | undefined, sql: SqlBuilder): { from: string; where: string[] } {
  if (term === undefined) return { from: "record r", where: [] };
  const { index, name = "", values } = term;
  const [only] = values;
  if (index !== "property" || only === undefined || values.length > 1) {
    return { from: "record r", where: [termSql(term, sql)] };
  }
  // With a single value the rows are in order of id, so that a limit ends the scan.
  return {
    from: "property p CROSS JOIN record r ON r.id = p.record_id",
    where: [`p.name = ${sql.bind(name)} AND p.value = ${sql.bind(only)}`],
  };
}

/** Returns an SQL condition on `r`: it is among the records of a lookup. */
export function termSql({ index, name = "", values }: IndexTerm, sql: SqlBuilder): string {
  switch (index) {
    case "editionAuthors":
      // CROSS JOIN keeps the order of the tables.
      return `r.id IN (SELECT record_id FROM property WHERE name = 'authors' AND value IN (${sql.bindList(values)})
        UNION SELECT e.record_id FROM property p CROSS JOIN record w ON w.id = p.record_id
        CROSS JOIN property e ON e.name = 'works' AND e.value = w.key
        WHERE p.name = 'authors.author' AND p.value IN (${sql.bindList(values)}))`;
    case "key":
      return `r.key IN (${sql.bindList(values)})`;
    case "keyPrefix":
      return rangeSql("r.key", values, sql);
    case "titlePrefix":
      return `r.id IN (SELECT record_id FROM property
        WHERE name = ${sql.bind(name)} AND ${rangeSql("value", values, sql)})`;
    case "identifier":
      return `r.id IN (SELECT edition_id FROM identifier
        WHERE kind = ${sql.bind(name)} AND value IN (${sql.bindList(values)}))`;
    case "property":
      return `r.id IN (SELECT record_id FROM property
        WHERE name = ${sql.bind(name)} AND value IN (${sql.bindList(values)}))`;
  }
}

const AFTER_ALL = "\u{10FFFF}";

function rangeSql(column: string, [prefix = ""]: readonly string[], sql: SqlBuilder): string {
  return `${column} >= ${sql.bind(prefix)} AND ${column} < ${sql.bind(prefix + AFTER_ALL)}`;
}

/** Property of editions that exists in the index only. */
interface Derived {
  /** Index table, and name of the rows in it. */
  readonly index: "identifier" | "property";
  readonly name: string;
  readonly normalize: (text: string) => string | undefined;
}

const DERIVED = new Map<string, Derived>([
  ["isbn_", { index: "identifier", name: "isbn", normalize: toCanonicalIsbn }],
  ["normalized_title_", { index: "property", name: "title", normalize: (text) => text }],
]);

/** Returns the index lookup for a condition on a derived property. Returns undefined for every other condition. */
export function derivedTermOf({ element, comparisons: [comparison] }: Condition) {
  const name = comparison?.path.length === 1 && element.length === 0 ? comparison.path[0] : undefined;
  const derived = name === undefined ? undefined : DERIVED.get(name);
  if (comparison === undefined || derived === undefined) return undefined;
  if (comparison.operator !== "=") throw new QueryError("bad_data.query_equality", { name: name ?? "" });
  const texts = comparison.values.flatMap((value) => ("text" in value ? [value.text] : []));
  const values = texts.flatMap((text) => derived.normalize(text) ?? []);
  return { index: derived.index, name: derived.name, values };
}

/** Returns the SQL of a condition on a derived property. Returns undefined for every other condition. */
function derivedSql(condition: Condition, sql: SqlBuilder): string | undefined {
  const term = derivedTermOf(condition);
  if (term === undefined) return undefined;
  const [table, name, id] =
    term.index === "identifier" ? ["identifier", "kind", "edition_id"] : ["property", "name", "record_id"];
  return `r.type = '/type/edition' AND EXISTS (SELECT 1 FROM ${table} d
    WHERE d.${name} = ${sql.bind(term.name)} AND d.${id} = r.id AND d.value IN (${sql.bindList(term.values)}))`;
}

/** Maximum values per statement on D1. */
const BOUND_VALUES_MAX = 100;

/** Collects the parameters of a statement. */
export class SqlBuilder {
  readonly values: (string | number)[] = [];

  bind(value: string | number): string {
    this.values.push(value);
    if (this.values.length > BOUND_VALUES_MAX) throw new QueryError("bad_data.query_conditions");
    return `?${this.values.length}`;
  }

  /** Binds a list as one value and returns a query that yields its elements. `element` is SQL of an element. */
  bindList(list: readonly (string | number)[], element = "value"): string {
    return `SELECT ${element} FROM json_each(${this.bind(JSON.stringify(list))})`;
  }
}
