import { type Json, isObject } from "../catalog/record.ts";
import { textsOf } from "./texts.ts";

/** URL prefixes for identifiers, by their source. */
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
  return Object.entries(value).flatMap(([source, ids]) => textsOf(ids).map((id) => [source, id] as const));
}
