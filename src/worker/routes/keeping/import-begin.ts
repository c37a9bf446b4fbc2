import { privateJson, seeOther } from "../../http/reply.ts";
import { isForPeople, problemPage } from "../../accounts/page-or-json.ts";
import { IMPORT_BODY_BYTES, beginImport } from "../../keeping/imports.ts";
import { operation } from "../../http/operation.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { csvField, importSchema } from "./import-schema.ts";

/** `POST /account/import`: takes the books of a Goodreads export over, in the queue (Q233). */
export const importOwn = operation({
  id: "importOwn",
  summary: "Take over a reading log",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  responses: {
    202: { description: "It has begun; /account/import.json tells how it gets on", schema: importSchema },
    303: { description: "For people: to the page of the import" },
    400: { description: "No such file" },
    403: { description: "The account may read only" },
    409: { description: "Another import is running" },
  },
  async handle({ form: { csv } }, context) {
    const { username } = (await ownWriter(context)).session;
    if (!isForPeople(context)) {
      return { ...privateJson(await beginImport(context, username, csv)), status: 202 };
    }
    try {
      await beginImport(context, username, csv);
      return seeOther("/account/import");
    } catch (error) {
      return problemPage(error, "/account/import");
    }
  },
});
