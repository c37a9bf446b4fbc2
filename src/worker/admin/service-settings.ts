import { type Failure, failure } from "../http/failure.ts";
import * as z from "zod";
import { editRecords } from "../editing/edit-records.ts";
import {
  BLOCKED_ADDRESSES_MAX,
  BLOCK_KEY,
  blockedNetworks,
  readBlockedAddresses,
  isClientAddress,
} from "../http/client-address.ts";
import { boolean, integer } from "../http/parameters.ts";
import { readOnlyMode, readOnlySchema, setReadOnly } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { audit } from "../platform/audit.ts";
import { type SpamSettings, linesOf, readSpamSettings, saveSpamSettings } from "../platform/spam-words.ts";
import { adminPage } from "../ui/data-page.ts";
import { form as formMarkup } from "../ui/form.ts";
import { paragraph } from "../ui/parts.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, doneSchema } from "./admin-form.ts";
import { readOnlySince } from "./overview-page.ts";

export const adminReadOnly = resource({
  id: "adminReadOnly",
  summary: "Get the read-only mode",
  tag: "administration",
  responses: { 200: { description: "Read-only mode, as JSON or HTML", schema: readOnlySchema } },
  read: (_input, context) => readOnlyMode(context),
  page(mode) {
    const { read_only: isReadOnly, changed } = mode;
    const state = t(isReadOnly ? "admin.read_only_is" : "admin.read_only_is_not");
    return adminPage({
      title: t("admin.read_only"),
      parts: [
        paragraph([state, " ", changed !== null && readOnlySince(mode)]),
        formMarkup({
          action: "/admin/read-only",
          fields: [{ name: "read_only", label: "", type: "hidden", value: String(!isReadOnly) }],
          submit: t(isReadOnly ? "admin.read_only_end" : "admin.read_only_set"),
        }),
      ],
    });
  },
});

/** `POST /admin/read-only`: turns the read-only mode on or off (Q166). */
export const adminReadOnlySave = command({
  ...ADMIN_FORM,
  id: "adminReadOnlySave",
  summary: "Turn the read-only mode on or off",
  form: { read_only: boolean() },
  responses: {
    200: { description: "New mode", schema: doneSchema.extend(readOnlySchema.shape) },
    303: { description: "Redirect to the page, for browsers" },
  },
  async submit({ form: details }, context) {
    const mode = await setReadOnly(context, details.read_only);
    await audit(context, { event: "setting-changed", subject: "read-only", details });
    return mode;
  },
  done: { to: "/admin/read-only", notice: "desk.done" },
});

export const adminBlock = resource({
  id: "adminBlock",
  summary: "List the blocked addresses",
  tag: "administration",
  responses: {
    200: {
      description: "Blocked addresses, as JSON or HTML",
      schema: z.object({ ips: z.array(z.object({ ip: z.string() })) }),
    },
  },
  read: async (_input, context) => ({ ips: (await readBlockedAddresses(context)).map((ip) => ({ ip })) }),
  page: ({ ips }) => blockPage(ips.map(({ ip }) => ip)),
});

/** `POST /admin/block`: replaces the list of blocked addresses (Q163). */
export const adminBlockSave = command({
  ...ADMIN_FORM,
  id: "adminBlockSave",
  summary: "Replace the blocked addresses",
  form: { ips: z.array(z.string()).describe("Addresses, one per line or field; empty for none") },
  responses: {
    200: { description: "Saved", schema: doneSchema },
    303: { description: "Redirect to the list, for browsers" },
    400: { description: "Not an IP address" },
  },
  async submit({ form }, context) {
    const ips = linesOf(form.ips);
    const field = "ips";
    if (ips.length > BLOCKED_ADDRESSES_MAX)
      throw failure("bad_data.too_many", { most: BLOCKED_ADDRESSES_MAX }, { field });
    const wrong = ips.find((ip) => !isClientAddress(ip));
    if (wrong !== undefined)
      throw failure("bad_data.address", { value: wrong }, { members: { value: wrong }, field });
    const entries = ips.map((ip) => ({ ip: ip.toLowerCase() }));
    await editRecords(context, [BLOCK_KEY], (records) => ({
      documents: [{ type: { key: "/type/object" }, ...records.get(BLOCK_KEY), key: BLOCK_KEY, ips: entries }],
      kind: "edit-blocked-ips",
      comment: "Updated the blocked addresses",
      audited: {
        event: "setting-changed",
        subject: "blocked-addresses",
        details: { addresses: ips.length },
      },
    }));
    blockedNetworks.forget(context);
  },
  done: { to: "/admin/block", notice: "admin.saved" },
  again: (refusal, { form }) => blockPage(linesOf(form.ips), refusal),
});

export const adminSpamwords = resource({
  id: "adminSpamwords",
  summary: "List spam words and blocked email domains",
  tag: "administration",
  responses: {
    200: {
      description: "Spam words and email domains, as JSON or HTML",
      schema: z.object({ spamwords: z.array(z.string()), domains: z.array(z.string()), rev: z.int() }),
    },
  },
  read: (_input, context) => readSpamSettings(context),
  page: (settings) => spamPage(settings),
});

const lines = z.array(z.string()).optional();

/** `POST /admin/spamwords`: replaces words, domains or both (Q164). */
export const adminSpamwordsSave = command({
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
  async submit({ form: { spamwords, domains, rev } }, context) {
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
  },
  done: { to: "/admin/spamwords", notice: "admin.saved" },
  again: (refusal, { form: { spamwords = [], domains = [], rev = 0 } }) =>
    spamPage({ spamwords: linesOf(spamwords), domains: linesOf(domains), rev }, refusal),
});

function blockPage(ips: readonly string[], refusal?: Failure): Reply {
  const label = t("admin.addresses");
  const hint = t("admin.blocked_hint");
  const fields = [{ name: "ips", label, type: "textarea", value: ips.join("\n"), hint }] as const;
  return adminPage({
    title: t("admin.blocked"),
    parts: [formMarkup({ action: "/admin/block", fields, submit: t("admin.save"), refusal })],
  });
}

function spamPage({ spamwords, domains, rev }: SpamSettings, refusal?: Failure): Reply {
  const words = { label: t("admin.spam"), value: spamwords.join("\n"), hint: t("admin.regular") };
  const mail = { label: t("admin.mail_domains"), value: domains.join("\n"), hint: t("admin.one_line") };
  return adminPage({
    title: t("admin.spam"),
    parts: [
      formMarkup({
        action: "/admin/spamwords",
        fields: [
          { name: "spamwords", type: "textarea", ...words },
          { name: "domains", type: "textarea", ...mail },
          { name: "rev", label: "", type: "hidden", value: String(rev) },
        ],
        submit: t("admin.save"),
        refusal,
      }),
    ],
  });
}
