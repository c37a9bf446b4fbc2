import * as z from "zod";
import { formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type ListType, readListForm } from "../../catalog/lists/form.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readForm } from "../editing/sent-form.ts";
import type { FormRecord } from "../editing/edit-records.ts";
import { CarrelError, forbidden, notFound } from "../http/errors.ts";
import type { RequestContext, Actor } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { isJson, requestJson } from "../http/request-body.ts";
import { writeError } from "../editing/edit-desk.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { type ListFolder, listNotFound } from "./operation.ts";
import { readRecord } from "../../db/records/read.ts";
import { mayWriteLists } from "../http/access.ts";

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

/** 403 of somebody who may not change a list. */
export function listDenied(): CarrelError {
  return forbidden("Permission denied.");
}

/** 400 of a request about a list. */
export function badList(message: string): CarrelError {
  return new CarrelError(400, "bad_data", { message });
}

/**
 * Does something with a list; the errors of saving become those of lists: `{"detail"}` with their
 * status, a record that is not there is a seed that was not found, and who may not write is not told why.
 */
export async function withListErrors<Result>(list: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof CarrelError ? listError(error, list) : error;
  }
}

function listError(error: CarrelError, list: string): CarrelError {
  const { status, code, message, body, headers } = error;
  // Q257: errors of saving say `error`; all others are as they should be.
  if (body === null || !("error" in body)) return error;
  if (status === 403) return listDenied();
  const { key } = body;
  if (status === 404) return key === list ? listNotFound() : badList(`Seed not found: ${String(key)}`);
  return new CarrelError(status, code, { message, headers });
}

/**
 * Who may make lists below a patron: 404 when there is no such patron, then 403 for others than him and administrators
. Returns the key of the patron.
 */
export async function requireOwner(context: RequestContext, username: string): Promise<string> {
  const key = `/people/${username}`;
  const row = await readRecord(context.stores.catalog, key);
  if (row?.type !== "/type/user") throw notFound();
  await requireListWriter(context, key);
  return key;
}

/** Refuses who may not write lists of this owner; undefined is the community, of which everybody is who has a session. */
export async function requireListWriter(context: RequestContext, owner: string | undefined): Promise<Actor> {
  const actor = await context.actor();
  if (!mayWriteLists(actor, owner)) throw listDenied();
  return actor;
}
