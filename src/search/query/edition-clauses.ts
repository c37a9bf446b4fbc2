import { type FieldRef, editionFieldOf } from "./fields.ts";
import { type Leaf, type Query, type Value, allOf, hasNot, mapLeaves } from "./query.ts";
import type { Field, Tree } from "./syntax.ts";
import { toQuery } from "./to-query.ts";

const EDITION_PATH = "/books/";

/**
 * Returns the conditions of a query on one edition: its clauses on edition fields that hold in any case. Clauses under
 * OR or NOT need not hold, and text without a field is about works (Q50).
 */
export function editionClausesOf(tree: Tree): Query[] {
  switch (tree.kind) {
    case "field":
      return fieldClausesOf(tree);
    case "group":
    case "boosted":
      return editionClausesOf(tree.of);
    case "signed":
      return tree.sign === "+" ? editionClausesOf(tree.of) : [];
    case "and":
      return tree.of.flatMap(({ tree: part }) => editionClausesOf(part));
    default:
      return [];
  }
}

function fieldClausesOf(tree: Field): Query[] {
  if (editionFieldOf(tree.field) === undefined) return [];
  const query = toQuery(tree, editionFieldOf);
  const clause = query === undefined ? undefined : dropNegations(query);
  return clause === undefined || clause.op === "all" ? [] : [mapLeaves(clause, toEditionKeys)];
}

/** Returns the parts that must hold and exclude nothing: `foo` of `title:(foo -bar)`. */
function dropNegations(query: Query): Query | undefined {
  if (!hasNot(query)) return query;
  if (query.op !== "and") return undefined;
  const parts = query.of.map(dropNegations).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : allOf(parts);
}

/** Returns a leaf with whole keys, as editions have them; works have the OLIDs of their editions. */
function toEditionKeys(leaf: Leaf): Leaf {
  return leaf.field === "key" ? { ...leaf, value: keyValueOf(leaf.value) } : leaf;
}

function keyValueOf(value: Value): Value {
  switch (value.kind) {
    case "word":
    case "phrase":
      return { kind: value.kind, text: editionKeyOf(value.text) };
    case "pattern": {
      const [first = "", ...others] = value.parts;
      return first === "" ? value : { kind: "pattern", parts: [editionKeyOf(first), ...others] };
    }
    case "range":
      return { ...value, from: value.from && editionKeyOf(value.from), to: value.to && editionKeyOf(value.to) };
    case "exists":
      return value;
  }
}

function editionKeyOf(text: string): string {
  return text.startsWith("/") ? text : EDITION_PATH + text;
}

/** Returns the name of a field in the query for works; undefined for conditions on editions only. */
export function workNaming({ name, scope }: FieldRef): string | undefined {
  return scope === "edition" ? undefined : name;
}
