import { answerDone } from "../ui/action-answer.ts";
import { pageOrJson } from "../http/page-or-json.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type ReadOnlyMode, readOnlyMode, readOnlySchema, setReadOnly } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";
import { readOnlySince } from "./overview.ts";
import { say } from "../ui/words.ts";

/** `GET /admin/read-only[.json]`: state of the read-only mode. */
export const adminReadOnly = operation({
  id: "adminReadOnly",
  summary: "Whether the service is read-only",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: readOnlySchema } },
  handle: async (_input, context) => pageOrJson(context, await readOnlyMode(context), readOnlyPage),
});

/** `POST /admin/read-only`: turns the read-only mode on or off (Q166). */
export const adminReadOnlySave = operation({
  ...ADMIN_FORM,
  id: "adminReadOnlySave",
  summary: "Make the service read-only, or end that",
  form: { read_only: boolean() },
  responses: {
    200: { description: "It is so now", schema: doneSchema.extend(readOnlySchema.shape) },
    303: { description: "For people: back to the page" },
  },
  handle: ({ form: { read_only: isReadOnly } }, context) =>
    answerDone(context, { to: "/admin/read-only" }, async () => {
      const mode = await setReadOnly(context, isReadOnly);
      await audit(context, {
        event: "setting-changed",
        subject: "read-only",
        details: { read_only: isReadOnly },
      });
      return mode;
    }),
});

function readOnlyPage(mode: ReadOnlyMode): Reply {
  const { read_only: isReadOnly, changed } = mode;
  const state = say(isReadOnly ? "admin.read_only_is" : "admin.read_only_is_not");
  const body = markup`<p>${state} ${changed !== null && readOnlySince(mode)}</p>
${form({
  action: "/admin/read-only",
  fields: [{ name: "read_only", label: "", type: "hidden", value: String(!isReadOnly) }],
  submit: say(isReadOnly ? "admin.read_only_end" : "admin.read_only_set"),
})}`;
  return adminPage({ title: say("admin.read_only"), body });
}
