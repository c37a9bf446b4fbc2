import * as z from "zod";
import { type CatalogRecord, type Json, isObject } from "../../../catalog/record.ts";
import { badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { saveChange } from "../../writes/save.ts";
import { refusedAs400 } from "./bad-request.ts";
import { changeNotes, optHeaders, requestJson } from "./json-request.ts";

/** Most records that one request saves, and its largest body in bytes (records.md 13.1). */
export const SAVE_MANY_MAX = 1000;
export const SAVE_MANY_BODY_BYTES = 8 * 1024 * 1024;

/** `POST /api/save_many`: saves complete records as one change, all of them or none (records.md 4.4). */
export const saveMany = operation({
  id: "saveMany",
  summary: "Saves several records as one change",
  tag: "records",
  body: {
    contentType: "application/json",
    description: "An array of complete records, each with key and type",
  },
  responses: {
    200: {
      description: "Keys and new revisions of those that changed",
      schema: z.array(z.object({ key: z.string(), revision: z.int() })),
    },
    400: { description: "What is wrong; nothing was saved" },
    403: { description: "Not allowed, or not logged in" },
    413: { description: "The request is too large" },
  },
  async handle(_input, context) {
    const notes = changeNotes(optHeaders(context), "bulk_update");
    const documents = checked(await requestJson(context, SAVE_MANY_BODY_BYTES));
    const { saved } = await refusedAs400(() => saveChange(context, { documents, ...notes }));
    return json(saved);
  },
});

function checked(body: Json): CatalogRecord[] {
  if (!Array.isArray(body) || !body.every(isObject)) {
    throw badData("save_many: expected an array of documents");
  }
  if (body.length > SAVE_MANY_MAX) throw badData(`save_many: more than ${SAVE_MANY_MAX} documents`);
  const without = body.flatMap(({ key }, index) => (typeof key === "string" && key !== "" ? [] : [index]));
  if (without.length === 0) return body;
  throw badData(`save_many: missing 'key' in docs at index [${without.join(", ")}]`);
}
