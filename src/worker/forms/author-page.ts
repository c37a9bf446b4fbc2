import type { RequestContext } from "../context.ts";
import type { Reply } from "../reply.ts";
import { hasRole } from "../sessions/access.ts";
import { recordPage } from "./addresses.ts";
import { AUTHOR_FIELDS, fieldGroup, memberFields, sentObject } from "./fields.ts";
import { recordForm } from "./record-form.ts";
import { shownRecord } from "./shown-record.ts";
import type { SinglePage } from "./work-page.ts";

/** The form of an author. */
export async function authorFormPage(
  context: RequestContext,
  { key, form, failures = [], revision }: SinglePage,
): Promise<Reply> {
  const shown = await shownRecord(context, key, revision);
  const author = { prefix: "author", ...shown, sent: sentObject(form, "author") };
  return recordForm({
    title: `Edit ${String(shown.record["name"] ?? key)}`,
    action: `${key}/edit`,
    record: recordPage(key, shown.record),
    groups: [fieldGroup("The author", memberFields(AUTHOR_FIELDS, author, failures))],
    shown: [{ prefix: "author", key, fields: AUTHOR_FIELDS }],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}
