import { FIELDS } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { analysisOf } from "../text/analysis.ts";

/**
 * Codes of exact values in the full-text index: one token `<code>=<value>` for each, in the column `token`. Codes of
 * fields are in search/fields.ts; editions also have `w`, the number of their work.
 */
const FIELD_CODES: ReadonlyMap<string, string> = new Map([
  ...Object.values(PLAIN_FIELDS).flatMap((fields) => codesOf(fields)),
  ...codesOf(FIELDS),
]);

/** Maximum length of a token, in characters; values that differ only beyond it are not distinguished. */
const FILTER_TOKEN_LENGTH_MAX = 2000;
const TITLE_TOKEN_LENGTH_MAX = 60;
export const INDEXED_YEAR_MIN = -3000;
export const INDEXED_YEAR_MAX = 2999;

const YEARS_PER_DECADE = 10;
const YEARS_PER_CENTURY = 100;
const PLAIN = /^[a-z0-9]*$/;
const ASCII_CODES = 128;
const ESCAPES = /_([0-9a-f]{2})/g;
const HEXADECIMAL = 16;
const ESCAPE_OF = Array.from({ length: ASCII_CODES }, (_escape, code) =>
  PLAIN.test(String.fromCharCode(code)) ? undefined : `_${code.toString(HEXADECIMAL).padStart(2, "0")}`,
);

/** Returns the code of an index field that has tokens: `l` of `language`, `x.goodreads` of `id_goodreads`. */
export function fieldCodeOf(field: string): string | undefined {
  return field.startsWith("id_") ? `x.${encodeValue(field.slice("id_".length))}` : FIELD_CODES.get(field);
}

/**
 * Returns the token of a value: `l=eng`, `ak=_4f_4c1_41`. It consists of bytes that the index keeps together. Each
 * character is encoded on its own, so that the token is the beginning of the tokens of all longer values (`"l=en" *`).
 */
export function toFilterToken(code: string, value: string): string {
  return cutToken(`${code}=${encodeValue(value)}`);
}

/** Encodes a value: `[a-z0-9]` and non-ASCII unchanged, the rest as `_` and two hex digits. `OL1A` is `_4f_4c1_41`. */
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

/** Returns the code and value of a token; the value of a shortened token is cut off. */
export function decodeToken(token: string): { readonly code: string; readonly value: string } {
  const at = token.indexOf("=");
  const value = token
    .slice(at + 1)
    .replace(ESCAPES, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, HEXADECIMAL)));
  return { code: token.slice(0, at), value };
}

/**
 * Returns tokens of a year, its decade and its century; none outside -3000 to 2999. `code` is `y` or `fy`: 1987 has
 * `y=1987`, `yd=198` and `yc=19`.
 */
export function yearTokensOf(code: string, year: number): string[] {
  if (!Number.isInteger(year) || year < INDEXED_YEAR_MIN || year > INDEXED_YEAR_MAX) return [];
  return [
    toFilterToken(code, String(year)),
    toFilterToken(`${code}d`, String(Math.floor(year / YEARS_PER_DECADE))),
    toFilterToken(`${code}c`, String(Math.floor(year / YEARS_PER_CENTURY))),
  ];
}

/** Returns the token of works with at least this access: levels as in `EBOOK_ACCESS_LEVELS`, from 0. */
export function accessTokenOf(level: number): string {
  return `ea=${level}`;
}

/** Returns the token of works with one edition that is both in a language and at least this accessible: `le=ger.3`. */
export function languageAccessTokenOf(language: string, level: number): string {
  return `le=${encodeValue(language)}.${level}`;
}

/**
 * Returns the token of documents that have a value in a field: any name in queries, `id_goodreads` too. Derived fields
 * share the token of their source; for a field that every work and edition has, it is a token that all of them have.
 */
export function presenceTokenOf(field: string): string {
  const { always, presentWith = field } = FIELDS.get(field) ?? {};
  return always ? accessTokenOf(0) : valueTokenOf(presentWith);
}

/** Returns the token of documents that have a value in this very field. */
export function valueTokenOf(field: string): string {
  return toFilterToken("h", field);
}

/** Returns the token of an exact title, ignoring case and punctuation; undefined without words. */
export function exactTitleTokenOf(title: string): string | undefined {
  const { tokens } = analysisOf(title);
  return tokens.length === 0 ? undefined : `t=${tokens.join("_").slice(0, TITLE_TOKEN_LENGTH_MAX)}`;
}

/** Returns the FTS5 phrase of one token. No text has such a token, so that the column need not be named. */
export function quoteTokenPhrase(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

function codesOf(fields: ReadonlyMap<string, { code?: string }>): [string, string][] {
  return [...fields].flatMap(([name, { code }]) => (code === undefined ? [] : [[name, code]]));
}

function cutToken(token: string): string {
  return token.length <= FILTER_TOKEN_LENGTH_MAX
    ? token
    : token.slice(0, FILTER_TOKEN_LENGTH_MAX).toWellFormed();
}
