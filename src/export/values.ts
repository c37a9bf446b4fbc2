import { type Json, type JsonObject, isObject, stringsOf } from "../catalog/record.ts";
import { yearOf } from "../search/documents/values.ts";

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
    nonBlankTextsOf(ids).map((id) => [source, id] as const),
  );
}

export interface DateParts {
  readonly year: number;
  /** From 1. */
  readonly month?: number;
  readonly day?: number;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ISO = /^\s*(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\s*$/;
/** Pattern of `March 1, 2001` and `Mar. 2001`. */
const MONTH_FIRST = /^\s*(\p{L}{3,9})\.?,? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\s*$/u;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
/** Pattern of `1 March 2001`. */
const DAY_FIRST = /^\s*(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,9})\.?,? (\d{4})\s*$/u;

/** Parses the date in a text of a record, including English month names. Returns undefined without a year. */
export function parseDate(text: string | undefined): DateParts | undefined {
  if (text === undefined) return undefined;
  const [, isoYear, isoMonth, isoDay] = ISO.exec(text) ?? [];
  if (isoYear !== undefined) return toDateParts(Number(isoYear), Number(isoMonth), isoDay);
  const [, name, day, year] = MONTH_FIRST.exec(text) ?? [];
  if (name !== undefined) return toDateParts(Number(year), monthNumberOf(name), day);
  const [, before, word, after] = DAY_FIRST.exec(text) ?? [];
  if (word !== undefined) return toDateParts(Number(after), monthNumberOf(word), before);
  // In `c1999` the year is not a separate word.
  const bareYear = yearOf(text) ?? yearOf(YEAR.exec(text)?.[0] ?? "");
  return bareYear === undefined ? undefined : { year: bareYear };
}

/** Formats a date as `2001-03-01`, or its known parts. */
export function formatIsoDate({ year, month, day }: DateParts): string {
  const texts = [String(year).padStart(4, "0")];
  for (const part of [month, day]) if (part !== undefined) texts.push(String(part).padStart(2, "0"));
  return texts.join("-");
}

function toDateParts(year: number, month: number, dayText: string | undefined): DateParts {
  if (!(month >= 1 && month <= 12)) return { year };
  const day = Number(dayText);
  return day >= 1 && day <= 31 ? { year, month, day } : { year, month };
}

/** Returns the number of a month from 1, or 0 if the name is not an English month. */
function monthNumberOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}
