import { answerDone } from "../../admin/done.ts";
import { setReadOnly } from "../../admin/read-only.ts";
import { operation } from "../../operation.ts";
import { boolean } from "../../validation/parameters.ts";
import { ADMIN_BODY_BYTES, doneSchema, readOnlySchema } from "./schemas.ts";

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
