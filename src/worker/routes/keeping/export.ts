import { ownSession } from "../../accounts/own-session.ts";
import { exportFile } from "../../keeping/export-file.ts";
import { operation } from "../../http/operation.ts";
import { exportType } from "./export-schema.ts";

/** `GET /account/export`: what the patron has here, as a file (patrons.md 13). */
export const exportOwn = operation({
  id: "exportOwn",
  summary: "Download what one has here",
  tag: "account",
  query: { type: exportType },
  responses: {
    200: {
      description: "The file; with `Accept: application/json` the answer of `/account/export.json`",
      contentType: "text/csv",
      also: ["application/json"],
    },
  },
  async handle({ query: { type } }, context) {
    const { username } = await ownSession(context);
    return exportFile(context, username, type);
  },
});
