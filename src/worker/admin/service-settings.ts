import { failure } from "../http/failure.ts";
import * as z from "zod";
import { editRecords } from "../editing/edit-records.ts";
import {
  BLOCKED_ADDRESSES_MAX,
  BLOCK_KEY,
  blockedNetworks,
  readBlockedAddresses,
  isClientAddress,
} from "../http/client-address.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageOrJson } from "../http/accept.ts";
import { boolean, integer } from "../http/parameters.ts";
import { type ReadOnlyMode, readOnlyMode, readOnlySchema, setReadOnly } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { type SpamSettings, linesOf, readSpamSettings, saveSpamSettings } from "../platform/spam-words.ts";
import { answerDone } from "../ui/action-answer.ts";
import { errorSummary, form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";
import { readOnlySince } from "./overview.ts";

export const adminReadOnly = operation({
  id: "adminReadOnly",
  summary: "Get the read-only mode",
  tag: "administration",
  responses: { 200: { description: "Read-only mode, as JSON or HTML", schema: readOnlySchema } },
  handle: async (_input, context) => pageOrJson(context, await readOnlyMode(context), readOnlyPage),
});

/** `POST /admin/read-only`: turns the read-only mode on or off (Q166). */
export const adminReadOnlySave = operation({
  ...ADMIN_FORM,
  id: "adminReadOnlySave",
  summary: "Turn the read-only mode on or off",
  form: { read_only: boolean() },
  responses: {
    200: { description: "New mode", schema: doneSchema.extend(readOnlySchema.shape) },
    303: { description: "Redirect to the page, for browsers" },
  },
  handle: ({ form: { read_only: isReadOnly } }, context) =>
    answerDone(context, { to: "/admin/read-only" }, async () => {
      const mode = await setReadOnly(context, isReadOnly);
      const details = { read_only: isReadOnly };
      await audit(context, { event: "setting-changed", subject: "read-only", details });
      return mode;
    }),
});

function readOnlyPage(mode: ReadOnlyMode): Reply {
  const { read_only: isReadOnly, changed } = mode;
  const state = t(isReadOnly ? "admin.read_only_is" : "admin.read_only_is_not");
  const body = markup`<p>${state} ${changed !== null && readOnlySince(mode)}</p>
${form({
  action: "/admin/read-only",
  fields: [{ name: "read_only", label: "", type: "hidden", value: String(!isReadOnly) }],
  submit: t(isReadOnly ? "admin.read_only_end" : "admin.read_only_set"),
})}`;
  return adminPage({ title: t("admin.read_only"), body });
}

export const adminBlock = operation({
  id: "adminBlock",
  summary: "List the blocked addresses",
  tag: "administration",
  responses: {
    200: {
      description: "Blocked addresses, as JSON or HTML",
      schema: z.object({ ips: z.array(z.object({ ip: z.string() })) }),
    },
  },
  async handle(_input, context) {
    const ips = (await readBlockedAddresses(context)).map((ip) => ({ ip }));
    return pageOrJson(context, { ips }, (list) => blockPage(list));
  },
});

/** `POST /admin/block`: replaces the list of blocked addresses (Q163). */
export const adminBlockSave = operation({
  ...ADMIN_FORM,
  id: "adminBlockSave",
  summary: "Replace the blocked addresses",
  form: { ips: z.array(z.string()).describe("Addresses, one per line or field; empty for none") },
  responses: {
    200: { description: "Saved", schema: doneSchema },
    303: { description: "Redirect to the list, for browsers" },
    400: { description: "Not an IP address" },
  },
  handle({ form: { ips } }, context) {
    const addresses = linesOf(ips);
    const again = (problem: Markup) => blockPage({ ips: addresses.map((ip) => ({ ip })) }, problem);
    return answerDone(context, { to: "/admin/block", words: "admin.saved", again }, () =>
      saveBlockedAddresses(context, addresses),
    );
  },
});

/** Saves the blocked addresses. Throws 400 for invalid addresses and for too many. */
async function saveBlockedAddresses(context: RequestContext, ips: readonly string[]): Promise<void> {
  if (ips.length > BLOCKED_ADDRESSES_MAX) throw failure("bad_data.too_many", { most: BLOCKED_ADDRESSES_MAX });
  const wrong = ips.find((ip) => !isClientAddress(ip));
  if (wrong !== undefined) throw failure("bad_data.address", { value: wrong }, { members: { value: wrong } });
  const entries = ips.map((ip) => ({ ip: ip.toLowerCase() }));
  await editRecords(context, [BLOCK_KEY], (records) => ({
    documents: [{ type: { key: "/type/object" }, ...records.get(BLOCK_KEY), key: BLOCK_KEY, ips: entries }],
    kind: "edit-blocked-ips",
    comment: "Updated the blocked addresses",
    audited: { event: "setting-changed", subject: "blocked-addresses", details: { addresses: ips.length } },
  }));
  blockedNetworks.forget(context);
}

function blockPage({ ips }: { ips: readonly { ip: string }[] }, error?: Markup): Reply {
  const value = ips.map(({ ip }) => ip).join("\n");
  const label = t("admin.addresses");
  const hint = t("admin.blocked_hint");
  return adminPage({
    title: t("admin.blocked"),
    body: form({
      action: "/admin/block",
      fields: [{ name: "ips", label, type: "textarea", value, hint, ...(error !== undefined && { error }) }],
      submit: t("admin.save"),
    }),
  });
}

export const adminSpamwords = operation({
  id: "adminSpamwords",
  summary: "List spam words and blocked email domains",
  tag: "administration",
  responses: {
    200: {
      description: "Spam words and email domains, as JSON or HTML",
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
  summary: "Replace spam words and blocked email domains",
  form: {
    spamwords: lines.describe("Regular expressions, one per line or field; empty for none"),
    domains: lines.describe("Email domains, one per line or field; empty for none"),
    rev: integer(z.int().gte(0)).optional().describe("Revision returned by GET, to detect conflicts"),
  },
  responses: {
    200: { description: "Saved", schema: doneSchema },
    303: { description: "Redirect to the list, for browsers" },
    400: { description: "Invalid spam word or domain" },
    409: { description: "Revision other than the current one" },
  },
  handle({ form: { spamwords, domains, rev } }, context) {
    const again = (problem: Markup) => {
      const settings = {
        spamwords: linesOf(spamwords ?? []),
        domains: linesOf(domains ?? []),
        rev: rev ?? 0,
      };
      return spamPage(settings, problem);
    };
    return answerDone(context, { to: "/admin/spamwords", words: "admin.saved", again }, async () => {
      if (spamwords === undefined && domains === undefined)
        throw failure("bad_data.missing_value", { name: "spamwords" });
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
        label: t("admin.spam"),
        type: "textarea",
        value: spamwords.join("\n"),
        hint: t("admin.regular"),
      },
      {
        name: "domains",
        label: t("admin.mail_domains"),
        type: "textarea",
        value: domains.join("\n"),
        hint: t("admin.one_line"),
      },
      { name: "rev", label: "", type: "hidden", value: String(rev) },
    ],
    submit: t("admin.save"),
  });
  return adminPage({
    title: t("admin.spam"),
    body: markup`${error !== undefined && errorSummary([{ message: error }])}${body}`,
  });
}
