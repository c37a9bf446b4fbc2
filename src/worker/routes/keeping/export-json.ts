import { operation } from "../../http/operation.ts";
import { exportOwn } from "./export.ts";
import { exportSchema, exportType } from "./export-schema.ts";

/** `GET /account/export.json`: the same rows as in the file, for programs (Q232). */
export const exportOwnJson = operation({
  id: "exportOwnJson",
  summary: "Download what one has here as JSON",
  tag: "account",
  query: { type: exportType },
  responses: { 200: { description: "The rows of the file", schema: exportSchema } },
  handle: exportOwn.handle,
});
