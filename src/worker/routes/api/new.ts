import * as z from "zod";
import { type CatalogRecord, type Json, isObject, typeKey } from "../../../catalog/record.ts";
import { takeControl } from "../../../catalog/write/control.ts";
import { badDocument } from "../../../catalog/write/failures.ts";
import { type CarrelError, badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { createRecords } from "../../writes/save.ts";
import { writeError } from "../../writes/write-error.ts";
import { refusedAs400 } from "./bad-request.ts";
import { DOCUMENT_BODY_BYTES, changeNotes, optHeaders, requestJson } from "./json-request.ts";

/** Most records that one request makes. */
export const NEW_RECORDS_MAX = 1000;

/** Types whose records get their keys here (records.md 4.3). Q104: lists and all others have ways of their own. */
const TYPES: ReadonlySet<string> = new Set(
  ["author", "edition", "work", "series", "publisher", "tag"].map((name) => `/type/${name}`),
);

/** `POST /api/new`: makes a record, or several as one change, and answers with the keys that they got. */
export const newRecords = operation({
  id: "newRecords",
  summary: "Makes a record, or several at once",
  tag: "records",
  body: {
    contentType: "application/json",
    description: "A record without a key, or an array of such",
  },
  responses: {
    200: { description: "The key, or the keys in order", schema: z.union([z.string(), z.array(z.string())]) },
    400: { description: "What is wrong; nothing was made" },
    403: { description: "Not allowed, or not logged in" },
  },
  async handle(_input, context) {
    const headers = optHeaders(context);
    const body = await requestJson(context, DOCUMENT_BODY_BYTES);
    const { document, ...said } = isObject(body) ? takeControl(body) : { document: undefined };
    const documents = checked(document === undefined ? body : [document]);
    const notes = changeNotes({ ...said, ...headers }, "bulk_update");
    const { keys } = await refusedAs400(() => createRecords(context, { documents, ...notes }), described);
    return json(Array.isArray(body) ? keys : keys[0]);
  },
});

/** The documents to be made; 400 with all that is wrong with their types. */
function checked(body: Json): CatalogRecord[] {
  if (!Array.isArray(body) || !body.every(isObject)) {
    throw badData("Bad JSON: expected an object or an array of objects");
  }
  if (body.length > NEW_RECORDS_MAX) throw badData(`new: more than ${NEW_RECORDS_MAX} documents`);
  const failures = body.flatMap((document) => typeFailure(document["type"]) ?? []);
  if (failures.length > 0) throw writeError(failures);
  return body;
}

function typeFailure(type: Json | undefined) {
  if (type === undefined || type === null) return badDocument("Missing type", undefined);
  const key = typeKey({ type });
  if (key !== undefined && TYPES.has(key)) return undefined;
  return badDocument(`Bad Type: ${spacedJson(type)}`, undefined);
}

/** JSON with blanks after colons and commas, as clients have always seen it in this message. */
function spacedJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, inner = null]) => `${JSON.stringify(name)}: ${spacedJson(inner)}`,
  );
  return `{${members.join(", ")}}`;
}

/** Every failure is one of the data here, told by its message (records.md 4.3). */
function described({ body, message }: CarrelError): Readonly<Record<string, unknown>> {
  return { ...body, error: "bad_data", message };
}
