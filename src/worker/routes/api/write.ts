import * as z from "zod";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { writeQuery } from "../../writes/write-query.ts";
import { refusedAs400 } from "./bad-request.ts";
import { DOCUMENT_BODY_BYTES, changeNotes, optHeaders, requestJson } from "./json-request.ts";

const keys = z.array(z.string());

/** `POST /api/write`: changes single properties of records, the older way (records.md 4.7). */
export const writeHook = operation({
  id: "writeHook",
  summary: "Changes single properties of records (older form)",
  tag: "records",
  body: {
    contentType: "application/json",
    description: "A write query, or an array of them: `{key, create?, <property>: {connect, value}}`",
  },
  responses: {
    200: { description: "Keys of the records", schema: z.object({ created: keys, updated: keys }) },
    400: { description: "What is wrong; nothing was saved" },
    403: { description: "Not allowed, or not logged in" },
  },
  async handle(_input, context) {
    const notes = changeNotes(optHeaders(context), "update");
    const query = await requestJson(context, DOCUMENT_BODY_BYTES);
    return json(await refusedAs400(() => writeQuery(context, query, notes)));
  },
});
