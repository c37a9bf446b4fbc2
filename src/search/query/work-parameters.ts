import type { EbookAccess } from "../../catalog/ebook-access.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { shortTitlesOf } from "../../catalog/matching/match-keys.ts";
import { SUBJECT_TYPES } from "../documents/subject-key.ts";
import { normalizeTree, rulesOf } from "./normalize.ts";
import {
  type ParseOptions,
  type Query,
  anyOf,
  between,
  equals,
  NONE,
  not,
  SEARCH_TEXT_LENGTH_MAX,
} from "./query.ts";
import { type Tree, anyTree, fieldTree, freeWordsOf, literalTree, wordOfParts } from "./syntax.ts";
import { editionClausesOf, toQuery, workNaming } from "./parse-query.ts";

export const CLAUSE_PARAMETERS = [
  "title",
  "publisher",
  "oclc",
  "lccn",
  "contributor",
  "subject",
  "place",
  "person",
  "time",
  "author",
  "isbn",
] as const;

/** Parameters that restrict, with one value each. */
export const FLAG_PARAMETERS = ["has_fulltext", "public_scan", "print_disabled"] as const;

/** Parameters that restrict and can be repeated. */
export const LIST_PARAMETERS = [
  "author_key",
  "author_facet",
  "subject_facet",
  "person_facet",
  "place_facet",
  "time_facet",
  "publisher_facet",
  "first_publish_year",
  "language",
  "public_scan_b",
] as const;

/** Parameters of a search for works besides `q`: from the query string, or from the JSON of `query`. */
export type WorkParameters = {
  readonly [name in (typeof CLAUSE_PARAMETERS)[number] | (typeof FLAG_PARAMETERS)[number]]?: string;
} & {
  readonly [name in (typeof LIST_PARAMETERS)[number]]?: readonly string[];
};

export interface QueryDictionary {
  readonly q?: string;
  readonly parameters: WorkParameters;
  readonly editionsSort?: string;
}

/** Reads the JSON of `query`: unknown members are ignored, scalars become texts, lists are joined. */
export function readQueryDictionary(dictionary: Readonly<Record<string, unknown>>): QueryDictionary {
  const parameters: Record<string, string | readonly string[]> = {};
  for (const name of [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS]) {
    const text = joinedTextOf(dictionary[name]);
    if (text !== undefined) parameters[name] = text;
  }
  for (const name of LIST_PARAMETERS) {
    const texts = textsOf(dictionary[name]).filter((text) => text.trim() !== "");
    if (texts.length > 0) parameters[name] = texts;
  }
  const q = joinedTextOf(dictionary["q"]);
  const editionsSort = joinedTextOf(dictionary["editions.sort"]);
  return {
    ...(q === undefined ? {} : { q }),
    parameters,
    ...(editionsSort === undefined ? {} : { editionsSort }),
  };
}

function joinedTextOf(value: unknown): string | undefined {
  const texts = textsOf(value);
  return texts.length === 0 ? undefined : texts.join(" ");
}

const SCALARS = new Set(["string", "number", "boolean"]);

function textsOf(value: unknown): string[] {
  // A list in JSON has values of any kind.
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((element) => SCALARS.has(typeof element)).map(String);
}

interface FilterOptions extends ParseOptions {
  /** True for patrons with a print disability (cookie `pd`): full text starts at `printdisabled`. */
  printDisabled: boolean;
}

const INTEGER = /^[+-]?\d+$/;
const FACETS_OF_WORKS = SUBJECT_TYPES.map((type) => `${type}_facet` as const);

/** Returns the filters of a search. All must hold; only of several languages one is enough. */
export function filtersOf(parameters: WorkParameters, options: FilterOptions) {
  // One edition must meet these together with the edition clauses, in edition fields.
  const editionFilters = [
    ...accessFiltersOf(parameters, options.printDisabled),
    ...languageFilters(parameters.language ?? []),
    ...exactFilters("publisher_facet", parameters.publisher_facet),
    ...exactFilters("public_scan_b", parameters.public_scan_b),
  ];
  const filters = [
    ...editionFilters,
    ...authorFiltersOf(parameters, options.prefix),
    ...FACETS_OF_WORKS.flatMap((name) => exactFilters(name, parameters[name])),
    ...(parameters.first_publish_year ?? []).map((value) =>
      INTEGER.test(value.trim()) ? equals("first_publish_year", String(Number(value))) : NONE,
    ),
  ];
  return { filters, editionFilters };
}

function accessFiltersOf(parameters: WorkParameters, isPrintDisabled: boolean): Query[] {
  const least: EbookAccess = isPrintDisabled ? "printdisabled" : "borrowable";
  return [
    ...flagFilters(parameters.has_fulltext, between("ebook_access", least, null)),
    ...flagFilters(parameters.public_scan, equals("ebook_access", "public")),
    ...flagFilters(parameters.print_disabled, equals("ebook_access", "printdisabled")),
  ];
}

/** Returns the condition for `true`, its negation for `false` (Q54), none for other values. */
function flagFilters(value: string | undefined, condition: Query): Query[] {
  if (value === "true") return [condition];
  return value === "false" ? [not(condition)] : [];
}

function languageFilters(codes: readonly string[]): Query[] {
  const marcCodes = new Set(codes.map((code) => marcCodeOf(code) ?? code));
  return marcCodes.size === 0 ? [] : [anyOf([...marcCodes].map((code) => equals("language", code)))];
}

function authorFiltersOf({ author_key = [], author_facet = [] }: WorkParameters, prefix: string): Query[] {
  const rules = rulesOf("author_key", prefix);
  return exactFilters(
    "author_key",
    [...author_key, ...author_facet].map((key) => rules?.value(key) ?? key),
  );
}

function exactFilters(field: string, values: readonly string[] = []): Query[] {
  return [...new Set(values)].map((value) => equals(field, value));
}

const DIGITS = /\d+/g;
const AUTHOR_LETTER = "A";

interface Input {
  name: (typeof CLAUSE_PARAMETERS)[number];
  text: string;
  words: Tree;
}

/**
 * Returns the clauses of `title=`, `author=`, `isbn=` and the other fielded parameters. Values are plain words, `*` is
 * a wildcard, and names are those of index fields: `title=` is about the work's title alone. `author_key` is a filter.
 */
export function clausesOf(parameters: WorkParameters, { prefix }: ParseOptions) {
  const inputs = CLAUSE_PARAMETERS.flatMap((name) => parseInput(name, parameters[name] ?? ""));
  const trees = inputs.map((input) => normalizeTree(treeOf(input, prefix), prefix));
  const freeWords = inputs
    .filter(
      ({ name, text }) =>
        name === "title" || (name === "author" && findAuthorOlid(text, prefix) === undefined),
    )
    .flatMap(({ words }) => freeWordsOf(words));
  return {
    clauses: trees.map((tree) => toQuery(tree, workNaming)).filter((clause) => clause !== undefined),
    editionClauses: trees.flatMap(editionClausesOf),
    freeWords: [...new Set(freeWords)],
    tooComplex: CLAUSE_PARAMETERS.some((name) => isTooLong(parameters[name] ?? "")),
  };
}

function parseInput(name: Input["name"], text: string): Input[] {
  const words = isTooLong(text) ? undefined : literalTree(text.trim());
  return words === undefined ? [] : [{ name, text, words }];
}

function isTooLong(text: string): boolean {
  return text.length > SEARCH_TEXT_LENGTH_MAX;
}

function treeOf({ name, text, words }: Input, prefix: string): Tree {
  // Q655: the title of a work has neither a subtitle nor the name of a series.
  if (name === "title" && shortTitlesOf(text).length > 0) {
    return anyTree(["title", "alternative_title"].map((field) => fieldTree(field, words)));
  }
  if (name === "author") return treeOfAuthor(findAuthorOlid(text, prefix), words);
  const isbn = name === "isbn" ? toCanonicalIsbn(text) : undefined;
  return fieldTree(name, isbn === undefined ? words : wordOfParts([isbn]));
}

function treeOfAuthor(olid: string | undefined, words: Tree): Tree {
  if (olid !== undefined) return fieldTree("author_key", wordOfParts([olid]));
  return anyTree(["author_name", "author_alternative_name"].map((name) => fieldTree(name, words)));
}

function findAuthorOlid(text: string, prefix: string): string | undefined {
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const isOlid = text.endsWith(prefix, index) && text.charAt(index + digits.length) === AUTHOR_LETTER;
    if (isOlid) return prefix + digits + AUTHOR_LETTER;
  }
  return undefined;
}
