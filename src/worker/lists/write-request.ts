import * as z from "zod";
import { formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type ListType, readListForm } from "../../catalog/lists/list-form.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readForm } from "../editing/sent-form.ts";
import type { FormRecord } from "../editing/save-form.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { isJson, requestJson } from "../http/request-body.ts";
import { writeError } from "../history/edit-desk.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import type { ListFolder } from "./operation.ts";
import { badList } from "./rights.ts";

export const username = z.string().describe("Username of the patron");
export const listId = z
  .string()
  .meta({ description: "Number of the list, such as OL1L", pattern: "^XX\\d+L$" });

/** What lies in a folder of lists or series. */
export function typeIn(folder: ListFolder): ListType {
  return folder === "series" ? "/type/series" : "/type/list";
}

/** A seed in any form; a value that is neither text nor object fails as both. */
const textOrObject = z.unknown().superRefine((value, context) => {
  if (typeof value === "string" || isObject(value)) return;
  const refuse = (branch: string, type: string, message: string): void =>
    void context.issues.push({ code: "custom", input: value, path: [branch], params: { type }, message });
  refuse("dict[str,any]", "dict_type", "Input should be a valid dictionary");
  refuse("str", "string_type", "Input should be a valid string");
});

/** Seeds of a new list. */
export const typedSeeds = z.array(textOrObject);
/** Seeds in any form; what is none is refused by its own words. */
export const anySeeds = z.array(z.unknown());

/** Elements of a JSON body. */
export function asJson(values: readonly unknown[]): Json[] {
  // What was parsed from JSON is JSON.
  return values as Json[];
}

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

/** What a list or series is saved with. */
export type CheckedForm = ReturnType<typeof checkedForm>;

/** What a form says of a list, and the revision that it was filled with; throws `writeError` with all that is wrong. */
export function checkedForm(
  { settings }: RequestContext,
  sent: CatalogRecord,
  about: { readonly key: string; readonly type: ListType; readonly stored?: readonly Json[] },
) {
  const { form, failures } = readListForm(sent, { ...about, prefix: settings.RECORD_PREFIX });
  if (failures.length > 0) throw writeError(failures);
  const comment = formText(sent, "_comment");
  // A number in a JSON body.
  const revision =
    typeof sent["revision"] === "number" ? String(sent["revision"]) : formText(sent, "revision");
  return { form, comment: comment === "" ? undefined : comment, revision };
}

/** After a form was saved: programs that sent JSON get the key, people go to the record. */
export function savedReply(context: RequestContext, key: string, record: CatalogRecord): Reply {
  if (isJson(context.request)) return json({ key }, { cacheControl: NO_STORE });
  notify(context, "notice.list_saved");
  return redirect(303, recordPage(key, record), { cacheControl: NO_STORE });
}

/** Q262: refuses a form that was filled before somebody changed the record; one without a revision replaces it. */
export function requireRevision({ revision, document }: FormRecord, shown: string | undefined): void {
  if (shown === undefined || shown === "" || shown === String(revision)) return;
  const message =
    "Somebody changed this meanwhile. Look at what it is like now; if you save again, what you see here replaces it.";
  const body = { error: "conflict", message, key: document["key"] };
  throw new CarrelError(409, "conflict", { message, body });
}
