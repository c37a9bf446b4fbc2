import { type CatalogRecord, type Json, isObject, keyOf, keysOf, textOf } from "../record.ts";
import { type EditedRecord, conflictsOf, findDoubtfulDates } from "./conflicts.ts";
import { parseEditionForm, NEW_KEY, NewRecords, parseWorkForm } from "./record-forms.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";
import { isBlankField } from "./form-members.ts";

interface BookRecords {
  readonly edition: EditedRecord | undefined;
  readonly work: EditedRecord | undefined;
  /** True if the client may replace or remove an existing scan: super-librarians and administrators. */
  readonly mayChangeScan: boolean;
  /** Year of a person's form, whose concurrent changes and doubtful dates are failures; undefined for programs. */
  readonly thisYear?: number | undefined;
}

/**
 * Applies the fields `edition--*` and `work--*` of a form. An edition without a work gets a new one, as does one whose
 * work is `__new__`; another key moves it. `documents` are new records without keys, referred to as `/__new__/n`;
 * `edits` are complete changed records. If there are failures, nothing may be saved. Pure function.
 */
export function applyBookForm(form: CatalogRecord, records: BookRecords) {
  const newRecords = new NewRecords();
  const edits: CatalogRecord[] = [];
  const { edition, work, thisYear } = records;
  const isConfirmed = Object.hasOwn(form, "_undated");
  const conflicts: WriteFailure[] = [];
  const change = (edited: EditedRecord, members: CatalogRecord): void => {
    if (thisYear !== undefined) {
      const doubtful = findDoubtfulDates(edited, members, { thisYear, isConfirmed });
      conflicts.push(...conflictsOf(edited, members), ...doubtful);
    }
    if (Object.keys(members).length > 0) edits.push(applyMembers(edited.document, members));
  };
  // Q110: members that are not in the form are kept.
  const editionForm = edition === undefined ? undefined : objectOf(form["edition"]);
  const workForm = objectOf(form["work"]);
  const { works, ...editionFields } = editionForm ?? {};
  const members = edition === undefined ? {} : parseEditionForm(editionFields, edition.shown);
  const target = targetWorkOf(works, records, editionForm === undefined && workForm === undefined);

  if (work !== undefined && target !== NEW_KEY) {
    change(work, workForm === undefined ? {} : parseWorkForm(workForm, work.shown, newRecords));
  }
  if (edition !== undefined) {
    const place =
      target === NEW_KEY ? addNewWork({ ...edition.shown, ...members }, workForm, newRecords) : target;
    change(edition, place === undefined ? members : { ...members, works: [{ key: place }] });
  }
  const failures = [...conflicts, ...findFormFailures({ edits, newRecords, members }, records)];
  return { documents: newRecords.documents, edits, failures };
}

/** Returns the key of the work that the edition moves to; `__new__` for a new one; undefined if it stays. */
function targetWorkOf(
  works: Json | undefined,
  { edition, work }: BookRecords,
  isEmpty: boolean,
): string | undefined {
  if (edition === undefined || isEmpty) return undefined;
  const field = Array.isArray(works) ? works[0] : works;
  const chosen = (keyOf(field) ?? "").trim();
  const current = keysOf(edition.document["works"]);
  if (chosen === "") {
    if (work === undefined) return NEW_KEY;
    return current.includes(work.key) ? undefined : work.key;
  }
  const key = /^OL\d+W$/i.test(chosen) ? `/works/${chosen.toUpperCase()}` : chosen;
  return current[0] === key ? undefined : key;
}

/** Adds a work built from the edition `book` and the work fields of the form. Returns its placeholder key. */
function addNewWork(
  book: CatalogRecord,
  workFields: CatalogRecord | undefined,
  newRecords: NewRecords,
): string {
  const { title, subtitle, covers, authors } = book;
  const roles = keysOf(authors).map((key) => ({ author: { key } }));
  const fromEdition = withoutBlanks({ title, subtitle, covers, authors: roles });
  const fromForm = workFields === undefined ? {} : parseWorkForm(workFields, {}, newRecords);
  return newRecords.add("/type/work", withoutBlanks({ ...fromEdition, ...withoutBlanks(fromForm) })).key;
}

function withoutBlanks(members: CatalogRecord): CatalogRecord {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isBlankField(value)));
}

export function applyMembers(document: CatalogRecord, members: CatalogRecord): CatalogRecord {
  if (!Object.hasOwn(members, "title")) return { ...document, ...members };
  // The title shown in a form includes the old prefix.
  const { title_prefix: _prefix, ...rest } = document;
  return { ...rest, ...members };
}

function findFormFailures(
  {
    edits,
    newRecords,
    members,
  }: { edits: readonly CatalogRecord[]; newRecords: NewRecords; members: CatalogRecord },
  records: BookRecords,
): WriteFailure[] {
  const { edition, mayChangeScan } = records;
  // Records that never had a title may stay without one, but a form cannot remove it.
  const failures = edits
    .filter(({ title }) => title === null)
    .map(({ key }) =>
      documentFailure({ key: "bad_data.missing_title" }, { key: String(key), property: "title" }),
    );
  for (const document of newRecords.documents) {
    const property = keyOf(document["type"]) === "/type/series" ? "series" : "authors";
    const isWork = keyOf(document["type"]) === "/type/work";
    if (isWork && isBlankField(document["title"]))
      failures.push(documentFailure({ key: "bad_data.missing_title" }, undefined));
    if (!isWork && isBlankField(document["name"])) {
      const at = { key: records.work?.key ?? edition?.key ?? "", property };
      failures.push(documentFailure({ key: "bad_data.missing_name" }, at));
    }
  }
  if (edition === undefined || mayChangeScan || !Object.hasOwn(members, "ocaid")) return failures;
  const before = textOf(edition.document["ocaid"]) ?? "";
  if (before === "" || before === members["ocaid"]) return failures;
  const at = { key: edition.key, property: "ocaid" };
  return [
    ...failures,
    { status: 403, error: "permission_denied", text: { key: "permission_denied.scan" }, at },
  ];
}

function objectOf(value: Json | undefined): CatalogRecord | undefined {
  return isObject(value) ? value : undefined;
}
