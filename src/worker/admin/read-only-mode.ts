import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { readOnlyMode, setReadOnly } from "../http/read-only.ts";
import { ADMIN_BODY_BYTES, doneSchema, readOnlySchema } from "./schemas.ts";
import { readOnlyPage } from "./settings-pages.ts";

/** `GET /admin/read-only[.json]`: whether anything can be changed. */
export const adminReadOnly = operation({
  id: "adminReadOnly",
  summary: "Whether the service is read-only",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: readOnlySchema } },
  handle: async (_input, context) => pageOrJson(context, await readOnlyMode(context), readOnlyPage),
});

/** `POST /admin/read-only`: makes the service read-only, or ends that (Q166). */
export const adminReadOnlySave = operation({
  id: "adminReadOnlySave",
  summary: "Make the service read-only, or end that",
  tag: "administration",
  form: { read_only: boolean() },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "It is so now", schema: doneSchema.extend(readOnlySchema.shape) },
    303: { description: "For people: back to the page" },
  },
  handle: ({ form }, context) =>
    answerDone(context, "/admin/read-only", () => setReadOnly(context, form.read_only)),
});
