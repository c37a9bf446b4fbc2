import { popularity } from "../documents/popularity.ts";
import { subjectKeys } from "../documents/derived.ts";
import type { WorkDocument } from "../documents/types.ts";
import { accessLevel, bookTokens, tokensOf } from "./book-tokens.ts";
import {
  exactTitleToken,
  filterToken,
  languageAccessToken,
  popularityToken,
  yearTokens,
} from "./filter-token.ts";
import { popularityLevels } from "./popularity.ts";

/** Titles of one work by which it is found as a whole. */
export const EXACT_TITLES_MAX = 200;

const SUBTITLE = ": ";
const SUBJECT_FIELDS = ["subject", "person", "place", "time"] as const;

/** Exact values of a work, as tokens. */
export function workTokens(document: WorkDocument): string[] {
  return [
    filterToken("k", document.key),
    ...bookTokens(document),
    ...tokensOf("edition_key", document.edition_key),
    ...authorTokens(document),
    ...subjectTokens(document),
    ...tokensOf("series_key", document.series_key),
    ...tokensOf(
      "series_position",
      document.series_position?.filter((position) => position !== ""),
    ),
    ...tokensOf("lcc", document.lcc),
    ...tokensOf("ddc", document.ddc),
    ...(document.first_publish_year === undefined ? [] : yearTokens("fy", document.first_publish_year)),
    ...languageAccessTokens(document),
    ...popularityTokens(document),
    ...titleTokens(document),
  ];
}

function authorTokens({ author_key: keys = [], author_name: names = [] }: WorkDocument): string[] {
  const facets = keys.map((key, index) => `${key} ${names[index] ?? ""}`);
  return [...tokensOf("author_key", keys), ...tokensOf("author_facet", facets)];
}

function subjectTokens(document: WorkDocument): string[] {
  const facets = SUBJECT_FIELDS.flatMap((field) => tokensOf(`${field}_facet`, document[field]));
  const keys = SUBJECT_FIELDS.flatMap((field) =>
    tokensOf(`${field}_key`, subjectKeys(document[field] ?? [])),
  );
  return facets.concat(keys);
}

/** Language and openness of one and the same edition (search.md 13.6). */
function languageAccessTokens({ editions }: WorkDocument): string[] {
  const highest = new Map<string, number>();
  for (const { language = [], ebook_access: access } of editions) {
    const level = accessLevel(access);
    for (const code of language) highest.set(code, Math.max(level, highest.get(code) ?? 0));
  }
  return [...highest].flatMap(([language, level]) =>
    Array.from({ length: level + 1 }, (_empty, index) => languageAccessToken(language, index)),
  );
}

function popularityTokens(document: WorkDocument): string[] {
  const levels = popularityLevels(popularity(document));
  return Array.from({ length: levels }, (_empty, level) => popularityToken(level));
}

function titleTokens({ title, subtitle, alternative_title: others = [] }: WorkDocument): string[] {
  const titles = new Set([title]);
  if (subtitle !== undefined) titles.add(title + SUBTITLE + subtitle);
  for (const other of others.slice(0, EXACT_TITLES_MAX)) {
    titles.add(other);
    const at = other.indexOf(SUBTITLE);
    if (at > 0) titles.add(other.slice(0, at));
  }
  return [...titles].slice(0, EXACT_TITLES_MAX).flatMap((text) => exactTitleToken(text) ?? []);
}
