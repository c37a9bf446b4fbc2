import * as z from "zod";
import { headerFields } from "../../../import/builder.ts";
import { parseImport } from "../../../import/parse.ts";
import { bodyBytes } from "../../http/bytes.ts";
import { importAnswer } from "../../import/import-answer.ts";
import { loadRecord, requestLoadContext } from "../../import/load-record.ts";
import { stagedLookup } from "../../import/staged-record.ts";
import { requestWriter } from "../../import/writer.ts";
import { operation } from "../../http/operation.ts";
import { IMPORT_RESPONSES } from "./answers.ts";

/** Largest record, in bytes; one of MARC has at most 99,999. */
export const IMPORT_BODY_BYTES = 1024 * 1024;

/** `POST /api/import`: one record in any format (import.md 2). The body is never read as a form. */
export const importRecord = operation({
  id: "importRecord",
  summary: "Imports a record: JSON, MARC, MARCXML, RDF or OPDS",
  tag: "import",
  query: { preview: z.string().optional().describe("`true`: nothing is saved") },
  body: {
    contentType: "application/octet-stream",
    description:
      "One record, whatever its type is called. Headers `X-Archive-Meta-<name>` add fields; " +
      "MARC needs `X-Archive-Meta-Source-Record`",
  },
  responses: IMPORT_RESPONSES,
  handle({ query: { preview } }, context) {
    return importAnswer(async () => {
      const { request, stores } = context;
      const bytes = await bodyBytes(request, IMPORT_BODY_BYTES);
      const record = await parseImport(bytes, headerFields(request.headers), stagedLookup(stores));
      const writer = await requestWriter(context);
      return loadRecord(requestLoadContext(context), record, { ...writer, preview: preview === "true" });
    });
  },
});
