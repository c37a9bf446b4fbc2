import * as z from "zod";
import { isObject } from "../../../catalog/record.ts";
import { takeControl } from "../../../catalog/write/control.ts";
import type { RequestContext } from "../../context.ts";
import { badData } from "../../errors.ts";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { type Reply, json } from "../../reply.ts";
import { saveChange } from "../../writes/save.ts";
import { DOCUMENT_BODY_BYTES, changeNotes, optHeaders, requestJson } from "../api/json-request.ts";
import { expectedRevision } from "./if-match.ts";
import { writtenKey } from "./write-path.ts";

const saved = z.union([z.object({ key: z.string(), revision: z.int() }), z.strictObject({})]);

/** `PUT <key>.json`: saves a complete record; `{"type": {"key": "/type/delete"}}` deletes it (records.md 4.2). */
export const putRecord = putOperation("putRecord", "Saves a record of any type, or deletes it", {
  key: z.string().describe("Key of the record and suffix, such as `works/OL1W.json`"),
});
/** The same by the addresses that the interface names. */
export const putEdition = putOperation("putEdition", "Saves an edition, or deletes it", {
  edition_id: digits(),
});
export const putWork = putOperation("putWork", "Saves a work, or deletes it", { work_id: digits() });
export const putAuthor = putOperation("putAuthor", "Saves an author, or deletes it", { author_id: digits() });

function digits() {
  return z.string().describe("The digits of the record's number");
}

function putOperation(id: string, summary: string, path: Parameters): AnyOperation {
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
      409: { description: "The revision is not the one that If-Match names" },
      413: { description: "The record is too large" },
      415: { description: "Not JSON" },
    },
    handle: (_input, context) => putDocument(context),
  });
}

/** Saves the record of a request to its address. */
export async function putDocument(context: RequestContext): Promise<Reply> {
  const key = writtenKey(context);
  const body = await requestJson(context, DOCUMENT_BODY_BYTES);
  if (!isObject(body)) throw badData("Bad JSON: expected an object");
  const { document, ...said } = takeControl(body);
  // Q102: of the headers only the comment counts here, and before that of the body.
  const { comment } = optHeaders(context);
  const notes = changeNotes({ ...said, ...(comment === undefined ? {} : { comment }) }, "update");
  const expected = await expectedRevision(context, key);
  const result = await saveChange(context, { documents: [{ ...document, key }], expected, ...notes });
  return json(result.saved[0] ?? {});
}
