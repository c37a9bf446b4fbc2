import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type Comparison, type Condition, QueryError } from "../../catalog/query/record-query.ts";
import type { SqlBuilder } from "./conditions.ts";
import type { Driver } from "./driver.ts";

/** A property that editions have in the index only (records.md 3.1). */
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

/** The comparison of a condition on a derived property; undefined for every other condition. */
function derivedOf({ element, comparisons: [comparison] }: Condition) {
  const name = comparison?.path.length === 1 && element.length === 0 ? comparison.path[0] : undefined;
  const derived = name === undefined ? undefined : DERIVED.get(name);
  if (comparison === undefined || derived === undefined) return undefined;
  if (comparison.operator !== "=") throw new QueryError(`Bad query: only = works on ${name}`);
  return { derived, values: valuesOf(comparison, derived) };
}

function valuesOf({ values }: Comparison, { normalize }: Derived): string[] {
  const texts = values.flatMap((value) => ("text" in value ? [value.text] : []));
  return texts.map(normalize).filter((text) => text !== undefined);
}

/** The index look-up that a condition on a derived property allows; undefined for every other condition. */
export function derivedDriver(condition: Condition): Driver | undefined {
  const found = derivedOf(condition);
  if (found === undefined) return undefined;
  const { derived, values } = found;
  return { terms: [{ index: derived.index, name: derived.name, values }] };
}

/** The SQL of a condition on a derived property; undefined for every other condition. */
export function derivedSql(condition: Condition, sql: SqlBuilder): string | undefined {
  const found = derivedOf(condition);
  if (found === undefined) return undefined;
  const { derived, values } = found;
  const [table, name, id] =
    derived.index === "identifier" ? ["identifier", "kind", "edition_id"] : ["property", "name", "record_id"];
  return `r.type = '/type/edition' AND EXISTS (SELECT 1 FROM ${table} d
    WHERE d.${name} = ${sql.bind(derived.name)} AND d.${id} = r.id AND d.value IN (${sql.bindList(values)}))`;
}
