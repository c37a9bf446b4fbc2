import type { Query, Value } from "./query.ts";

/** Fields whose words readers misspell; null: text without a field. */
const FIELDS = new Set<string | null>([
  null,
  "title",
  "alternative_title",
  "author_name",
  "author_alternative_name",
  "name",
]);
const SPACES = /(\s+)/;

/**
 * The query with words of its texts replaced, as `SearchEngine.corrected` says. Keys are words, or whole texts of
 * `freeWordsOf`.
 */
export function withWordsReplaced(query: Query, replacements: ReadonlyMap<string, string>): Query {
  switch (query.op) {
    case "match":
      return FIELDS.has(query.field) ? { ...query, value: replaced(query.value, replacements) } : query;
    case "not":
      return { op: "not", of: withWordsReplaced(query.of, replacements) };
    case "and":
    case "or":
      return { op: query.op, of: query.of.map((part) => withWordsReplaced(part, replacements)) };
    default:
      return query;
  }
}

function replaced(value: Value, replacements: ReadonlyMap<string, string>): Value {
  if (value.kind !== "word" && value.kind !== "phrase") return value;
  const whole = replacements.get(value.text);
  const text =
    whole ??
    value.text
      .split(SPACES)
      .map((word) => replacements.get(word) ?? word)
      .join("");
  return { kind: value.kind, text };
}
