import { canonicalIsbn, isChecked } from "../identifiers/isbn.ts";
import { type CatalogRecord, type Json, isObject, memberOf, stringsOf, typeKey } from "../record.ts";
import { readView } from "../view.ts";
import { type WriteFailure, badDocument } from "./failure.ts";
import { fieldText } from "./form-members.ts";
import { splitLines } from "./form-texts.ts";
import { fingerprint } from "./same-values.ts";

/** A record that a form changes. */
export interface Edited {
  readonly key: string;
  /** As it is stored now. */
  readonly document: CatalogRecord;
  /** What the form was filled with, as readers get it: perhaps an older revision. */
  readonly shown: CatalogRecord;
}

/**
 * Members that a form changes and that somebody else has changed since it was filled, to something else: each is a 409
 * that names its place. A pure function.
 */
export function conflictsOf({ key, document, shown }: Edited, members: CatalogRecord): WriteFailure[] {
  const now = readView(document);
  const type = typeKey(now) ?? "";
  const isSame = (name: string, one: Json | undefined, other: Json | undefined): boolean => {
    if (fingerprint(one ?? null) === fingerprint(other ?? null)) return true;
    // A text has two forms, and nothing has several.
    const [a, b] = [fieldText(type, name, one), fieldText(type, name, other)];
    return a === b && (a !== "" || (isNothing(one) && isNothing(other)));
  };
  return Object.keys(members)
    .filter((name) => {
      const [before, present, wanted] = [shown, now, members].map((record) => memberOf(record, name));
      return !isSame(name, present, before) && !isSame(name, present, wanted);
    })
    .map((name) => ({
      status: 409,
      error: "conflict",
      message: "Somebody has changed this since you began.",
      key,
      at: { key, property: name },
    }));
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const DATES = ["publish_date", "first_publish_date"];

/**
 * Finds dates of books that a form changes to a text without a year, such as `sixteen hundred`. Each is a 400 at its member,
 * unless the form confirms it by `_undated`.
 */
export function undatedFailures(
  { key, document }: Pick<Edited, "key" | "document">,
  members: CatalogRecord,
  { _undated: confirmed }: CatalogRecord,
): WriteFailure[] {
  if (confirmed !== undefined) return [];
  return DATES.flatMap((property) => {
    const date = members[property];
    const isUndated = typeof date === "string" && date !== "" && !/\d{2}/.test(date);
    if (!isUndated || date === document[property]) return [];
    return [badDocument(`This date has no year: ${date}`, { key, property })];
  });
}

/**
 * ISBNs that a form adds to an edition and whose last digit does not fit: each is a 400 at its member, unless the form
 * says `_misprinted`. Those that the edition had may stay.
 */
export function misprintedIsbns(
  { edition: sent, _misprinted: asked }: CatalogRecord,
  edition: Edited,
): WriteFailure[] {
  if (!isObject(sent) || asked !== undefined) return [];
  return ["isbn_10", "isbn_13"].flatMap((property) => {
    const text = sent[property];
    const known = stringsOf(edition.document[property]);
    const wrong = (typeof text === "string" ? splitLines(text) : []).find(
      (isbn) => !known.includes(isbn) && !isChecked(canonicalIsbn(isbn) ?? ""),
    );
    const at = { key: edition.key, property };
    return wrong === undefined ? [] : [badDocument(`This is no ISBN: ${wrong}`, at)];
  });
}
