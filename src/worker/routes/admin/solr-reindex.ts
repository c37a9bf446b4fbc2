import * as z from "zod";
import { answerDone } from "../../admin/done.ts";
import { reindexKeys } from "../../admin/reindex.ts";
import { operation } from "../../operation.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";

/** `POST /admin/solr`: has the search documents of some records built anew (records.md 11.3). */
export const adminSolrReindex = operation({
  id: "adminSolrReindex",
  summary: "Have search documents built anew",
  tag: "administration",
  form: {
    keys: z.array(z.string()).describe("Keys of records, separated by blanks or lines, or several fields"),
  },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Noted; it is done within moments", schema: doneSchema },
    303: { description: "For people: back to the page" },
    400: { description: "What has no search document" },
  },
  handle({ form: { keys } }, context) {
    return answerDone(context, "/admin/solr", async () => {
      const all = keys.flatMap((text) => text.split(/[\s,]+/)).filter((key) => key !== "");
      await reindexKeys(context, [...new Set(all)]);
      return undefined;
    });
  },
});
