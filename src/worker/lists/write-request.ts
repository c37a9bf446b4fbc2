import { MIB } from "../../catalog/units.ts";
import type { TextKey } from "../../catalog/texts.ts";
import { failure, Failure } from "../http/failure.ts";
import * as z from "zod";
import { formTextOf, nestFields } from "../../catalog/editing/form-fields.ts";
import { followSeeds } from "../../catalog/lists/list-change.ts";
import { type ListType, readListForm } from "../../catalog/lists/list-form.ts";
import { seedKeyOf } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readForm } from "../editing/submitted-form.ts";
import type { FormRecord } from "../editing/edit-records.ts";
import { notFound } from "../http/errors.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import { isJson, requestJson } from "../http/request-body.ts";
import { writeError } from "../editing/edit-desk.ts";
import type { ListFolder } from "./folders.ts";
import { listNotFound } from "./list-operations.ts";
import { readRecord } from "../../db/records/records.ts";
import { readTargets } from "../../db/redirects.ts";
import { canWriteLists } from "../http/access.ts";

export const username = z.string().describe("Username of the patron");
export const listId = z
  .string()
  .meta({ description: "ID of the list, for example OL1L", pattern: "^XX\\d+L$" });

export function listTypeIn(folder: ListFolder): ListType {
  return folder === "series" ? "/type/series" : "/type/list";
}

/** Seed in any form. A value that is neither text nor object fails both branches of the union. */
const textOrObject = z.unknown().superRefine((value, context) => {
  if (typeof value === "string" || isObject(value)) return;
  const refuse = (branch: string, type: string, message: TextKey): void =>
    void context.issues.push({ code: "custom", input: value, path: [branch], params: { type }, message });
  refuse("dict[str,any]", "dict_type", "validation.dictionary");
  refuse("str", "string_type", "validation.string");
});

export const seedsSchema = z.array(textOrObject);
/** Unchecked seeds: `normalizeSeeds` reports invalid ones. */
export const anySeedsSchema = z.array(z.unknown());

/** Types elements of a JSON body, which were parsed from JSON. */
export function asJson(values: readonly unknown[]): Json[] {
  return values as Json[];
}

/** Maximum size of a form or JSON body about a list, in bytes. */
export const LIST_BODY_BYTES = 4 * MIB;

/** Reads the fields of a list's form, sent as a form or as JSON. Throws 400. */
export async function readListFields(context: RequestContext): Promise<CatalogRecord> {
  if (isJson(context.request)) {
    const value = await requestJson(context, LIST_BODY_BYTES);
    if (!isObject(value)) throw failure("bad_data.json_object");
    return value;
  }
  const { form, failures } = nestFields(await readForm(context));
  if (failures.length > 0) throw writeError(failures);
  return form;
}

export type CheckedForm = ReturnType<typeof checkForm>;

/** Checks the fields of a list, and reads comment and base revision. Throws `writeError` with all failures. */
export function checkForm(
  { settings }: RequestContext,
  fields: CatalogRecord,
  target: { key: string; type: ListType; stored?: readonly Json[] },
) {
  const { form, failures } = readListForm(fields, { ...target, prefix: settings.RECORD_PREFIX });
  if (failures.length > 0) throw writeError(failures);
  const comment = formTextOf(fields, "_comment");
  const { revision: base } = fields;
  // A JSON body has a number.
  const revision = typeof base === "number" ? String(base) : formTextOf(fields, "revision");
  return { form, comment: comment === "" ? undefined : comment, revision };
}

/** Throws 409 if the record changed after its form was filled; a form without a revision replaces it (Q262). */
export function requireRevision({ revision, document }: FormRecord, base: string | undefined): void {
  if (base === undefined || base === "" || base === String(revision)) return;
  const { key } = document;
  throw writeError([
    {
      status: 409,
      error: "conflict",
      text: { key: "edit.conflict" },
      ...(typeof key === "string" && { key }),
    },
  ]);
}

/** Replaces merged records among the seeds of a request by their targets (Q683). One statement. */
export async function followSeedInputs(context: RequestContext, seeds: readonly Json[]): Promise<Json[]> {
  const targets = await readSeedTargets(
    context,
    seeds.flatMap((seed) => seedKeyOf(seed) ?? []),
  );
  return [...followSeeds(seeds, targets)];
}

/** Reads what merged seeds have become. A merge that a replica lacks may have been applied to all lists already. */
export function readSeedTargets(
  { stores }: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return readTargets(stores.catalog.withSession("first-primary"), keys);
}

export function listDenied(): Failure {
  return failure("forbidden.list");
}

/**
 * Runs a write of a list and converts errors of saving to those of list routes: `{"detail"}` with the same status, a
 * missing record as a seed that was not found, and 403 without a reason.
 */
export async function withListErrors<Result>(list: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Failure ? toListError(error, list) : error;
  }
}

export function toListError(error: Failure, list: string): Failure {
  const { status, code, message, body } = error;
  // Q257: only errors of saving have a member `error`.
  if (body === null || !("error" in body)) return error;
  if (status === 403) return listDenied();
  const { key } = body;
  if (status === 404)
    return key === list ? listNotFound() : failure("bad_request.no_seed", { key: String(key) });
  return new Failure(status, code, { ...error, message, body: { detail: message } });
}

/**
 * Requires a user who may create lists of a patron, and returns the key of the patron. Throws 404 if there is no such
 * patron, 403 for users other than the patron and administrators.
 */
export async function requireListOwner(context: RequestContext, name: string): Promise<string> {
  const key = `/people/${name}`;
  const row = await readRecord(context.stores.catalog, key);
  if (row?.type !== "/type/user") throw notFound();
  await requireListWriter(context, key);
  return key;
}

/** Throws 403 unless the user may write lists of an owner. Undefined is the community: any signed-in user may write. */
export async function requireListWriter(context: RequestContext, owner: string | undefined): Promise<Actor> {
  const actor = await context.actor();
  if (!canWriteLists(actor, owner)) throw listDenied();
  return actor;
}
