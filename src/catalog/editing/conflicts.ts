import { toCanonicalIsbn, hasValidCheckDigit } from "../identifiers/isbn.ts";
import { parseDate } from "../publication-date.ts";
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

/**
 * Finds dates of books that a form changes to a text without a year, such as `sixteen hundred`. Each is a 400 at its
 * member, unless the form confirms it with `_undated`.
 */
export function findUndatedDates(
  { key, document }: Pick<EditedRecord, "key" | "document">,
  members: CatalogRecord,
  { _undated: confirmed }: CatalogRecord,
): WriteFailure[] {
  if (confirmed !== undefined) return [];
  return DATES.flatMap((property) => {
    const date = members[property];
    const isUndated = typeof date === "string" && date !== "" && parseDate(date) === undefined;
    if (!isUndated || date === document[property]) return [];
    return [documentFailure({ key: "edit.no_year", values: { date } }, { key, property })];
  });
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
