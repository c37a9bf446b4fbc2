import { type Leaf, type Query, anyOf } from "./query.ts";

/** Words that titles also write as `&`, which is no word of the index. */
const AND_WORDS = new Set(["and", "und", "et"]);
/** Fields of titles and names whose words are compared; null: text without a field. */
const FIELDS = new Set<string | null>([
  null,
  "title",
  "alternative_title",
  "subtitle",
  "alternative_subtitle",
  "series_name",
  "publisher",
]);
const AND_IN_PHRASE = / (?:and|und|et|&) /gi;

/** Returns a query that finds `Husky & his` for `husky and his`, and the other way round in phrases (Q654). */
export function addAmpersands(query: Query): Query {
  switch (query.op) {
    case "match":
      return addToPhrase(query);
    case "not":
      return { op: "not", of: addAmpersands(query.of) };
    case "and":
      return {
        op: "and",
        of: query.of.map((part, at) => addBetweenWords(part, query.of[at - 1], query.of[at + 1])),
      };
    case "or":
      return { op: "or", of: query.of.map(addAmpersands) };
    default:
      return query;
  }
}

/** Returns the word `and` or, in its place, the words around it in a row. */
function addBetweenWords(part: Query, before: Query | undefined, after: Query | undefined): Query {
  const [word, first, second] = [wordOf(part), wordOf(before), wordOf(after)];
  if (part.op !== "match" || word === undefined || first === undefined || second === undefined) {
    return addAmpersands(part);
  }
  const isOneField = first.field === part.field && second.field === part.field;
  if (!isOneField || !AND_WORDS.has(word.text.toLowerCase())) return part;
  return anyOf([part, { ...part, value: { kind: "phrase", text: `${first.text} ${second.text}` } }]);
}

function wordOf(query: Query | undefined): { field: string | null; text: string } | undefined {
  if (query?.op !== "match" || query.value.kind !== "word" || !FIELDS.has(query.field)) return undefined;
  return { field: query.field, text: query.value.text };
}

function addToPhrase(leaf: Leaf): Query {
  const { field, value } = leaf;
  if (value.kind !== "phrase" || !FIELDS.has(field)) return leaf;
  const { text: typed } = value;
  const texts = new Set([typed, typed.replace(AND_IN_PHRASE, " "), typed.replace(AND_IN_PHRASE, " and ")]);
  return anyOf(Array.from(texts, (text) => ({ ...leaf, value: { kind: "phrase", text } })));
}
