import type { Query, Value } from "../../../../src/search/query/query.ts";

/** A query as one line: `and(title:foo, not(language:"eng"))`. Boosts other than 1 are shown. */
export function show(query: Query): string {
  switch (query.op) {
    case "all":
    case "none":
      return query.op;
    case "not":
      return `not(${show(query.of)})`;
    case "match": {
      const field = query.field === null ? "" : `${query.field}:`;
      return `${field}${showValue(query.value)}${query.boost === 1 ? "" : `^${query.boost}`}`;
    }
    default:
      return `${query.op}(${query.of.map(show).join(", ")})`;
  }
}

function showValue(value: Value): string {
  switch (value.kind) {
    case "word":
      return value.text;
    case "phrase":
      return `"${value.text}"`;
    case "pattern":
      return value.parts.join("*");
    case "exists":
      return "*";
    case "range": {
      const ends = `${value.from ?? "*"} TO ${value.to ?? "*"}`;
      return `${value.includesFrom ? "[" : "{"}${ends}${value.includesTo ? "]" : "}"}`;
    }
  }
}
