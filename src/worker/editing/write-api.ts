import { MIB } from "../../catalog/units.ts";
import { type FailureKey, failure, Failure } from "../http/failure.ts";
import * as z from "zod";
import { revisionSchema } from "../history/change-entry.ts";
import { type CatalogRecord, type Json, isObject, typeKeyOf } from "../../catalog/record.ts";
import { takeControlMembers } from "../../catalog/editing/write-request.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { type WriteQueryResult, applyQuery, keysOfQuery } from "../../catalog/editing/write-query.ts";
import { editRecords } from "./edit-records.ts";
import { type ChangeRequest, WriteError, writeError } from "./edit-desk.ts";
import { createRecords, saveChange } from "./save-change.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { DOCUMENT_BODY_BYTES, changeNotes, parseOptHeaders } from "./put-record.ts";
import { requestJson } from "../http/request-body.ts";

/** Statuses of refused documents that these routes convert to 400. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 409, 413]);

/** Runs a write and converts refusals to 400 (Q103), with the same body or that of `describe`. */
async function withRefusalsAs400<T>(
  write: () => Promise<T>,
  describe: (error: Failure) => Readonly<Record<string, unknown>> | null = ({ body }) => body,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // Other errors concern the writer, not the documents.
    if (!(error instanceof WriteError) || !REFUSED.has(error.status)) throw error;
    throw new Failure(400, error.code, { ...error, body: describe(error) });
  }
}

const SAVE_MANY_MAX = 1000;

/** Types of records that can be created here. Q104: lists and all others have other routes. */
const TYPES: ReadonlySet<string> = new Set(
  ["author", "edition", "work", "series", "publisher", "tag"].map((name) => `/type/${name}`),
);

export const newRecords = operation({
  id: "newRecords",
  summary: "Create one or more records",
  tag: "records",
  body: { contentType: "application/json", description: "A record without a key, or an array of them" },
  responses: {
    200: {
      description: "Key of the record, or keys in the order of the request",
      schema: z.union([z.string(), z.array(z.string())]),
    },
    400: { description: "Invalid records; nothing is created" },
  },
  async handle(_input, context) {
    const headers = parseOptHeaders(context);
    const body = await requestJson(context, DOCUMENT_BODY_BYTES);
    const { document, ...control } = isObject(body) ? takeControlMembers(body) : { document: undefined };
    const documents = parseDocuments(document === undefined ? body : [document], "bad_data.json_objects");
    const failures = documents.flatMap(({ type }) => findTypeFailure(type) ?? []);
    if (failures.length > 0) throw writeError(failures);
    const notes = changeNotes({ ...control, ...headers }, "bulk_update");
    const { keys } = await withRefusalsAs400(
      () => createRecords(context, { documents, ...notes }),
      ({ body: members, message }) => ({ ...members, error: "bad_data", message }),
    );
    return json(Array.isArray(body) ? keys : keys[0]);
  },
});

/** Parses the documents of a request. Throws 400 by `key` if they are not objects, or if there are too many. */
export function parseDocuments(body: Json, key: FailureKey = "bad_data.document_list"): CatalogRecord[] {
  if (!Array.isArray(body) || !body.every(isObject)) throw failure(key);
  if (body.length > SAVE_MANY_MAX) throw failure("bad_data.too_many_documents", { most: SAVE_MANY_MAX });
  return body;
}

function findTypeFailure(type: Json | undefined) {
  if (type === undefined || type === null)
    return documentFailure({ key: "bad_data.new_type_missing" }, undefined);
  const key = typeKeyOf({ type });
  if (key !== undefined && TYPES.has(key)) return undefined;
  return documentFailure({ key: "bad_data.new_type", values: { type: spacedJson(type) } }, undefined);
}

/** Serializes JSON with spaces after colons and commas, as clients expect it in this message. */
function spacedJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, inner = null]) => `${JSON.stringify(name)}: ${spacedJson(inner)}`,
  );
  return `{${members.join(", ")}}`;
}

/** Maximum size of the body of a request that saves many records, in bytes. */
export const SAVE_MANY_BODY_BYTES = 8 * MIB;

export const saveMany = operation({
  id: "saveMany",
  summary: "Save several records as one change",
  tag: "records",
  body: {
    contentType: "application/json",
    description: "Array of complete records, each with key and type",
  },
  responses: {
    200: { description: "Keys and new revisions of the changed records", schema: z.array(revisionSchema) },
    400: { description: "Invalid records; nothing is saved" },
  },
  async handle(_input, context) {
    const notes = changeNotes(parseOptHeaders(context), "bulk_update");
    const documents = parseDocuments(await requestJson(context, SAVE_MANY_BODY_BYTES));
    const nameless = documents.flatMap(({ key }, index) =>
      typeof key === "string" && key !== "" ? [] : [index],
    );
    if (nameless.length > 0) {
      throw failure("bad_data.documents_without_key", { indexes: nameless.join(", ") });
    }
    const { saved } = await withRefusalsAs400(() => saveChange(context, { documents, ...notes }));
    return json(saved);
  },
});

/** Applies a write query to the current records and returns the keys of created and changed ones. Throws `writeError`. */
export async function writeQuery(
  context: RequestContext,
  query: Json,
  notes: Pick<ChangeRequest, "kind" | "comment" | "data" | "mayNumber">,
): Promise<Pick<WriteQueryResult, "created" | "updated">> {
  let applied: Pick<WriteQueryResult, "created" | "updated"> = { created: [], updated: [] };
  await editRecords(context, keysOfQuery(query), (records) => {
    const { documents, failures, created, updated } = applyQuery(query, records);
    if (failures.length > 0) throw writeError(failures);
    applied = { created, updated };
    return documents.length === 0 ? undefined : { documents, ...notes };
  });
  return applied;
}

const keys = z.array(z.string());

export const writeHook = operation({
  id: "writeHook",
  summary: "Change single properties of records (legacy)",
  tag: "records",
  body: {
    contentType: "application/json",
    description: "Write query, or array of write queries: `{key, create?, <property>: {connect, value}}`",
  },
  responses: {
    200: { description: "Keys of the records", schema: z.object({ created: keys, updated: keys }) },
    400: { description: "Invalid query; nothing is saved" },
  },
  async handle(_input, context) {
    const notes = changeNotes(parseOptHeaders(context), "update");
    const query = await requestJson(context, DOCUMENT_BODY_BYTES);
    return json(await withRefusalsAs400(() => writeQuery(context, query, notes)));
  },
});
