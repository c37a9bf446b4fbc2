import { type ListForm, type ListType, readListForm } from "../../catalog/lists/list-form.ts";
import { formText, nestedFields } from "../../catalog/forms/nested.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import { readForm } from "../forms/read-form.ts";
import { requestJson } from "../routes/api/json-request.ts";
import { isJson } from "../validation/request-body.ts";
import { writeError } from "../writes/write-error.ts";
import { badList } from "./list-errors.ts";

/** Largest form or JSON body about a list, in bytes. */
export const LIST_BODY_BYTES = 4 * 1024 * 1024;

/** What was sent to a form of a list: an object, whichever way it came. */
export async function sentForm(context: RequestContext): Promise<CatalogRecord> {
  if (isJson(context.request)) {
    const value = await requestJson(context, LIST_BODY_BYTES);
    if (!isObject(value)) throw badList("Bad JSON: expected an object");
    return value;
  }
  const { form, failures } = nestedFields(await readForm(context));
  if (failures.length > 0) throw writeError(failures);
  return form;
}

/** Revision that a form was filled with: text of a form, number of a JSON body. */
function sentRevision(sent: CatalogRecord): string | undefined {
  const { revision } = sent;
  return typeof revision === "number" ? String(revision) : formText(sent, "revision");
}

/** What a form says of a list; throws `writeError` with everything that is wrong with it. */
export function checkedForm(
  { settings }: RequestContext,
  sent: CatalogRecord,
  about: { readonly key: string; readonly type: ListType; readonly stored?: readonly Json[] },
): {
  readonly form: ListForm;
  readonly comment: string | undefined;
  readonly revision: string | undefined;
} {
  const { form, failures } = readListForm(sent, { ...about, prefix: settings.RECORD_PREFIX });
  if (failures.length > 0) throw writeError(failures);
  const comment = formText(sent, "_comment");
  return { form, comment: comment === "" ? undefined : comment, revision: sentRevision(sent) };
}
