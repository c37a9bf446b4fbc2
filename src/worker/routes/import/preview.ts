import * as z from "zod";
import { previewImport } from "../../import/preview.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { boolean } from "../../http/parameters.ts";
import { PREVIEW_REFUSALS, importFailure, importReply } from "./answers.ts";

const parameters = {
  source: z.string().optional().describe("`<provider>:<identifier>`; goes before the two others"),
  provider: z.string().optional().describe("amazon, ia or marc"),
  identifier: z.string().default("").describe("ISBN or ASIN; id of an item; `<url>:<offset>` of a MARC file"),
};
const responses = {
  200: {
    description: "What an import does, or why it cannot be made",
    schema: z.union([importReply, importFailure]),
  },
  ...PREVIEW_REFUSALS,
};

/** `GET /import/preview.json`: what importing a record would do (import.md 4.1). */
export const importPreview = operation({
  id: "importPreview",
  summary: "What the import of a record would do",
  tag: "import",
  query: parameters,
  responses,
  async handle({ query }, context) {
    return json(await previewImport(context, { ...query, save: false }), { cacheControl: NO_STORE });
  },
});

/** `POST /import/preview.json`: the same, or with `save` the import itself. */
export const importPreviewed = operation({
  id: "importPreviewed",
  summary: "Imports a record, or says what that would do",
  tag: "import",
  form: { ...parameters, save: boolean().default(false).describe("Import it") },
  responses,
  async handle({ form }, context) {
    return json(await previewImport(context, form), { cacheControl: NO_STORE });
  },
});
