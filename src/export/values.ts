import { normalizeNumbers } from "../catalog/identifiers/edition-identifiers.ts";
import { type Json, type JsonObject, isObject, stringsOf } from "../catalog/record.ts";

export function dropEmptyMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "",
    ),
  );
}

/** Trims a text. Returns undefined if nothing is left. */
export function trimText(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

export function nonBlankTextsOf(value: Json | undefined): string[] {
  return stringsOf(value).flatMap((text) => trimText(text) ?? []);
}

/** Kinds of material besides text, by words of the format or extent: leader (position 6) of MARC, MODS and RIS. */
const MATERIALS = [
  [/audio|\bsound|cassette|compact disc|^\[?cds?\b(?!-?rom)/i, "i", "sound recording", "SOUND"],
  [/video|\bdvds?\b(?!-?rom)|blu-?ray|\bfilm|motion picture/i, "g", "moving image", "VIDEO"],
  [/\bmaps?\b|cartographic/i, "e", "cartographic", "MAP"],
  [/\bscores?\b|sheet music|^\[?(?:notated |printed )?music\b/i, "c", "notated music", "MUSIC"],
] as const;

/** Returns the codes of a book's material, from its format or an extent such as `1 audio disc`. */
export function materialOf(
  format: string | undefined,
  extent = "",
): { marc: string; mods: string; ris: string } {
  const text = format ?? (/^\d+ [a-z]/.test(extent) ? extent : "");
  const [, marc = "a", mods = "text", ris = "BOOK"] = MATERIALS.find(([words]) => words.test(text)) ?? [];
  return { marc, mods, ris };
}

const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["bnf", "https://catalogue.bnf.fr/ark:/12148/cb"],
  ["doi", "https://doi.org/"],
  ["dnb", "https://d-nb.info/"],
  ["gnd", "https://d-nb.info/gnd/"],
  ["goodreads", "https://www.goodreads.com/book/show/"],
  ["isni", "https://isni.org/isni/"],
  ["lccn", "https://lccn.loc.gov/"],
  ["lc_naf", "http://id.loc.gov/authorities/names/"],
  ["librarything", "https://www.librarything.com/work/"],
  ["oclc", "https://www.worldcat.org/oclc/"],
  ["orcid", "https://orcid.org/"],
  ["project_gutenberg", "https://www.gutenberg.org/ebooks/"],
  ["viaf", "https://viaf.org/viaf/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
]);

export function joinNonEmpty(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== "").join(separator);
}

/** Identifier with its source: `["viaf", "102333412"]`. */
export type OtherNumber = readonly [source: string, id: string];

/** Returns the URLs of the same entity at other sites, as far as they are known. */
export function sameAsUrlsOf(numbers: readonly OtherNumber[]): string[] {
  return numbers.flatMap(([source, id]) => {
    const base = ADDRESSES.get(source);
    return base === undefined || /\s/.test(id) ? [] : [base + id];
  });
}

/** Returns the identifiers in a record's member, which has one or several per source. */
export function numbersOf(value: Json | undefined): OtherNumber[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([source, ids]) =>
    normalizeNumbers(source, ids).map((id) => [source, id] as const),
  );
}
