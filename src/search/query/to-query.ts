import type { FieldRef } from "./fields.ts";
import { ALL, type Leaf, NONE, type Query, type Value, allOf, anyOf, not } from "./query.ts";
import type { Range, Tree, Word } from "./syntax.ts";

/** Function that names a field in the query; undefined drops its clause. */
type FieldNaming = (field: FieldRef) => string | undefined;

interface Context {
  /** Field of the leaves; null for the default fields. */
  readonly field: string | null;
  readonly boost: number;
}

/** Returns a tree as a query, with fields pushed down to the leaves; undefined if nothing remains of it. */
export function toQuery(tree: Tree, naming: FieldNaming): Query | undefined {
  const convert = (part: Tree, context: Context): Query | undefined => {
    switch (part.kind) {
      case "word":
        return wordQuery(part, context);
      case "phrase":
        return toLeaf(context, { kind: "phrase", text: part.text });
      case "range":
        return rangeQuery(part, context);
      case "group":
        return convert(part.of, context);
      case "boosted":
        return convert(part.of, { ...context, boost: context.boost * part.factor });
      case "signed": {
        const of = convert(part.of, context);
        return of === undefined || part.sign === "+" ? of : negate(of);
      }
      case "field": {
        const field = naming(part.field);
        return field === undefined ? undefined : convert(part.of, { ...context, field });
      }
      case "and":
        return conjoin(part.of.map(({ tree: operand }) => convert(operand, context)));
      case "or":
        return disjoin(part.of.map((operand) => convert(operand, context)));
    }
  };
  return convert(tree, { field: null, boost: 1 });
}

function toLeaf({ field, boost }: Context, value: Value): Leaf {
  return { op: "match", field, value, boost };
}

function wordQuery({ parts }: Word, context: Context): Query {
  const [text = "", ...others] = parts;
  if (others.length === 0) return toLeaf(context, { kind: "word", text });
  if (parts.some((part) => part !== "")) return toLeaf(context, { kind: "pattern", parts });
  return context.field === null ? ALL : toLeaf(context, { kind: "exists" });
}

/** Returns the query of a range. Without a field, a range has no meaning: its ends are words (Q49). */
function rangeQuery({ from, to, includesFrom, includesTo }: Range, context: Context): Query {
  if (context.field === null) {
    const ends = [from, to].filter((text) => text !== null);
    return allOf(ends.map((text) => toLeaf(context, { kind: "word", text })));
  }
  if (from === null && to === null) return toLeaf(context, { kind: "exists" });
  return toLeaf(context, { kind: "range", from, to, includesFrom, includesTo });
}

function negate(query: Query): Query {
  if (query.op === "not") return query.of;
  if (query.op === "all") return NONE;
  return query.op === "none" ? ALL : not(query);
}

function conjoin(parts: readonly (Query | undefined)[]): Query | undefined {
  const operands = parts.filter((part) => part !== undefined);
  if (operands.length === 0) return undefined;
  return allOf(operands.flatMap((part) => (part.op === "and" ? part.of : [part])));
}

function disjoin(parts: readonly (Query | undefined)[]): Query | undefined {
  const operands = parts.filter((part) => part !== undefined);
  if (operands.length === 0) return undefined;
  return anyOf(operands.flatMap((part) => (part.op === "or" ? part.of : [part])));
}
