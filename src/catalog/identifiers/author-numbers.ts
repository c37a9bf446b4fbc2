import { type CatalogRecord, type Json, isObject, stringsOf } from "../record.ts";
import { toNormalForm } from "../matching/match-keys.ts";

/** Number of an author in another catalog: an entry of `remote_ids`. */
export interface AuthorNumber {
  /** Catalog, such as `viaf`. */
  readonly scheme: string;
  readonly value: string;
}

type Normalizer = (number: string) => string | undefined;
const normalizeItem: Normalizer = (number) => /^Q\d+$/.exec(number.toUpperCase())?.[0];
const normalizeNaf: Normalizer = (number) => {
  const [, prefix, year, serial = ""] =
    /^(n[a-z]?)(\d{2}|\d{4})-?(\d{1,6})$/.exec(number.toLowerCase()) ?? [];
  return prefix && year && prefix + year + serial.padStart(6, "0");
};
const normalizeIsni: Normalizer = (number) =>
  /^\d{15}[\dX]$/.exec(number.replaceAll("-", "").toUpperCase())?.[0];
const normalizeOrcid: Normalizer = (number) => normalizeIsni(number)?.replace(FOURS, "$&-");
const normalizeViaf: Normalizer = (number) => /^\d{1,22}$/.exec(number)?.[0];
const normalizeGnd: Normalizer = (number) => {
  const [value] = /^\d{1,10}-?[\dX]$/.exec(number.toUpperCase()) ?? [];
  // Numbers of subjects and organisations have a hyphen, which some programs remove.
  return value?.replace(/^([2-9]\d{6})([\dX])$/, "$1-$2");
};
const FOURS = /.{4}(?=.)/g;

/** Names and MARC codes before a number, in lower case without signs; its address; its normal form without blanks. */
type Scheme = readonly [names: RegExp, address: RegExp, normalize: Normalizer];

const SCHEMES: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ["wikidata", [/^(?:wikidata|wd|wkp)$/, /wikidata\.org\//i, normalizeItem]],
  ["lc_naf", [/^(?:lcnaf|naf|lc|lccn|dlc)$/, /id\.loc\.gov\//i, normalizeNaf]],
  ["isni", [/^isni$/, /isni(?:\.org|-url\.oclc\.nl)\//i, normalizeIsni]],
  ["orcid", [/^orcid$/, /orcid\.org\//i, normalizeOrcid]],
  ["viaf", [/^viaf$/, /viaf\.org\//i, normalizeViaf]],
  ["gnd", [/^(?:gnd|pnd|de588a?|de101c)$/, /\/gnd\//i, normalizeGnd]],
]);
/** Schemes whose numbers have no shape of their own. */
const NEED_NAME: ReadonlySet<string> = new Set(["orcid", "viaf", "gnd"]);

const INVISIBLE = /\p{Cf}/gu;
const HYPHENS = /\p{Pd}/gu;
const BLANKS = /\s+/g;
const NOT_IN_NAMES = /[^a-z\d]+/g;
/** Pattern of `(DE-588)118540238`, `urn:isni:…`, `VIAF ID: 102333412`, `LC|n  79021164`. */
const NAMED = /^\(?(?:urn:|info:)?([a-z][\w-]*)[)\s:=|/]+(?:id[\s:=]+)?(\w.*)$/is;
const SEGMENT_ENDS = /\.[a-z]+(?=$|[?#])|[/?#<>]/i;
/** Maximum length of a number with its name or address, in UTF-16 units. */
const LENGTH_MAX = 300;

/**
 * Parses a number of an author in any usual spelling (Q784): bare, after the name of its scheme or a code in parentheses, or an
 * address. With a scheme only its numbers are parsed, and other texts are trimmed. Returns undefined for a blank text, and
 * without a scheme for a text that is no number of a known one.
 */
export function parseAuthorNumber(text: string, scheme?: string): AuthorNumber | undefined {
  const value = text.trim();
  const known = scheme === undefined ? undefined : schemeNamed(scheme);
  if (scheme !== undefined && known === undefined) return value === "" ? undefined : { scheme, value };
  const short = text.length > LENGTH_MAX ? "" : toNormalForm(text, "NFKC");
  const plain = short.replace(INVISIBLE, "").replace(HYPHENS, "-").trim();
  const [, name = "", named = ""] = NAMED.exec(plain) ?? [];
  const prefix = schemeNamed(name);
  for (const [candidate, [, address, normalize]] of SCHEMES) {
    const isAddress = address.test(plain);
    const isNamed = isAddress || prefix === candidate;
    if (scheme === undefined ? !isNamed && NEED_NAME.has(candidate) : candidate !== known) continue;
    for (const part of isAddress ? plain.split(SEGMENT_ENDS) : [isNamed ? named : plain]) {
      const number = normalize(part.replace(BLANKS, ""));
      if (number !== undefined) return { scheme: candidate, value: number };
    }
  }
  return scheme === undefined || value === "" ? undefined : { scheme, value };
}

function schemeNamed(text: string): string | undefined {
  const name = text.toLowerCase().replace(NOT_IN_NAMES, "");
  for (const [scheme, [names]] of SCHEMES) if (names.test(name)) return scheme;
  return undefined;
}

/** Texts before numbers in records that were stored before numbers were normalised. */
const PREFIXES: readonly (readonly [scheme: string, prefix: string])[] = [
  ["gnd", "(DE-588)"],
  ["gnd", "http://d-nb.info/gnd/"],
  ["isni", "http://isni.org/isni/"],
  ["lc_naf", "http://id.loc.gov/authorities/names/"],
  ["orcid", "http://orcid.org/"],
  ["viaf", "http://viaf.org/viaf/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
  ["wikidata", "http://www.wikidata.org/wiki/"],
];

/** Returns the spellings in which records may have the same number, besides its normal form. */
export function authorNumberSpellingsOf({ scheme, value }: AuthorNumber): string[] {
  const spaced = value.replace(scheme === "isni" ? FOURS : /^[a-z]+/, "$& ");
  const prefixed = PREFIXES.filter(([name]) => name === scheme).map(([, prefix]) => prefix + value);
  return [spaced, ...prefixed, ...prefixed.map((text) => text.replace(/^http:/, "https:"))];
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
