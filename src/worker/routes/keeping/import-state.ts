import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { isForPeople } from "../../accounts/page-or-json.ts";
import { ownImport } from "../../keeping/imports.ts";
import { operation } from "../../http/operation.ts";
import { importPage } from "../../pages/keeping/import-page.ts";
import { importSchema } from "./import-schema.ts";

/** `GET /account/import`: how the newest import is getting on; for people with the form for another one. */
export const importState = operation({
  id: "importState",
  summary: "State of the own import",
  tag: "account",
  responses: {
    200: {
      description: "The newest import, null when there was none; for people a page",
      schema: importSchema.nullable(),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    const state = await ownImport(context, username);
    if (isForPeople(context)) return importPage(state);
    return { ...privateJson(state), headers: { Vary: "Accept" } };
  },
});
