import type { CatalogRecord } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import type { Reply } from "../reply.ts";
import { hasRole } from "../sessions/access.ts";
import { recordPage } from "./addresses.ts";
import { workGroup } from "./book-page.ts";
import { WORK_FIELDS, sentObject } from "./fields.ts";
import { recordForm } from "./record-form.ts";
import type { FormFailure } from "./refused-form.ts";
import { shownRecord } from "./shown-record.ts";

/** What a page with the form of one record shows. */
export interface SinglePage {
  readonly key: string;
  /** What was sent, when the form is shown again. */
  readonly form?: CatalogRecord;
  readonly failures?: readonly FormFailure[];
  /** Revision to fill it with. */
  readonly revision?: string | undefined;
}

/** The form of a work. */
export async function workFormPage(
  context: RequestContext,
  { key, form, failures = [], revision }: SinglePage,
): Promise<Reply> {
  const shown = await shownRecord(context, key, revision);
  const work = { prefix: "work", ...shown, sent: sentObject(form, "work") };
  return recordForm({
    title: `Edit ${String(shown.record["title"] ?? key)}`,
    action: `${key}/edit`,
    record: recordPage(key, shown.record),
    groups: [await workGroup(context, work, failures)],
    shown: [{ prefix: "work", key, fields: WORK_FIELDS }],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}
