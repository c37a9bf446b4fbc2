import { type Query, type Value, mapLeaves } from "./query.ts";

/** Fields whose words are corrected; null: text without a field. */
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
 * Returns the query with words of its texts replaced by the result of `SearchEngine.corrected`. Keys are words, or
 * whole texts of `freeWordsOf`.
 */
export function withWordsReplaced(query: Query, replacements: ReadonlyMap<string, string>): Query {
  return mapLeaves(query, (leaf) =>
    FIELDS.has(leaf.field) ? { ...leaf, value: replaceInValue(leaf.value, replacements) } : leaf,
  );
}

function replaceInValue(value: Value, replacements: ReadonlyMap<string, string>): Value {
  if (value.kind !== "word" && value.kind !== "phrase") return value;
  const words = value.text.split(SPACES).map((word) => replacements.get(word) ?? word);
  return { kind: value.kind, text: replacements.get(value.text) ?? words.join("") };
}
