import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { accountOf, personView } from "../../admin/person.ts";
import { operation } from "../../operation.ts";
import { personPage } from "../../pages/admin/person-page.ts";
import { accountSchema, changeSchema } from "./schemas.ts";

const session = z.object({
  hash: z.string().describe("Tells sessions apart, and opens none"),
  opened: z.string(),
  expires: z.string(),
  seen: z.string(),
  remembered: z.boolean(),
  client: z.string(),
});

/** `GET /admin/people/<username>[.json]`: an account with its groups, sessions and last changes. */
export const adminPerson = operation({
  id: "adminPerson",
  summary: "One account",
  tag: "administration",
  path: { username: z.string().describe("Whatever its case") },
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: accountSchema.extend({
        subject: z.string().nullable().describe("Who this is at the identity provider"),
        special_access: z.boolean(),
        has_records: z.boolean(),
        groups: z.array(z.string()),
        sessions: z.array(session),
        edits: z.int().describe("Counted up to 10,000"),
        changes: z.array(changeSchema).describe("The newest ones"),
      }),
    },
    404: { description: "No such account" },
  },
  async handle({ path: { username } }, context) {
    const account = await accountOf(context, username);
    return shown(context, await personView(context, account), personPage);
  },
});
