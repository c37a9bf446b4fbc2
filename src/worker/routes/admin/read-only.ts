import { shown } from "../../admin/done.ts";
import { readOnlyMode } from "../../admin/read-only.ts";
import { operation } from "../../operation.ts";
import { readOnlyPage } from "../../pages/admin/settings-pages.ts";
import { readOnlySchema } from "./schemas.ts";

/** `GET /admin/read-only[.json]`: whether anything can be changed. */
export const adminReadOnly = operation({
  id: "adminReadOnly",
  summary: "Whether the service is read-only",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: readOnlySchema } },
  handle: async (_input, context) => shown(context, await readOnlyMode(context), readOnlyPage),
});
