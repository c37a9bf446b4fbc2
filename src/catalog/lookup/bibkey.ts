import { toLookupLccn, normalizeOclc } from "../identifiers/edition-identifiers.ts";
import { asinOf, parseIsbn, toCanonicalIsbn } from "../identifiers/isbn.ts";
import { DEFAULT_PREFIX, parseOlid } from "../keys.ts";

/** Kind of a bib key; `none` matches nothing. */
type BibKeyKind = "isbn" | "lccn" | "oclc" | "ocaid" | "olid" | "asin" | "local_id" | "none";

export interface BibKey {
  /** Key as sent, trimmed: its name in the response. */
  readonly requested: string;
  readonly kind: BibKeyKind;
  /** Value in indexed form; for `olid` a number such as `OL1M`; empty for `none`. */
  readonly value: string;
  /** Requested revision, at least 1; only with `olid`. */
  readonly revision?: number;
}

type Meaning = Omit<BibKey, "requested">;
type MeaningParser = (value: string, prefix: string) => Meaning;

const NOTHING: Meaning = { kind: "none", value: "" };
const REVISION = /^(.*)@(\d{1,9})$/s;
const EDITION_FOLDER = "/books/";

const PARSERS = new Map<string, MeaningParser>([
  ["isbn", parseIsbnKey],
  ["lccn", (value) => toMeaning("lccn", toLookupLccn(value))],
  ["oclc", (value) => toMeaning("oclc", normalizeOclc(value))],
  ["ocaid", (value) => toMeaning("ocaid", value)],
  ["olid", parseOlidKey],
  // `local_id:urn:trent:0116301499939`: number assigned by a library to its copy.
  ["local_id", (value) => (value.startsWith("urn:") ? toMeaning("local_id", value) : NOTHING)],
]);
const WORD = /^(isbn|lccn|oclc|ocaid|olid)(.*)$/is;

/**
 * Parses a bib key: with a prefix, or a bare ISBN, ASIN or record number. `OLID:OL104M@1` is revision 1 of `OL104M`,
 * `isbn0-14-143951-3` the ISBN 0141439513. Unknown keys have the kind `none`.
 */
export function parseBibKey(text: string, prefix = DEFAULT_PREFIX): BibKey {
  const requested = text.trim();
  return { requested, ...parseMeaning(requested, prefix) };
}

// Q27: the prefix is optional.
function parseMeaning(key: string, prefix: string): Meaning {
  const isbn = parseIsbn(key);
  if (isbn !== undefined) return toMeaning("isbn", isbn);
  const colon = key.indexOf(":");
  if (colon >= 0) return parsePrefixed(key.slice(0, colon), key.slice(colon + 1), prefix);
  const [, word, rest] = WORD.exec(key) ?? [];
  if (word !== undefined && rest !== undefined) return parsePrefixed(word, rest, prefix);
  if (/^\d/.test(key)) return parseIsbnKey(key);
  const olid = parseOlidKey(key, prefix);
  return olid.kind === "none" ? toMeaning("asin", asinOf(key)) : olid;
}

function parsePrefixed(word: string, value: string, prefix: string): Meaning {
  const parse = PARSERS.get(word.trim().toLowerCase());
  return parse === undefined ? NOTHING : parse(value.trim(), prefix);
}

function toMeaning(kind: BibKeyKind, value: string | undefined): Meaning {
  return value === undefined || value === "" ? NOTHING : { kind, value };
}

function parseIsbnKey(value: string): Meaning {
  const isbn = toCanonicalIsbn(value);
  return isbn === undefined ? toMeaning("asin", asinOf(value)) : { kind: "isbn", value: isbn };
}

/** Parses `OL1M`, `ol1m@3`, `/books/OL1M`. Only editions can be looked up this way. */
function parseOlidKey(value: string, prefix: string): Meaning {
  const [, before = value, digits = "0"] = REVISION.exec(value) ?? [];
  const number = before.startsWith(EDITION_FOLDER) ? before.slice(EDITION_FOLDER.length) : before;
  const parsed = parseOlid(number, prefix);
  if (parsed?.kind !== "edition") return NOTHING;
  const revision = Number(digits);
  return { kind: "olid", value: parsed.olid, ...(revision > 0 && { revision }) };
}

export const BIBKEYS_MAX = 1000;

/** Splits all occurrences of `bibkeys` into trimmed keys, in order, without duplicates. */
export function splitBibKeys(occurrences: readonly string[]): string[] {
  const keys = occurrences.flatMap((occurrence) => occurrence.split(","));
  return [...new Set(keys.map((key) => key.trim()))].filter((key) => key !== "");
}
