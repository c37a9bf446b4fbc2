import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { readSpamSettings } from "../../admin/spam-settings.ts";
import { operation } from "../../operation.ts";
import { spamPage } from "../../pages/admin/settings-pages.ts";

/** `GET /admin/spamwords[.json]`: what nobody may write, and from which mail domains (records.md 10.5). */
export const adminSpamwords = operation({
  id: "adminSpamwords",
  summary: "Spam words and blocked mail domains",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: z.object({ spamwords: z.array(z.string()), domains: z.array(z.string()), rev: z.int() }),
    },
  },
  handle: async (_input, context) => shown(context, await readSpamSettings(context), spamPage),
});
