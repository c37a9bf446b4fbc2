import * as z from "zod";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { type SpamSettings, linesOf, readSpamSettings, saveSpamSettings } from "../platform/spam-words.ts";
import { errorSummary, form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";

/** `GET /admin/spamwords[.json]`: spam words, and blocked domains of email addresses. */
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
  handle: async (_input, context) =>
    pageOrJson(context, await readSpamSettings(context), (settings) => spamPage(settings)),
});

const lines = z.array(z.string()).optional();

/** `POST /admin/spamwords`: replaces words, domains or both (Q164). */
export const adminSpamwordsSave = operation({
  ...ADMIN_FORM,
  id: "adminSpamwordsSave",
  summary: "Set spam words and blocked mail domains",
  form: {
    spamwords: lines.describe("Regular expressions, one a line or several fields; blank for none"),
    domains: lines.describe("Mail domains, in the same way"),
    rev: integer(z.int().gte(0)).optional().describe("As of GET: 409 when they were changed since"),
  },
  responses: {
    200: { description: "Set", schema: doneSchema },
    303: { description: "For people: back to the words" },
    400: { description: "Which one is wrong, and why" },
    409: { description: "Changed by someone else in the meantime" },
  },
  handle({ form: { spamwords, domains, rev } }, context) {
    const again = (problem: Markup) =>
      spamPage(
        { spamwords: linesOf(spamwords ?? []), domains: linesOf(domains ?? []), rev: rev ?? 0 },
        problem,
      );
    return answerDone(context, { to: "/admin/spamwords", words: "admin.saved", again }, async () => {
      if (spamwords === undefined && domains === undefined) throw badData("missing spamwords or domains");
      const before = await readSpamSettings(context);
      await saveSpamSettings(context, {
        spamwords: spamwords ?? before.spamwords,
        domains: domains ?? before.domains,
        // Settings that are not sent stay as they were read.
        rev: rev ?? before.rev,
      });
      await audit(context, { event: "setting-changed", subject: "spam-words" });
    });
  },
});

function spamPage({ spamwords, domains, rev }: SpamSettings, error?: Markup): Reply {
  const body = form({
    action: "/admin/spamwords",
    fields: [
      {
        name: "spamwords",
        label: say("admin.spam"),
        type: "textarea",
        value: spamwords.join("\n"),
        hint: say("admin.regular"),
      },
      {
        name: "domains",
        label: say("admin.mail_domains"),
        type: "textarea",
        value: domains.join("\n"),
        hint: say("admin.one_line"),
      },
      { name: "rev", label: "", type: "hidden", value: String(rev) },
    ],
    submit: say("admin.save"),
  });
  return adminPage({
    title: say("admin.spam"),
    body: markup`${error !== undefined && errorSummary([{ message: error }])}${body}`,
  });
}
