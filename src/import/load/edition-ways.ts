import { lookupLccn, normalizeOclc } from "../../catalog/identifiers/control-numbers.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { editionTitleKey, longTitle, normalizedTitle } from "../../catalog/matching/title-keys.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, nonIsbnAsin } from "../record.ts";
import type { Lookup } from "./found.ts";

/** Values of one kind, such as ISBNs, that one record is looked for by: the first ones. */
export const VALUES_SEARCHED = 100;
const WIKISOURCE = "wikisource:";

export type EditionWays = ReturnType<typeof editionWays>;

/** The ways in which editions of the same book as a record's are looked for. */
export function editionWays(record: ImportRecord) {
  const title = stringsOf(record["title"]).slice(0, 1);
  const edition = stringsOf(record["openlibrary"]).slice(0, 1);
  const all = stringsOf(record["source_records"]);
  // The page that a record from Wikisource is about.
  const page = all.find((source) => source.startsWith(WIKISOURCE))?.slice(WIKISOURCE.length);
  const sources = all.slice(0, 1);
  return {
    /** The edition that the record says it is. */
    openlibrary: edition.map((olid): Lookup => ({ table: "key", name: "", value: `/books/${olid}` })),
    /** Undefined unless the record comes from Wikisource: then it is looked for in this way alone. */
    wikisource: page === undefined ? undefined : identifiers("wikisource", [page], trimmed),
    /** Gives editions whose titles begin alike: those with the very title are among them. */
    title: titles("title", title.map(normalizedTitle)),
    /** The same where a title is too long for that: very many begin with `Annual report of the`. */
    longTitle: titles("long_title", title.map(longTitle)),
    /** Gives editions of the record's first source whose titles begin alike. */
    origin: title.flatMap((text) => titledSources(sources, normalizedTitle(text))),
    oclc: identifiers("oclc", record["oclc_numbers"], normalizeOclc),
    lccn: identifiers("lccn", record["lccn"], lookupLccn),
    ocaid: identifiers("ocaid", record["ocaid"], (text) => text),
    titleKey: titles("title", title.map(editionTitleKey)),
    isbn: identifiers("isbn", isbnsOf(record), canonicalIsbn),
    asin: identifiers("amazon", nonIsbnAsin(record), trimmed),
    /** The first source, if it is a scan. */
    source: identifiers(
      "source",
      sources.filter((source) => source.startsWith("ia:")),
      (text) => text,
    ),
  };
}

/** All ISBNs of a record, as they stand there. */
export function isbnsOf(record: ImportRecord): string[] {
  return ["isbn_10", "isbn_13", "isbn"].flatMap((member) => stringsOf(record[member]));
}

function titles(name: string, keys: readonly (string | undefined)[]): Lookup[] {
  return keys.flatMap((value) => (value ? [{ table: "property", name, value }] : []));
}

/** A source may be that of thousands, such as a delivery: only those with the title are worth a look. */
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
