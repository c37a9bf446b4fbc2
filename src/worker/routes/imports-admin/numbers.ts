import { keptNumbers } from "../../imports/statistics.ts";
import { shown } from "../../accounts/page-or-json.ts";
import { operation } from "../../http/operation.ts";
import { numbersPage } from "../../pages/imports/numbers-page.ts";
import { NO_STORE } from "../../http/reply.ts";
import { numbersSchema } from "./schemas.ts";

/** `GET /imports[.json]`: how imports are getting on, as of some minutes ago (import.md 6.5). */
export const importNumbersOperation = operation({
  id: "importNumbers",
  summary: "How imports are getting on",
  tag: "import",
  responses: { 200: { description: "JSON for programs, a page for people", schema: numbersSchema } },
  async handle(_input, context) {
    const reply = shown(context, await keptNumbers(context), numbersPage);
    return { ...reply, cacheControl: NO_STORE };
  },
});
