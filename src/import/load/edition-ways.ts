import { lookupLccn, normalizeOclc } from "../../catalog/identifiers/edition-identifiers.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { editionTitleKey, longTitle, normalizedTitle } from "../../catalog/matching/match-keys.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, nonIsbnAsin } from "../record.ts";
import type { Lookup } from "./found.ts";

/** Maximum values of one kind, such as ISBNs, by which a record is looked up. */
export const VALUES_SEARCHED = 100;
const WIKISOURCE = "wikisource:";

export type EditionWays = ReturnType<typeof editionWays>;

/** Returns the lookups for editions of the same book as a record's. */
export function editionWays(record: ImportRecord) {
  const title = stringsOf(record["title"]).slice(0, 1);
  const edition = stringsOf(record["openlibrary"]).slice(0, 1);
  const all = stringsOf(record["source_records"]);
  // The Wikisource page that the record describes.
  const page = all.find((source) => source.startsWith(WIKISOURCE))?.slice(WIKISOURCE.length);
  const sources = all.slice(0, 1);
  return {
    /** Lookup of the edition that the record names. */
    openlibrary: edition.map((olid): Lookup => ({ table: "key", name: "", value: `/books/${olid}` })),
    /** Undefined unless the record comes from Wikisource. Then this is the only lookup used. */
    wikisource: page === undefined ? undefined : identifiers("wikisource", [page], trimmed),
    /** Finds editions with the same start of the title, which include exact matches. */
    title: titles("title", title.map(normalizedTitle)),
    /** Finds editions whose title is too long for `title`: very many start with `Annual report of the`. */
    longTitle: titles("long_title", title.map(longTitle)),
    /** Finds editions of the record's first source with the same start of the title. */
    origin: title.flatMap((text) => titledSources(sources, normalizedTitle(text))),
    oclc: identifiers("oclc", record["oclc_numbers"], normalizeOclc),
    lccn: identifiers("lccn", record["lccn"], lookupLccn),
    ocaid: identifiers("ocaid", record["ocaid"], (text) => text),
    titleKey: titles("title", title.map(editionTitleKey)),
    isbn: identifiers("isbn", isbnsOf(record), canonicalIsbn),
    asin: identifiers("amazon", nonIsbnAsin(record), trimmed),
    /** Lookup of the first source, if it is a scan. */
    source: identifiers(
      "source",
      sources.filter((source) => source.startsWith("ia:")),
      (text) => text,
    ),
  };
}

/** Returns all ISBNs of a record, unnormalised. */
export function isbnsOf(record: ImportRecord): string[] {
  return ["isbn_10", "isbn_13", "isbn"].flatMap((member) => stringsOf(record[member]));
}

function titles(name: string, keys: readonly (string | undefined)[]): Lookup[] {
  return keys.flatMap((value) => (value ? [{ table: "property", name, value }] : []));
}

/**
 * Returns lookups by source and title: thousands of records may share a source, such as a delivery, so only those with
 * the title are useful.
 */
function titledSources(sources: readonly string[], titled: string): Lookup[] {
  return titled === ""
    ? []
    : sources.map((value) => ({ table: "identifier", name: "source", value, titled }));
}

function identifiers(
  name: string,
  values: Json | undefined,
  form: (text: string) => string | undefined,
): Lookup[] {
  const forms = stringsOf(values).flatMap((value) => form(value) ?? []);
  const distinct = [...new Set(forms)].filter((value) => value !== "").slice(0, VALUES_SEARCHED);
  return distinct.map((value) => ({ table: "identifier", name, value }));
}

function trimmed(text: string): string {
  return text.trim();
}
