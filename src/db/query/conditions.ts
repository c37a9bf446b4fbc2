import {
  QueryError,
  type Comparison,
  type Condition,
  type QueryValue,
} from "../../catalog/query/record-query.ts";
import { textOfValue } from "../../catalog/query/parse.ts";

/** Collects SQL and its parameters. */
export class SqlBuilder {
  readonly values: (string | number)[] = [];

  /** Binds a value; returns its placeholder. */
  bind(value: string | number): string {
    this.values.push(value);
    return `?${this.values.length}`;
  }
}

/** Longest pattern that SQLite compares on D1, in bytes. */
export const PATTERN_BYTES = 50;
const COLUMNS: Readonly<Record<string, string>> = {
  key: "r.key",
  type: "r.type",
  created: "r.created",
  last_modified: "r.last_modified",
};

/** The SQL that holds for records that meet a condition. */
export function conditionSql({ element, comparisons }: Condition, sql: SqlBuilder): string {
  if (element.length === 0) {
    return comparisons.map((comparison) => comparisonSql(comparison, sql)).join(" AND ");
  }
  const { from, last } = elements({ base: "r.document", isDocument: true, path: element }, sql);
  const inner = comparisons.map((comparison) => leafExists(comparison, last, sql));
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${inner.join(" AND ")})`;
}

function comparisonSql(comparison: Comparison, sql: SqlBuilder): string {
  const [name = "", ...rest] = comparison.path;
  const column = rest.length === 0 ? COLUMNS[name] : undefined;
  if (column !== undefined) return columnSql(column, comparison, sql);
  const { from, last } = elements({ base: "r.document", isDocument: true, path: comparison.path }, sql);
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${leafSql(comparison, last, sql)})`;
}

function columnSql(column: string, { operator, values }: Comparison, sql: SqlBuilder): string {
  const texts = values.map((value) => textOfValue(value) ?? "").map((text) => columnText(column, text));
  if (operator === "~" || operator === "~i")
    return patternSql(column, { operator, pattern: texts[0] ?? "" }, sql);
  if (texts.length > 1)
    return `${column} IN (SELECT value FROM json_each(${sql.bind(JSON.stringify(texts))}))`;
  return `${column} ${operator} ${sql.bind(texts[0] ?? "")}`;
}

function columnText(column: string, text: string): string {
  return column === "r.created" || column === "r.last_modified" ? text.replace(" ", "T") : text;
}

interface Base {
  readonly base: string;
  readonly isDocument: boolean;
  readonly path: readonly string[];
}

let aliases = 0;

/** Joins `json_each` along a path; arrays on the way stand for their elements. */
function elements({ base, isDocument, path }: Base, sql: SqlBuilder): { from: string; last: string } {
  const joins: string[] = [];
  let current = base;
  let isObjectSql = isDocument ? "1" : `${base}.type = 'object'`;
  let value = isDocument ? base : `${base}.value`;
  for (const name of path) {
    const alias = `e${(aliases = (aliases + 1) % 100_000)}`;
    const at = sql.bind(`$."${name}"`);
    joins.push(
      `json_each(CASE WHEN NOT (${isObjectSql}) THEN '[]'
        WHEN json_type(${value}, ${at}) = 'array' THEN json_extract(${value}, ${at})
        ELSE json_array(json_extract(${value}, ${at})) END) ${alias}`,
    );
    current = alias;
    isObjectSql = `${alias}.type = 'object'`;
    value = `${alias}.value`;
  }
  return { from: joins.join(", "), last: current };
}

function leafExists(comparison: Comparison, element: string, sql: SqlBuilder): string {
  const { from, last } = elements({ base: element, isDocument: false, path: comparison.path }, sql);
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${leafSql(comparison, last, sql)})`;
}

function leafSql({ operator, values }: Comparison, leaf: string, sql: SqlBuilder): string {
  const [value] = values;
  if (value === undefined) return "0";
  if (operator === "~" || operator === "~i") {
    const pattern = { operator, pattern: textOfValue(value) ?? "" };
    return `(${leaf}.type = 'text' AND ${patternSql(`${leaf}.atom`, pattern, sql)})`;
  }
  return `(${values.map((one) => valueSql(one, { operator, leaf }, sql)).join(" OR ")})`;
}

function valueSql(
  value: QueryValue,
  { operator, leaf }: { operator: Comparison["operator"]; leaf: string },
  sql: SqlBuilder,
): string {
  if (value.kind === "number")
    return `(${leaf}.type = 'integer' AND ${leaf}.atom ${operator} ${sql.bind(value.number)})`;
  const at = sql.bind(value.kind === "reference" ? value.key : value.text);
  const text = `(${leaf}.type = 'text' AND ${leaf}.atom ${operator} ${at})`;
  const reference = `(${leaf}.type = 'object' AND json_extract(${leaf}.value, '$.key') ${operator} ${at})`;
  if (value.kind === "reference") return reference;
  return value.kind === "loose" && value.text.startsWith("/") ? `(${text} OR ${reference})` : text;
}

/** `*` stands for any run of characters; everything else for itself (records.md 3.1). */
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
    throw new QueryError(`Bad query: the pattern is longer than ${PATTERN_BYTES} bytes`);
  }
  const bound = sql.bind(translated);
  return operator === "~" ? `${operand} GLOB ${bound}` : `${operand} LIKE ${bound} ESCAPE '\\'`;
}

/** What comes before a `*` that is the last and only one; undefined for other patterns. */
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
