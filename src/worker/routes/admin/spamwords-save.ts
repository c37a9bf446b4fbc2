import * as z from "zod";
import { answerDone } from "../../admin/done.ts";
import { readSpamSettings, saveSpamSettings } from "../../admin/spam-settings.ts";
import { badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { integer } from "../../validation/parameters.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";

const lines = z.array(z.string()).optional();

/** `POST /admin/spamwords`: replaces words, domains or both (Q164). */
export const adminSpamwordsSave = operation({
  id: "adminSpamwordsSave",
  summary: "Set spam words and blocked mail domains",
  tag: "administration",
  form: {
    spamwords: lines.describe("Regular expressions, one a line or several fields; blank for none"),
    domains: lines.describe("Mail domains, in the same way"),
    rev: integer(z.int().gte(0)).optional().describe("As of GET: 409 when they were changed since"),
  },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Set", schema: doneSchema },
    303: { description: "For people: back to the words" },
    400: { description: "Which one is wrong, and why" },
    409: { description: "Somebody else has changed them since" },
  },
  handle({ form: { spamwords, domains, rev } }, context) {
    return answerDone(context, "/admin/spamwords", async () => {
      if (spamwords === undefined && domains === undefined) throw badData("missing spamwords or domains");
      const before = await readSpamSettings(context);
      await saveSpamSettings(context, {
        spamwords: spamwords ?? before.spamwords,
        domains: domains ?? before.domains,
        // What is not sent is left as it was read.
        rev: rev ?? before.rev,
      });
      return undefined;
    });
  },
});
