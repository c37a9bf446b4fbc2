import { FIELDS } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { analysisOf } from "../text/analysis.ts";

/**
 * Exact values in the full-text index: one token `<code>=<value>` for each, in the column `token`. Codes of fields are
 * in search/fields.ts; editions also have `w`, the number of their work.
 */
const FIELD_CODES: ReadonlyMap<string, string> = new Map([
  ...Object.values(PLAIN_FIELDS).flatMap((fields) => codesOf(fields)),
  ...codesOf(FIELDS),
]);

/** Longest token, in characters; what is beyond does not tell values apart. */
const FILTER_TOKEN_LENGTH_MAX = 2000;
/** Longest token of a whole title after its code, in characters. */
const TITLE_TOKEN_LENGTH_MAX = 60;
/** Years beyond have no tokens. */
export const INDEXED_YEAR_MAX = 2999;

const YEARS_PER_DECADE = 10;
const YEARS_PER_CENTURY = 100;
const PLAIN = /^[a-z0-9]*$/;
const ASCII_CODES = 128;
const ESCAPES = /_([0-9a-f]{2})/g;
const HEXADECIMAL = 16;
/** By code: what stands for a character of ASCII; undefined for those that stay. */
const ESCAPE_OF = Array.from({ length: ASCII_CODES }, (_escape, code) =>
  PLAIN.test(String.fromCharCode(code)) ? undefined : `_${code.toString(HEXADECIMAL).padStart(2, "0")}`,
);

/** Code of an index field that has tokens: `l` of `language`, `x.goodreads` of `id_goodreads`. */
export function fieldCode(field: string): string | undefined {
  return field.startsWith("id_") ? `x.${encodeValue(field.slice("id_".length))}` : FIELD_CODES.get(field);
}

/**
 * Token of a value: `l=eng`, `ak=_4f_4c1_41`. It consists of bytes that the index keeps together. Encoding is by
 * character, so that it is the beginning of the tokens of all values that start so (`"l=en" *`).
 */
export function filterToken(code: string, value: string): string {
  return cut(`${code}=${encodeValue(value)}`);
}

/** A value as it stands in tokens: `[a-z0-9]` and what is not ASCII as it is, the rest as `_` and two hex digits. */
export function encodeValue(value: string): string {
  if (PLAIN.test(value)) return value;
  let encoded = "";
  let done = 0;
  for (let at = 0; at < value.length; at += 1) {
    const escape = ESCAPE_OF[value.charCodeAt(at)];
    if (escape === undefined) continue;
    encoded += value.slice(done, at) + escape;
    done = at + 1;
  }
  return encoded + value.slice(done);
}

/** Code and value of a token; the value of one that was too long is cut off. */
export function decodeToken(token: string): { readonly code: string; readonly value: string } {
  const at = token.indexOf("=");
  const value = token
    .slice(at + 1)
    .replace(ESCAPES, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, HEXADECIMAL)));
  return { code: token.slice(0, at), value };
}

/** Tokens of a year, its decade and its century; none beyond 0 to 2999. `code` is `y` or `fy`. */
export function yearTokens(code: string, year: number): string[] {
  if (!Number.isInteger(year) || year < 0 || year > INDEXED_YEAR_MAX) return [];
  return [
    `${code}=${year}`,
    `${code}d=${Math.floor(year / YEARS_PER_DECADE)}`,
    `${code}c=${Math.floor(year / YEARS_PER_CENTURY)}`,
  ];
}

/** Token of works that are at least so open: levels as in `EBOOK_ACCESS_LEVELS`, from 0. */
export function accessToken(level: number): string {
  return `ea=${level}`;
}

/** Token of works of which one and the same edition is in a language and at least so open. */
export function languageAccessToken(language: string, level: number): string {
  return `le=${encodeValue(language)}.${level}`;
}

/**
 * Token of documents that have a value in a field: any name that queries know, `id_goodreads` too. Fields that
 * follow from others share their token; what every work and edition has is a token that all of them have.
 */
export function presenceToken(field: string): string {
  const { always, presentWith = field } = FIELDS.get(field) ?? {};
  return always ? accessToken(0) : valueToken(presentWith);
}

/** Token of documents that have a value in this very field. */
export function valueToken(field: string): string {
  return filterToken("h", field);
}

/** Token of works with exactly this title, whatever its case and punctuation; undefined when there are no words. */
export function exactTitleToken(title: string): string | undefined {
  const { tokens } = analysisOf(title);
  return tokens.length === 0 ? undefined : `t=${tokens.join("_").slice(0, TITLE_TOKEN_LENGTH_MAX)}`;
}

/** FTS5 phrase of one token. No text has such a one: its column need not be named. */
export function tokenPhrase(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

function codesOf(fields: ReadonlyMap<string, { readonly code?: string }>): [string, string][] {
  return [...fields].flatMap(([name, { code }]) => (code === undefined ? [] : [[name, code]]));
}

function cut(token: string): string {
  return token.length <= FILTER_TOKEN_LENGTH_MAX
    ? token
    : token.slice(0, FILTER_TOKEN_LENGTH_MAX).toWellFormed();
}
