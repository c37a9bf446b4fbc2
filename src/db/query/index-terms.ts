import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { QueryError, type Condition } from "../../catalog/query/record-query.ts";

/** A look-up in one index, by any of the values. */
export interface IndexTerm {
  readonly index: "key" | "identifier" | "property" | "keyPrefix" | "titlePrefix";
  /** Property name or kind of identifier. */
  readonly name?: string;
  readonly values: readonly string[];
}

/** The FROM and WHERE parts of a look-up; of all records without one. */
export function driverSql(term: IndexTerm | undefined, sql: SqlBuilder): { from: string; where: string[] } {
  if (term === undefined) return { from: "record r", where: [] };
  const { index, name = "", values } = term;
  const [only] = values;
  if (index !== "property" || only === undefined || values.length > 1) {
    return { from: "record r", where: [termSql(term, sql)] };
  }
  // One value: the rows come in order of their ids, so that a limit ends the walk.
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

/** U+10FFFF sorts after everything that a key or title continues with. */
const AFTER_ALL = "\u{10FFFF}";

function rangeSql(column: string, [prefix = ""]: readonly string[], sql: SqlBuilder): string {
  return `${column} >= ${sql.bind(prefix)} AND ${column} < ${sql.bind(prefix + AFTER_ALL)}`;
}

/** A property that editions have in the index only. */
interface Derived {
  /** Where it stands in the index: the name there, in the table of that kind. */
  readonly index: "identifier" | "property";
  readonly name: string;
  readonly normalize: (text: string) => string | undefined;
}

const DERIVED = new Map<string, Derived>([
  ["isbn_", { index: "identifier", name: "isbn", normalize: canonicalIsbn }],
  ["normalized_title_", { index: "property", name: "title", normalize: (text) => text }],
]);

/** The index look-up that a condition on a derived property allows; undefined for every other condition. */
export function derivedTermOf({ element, comparisons: [comparison] }: Condition) {
  const name = comparison?.path.length === 1 && element.length === 0 ? comparison.path[0] : undefined;
  const derived = name === undefined ? undefined : DERIVED.get(name);
  if (comparison === undefined || derived === undefined) return undefined;
  if (comparison.operator !== "=") throw new QueryError(`Bad query: only = works on ${name}`);
  const texts = comparison.values.flatMap((value) => ("text" in value ? [value.text] : []));
  const values = texts.flatMap((text) => derived.normalize(text) ?? []);
  return { index: derived.index, name: derived.name, values };
}

/** The SQL of a condition on a derived property; undefined for every other condition. */
export function derivedSql(condition: Condition, sql: SqlBuilder): string | undefined {
  const term = derivedTermOf(condition);
  if (term === undefined) return undefined;
  const [table, name, id] =
    term.index === "identifier" ? ["identifier", "kind", "edition_id"] : ["property", "name", "record_id"];
  return `r.type = '/type/edition' AND EXISTS (SELECT 1 FROM ${table} d
    WHERE d.${name} = ${sql.bind(term.name)} AND d.${id} = r.id AND d.value IN (${sql.bindList(term.values)}))`;
}

/** Values that D1 binds to one statement. */
const BOUND_VALUES_MAX = 100;

/** Collects SQL and its parameters. */
export class SqlBuilder {
  readonly values: (string | number)[] = [];

  /** Binds a value; returns its placeholder. */
  bind(value: string | number): string {
    this.values.push(value);
    if (this.values.length > BOUND_VALUES_MAX) throw new QueryError("Bad query: too many conditions");
    return `?${this.values.length}`;
  }

  /** Binds a list as one value; returns the statement that yields its elements, as SQL has them. */
  bindList(list: readonly (string | number)[], element = "value"): string {
    return `SELECT ${element} FROM json_each(${this.bind(JSON.stringify(list))})`;
  }
}
