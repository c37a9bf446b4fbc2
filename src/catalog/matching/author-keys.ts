import { type CatalogRecord, stringsOf } from "../record.ts";
import { normalizedTitle, wholeTitle } from "./title-keys.ts";

/** Years of a date that are looked at: a date has one or two. */
const YEARS_MAX = 8;
/** What is looked at of a date of an author, in UTF-16 units. */
const DATE_LENGTH = 200;
const BLANK = /\s/;

/**
 * The key by which authors are found by a name: what names that differ in case, accents or blanks have
 * in common. Empty for names without a letter. It is `normalizedTitle` without its cut at 25 characters, since the names
 * of bodies, such as committees of a parliament, differ after them.
 */
export function authorNameKey(name: string): string {
  return wholeTitle(name);
}

/** True for names that the row `name` of the property index holds whole: it cuts longer ones. */
export function isShortName(name: string): boolean {
  return authorNameKey(name) === normalizedTitle(name);
}

/** Rows `alternate_names` of an author: keys of alternate names, and of a name that the row `name` cuts. */
export function authorNameRows(record: CatalogRecord): string[] {
  const long = stringsOf(record["name"]).filter((name) => !isShortName(name));
  const keys = [...long, ...stringsOf(record["alternate_names"])].map(authorNameKey);
  return [...new Set(keys)].filter((key) => key !== "");
}

/** Rows of the property index by which authors are found who share a name with this one. */
export function sameNameRows(record: CatalogRecord): (readonly ["name" | "alternate_names", string])[] {
  const names = [...stringsOf(record["name"]), ...stringsOf(record["alternate_names"])];
  const keys = [...new Set(names.map(authorNameKey))].filter((key) => key !== "");
  return keys.flatMap((key) => {
    const other = ["alternate_names", key] as const;
    return isShortName(key) ? [["name", key] as const, other] : [other];
  });
}

/** Keys of an author by last word, birth and death: `brewer 1829 1910`. None without a name or both years. */
export function authorYearsKeys(record: CatalogRecord): string[] {
  const word = authorNameKey(lastWord(textIn(record, "name")));
  if (word === "") return [];
  const deaths = yearsIn(textIn(record, "death_date"));
  const births = yearsIn(textIn(record, "birth_date"));
  return births.flatMap((birth) => deaths.map((death) => `${word} ${birth} ${death}`));
}

/** The last word of a name; empty for an empty name. */
export function lastWord(name: string): string {
  const trimmed = name.trim();
  // From the end: a search for the last word from the start takes time with the square of the length of others.
  let start = trimmed.length;
  while (start > 0 && !BLANK.test(trimmed.charAt(start - 1))) start -= 1;
  return trimmed.slice(start);
}

/** All that reads as a year of four digits in a date: `18290914` has 1829, and others that harm nobody. */
function yearsIn(date: string): string[] {
  const years = [...date.slice(0, DATE_LENGTH).matchAll(/(?=(\d{4}))/g)].map(([, year = ""]) => year);
  return [...new Set(years)].slice(0, YEARS_MAX);
}

function textIn(record: CatalogRecord, member: string): string {
  return stringsOf(record[member])[0] ?? "";
}
