import { normalizeNumber } from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn, toOppositeIsbn } from "../../catalog/identifiers/isbn.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { type Query, allOf, anyOf, equals } from "../query/query.ts";
import { literalTree } from "../query/syntax.ts";
import { toQuery } from "../query/parse-query.ts";
import { fold } from "../text/collation.ts";
import type { EntityType } from "./entities.ts";

export interface Property {
  readonly id: string;
  readonly name: string;
  /** Member of documents with its values, by the types of entities that have it. */
  readonly members: { readonly [type in EntityType]?: string };
  readonly values: "text" | "number" | "isbn" | "identifier" | "author";
  /** Weight in a score; that of the name is 3. */
  readonly weight: number;
  /** Mark of a property that candidates are searched by, in the fields of that name. */
  readonly isSought?: true;
}

const BOOKS = (member: string): Property["members"] => ({ work: member, edition: member });
const TEXT = { values: "text", weight: 1 } as const;
const NUMBER = { values: "number", weight: 1 } as const;
/** Member of authors with numbers of several catalogs, each after its scheme and a colon. */
const REMOTE_IDS = "remote_ids";
const IDENTIFIER = { values: "identifier", weight: 4, isSought: true } as const;
const AUTHOR_NUMBER = { members: { author: REMOTE_IDS }, ...IDENTIFIER } as const;

export const PROPERTIES: readonly Property[] = [
  {
    id: "author",
    name: "Author",
    members: BOOKS("author_name"),
    values: "author",
    weight: 2,
    isSought: true,
  },
  { id: "isbn", name: "ISBN", members: BOOKS("isbn"), values: "isbn", weight: 4, isSought: true },
  { id: "year", name: "Year", members: { work: "first_publish_year", edition: "publish_year" }, ...NUMBER },
  { id: "publisher", name: "Publisher", members: BOOKS("publisher"), ...TEXT },
  { id: "language", name: "Language (code)", members: BOOKS("language"), values: "identifier", weight: 1 },
  { id: "subject", name: "Subject", members: { work: "subject" }, ...TEXT },
  { id: "lccn", name: "LCCN", members: BOOKS("lccn"), ...IDENTIFIER },
  { id: "oclc", name: "OCLC number", members: BOOKS("oclc"), ...IDENTIFIER },
  { id: "subtitle", name: "Subtitle", members: BOOKS("subtitle"), ...TEXT },
  { id: "format", name: "Format", members: BOOKS("format"), ...TEXT },
  { id: "edition_count", name: "Number of editions", members: { work: "edition_count" }, ...NUMBER },
  { id: "birth_date", name: "Born", members: { author: "birth_date" }, ...TEXT },
  { id: "death_date", name: "Died", members: { author: "death_date" }, ...TEXT },
  { id: "top_work", name: "Known for", members: { author: "top_work" }, ...TEXT },
  { id: "other_names", name: "Other names", members: { author: "alternate_names" }, ...TEXT },
  {
    id: "work_count",
    name: "Number of works",
    members: { author: "work_count", subject: "work_count" },
    ...NUMBER,
  },
  { id: "viaf", name: "VIAF ID", ...AUTHOR_NUMBER },
  { id: "isni", name: "ISNI", ...AUTHOR_NUMBER },
  { id: "gnd", name: "GND ID", ...AUTHOR_NUMBER },
  { id: "lc_naf", name: "LC name authority ID", ...AUTHOR_NUMBER },
  { id: "wikidata", name: "Wikidata ID", ...AUTHOR_NUMBER },
  { id: "orcid", name: "ORCID iD", ...AUTHOR_NUMBER },
  { id: "kind", name: "Kind of subject", members: { subject: "subject_type" }, ...TEXT },
];

/** Returns the values of a property, as texts. */
export function valuesOfProperty(property: Property, type: EntityType, document: Document): string[] {
  const member = property.members[type] ?? "";
  const value: Json | undefined = document[member];
  if (member === REMOTE_IDS) {
    return stringsOf(value).flatMap((text) =>
      text.startsWith(`${property.id}:`) ? text.slice(property.id.length + 1) : [],
    );
  }
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.map(String);
  return stringsOf(value);
}

export interface RequestedValue {
  readonly text: string;
  readonly id?: string;
}

/** Returns the normal form of an identifier. */
function formOf({ id }: Property, text: string): string | undefined {
  return id === "language" ? marcCodeOf(text) : normalizeNumber(id, text);
}

/** Returns the similarity to the nearest value of an entity (0 to 100); undefined if it has none. */
export function similarityOf(
  property: Property,
  queryValue: RequestedValue,
  entity: { type: EntityType; document: Document },
): number | undefined {
  const entityValues = valuesOfProperty(property, entity.type, entity.document);
  if (entityValues.length === 0) return undefined;
  const { text, id } = queryValue;
  if (property.values === "author" && id !== undefined)
    return stringsOf(entity.document["author_key"]).includes(id) ? 100 : 0;
  switch (property.values) {
    case "number":
      return Math.max(...entityValues.map((value) => nearnessOf(Number(value), Number(text))));
    case "isbn":
      return isbnsOf(text).some((isbn) => entityValues.includes(isbn)) ? 100 : 0;
    case "identifier": {
      const form = formOf(property, text);
      return form !== undefined && entityValues.some((value) => formOf(property, value) === form) ? 100 : 0;
    }
    case "author": {
      const { name } = parseAuthorHeading(text);
      return Math.max(...entityValues.map((value) => partialSimilarityOf(value, name)));
    }
    default:
      return Math.max(...entityValues.map((value) => partialSimilarityOf(value, text)));
  }
}

/** Difference at which years and counts are half as similar. */
const HALF_AS_NEAR = 5;
const WHOLE = 100;

function nearnessOf(a: number, b: number): number {
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? 0 : Math.round((WHOLE * HALF_AS_NEAR) / (HALF_AS_NEAR + difference));
}

function isbnsOf(text: string): string[] {
  const isbn = toCanonicalIsbn(text);
  const opposite = isbn === undefined ? undefined : toOppositeIsbn(isbn);
  return [isbn, opposite].filter((form) => form !== undefined);
}

/** Returns the condition to search candidates by; undefined for a value that gives none. */
export function candidateQueryOf(property: Property, { text, id }: RequestedValue): Query | undefined {
  if (!property.isSought) return undefined;
  if (property.values === "isbn") {
    const isbns = isbnsOf(text);
    return isbns.length === 0 ? undefined : anyOf(isbns.map((isbn) => equals("isbn", isbn)));
  }
  if (property.values === "identifier")
    return equals(property.members.author ?? property.id, normalizeNumber(property.id, text));
  if (id !== undefined) return equals("author_key", id);
  const words = toWordsQuery(parseAuthorHeading(text).name);
  return words && anyOf([inField(words, "author_name"), inField(words, "author_alternative_name")]);
}

function inField(query: Query, field: string): Query {
  if (query.op === "match") return { ...query, field };
  return query.op === "and" ? allOf(query.of.map((part) => inField(part, field))) : query;
}

const WORDS_MAX = 30;
/** Pattern of the word that titles may also write as a sign. */
const AND = /(?<!\S)and(?!\S)/gi;

/** Returns a query for all words of a text, without its signs; undefined without any. */
export function toWordsQuery(text: string): Query | undefined {
  const words = text.replace(AND, " ").replaceAll("*", " ").trim().split(/\s+/);
  const tree = literalTree(words.slice(0, WORDS_MAX).join(" "));
  return tree === undefined ? undefined : toQuery(tree, ({ name }) => name);
}

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const LENGTH_MAX = 300;

/**
 * Returns the similarity of two names, from 0 to 100: 100 if they differ only in case, accents, signs and the order of
 * their words, else at most 99, by the pairs of letters that both have (Dice's coefficient).
 */
export function nameSimilarityOf(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  if (first.length === 0 || second.length === 0) return 0;
  const inOrder = comparePairs(first.join(" "), second.join(" "));
  const sorted = comparePairs(first.toSorted().join(" "), second.toSorted().join(" "));
  return Math.max(inOrder, sorted);
}

/** Minimum similarity of a name that has all words of another one: `Austen` and `J. Austen` for `Jane Austen`. */
const PART = 90;

/** Returns the similarity of names where a part may stand for the whole. Single letters are initials. */
export function partialSimilarityOf(name: string, part: string): number {
  const [nameWords, partWords] = [wordsOf(name), wordsOf(part)];
  const isIn = (word: string): boolean =>
    nameWords.some((nameWord) => nameWord === word || (word.length === 1 && nameWord.startsWith(word)));
  const likeness = nameSimilarityOf(name, part);
  return partWords.length > 0 && partWords.every(isIn) ? Math.max(PART, likeness) : likeness;
}

function wordsOf(text: string): string[] {
  const folded = fold(text.slice(0, LENGTH_MAX).replaceAll("&", " and ")).replace(NO_LETTERS, " ").trim();
  return folded === "" ? [] : folded.split(" ");
}

function comparePairs(a: string, b: string): number {
  if (a === b) return 100;
  const [first, second] = [pairsOf(a), pairsOf(b)];
  const counts = new Map<string, number>();
  for (const pair of first) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of second) {
    const remaining = counts.get(pair) ?? 0;
    if (remaining === 0) continue;
    shared += 1;
    counts.set(pair, remaining - 1);
  }
  return Math.min(99, Math.floor((200 * shared) / (first.length + second.length)));
}

/** Returns the pairs of letters, with a blank before and after the text, so that beginnings count. */
function pairsOf(text: string): string[] {
  const padded = ` ${text} `;
  return Array.from({ length: padded.length - 1 }, (_pair, at) => padded.slice(at, at + 2));
}
