import { parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, isObject, keyOf, textOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { field, recordPage } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import type { BookKeys } from "./book-records.ts";
import { shownRecord } from "./edit-page.ts";
import type { FormFailure } from "./sent-form.ts";
import {
  type ShownRecord,
  EDITION_FIELDS,
  WORK_FIELDS,
  fieldGroup,
  memberFields,
  recordForm,
  sentObject,
} from "./record-form.ts";

/** The authors of a work in a form: a row for each, and one for another. */
async function authorRows(
  context: RequestContext,
  work: CatalogRecord,
  sent: CatalogRecord | undefined,
): Promise<Markup[]> {
  const rows = rowsOf(sent?.["authors"]) ?? rowsOf(work["authors"]) ?? [];
  const keys = rows.map(({ author }) => keyOf(author) ?? "");
  const names = await authorNames(context, keys);
  const filled = rows.map((row, index) => ({
    key: keys[index] ?? "",
    name: textOf(row["name"]) ?? "",
    known: names.get(keys[index] ?? ""),
  }));
  return [...filled, { key: "", name: "", known: undefined }].flatMap((row, index) => rowFields(row, index));
}

/** `known` is the name of the author with that key. */
function rowFields(
  { key, name, known }: { readonly key: string; readonly name: string; readonly known: string | undefined },
  index: number,
): Markup[] {
  const label = `Author ${index + 1}`;
  const isNew = known === undefined;
  const hint = isNew ? "A key such as /authors/OL1A; empty for an author who is not in the catalog." : known;
  const byKey = field({ name: `work--authors--${index}--author--key`, label, value: key, hint });
  if (!isNew) return [byKey];
  return [
    byKey,
    field({ name: `author_names--${index}`, label: `${label}: name of a new author`, value: name }),
  ];
}

async function authorNames(
  context: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRecords(
    catalogReader(context),
    keys.filter((key) => key.startsWith("/")),
  );
  return new Map(rows.map(({ key, document }) => [key, textOf(parseDocument(document)["name"]) ?? key]));
}

function rowsOf(value: Json | undefined): CatalogRecord[] | undefined {
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}

/** What a page with the form of a book shows. */
interface BookPage extends BookKeys {
  /** What was sent, when the form is shown again. */
  readonly form?: CatalogRecord;
  readonly failures?: readonly FormFailure[];
  /** Revision of the edition to fill it with. */
  readonly revision?: string | undefined;
}

/** The form of an edition and its work. */
export async function bookFormPage(context: RequestContext, wanted: BookPage): Promise<Reply> {
  const { form, failures = [], revision } = wanted;
  const shown = async (prefix: string, key: string): Promise<ShownRecord> => ({
    prefix,
    ...(await shownRecord(context, key, prefix === "edition" ? revision : undefined)),
    sent: sentObject(form, prefix),
  });
  const edition = await shown("edition", wanted.edition);
  const work = wanted.work === undefined ? undefined : await shown("work", wanted.work);
  const groups = [
    fieldGroup("This edition", [
      workField(edition, wanted.work),
      ...memberFields(EDITION_FIELDS, edition, failures),
    ]),
  ];
  if (work !== undefined) groups.push(await workGroup(work, failures, context));
  return recordForm({
    title: `Edit ${String(edition.record["title"] ?? wanted.edition)}`,
    action: `${wanted.edition}/edit`,
    record: recordPage(wanted.edition, edition.record),
    groups,
    shown: [
      { prefix: "edition", key: wanted.edition, fields: EDITION_FIELDS },
      { prefix: "work", key: wanted.work ?? "", fields: WORK_FIELDS },
    ],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}

function workField({ sent }: ShownRecord, work: string | undefined) {
  const works = sent?.["works"];
  const typed = Array.isArray(works) ? keyOf(works[0]) : undefined;
  return field({
    name: "edition--works--0--key",
    label: "Work",
    value: typed ?? work ?? "",
    hint: "Key of the work that this is an edition of; __new__ makes a work of its own.",
  });
}

/** The fields of a work. */
export async function workGroup(
  work: ShownRecord,
  failures: readonly FormFailure[],
  context: RequestContext,
) {
  const authors = await authorRows(context, work.record, work.sent);
  return fieldGroup("The work", [...memberFields(WORK_FIELDS, work, failures), ...authors]);
}
