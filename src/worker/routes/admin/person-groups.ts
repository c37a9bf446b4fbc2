import * as z from "zod";
import { answerDone } from "../../admin/done.ts";
import { changeMembership } from "../../admin/membership.ts";
import { accountOf } from "../../admin/person.ts";
import { operation } from "../../operation.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";

/** `POST /admin/people/<username>/groups`: somebody joins or leaves a usergroup (records.md 10.1). */
export const adminPersonGroups = operation({
  id: "adminPersonGroups",
  summary: "Give or take a role",
  tag: "administration",
  path: { username: z.string() },
  form: {
    action: z.enum(["add", "remove"]),
    group: z.string().describe("Such as `librarians`, or `/usergroup/librarians`"),
  },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Done, or so already", schema: doneSchema },
    303: { description: "For people: back to the account" },
    400: { description: "No such group, or the last administrator" },
    404: { description: "No such account" },
  },
  async handle({ path: { username }, form: { action, group } }, context) {
    const account = await accountOf(context, username);
    return answerDone(context, `/admin/people/${account.username}`, async () => {
      const name = group.trim().replace(/^\/usergroup\//, "");
      await changeMembership(context, { action, group: name, person: `/people/${account.username}` });
      return undefined;
    });
  },
});
