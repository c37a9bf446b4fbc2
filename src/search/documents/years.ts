import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { wholeNumber } from "./values.ts";

const BARE_YEAR = /^\d{4}$/;
/** Four digits that no letter, digit or underscore touches. */
const YEAR = /(?<![\p{L}\p{N}_])\d{4}(?![\p{L}\p{N}_])/u;

/** The year in a date as publishers write it; undefined when it names none (search.md 9.1 `publish_year`). */
export function yearOf(date: string): number | undefined {
  const year = BARE_YEAR.test(date) ? date : YEAR.exec(date)?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Median of the page numbers that are numbers, rounded up; undefined without any. */
export function medianPages(editions: readonly CatalogRecord[]): number | undefined {
  const pages = editions
    .flatMap((edition) => wholeNumber(edition["number_of_pages"]) ?? [])
    .sort((one, other) => one - other);
  const upper = pages[Math.floor(pages.length / 2)];
  const lower = pages[Math.floor((pages.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : Math.ceil((upper + lower) / 2) + 0;
}

/** The least of some numbers; undefined without any. */
export function smallest(numbers: readonly number[] | undefined): number | undefined {
  let least: number | undefined;
  for (const number of numbers ?? []) if (least === undefined || number < least) least = number;
  return least;
}

/** Lexile measures of an edition. */
export function lexilesOf(edition: CatalogRecord): number[] {
  const value: Json | undefined = edition["lexile"];
  return (Array.isArray(value) ? value : [value]).flatMap((measure) => wholeNumber(measure) ?? []);
}
