import { toCanonicalIsbn, hasValidCheckDigit } from "../identifiers/isbn.ts";
import { parseDate } from "../publication-date.ts";
import type { TextKey } from "../texts.ts";
import { type CatalogRecord, type Json, isObject, memberOf, stringsOf, typeKeyOf } from "../record.ts";
import { toReadView } from "../document.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";
import { fieldTextOf } from "./form-members.ts";
import { splitLines } from "./form-texts.ts";
import { fingerprint } from "./same-values.ts";

export interface EditedRecord {
  readonly key: string;
  readonly document: CatalogRecord;
  /** Document that filled the form, as readers see it; possibly an older revision. */
  readonly shown: CatalogRecord;
}

/**
 * Returns a 409 failure, with its place, for each member that the form changes and that was changed to another value
 * since the form was filled. Pure function.
 */
export function conflictsOf(
  { key, document, shown: initial }: EditedRecord,
  members: CatalogRecord,
): WriteFailure[] {
  const now = toReadView(document);
  const type = typeKeyOf(now) ?? "";
  const isSame = (name: string, a: Json | undefined, b: Json | undefined): boolean => {
    if (fingerprint(a ?? null) === fingerprint(b ?? null)) return true;
    // A text has two stored forms, and an empty value several.
    const text = fieldTextOf(type, name, a);
    return text === fieldTextOf(type, name, b) && (text !== "" || (isEmptyValue(a) && isEmptyValue(b)));
  };
  return Object.keys(members)
    .filter((name) => {
      const [before, present, wanted] = [initial, now, members].map((record) => memberOf(record, name));
      return !isSame(name, present, before) && !isSame(name, present, wanted);
    })
    .map((name) => ({
      status: 409,
      error: "conflict",
      text: { key: "edit.conflict" },
      key,
      at: { key, property: name },
    }));
}

function isEmptyValue(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const DATES = ["publish_date", "first_publish_date"];

/** Years that announced books may be ahead. */
const YEARS_AHEAD = 2;

/**
 * Finds dates of books that a form changes to a text without a year, such as `sixteen hundred`, to a year more than two
 * after `thisYear`, or to a day that no calendar has, such as `1853-13`. Each is a 400 at its member, unless the form
 * confirms it with `_undated`.
 */
export function findDoubtfulDates(
  { key, document }: Pick<EditedRecord, "key" | "document">,
  members: CatalogRecord,
  { thisYear, isConfirmed }: { thisYear: number; isConfirmed: boolean },
): WriteFailure[] {
  if (isConfirmed) return [];
  return DATES.flatMap((property) => {
    const date = members[property];
    if (typeof date !== "string" || date === "" || date === document[property]) return [];
    const doubt = findDoubt(date, thisYear);
    return doubt === undefined ? [] : [documentFailure({ key: doubt, values: { date } }, { key, property })];
  });
}

/** Date in numbers: `1853-13`, `1999-02-30`. A second part above the end of the first is a span of years: `1853-54`. */
const NUMBERS = /^\d\d(\d\d)-(\d\d)(?:-(\d\d))?$/;

function findDoubt(text: string, thisYear: number): TextKey | undefined {
  const date = parseDate(text);
  if (date === undefined) return "edit.no_year";
  if (date.year > thisYear + YEARS_AHEAD) return "edit.future_date";
  const [, end = "", month, day] = NUMBERS.exec(text.trim()) ?? [];
  if (month === undefined || (day === undefined && month > end)) return undefined;
  const isDay = Number(day ?? 1) <= new Date(Date.UTC(date.year, Number(month), 0)).getUTCDate();
  return month >= "01" && month <= "12" && day !== "00" && isDay ? undefined : "edit.no_such_day";
}

/**
 * Returns a 400 failure at the member if a form adds an ISBN with a wrong check digit to an edition, unless the form
 * confirms it with `_misprinted`. ISBNs that the edition already had are accepted.
 */
export function findMisprintedIsbns(
  { edition: fields, _misprinted: confirmed }: CatalogRecord,
  edition: EditedRecord,
): WriteFailure[] {
  if (!isObject(fields) || confirmed !== undefined) return [];
  return ["isbn_10", "isbn_13"].flatMap((property) => {
    const text = fields[property];
    const known = stringsOf(edition.document[property]);
    const wrong = (typeof text === "string" ? splitLines(text) : []).find(
      (isbn) => !known.includes(isbn) && !hasValidCheckDigit(toCanonicalIsbn(isbn) ?? ""),
    );
    const at = { key: edition.key, property };
    return wrong === undefined
      ? []
      : [documentFailure({ key: "edit.not_isbn", values: { isbn: wrong } }, at)];
  });
}
