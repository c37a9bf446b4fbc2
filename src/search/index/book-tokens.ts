import { EBOOK_ACCESS_LEVELS, type EbookAccess } from "../../catalog/ebook-access.ts";
import type { EditionDocument, WorkDocument } from "../documents/types.ts";
import { accessToken, fieldCode, filterToken, presenceToken, yearTokens } from "./filter-token.ts";

/** String fields of works and editions with tokens of their own name. */
const EXACT_FIELDS = [
  "language",
  "ia",
  "ia_collection",
  "ia_box_id",
  "oclc",
  "lccn",
  "ebook_provider",
] as const;

/** Fields whose presence is asked for, besides those whose presence another tells (`presenceToken`). */
const PRESENCE_FIELDS = [
  "title",
  "subtitle",
  "alternative_title",
  "alternative_subtitle",
  "chapter",
  "by_statement",
  "publish_date",
  "publish_year",
  "publish_place",
  "publisher",
  "first_sentence",
  "format",
  "subject",
  "place",
  "person",
  "time",
  "oclc",
  "lccn",
  "contributor",
  "author_key",
  "author_alternative_name",
  "edition_key",
  "ia",
  "ia_collection",
  "ia_box_id",
  "isbn",
  "language",
  "ebook_provider",
  "series_key",
  "lcc",
  "ddc",
  "lexile",
  "cover_i",
  "number_of_pages_median",
  "osp_count",
] as const;

const PRESENCE_TOKENS = PRESENCE_FIELDS.map((field) => ({ field, token: presenceToken(field) }));
const HYPHENS = /-/g;

/** Place of a level of access among all, from 0. */
export function accessLevel(access: EbookAccess): number {
  return EBOOK_ACCESS_LEVELS.indexOf(access);
}

/** Tokens of several values of a field. */
export function tokensOf(field: string, values: readonly string[] | undefined): string[] {
  const code = fieldCode(field);
  if (code === undefined) throw new Error(`no tokens of ${field}`);
  return values === undefined ? [] : values.map((value) => filterToken(code, value));
}

/** Tokens that works and editions have alike. */
export function bookTokens(document: WorkDocument | EditionDocument): string[] {
  return [
    ...accessTokens(document),
    ...EXACT_FIELDS.flatMap((field) => tokensOf(field, document[field])),
    ...tokensOf("isbn", document.isbn?.flatMap(withoutHyphens)),
    ...tokensOf("publisher_facet", document.publisher),
    ...(document.publish_year ?? []).flatMap((year) => yearTokens("y", year)),
    ...identifierTokens(document),
    ...presenceTokens(document),
  ];
}

function accessTokens(document: WorkDocument | EditionDocument): string[] {
  const levels = EBOOK_ACCESS_LEVELS.slice(0, accessLevel(document.ebook_access) + 1);
  return [
    ...levels.map((_level, index) => accessToken(index)),
    filterToken("hf", String(document.has_fulltext)),
    filterToken("ps", String(document.public_scan_b)),
  ];
}

function identifierTokens({ identifiers }: WorkDocument | EditionDocument): string[] {
  const tokens = Object.entries(identifiers).flatMap(([field, values]) => tokensOf(field, values));
  return tokens.concat(Object.keys(identifiers).map(presenceToken));
}

function presenceTokens(document: WorkDocument | EditionDocument): string[] {
  const tokens: string[] = [];
  for (const { field, token } of PRESENCE_TOKENS) if (field in document) tokens.push(token);
  return tokens;
}

/** Documents keep hyphens; queries have lost them (search.md 3.6). */
function withoutHyphens(isbn: string): string[] {
  return isbn.includes("-") ? [isbn, isbn.replace(HYPHENS, "")] : [isbn];
}
