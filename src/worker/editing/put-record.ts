import { revisionSchema } from "../history/change-entry.ts";
import * as z from "zod";
import { isObject } from "../../catalog/record.ts";
import { takeControl } from "../../catalog/editing/write-request.ts";
import { readRecord } from "../../db/records/records.ts";
import { writeError } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { type AnyOperation, type Parameters, type RequestContext, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { recordPath, withoutSlug } from "../records/record-path.ts";
import { DOCUMENT_BODY_BYTES, changeNotes, optHeaders } from "./json-request.ts";
import { requestJson } from "../http/request-body.ts";

/** Entity tag of this service: the number of the revision, and perhaps the form it was read in. */
const TAG = /^\s*(?:W\/)?"(\d{1,15})(?:-\w+)?"\s*$/;

/**
 * Returns the revisions that `If-Match` requires: none without the header. Throws 409 for `*` if there is no record.
 */
export async function expectedRevision(
  context: RequestContext,
  key: string,
): Promise<Readonly<Record<string, number>>> {
  const header = context.request.headers.get("If-Match");
  if (header === null) return {};
  if (header.trim() === "*") {
    const row = await readRecord(context.stores.catalog.withSession("first-primary"), key);
    if (row !== undefined) return {};
    throw writeError([{ status: 409, error: "conflict", message: "Document update conflict", key }]);
  }
  const revision = TAG.exec(header)?.[1];
  // Q101: a writer can have read one tag only.
  if (revision === undefined) throw badData(`Bad If-Match: expected one tag such as "5"`);
  return { [key]: Number(revision) };
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Returns the key of a write: JSON by the suffix, or by the type of the body. Throws 415 for anything else. */
function writtenKey({ request, url, settings }: RequestContext): string {
  const { key, encoding } = recordPath(url.pathname, null);
  const type = (request.headers.get("Content-Type") ?? "").trim();
  // Q100: a suffix of another form is not a part of the key.
  if (encoding === "json" || (encoding === undefined && JSON_TYPE.test(type))) {
    return withoutSlug(key, settings.RECORD_PREFIX);
  }
  const message = "Records are written as JSON: the path ends in .json, or Content-Type is application/json";
  throw new CarrelError(415, "unsupported_media_type", { message, body: { error: "bad_data", message } });
}

const saved = z.union([revisionSchema, z.strictObject({})]);

/** `PUT <key>.json`: saves a complete record; `{"type": {"key": "/type/delete"}}` deletes it. */
export const putRecord = putOperation("putRecord", "Saves a record of any type, or deletes it", {
  key: z.string().describe("Key of the record and suffix, such as `works/OL1W.json`"),
});
/** Route aliases required by the interface. */
export const putEdition = putOperation("putEdition", "Saves an edition, or deletes it", {
  edition_id: digitsOf("record"),
});
export const putWork = putOperation("putWork", "Saves a work, or deletes it", {
  work_id: digitsOf("record"),
});
export const putAuthor = putOperation("putAuthor", "Saves an author, or deletes it", {
  author_id: digitsOf("record"),
});

function putOperation(id: string, summary: string, path: Parameters): AnyOperation {
  const noRecord: AnyOperation["responses"] =
    "key" in path ? { 405: { description: "The address of something that is no record" } } : {};
  return operation({
    id,
    summary,
    tag: "records",
    path,
    body: {
      contentType: "application/json",
      description: "The complete record; `_comment`, `_action` and `_data` say something about the change",
    },
    responses: {
      200: { description: "Key and new revision; nothing when it is stored already as it is", schema: saved },
      400: { description: "What is wrong with the record, and where" },
      403: { description: "Not allowed, or not logged in" },
      404: { description: "The record refers to one that does not exist" },
      ...noRecord,
      409: { description: "The revision is not the one that If-Match names" },
      413: { description: "The record is too large" },
      415: { description: "Not JSON" },
    },
    handle: (_input, context) => putDocument(context),
  });
}

/** Saves the record in a request under its address, or under the key `own`. */
export async function putDocument(context: RequestContext, own?: string): Promise<Reply> {
  const written = writtenKey(context);
  const key = own ?? written;
  const body = await requestJson(context, DOCUMENT_BODY_BYTES);
  if (!isObject(body)) throw badData("Bad JSON: expected an object");
  const { document, ...said } = takeControl(body);
  // Q102: of the headers only the comment counts here, and it takes precedence over that of the body.
  const { comment } = optHeaders(context);
  const notes = changeNotes({ ...said, ...(comment === undefined ? {} : { comment }) }, "update");
  const expected = await expectedRevision(context, key);
  const result = await saveChange(context, { documents: [{ ...document, key }], expected, ...notes });
  return json(result.saved[0] ?? {});
}
