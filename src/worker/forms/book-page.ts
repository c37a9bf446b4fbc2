import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { type RequestContext } from "../context.ts";
import { field } from "../pages/forms.ts";
import type { Reply } from "../reply.ts";
import { hasRole } from "../sessions/access.ts";
import { recordPage } from "./addresses.ts";
import { authorRows } from "./author-rows.ts";
import type { BookKeys } from "./book-records.ts";
import {
  EDITION_FIELDS,
  type ShownRecord,
  WORK_FIELDS,
  fieldGroup,
  memberFields,
  sentObject,
} from "./fields.ts";
import { recordForm } from "./record-form.ts";
import type { FormFailure } from "./refused-form.ts";
import { shownRecord } from "./shown-record.ts";

/** What a page with the form of a book shows. */
export interface BookPage extends BookKeys {
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
  if (work !== undefined) groups.push(await workGroup(context, work, failures));
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
  context: RequestContext,
  work: ShownRecord,
  failures: readonly FormFailure[],
) {
  const authors = await authorRows(context, work.record, work.sent);
  return fieldGroup("The work", [...memberFields(WORK_FIELDS, work, failures), ...authors]);
}
