import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { accessLevelOf } from "../documents/scans.ts";
import { SUBJECT_TYPES, subjectKeyOf } from "../documents/subject-key.ts";
import type { EditionDocument, WorkDocument } from "../documents/types.ts";
import { FIELDS, codeOf, findFieldsHaving } from "../fields.ts";
import { memoize } from "../text/memo.ts";
import {
  accessTokenOf,
  exactTitleTokenOf,
  fieldCodeOf,
  toFilterToken,
  languageAccessTokenOf,
  presenceTokenOf,
  valueTokenOf,
  yearTokensOf,
} from "./filter-token.ts";

const REMEMBERED_TOKENS = { size: 2000, longest: 100 };

/** Tokens for the presence of members, without members whose presence follows from another one. */
const PRESENCE_TOKENS = findFieldsHaving("holds").flatMap(([field]) => {
  const { namedBy, presentWith } = FIELDS.get(field) ?? {};
  return namedBy === undefined || presentWith !== undefined ? [] : [{ field, token: valueTokenOf(field) }];
});
const ACCESS_TOKENS = EBOOK_ACCESS_LEVELS.map((_level, index) => accessTokenOf(index));
const HYPHENS = /-/g;

type AddTokens = (tokens: string[], values: readonly string[] | undefined) => void;

const ADD_EXACT = findFieldsHaving("tokens").map(([field, tokens]) => ({
  field,
  add: tokens === "often" ? recurrentTokenAdderOf(field) : tokenAdderOf(field),
}));
const addIsbns = tokenAdderOf("isbn");
const addPublishers = recurrentTokenAdderOf("publisher_facet");
const identifierCode = memoize(
  (field) => ({ code: requireCode(field), presence: presenceTokenOf(field) }),
  REMEMBERED_TOKENS,
);
const knownYears = new Map<number, readonly string[]>();

/** Returns tokens of several values of a field. Throws for fields without tokens. */
export function fieldTokensOf(field: string, values: readonly string[] | undefined): string[] {
  const tokens: string[] = [];
  tokenAdderOf(field)(tokens, values);
  return tokens;
}

/** Returns a function that adds tokens of a field. Throws for fields without tokens. */
function tokenAdderOf(field: string): AddTokens {
  const code = requireCode(field);
  return (tokens, values) => {
    if (values !== undefined) for (const value of values) tokens.push(toFilterToken(code, value));
  };
}

/** Returns a function that adds memoized tokens of recurring values. Throws for fields without tokens. */
function recurrentTokenAdderOf(field: string): AddTokens {
  const code = requireCode(field);
  const tokenOf = memoize((value) => toFilterToken(code, value), REMEMBERED_TOKENS);
  return (tokens, values) => {
    if (values !== undefined) for (const value of values) tokens.push(tokenOf(value));
  };
}

/** Adds the tokens that works and editions have in common. */
export function addBookTokens(tokens: string[], document: WorkDocument | EditionDocument): void {
  addAccessTokens(tokens, document);
  for (const { field, add } of ADD_EXACT) add(tokens, document[field]);
  if (document.isbn !== undefined) addIsbns(tokens, document.isbn.flatMap(isbnFormsOf));
  addPublishers(tokens, document.publisher);
  for (const year of document.publish_year ?? []) tokens.push(...publishYearTokensOf(year));
  addIdentifierTokens(tokens, document);
  const members: Partial<Record<(typeof PRESENCE_TOKENS)[number]["field"], unknown>> = document;
  for (const { field, token } of PRESENCE_TOKENS) if (members[field] !== undefined) tokens.push(token);
}

function requireCode(field: string): string {
  const code = fieldCodeOf(field);
  if (code === undefined) throw new Error(`no tokens of ${field}`);
  return code;
}

function addAccessTokens(tokens: string[], document: WorkDocument | EditionDocument): void {
  const highest = accessLevelOf(document.ebook_access);
  for (let level = 0; level <= highest; level += 1) tokens.push(ACCESS_TOKENS[level] ?? accessTokenOf(level));
  tokens.push(
    toFilterToken("hf", String(document.has_fulltext)),
    toFilterToken("ps", String(document.public_scan_b)),
  );
}

function publishYearTokensOf(year: number): readonly string[] {
  const known = knownYears.get(year);
  if (known !== undefined) return known;
  const tokens = yearTokensOf("y", year);
  if (tokens.length > 0) knownYears.set(year, tokens);
  return tokens;
}

function addIdentifierTokens(tokens: string[], { identifiers }: WorkDocument | EditionDocument): void {
  const presence: string[] = [];
  for (const [field, values] of Object.entries(identifiers)) {
    const known = identifierCode(field);
    for (const value of values) tokens.push(toFilterToken(known.code, value));
    presence.push(known.presence);
  }
  tokens.push(...presence);
}

/** Documents keep hyphens; queries no longer have them. */
function isbnFormsOf(isbn: string): string[] {
  return isbn.includes("-") ? [isbn, isbn.replace(HYPHENS, "")] : [isbn];
}

const EXACT_TITLES_MAX = 200;

const SUBTITLE = ": ";

const REMEMBERED_SUBJECTS = { size: 5000, longest: 100 };

const SUBJECTS = SUBJECT_TYPES.map((field) => {
  const [facetCode, keyCode] = [codeOf(`${field}_facet`), codeOf(`${field}_key`)];
  const subjectTokensOf = (name: string) => {
    const slug = subjectKeyOf(name);
    return {
      facet: toFilterToken(facetCode, name),
      // A name may give no key.
      key: slug === "" ? undefined : toFilterToken(keyCode, slug),
    };
  };
  return { field, subjectTokensOf: memoize(subjectTokensOf, REMEMBERED_SUBJECTS) };
});
const addEditionKeys = tokenAdderOf("edition_key");
const addAuthorKeys = recurrentTokenAdderOf("author_key");
const addAuthorFacets = recurrentTokenAdderOf("author_facet");
const addSeriesKeys = tokenAdderOf("series_key");
const addSeriesPositions = tokenAdderOf("series_position");
const addLcc = tokenAdderOf("lcc");
const addDdc = tokenAdderOf("ddc");

/** Returns the exact values of a work, as tokens. */
export function workTokensOf(document: WorkDocument): string[] {
  const tokens = [toFilterToken("k", document.key)];
  addBookTokens(tokens, document);
  addEditionKeys(tokens, document.edition_key);
  addAuthorTokens(tokens, document);
  addSubjectTokens(tokens, document);
  addSeriesKeys(tokens, document.series_key);
  addSeriesPositions(
    tokens,
    document.series_position?.filter((position) => position !== ""),
  );
  addLcc(tokens, document.lcc);
  addDdc(tokens, document.ddc);
  if (document.first_publish_year !== undefined)
    tokens.push(...yearTokensOf("fy", document.first_publish_year));
  addLanguageAccessTokens(tokens, document);
  addTitleTokens(tokens, document);
  return tokens;
}

function addAuthorTokens(
  tokens: string[],
  { author_key: keys, author_name: names = [] }: WorkDocument,
): void {
  if (keys === undefined) return;
  addAuthorKeys(tokens, keys);
  addAuthorFacets(
    tokens,
    keys.map((key, index) => `${key} ${names[index] ?? ""}`),
  );
}

function addSubjectTokens(tokens: string[], document: WorkDocument): void {
  const keys: string[] = [];
  for (const { field, subjectTokensOf } of SUBJECTS) {
    for (const name of document[field] ?? []) {
      const { facet, key } = subjectTokensOf(name);
      tokens.push(facet);
      if (key !== undefined) keys.push(key);
    }
  }
  for (const key of keys) tokens.push(key);
}

/** Adds a token for each language and access level that one edition has together. */
function addLanguageAccessTokens(tokens: string[], { editions }: WorkDocument): void {
  const highest = new Map<string, number>();
  for (const { language = [], ebook_access: access } of editions) {
    const level = accessLevelOf(access);
    for (const code of language) highest.set(code, Math.max(level, highest.get(code) ?? 0));
  }
  for (const [language, highestLevel] of highest) {
    for (let level = 0; level <= highestLevel; level += 1)
      tokens.push(languageAccessTokenOf(language, level));
  }
}

function addTitleTokens(
  tokens: string[],
  { title, subtitle, alternative_title: others = [] }: WorkDocument,
): void {
  const titles = new Set([title]);
  if (subtitle !== undefined) titles.add(title + SUBTITLE + subtitle);
  for (const other of others.slice(0, EXACT_TITLES_MAX)) {
    titles.add(other);
    const at = other.indexOf(SUBTITLE);
    if (at > 0) titles.add(other.slice(0, at));
  }
  for (const text of [...titles].slice(0, EXACT_TITLES_MAX)) {
    const token = exactTitleTokenOf(text);
    if (token !== undefined) tokens.push(token);
  }
}
