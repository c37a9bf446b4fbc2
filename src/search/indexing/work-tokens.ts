import { accessLevelOf } from "../documents/scans.ts";
import { SUBJECT_TYPES, subjectKey } from "../documents/subject-key.ts";
import type { WorkDocument } from "../documents/types.ts";
import { codeOf } from "../fields.ts";
import { memoize } from "../text/remembered.ts";
import { addBookTokens, tokenAdderOf, recurrentTokenAdderOf } from "./book-tokens.ts";
import { exactTitleToken, filterToken, languageAccessTokenOf, yearTokensOf } from "./filter-token.ts";

/** Maximum number of titles that a work can be found by as a whole. */
const EXACT_TITLES_MAX = 200;

const SUBTITLE = ": ";

/** Limits of the remembered subjects of one kind with their tokens: their number, and the longest name. */
const REMEMBERED_SUBJECTS = { size: 5000, longest: 100 };

const SUBJECTS = SUBJECT_TYPES.map((field) => {
  const [facetCode, keyCode] = [codeOf(`${field}_facet`), codeOf(`${field}_key`)];
  const tokensOf = (name: string) => {
    const slug = subjectKey(name);
    return {
      facet: filterToken(facetCode, name),
      // A name may give no key.
      key: slug === "" ? undefined : filterToken(keyCode, slug),
    };
  };
  return { field, tokensOf: memoize(tokensOf, REMEMBERED_SUBJECTS) };
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
  const tokens = [filterToken("k", document.key)];
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
  for (const { field, tokensOf } of SUBJECTS) {
    for (const name of document[field] ?? []) {
      const { facet, key } = tokensOf(name);
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
    for (let level = 0; level <= highestLevel; level += 1) tokens.push(languageAccessTokenOf(language, level));
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
    const token = exactTitleToken(text);
    if (token !== undefined) tokens.push(token);
  }
}
