import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { QueryError, type Condition } from "../../catalog/query/record-query.ts";

/** Lookup in one index, by any of the values. */
export interface IndexTerm {
  readonly index: "key" | "identifier" | "property" | "keyPrefix" | "titlePrefix";
  /** Name of a property, or kind of an identifier. */
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

function termSql({ index, name = "", values }: IndexTerm, sql: SqlBuilder): string {
  switch (index) {
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

/** Character that sorts after every continuation of a key or title. */
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
  ["isbn_", { index: "identifier", name: "isbn", normalize: canonicalIsbn }],
  ["normalized_title_", { index: "property", name: "title", normalize: (text) => text }],
]);

/** Returns the index lookup for a condition on a derived property. Returns undefined for every other condition. */
export function derivedTermOf({ element, comparisons: [comparison] }: Condition) {
  const name = comparison?.path.length === 1 && element.length === 0 ? comparison.path[0] : undefined;
  const derived = name === undefined ? undefined : DERIVED.get(name);
  if (comparison === undefined || derived === undefined) return undefined;
  if (comparison.operator !== "=") throw new QueryError(`Bad query: only = works on ${name}`);
  const texts = comparison.values.flatMap((value) => ("text" in value ? [value.text] : []));
  const values = texts.flatMap((text) => derived.normalize(text) ?? []);
  return { index: derived.index, name: derived.name, values };
}

/** Returns the SQL of a condition on a derived property. Returns undefined for every other condition. */
export function derivedSql(condition: Condition, sql: SqlBuilder): string | undefined {
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

  /** Binds a value and returns its placeholder. */
  bind(value: string | number): string {
    this.values.push(value);
    if (this.values.length > BOUND_VALUES_MAX) throw new QueryError("Bad query: too many conditions");
    return `?${this.values.length}`;
  }

  /** Binds a list as one value and returns a query that yields its elements. `element` is SQL of an element. */
  bindList(list: readonly (string | number)[], element = "value"): string {
    return `SELECT ${element} FROM json_each(${this.bind(JSON.stringify(list))})`;
  }
}
