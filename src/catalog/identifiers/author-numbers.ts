import { type CatalogRecord, type Json, isObject, stringsOf } from "../record.ts";
import { toNormalForm } from "../matching/match-keys.ts";
import { lccnSpellingsOf, normalizeLccn } from "./edition-identifiers.ts";

/** Number of an author in another catalog: an entry of `remote_ids`. */
export interface AuthorNumber {
  /** Catalog, such as `viaf`. */
  readonly scheme: string;
  readonly value: string;
}

interface Scheme {
  /** Names and MARC codes before a number, in lower case without signs. */
  readonly names: RegExp;
  readonly address: RegExp;
  /** Returns the normal form of a number without blanks. Returns undefined for other texts. */
  normalize(number: string): string | undefined;
  /** Pattern of normal forms that are numbers of the scheme without a name too. */
  readonly unnamed?: RegExp;
  /** Addresses before a number, without `http://`. */
  readonly paths: readonly string[];
  /** Returns spellings in records that were stored before numbers were normalised, except addresses. */
  spellingsOf?(value: string): string[];
}

const ANY = /^/;
const GROUPS = /.{4}(?=.)/g;

const SCHEMES: ReadonlyMap<string, Scheme> = new Map(
  Object.entries<Scheme>({
    viaf: {
      names: /^viaf$/,
      address: /\bviaf\.org\//i,
      normalize: (number) => /^\d{1,22}$/.exec(number)?.[0],
      paths: ["viaf.org/viaf/"],
    },
    wikidata: {
      names: /^(?:wikidata|wd|wkp)$/,
      address: /\bwikidata\.org\//i,
      normalize: (number) => /^Q[1-9]\d*$/.exec(number.toUpperCase())?.[0],
      unnamed: ANY,
      paths: ["www.wikidata.org/entity/", "www.wikidata.org/wiki/"],
    },
    gnd: {
      names: /^(?:gnd|pnd|de588a?|de101c)$/,
      address: /\/gnd\//i,
      normalize: normalizeGnd,
      paths: ["d-nb.info/gnd/"],
      spellingsOf: (value) => [`(DE-588)${value}`],
    },
    lc_naf: {
      names: /^(?:lcnaf|naf|lc|lccn|dlc)$/,
      address: /\bid\.loc\.gov\//i,
      normalize: (number) => /^n.*/.exec(normalizeLccn(number) ?? "")?.[0],
      unnamed: ANY,
      paths: ["id.loc.gov/authorities/names/"],
      spellingsOf: (value) =>
        lccnSpellingsOf(value).flatMap((number) => [number, number.replace(/\d/, " $&")]),
    },
    orcid: {
      names: /^orcid$/,
      address: /\borcid\.org\//i,
      normalize: (number) => normalizeIsni(number)?.replace(GROUPS, "$&-"),
      // ORCID iDs are a block of the ISNIs.
      unnamed: /^(?:0000-000(?:1-[5-9]|2|3-[0-4])|0009)/,
      paths: ["orcid.org/"],
    },
    isni: {
      names: /^isni$/,
      address: /\bisni(?:\.org|-url\.oclc\.nl)\//i,
      normalize: normalizeIsni,
      unnamed: ANY,
      paths: ["isni.org/isni/", "www.isni.org/isni/"],
      spellingsOf: (value) => [" ", "-"].map((sign) => value.replace(GROUPS, `$&${sign}`)),
    },
  }),
);

const INVISIBLE = /\p{Cf}/gu;
const HYPHENS = /\p{Pd}/gu;
const BLANKS = /\s+/g;
/** Pattern of `(DE-588)118540238`, `urn:isni:…`, `VIAF ID: 102333412`, `LC|n  79021164`. */
const NAMED = /^\(?(?:urn:|info:)?([a-z][\w-]*)(?:[)\s:=|/]|\bid\b)+(.+)$/is;
const SEGMENT_ENDS = /[/?#<>]/;
const EXTENSION = /\.[a-z]+$/i;
/** Maximum length of a number with its name or address, in UTF-16 units. */
const LENGTH_MAX = 300;

/**
 * Parses a number of an author in any usual spelling: bare, after the name of its scheme or a code in parentheses, or an
 * address. With a scheme only its numbers are parsed, and other texts are trimmed. Returns undefined for a blank text, and
 * without a scheme for a text that is no number of a known one.
 */
export function parseAuthorNumber(text: string, scheme?: string): AuthorNumber | undefined {
  const known = scheme === undefined ? undefined : schemeNamed(scheme);
  const plain = toNormalForm(text.slice(0, LENGTH_MAX), "NFKC").replace(INVISIBLE, "").replace(HYPHENS, "-");
  for (const [name, rules] of SCHEMES) {
    if (scheme !== undefined && name !== known) continue;
    const value = readNumber(plain.trim(), rules, { isUnnamed: scheme === undefined });
    if (value !== undefined && text.length <= LENGTH_MAX) return { scheme: name, value };
  }
  const value = text.trim();
  return scheme === undefined || value === "" ? undefined : { scheme, value };
}

function schemeNamed(text: string): string | undefined {
  const name = text.toLowerCase().replace(/[^a-z\d]+/g, "");
  for (const [scheme, { names }] of SCHEMES) if (names.test(name)) return scheme;
  return undefined;
}

function readNumber(text: string, rules: Scheme, { isUnnamed }: { isUnnamed: boolean }): string | undefined {
  const normalize = (part: string): string | undefined => rules.normalize(part.replace(BLANKS, ""));
  if (rules.address.test(text)) {
    const segments = text.split(SEGMENT_ENDS).map((segment) => segment.replace(EXTENSION, ""));
    return segments.map(normalize).find((value) => value !== undefined);
  }
  const [, name = "", number = ""] = NAMED.exec(text) ?? [];
  if (SCHEMES.get(schemeNamed(name) ?? "") === rules) return normalize(number);
  const value = normalize(text);
  return isUnnamed && rules.unnamed?.test(value ?? "") !== true ? undefined : value;
}

function normalizeGnd(number: string): string | undefined {
  const [value] = /^\d{1,10}-?[\dX]$/.exec(number.toUpperCase()) ?? [];
  // Numbers of subjects and organisations have a hyphen, which some programs remove.
  return value?.replace(/^([2-9]\d{6})([\dX])$/, "$1-$2");
}

function normalizeIsni(number: string): string | undefined {
  return /^\d{15}[\dX]$/.exec(number.replaceAll("-", "").toUpperCase())?.[0];
}

/** Returns the spellings in which records may have the same number, the normal form first. */
export function authorNumberSpellingsOf({ scheme, value }: AuthorNumber): string[] {
  const { paths = [], spellingsOf } = SCHEMES.get(scheme) ?? {};
  const addresses = paths.flatMap((path) => [`http://${path}${value}`, `https://${path}${value}`]);
  return [...new Set([value, ...(spellingsOf?.(value) ?? []), ...addresses])];
}

/** Returns the numbers of `remote_ids`, stored or imported, in their normal form. */
export function authorNumbersOf(remoteIds: Json | undefined): AuthorNumber[] {
  if (!isObject(remoteIds)) return [];
  return Object.entries(remoteIds).flatMap(([scheme, values]) =>
    stringsOf(values).flatMap((value) => parseAuthorNumber(value, scheme) ?? []),
  );
}

export function normalizeRemoteIds(remoteIds: CatalogRecord): CatalogRecord {
  return Object.fromEntries(authorNumbersOf(remoteIds).map(({ scheme, value }) => [scheme, value]));
}
