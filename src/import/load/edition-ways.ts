import { lookupLccn, normalizeOclc } from "../../catalog/identifiers/control-numbers.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { editionTitleKey, longTitle, normalizedTitle } from "../../catalog/matching/title-keys.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, nonIsbnAsin } from "../record.ts";
import type { Lookup } from "./found.ts";

/** Values of one kind, such as ISBNs, that one record is looked for by: the first ones. */
export const VALUES_SEARCHED = 100;
const WIKISOURCE = "wikisource:";

/** The ways in which editions of the same book are looked for. */
export interface EditionWays {
  /** The edition that the record says it is. */
  readonly openlibrary: readonly Lookup[];
  /** Undefined unless the record comes from Wikisource: then it is looked for in this way alone. */
  readonly wikisource: readonly Lookup[] | undefined;
  /** Gives editions whose titles begin alike: those with the very title are among them. */
  readonly title: readonly Lookup[];
  /** The same where a title is too long for that: very many begin with `Annual report of the`. */
  readonly longTitle: readonly Lookup[];
  /** Gives editions of the record's first source whose titles begin alike. */
  readonly origin: readonly Lookup[];
  readonly oclc: readonly Lookup[];
  readonly lccn: readonly Lookup[];
  readonly ocaid: readonly Lookup[];
  readonly titleKey: readonly Lookup[];
  readonly isbn: readonly Lookup[];
  readonly asin: readonly Lookup[];
  /** The first source, if it is a scan. */
  readonly source: readonly Lookup[];
}

/** The ways of a record. */
export function editionWays(record: ImportRecord): EditionWays {
  const title = stringsOf(record["title"]).slice(0, 1);
  const edition = stringsOf(record["openlibrary"]).slice(0, 1);
  const wikisource = wikisourceId(record);
  const sources = stringsOf(record["source_records"]).slice(0, 1);
  return {
    openlibrary: edition.map((olid) => ({ table: "key", name: "", value: `/books/${olid}` })),
    wikisource: wikisource === undefined ? undefined : identifiers("wikisource", [wikisource], trimmed),
    title: titles("title", title.map(normalizedTitle)),
    longTitle: titles("long_title", title.map(longTitle)),
    origin: title.flatMap((text) => origins(sources, normalizedTitle(text))),
    oclc: identifiers("oclc", record["oclc_numbers"], normalizeOclc),
    lccn: identifiers("lccn", record["lccn"], lookupLccn),
    ocaid: identifiers("ocaid", record["ocaid"], (text) => text),
    titleKey: titles("title", title.map(editionTitleKey)),
    isbn: identifiers("isbn", isbnsOf(record), canonicalIsbn),
    asin: identifiers("amazon", nonIsbnAsin(record), trimmed),
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

/** The page that a record from Wikisource is about. */
function wikisourceId(record: ImportRecord): string | undefined {
  const sources = stringsOf(record["source_records"]);
  return sources.find((source) => source.startsWith(WIKISOURCE))?.slice(WIKISOURCE.length);
}

function titles(name: string, keys: readonly (string | undefined)[]): Lookup[] {
  return keys.flatMap((value) => (value ? [{ table: "property", name, value }] : []));
}

/** A source may be that of thousands, such as a delivery: only those with the title are worth a look. */
function origins(sources: readonly string[], titled: string): Lookup[] {
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
