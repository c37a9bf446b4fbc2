import { MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import * as z from "zod";
import { revisionSchema } from "../history/change-entry.ts";
import { isObject } from "../../catalog/record.ts";
import {
  type OptHeaders,
  takeControlMembers,
  parseClientKind,
  readOptHeaders,
} from "../../catalog/editing/write-request.ts";
import { readRecord } from "../../db/records/records.ts";
import { writeError } from "./edit-desk.ts";
import { saveChange } from "./save-change.ts";
import { type AnyOperation, type Parameters, type RequestContext, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { recordPath, withoutSlug } from "../http/paths.ts";
import { requestJson } from "../http/request-body.ts";

/** Entity tag of this service: the revision, optionally followed by the format that was read. */
const TAG = /^\s*(?:W\/)?"(\d{1,15})(?:-\w+)?"\s*$/;

/** Reads the revision that `If-Match` requires; empty without the header. Throws 409 for `*` if there is no record. */
export async function readExpectedRevision(
  context: RequestContext,
  key: string,
): Promise<Readonly<Record<string, number>>> {
  const header = context.request.headers.get("If-Match");
  if (header === null) return {};
  if (header.trim() === "*") {
    const row = await readRecord(context.stores.catalog.withSession("first-primary"), key);
    if (row !== undefined) return {};
    throw writeError([{ status: 409, error: "conflict", text: { key: "conflict.document" }, key }]);
  }
  const revision = TAG.exec(header)?.[1];
  // Q101: several tags are refused, because a client can have read only one revision.
  if (revision === undefined) throw failure("bad_data.if_match");
  return { [key]: Number(revision) };
}

const saved = z.union([revisionSchema, z.strictObject({})]);

/** `PUT <key>.json`: saves a complete record; `{"type": {"key": "/type/delete"}}` deletes it. */
export const putRecord = putOperation("putRecord", "Save or delete a record of any type", {
  key: z.string().describe("Key of the record with suffix, for example `works/OL1W.json`"),
});
/** Route aliases required by the interface. */
export const putEdition = putOperation("putEdition", "Save or delete an edition", {
  edition_id: digitsOf("record"),
});
export const putWork = putOperation("putWork", "Save or delete a work", {
  work_id: digitsOf("record"),
});
export const putAuthor = putOperation("putAuthor", "Save or delete an author", {
  author_id: digitsOf("record"),
});

function putOperation(id: string, summary: string, path: Parameters): AnyOperation {
  const noRecord: AnyOperation["responses"] =
    "key" in path ? { 405: { description: "Path of no record" } } : {};
  return operation({
    id,
    summary,
    tag: "records",
    path,
    body: {
      contentType: "application/json",
      description: "Complete record; `_comment`, `_action` and `_data` describe the change",
    },
    responses: {
      200: { description: "Key and new revision; an empty object if nothing changed", schema: saved },
      400: { description: "Invalid record; the body names the place" },
      404: { description: "Reference to a record that does not exist" },
      ...noRecord,
      409: { description: "Revision other than that of If-Match" },
      415: { description: "Body other than JSON" },
    },
    handle: (_input, context) => putRecordDocument(context),
  });
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Saves the record in a request under a key, by default that of its address. Throws 415 if it is not JSON. */
export async function putRecordDocument(context: RequestContext, listKey?: string): Promise<Reply> {
  const { url, request, settings } = context;
  const { key: path, encoding } = recordPath(url.pathname, null);
  const type = (request.headers.get("Content-Type") ?? "").trim();
  // Q100: suffixes of other formats are not part of the key.
  const isJson = encoding === "json" || (encoding === undefined && JSON_TYPE.test(type));
  if (!isJson) throw failure("bad_data.json_only", {}, { status: 415 });
  const key = listKey ?? withoutSlug(path, settings.RECORD_PREFIX);
  const body = await requestJson(context, DOCUMENT_BODY_BYTES);
  if (!isObject(body)) throw failure("bad_data.json_object");
  const { document, ...control } = takeControlMembers(body);
  // Q102: of the headers only the comment counts here. It takes precedence over the comment of the body.
  const { comment } = parseOptHeaders(context);
  const notes = changeNotes({ ...control, ...(comment === undefined ? {} : { comment }) }, "update");
  const expected = await readExpectedRevision(context, key);
  const result = await saveChange(context, { documents: [{ ...document, key }], expected, ...notes });
  return json(result.saved[0] ?? {});
}

/** Maximum size of the body of a request that writes one record or a few, in bytes. */
export const DOCUMENT_BODY_BYTES = MIB;

/** Reads comment, kind and data from the headers `Opt` and `42-...`. Throws 400 if they are invalid. */
export function parseOptHeaders({ request }: RequestContext): OptHeaders {
  const headers = readOptHeaders((name) => request.headers.get(name));
  if ("status" in headers) throw writeError([headers]);
  return headers;
}

/** Returns kind, comment and data of a change. Throws 400 for a kind that is reserved for the service. */
export function changeNotes({ action, comment, data = {} }: OptHeaders, defaultKind: string) {
  const kind = action === undefined ? defaultKind : parseClientKind(action);
  if (typeof kind !== "string") throw writeError([kind]);
  return { kind, comment: comment ?? null, data };
}
