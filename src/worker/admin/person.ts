import * as z from "zod";
import { createHash } from "node:crypto";
import { formatDatetime } from "../../catalog/datetime.ts";
import { ROLE_GROUPS, groupNameOf } from "../../catalog/roles.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { countEdits, readChanges } from "../../db/history/changes.ts";
import { readGroups } from "../../db/records/users.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { resource } from "../http/views.ts";
import { adminPage, dataFacts, dataTable, valueText } from "../ui/data-page.ts";
import { type InputField, form } from "../ui/form.ts";
import { type Markup, type Piece, addressOf } from "../ui/markup.ts";
import { commas, link, paragraph } from "../ui/parts.ts";
import { bullets, section } from "../ui/values.ts";
import { type Words, number, t } from "../ui/words.ts";
import { changeSchema, adminChangeTable, toChangeView } from "./changes.ts";

const SHOWN_CHANGES_MAX = 20;
/** Characters of a session's hash: enough to distinguish sessions. */
const SESSION_HASH_LENGTH = 8;

export const accountSchema = z.object({
  username: z.string(),
  key: z.string(),
  displayname: z.string(),
  email: z.string(),
  status: z.enum(["pending", "active", "blocked"]),
  bot: z.boolean(),
  tags: z.array(z.string()),
  created: z.string(),
  last_login: z.string().nullable(),
});
type AccountView = z.infer<typeof accountSchema>;

export const ACCOUNT_STATUS_WORDS = {
  pending: "admin.status_pending",
  active: "admin.status_active",
  blocked: "admin.status_blocked",
} as const;

const sessionSchema = z.object({
  hash: z.string().describe("Identifier of the session, without access to it"),
  opened: z.string(),
  expires: z.string(),
  seen: z.string(),
  remembered: z.boolean(),
  client: z.string(),
});

/** Account as shown to administrators; contains no secret that gives access. Times are naive UTC. */
const personSchema = accountSchema.extend({
  subject: z.string().nullable().describe("Subject at the identity provider"),
  special_access: z.boolean(),
  has_records: z.boolean(),
  groups: z.array(z.string()),
  sessions: z.array(sessionSchema),
  edits: z.int().describe("Number of edits, at most 10,000"),
  changes: z.array(changeSchema).describe("Newest changes"),
});

/** Returns the account of a username in any case; throws 404 if there is none. */
export async function requireAccount({ stores }: RequestContext, username: string): Promise<FoundAccount> {
  const account = await findAccount(stores.patrons, { username });
  if (account === undefined) throw notFound();
  return account;
}

export function toAccountView(account: FoundAccount): AccountView {
  const { username, displayname, email, status, bot, created, lastLogin } = account;
  const key = `/people/${username}`;
  const tags = [...account.tags];
  return { username, key, displayname, email, status, bot, tags, created, last_login: lastLogin };
}

export const adminPerson = resource({
  id: "adminPerson",
  summary: "Get an account",
  tag: "administration",
  path: { username: z.string().describe("Username, case-insensitive") },
  responses: {
    200: { description: "Account, as JSON or HTML", schema: personSchema },
  },
  async read({ path: { username } }, context) {
    const { catalog } = context.stores;
    const account = await requireAccount(context, username);
    const key = `/people/${account.username}`;
    const [groups, sessions, edits, changes] = await Promise.all([
      readGroups(catalog, key),
      patronOf(context.stores, account.username).sessions(context.now),
      countEdits(catalog, key),
      readChanges(catalog, { author: key }, { limit: SHOWN_CHANGES_MAX, offset: 0 }),
    ]);
    return {
      ...toAccountView(account),
      subject: account.subject,
      special_access: account.specialAccess,
      has_records: account.hasRecords,
      groups: groups.flatMap((group) => groupNameOf(group) ?? []),
      sessions: sessions.map(({ id, opened, expires, seen, remembered, client }) => ({
        hash: createHash("sha256").update(id).digest("hex").slice(0, SESSION_HASH_LENGTH),
        opened: formatDatetime(opened),
        expires: formatDatetime(expires),
        seen: formatDatetime(seen),
        remembered,
        client,
      })),
      edits,
      changes: changes.map(toChangeView),
    };
  },
  page: personPage,
});

function personPage(person: z.infer<typeof personSchema>): Reply {
  const { username, key, status, bot, sessions } = person;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  return adminPage({
    title: t("admin.account", { name: username }),
    parts: [
      dataFacts(
        { ...person, audit: key },
        {
          displayname: "desk.name",
          email: "admin.email",
          status: ["admin.status", () => t(ACCOUNT_STATUS_WORDS[status])],
          bot: "admin.bot",
          created: "desk.since",
          last_login: ["admin.last_login", (time) => valueText(time) ?? t("admin.never")],
          subject: "admin.provider",
          key: ["admin.profile", () => link(addressOf(key), key)],
          edits: ["admin.changes", (edits) => link(`${path}/edits`, number(edits))],
          audit: [
            "admin.audit",
            () =>
              commas([
                auditLink({ actor: key }, "admin.by_account"),
                auditLink({ subject: key }, "admin.about_account"),
              ]),
          ],
        },
      ),
      section(t("admin.status"), [
        status === "pending" && actionForm(path, "activate_account", { submit: t("admin.activate") }),
        status === "blocked"
          ? actionForm(path, "unblock_account", { submit: t("admin.unblock") })
          : actionForm(path, "block_account", { submit: t("admin.block") }),
        actionForm(path, "block_account_and_revert", { submit: t("admin.block_revert"), isDangerous: true }),
        actionForm(path, "set_bot_flag", {
          submit: t(bot ? "admin.bot_is_not" : "admin.bot_is"),
          field: { name: "bot", value: String(!bot), type: "hidden", label: "" },
        }),
      ]),
      membershipForms(path, person),
      section(t("admin.account_heading"), [
        actionForm(path, "update_email", {
          submit: t("admin.change_email"),
          field: { name: "email", label: t("admin.new_email"), type: "email", required: true },
        }),
        actionForm(path, "update_password", { submit: t("admin.set_password"), field: NEW_PASSWORD }),
      ]),
      section(t("admin.sessions"), [
        dataTable({
          caption: t("admin.open_sessions"),
          members: {
            hash: "admin.session",
            opened: "admin.opened",
            seen: "admin.last_used",
            client: "admin.client",
          },
          rows: sessions,
          none: "admin.sessions_none",
        }),
        sessions.length > 0 && actionForm(path, "close_sessions", { submit: t("admin.end_sessions") }),
      ]),
      section(t("admin.removal"), [
        paragraph(t("admin.removal_hint")),
        actionForm(path, "anonymize_account", { submit: t("admin.remove_account"), isDangerous: true }),
      ]),
      adminChangeTable(t("admin.last_changes"), person.changes),
    ],
  });
}

function auditLink(query: Record<string, string>, words: Words): Markup {
  return link(`/admin/audit?${new URLSearchParams(query)}`, t(words));
}

function membershipForms(path: string, { groups, tags }: z.infer<typeof personSchema>): Piece {
  const groupsPath = `${path}/groups`;
  const others = ROLE_GROUPS.filter((group) => !groups.includes(group));
  return [
    section(t("admin.groups"), [
      bullets(
        groups.map((group) => {
          const field = { name: "group", value: group, type: "hidden", label: "" } as const;
          return [
            group,
            actionForm(groupsPath, "remove", { submit: t("admin.group_remove", { group }), field }),
          ];
        }),
      ),
      actionForm(groupsPath, "add", {
        submit: t("admin.add"),
        field: { name: "group", label: t("admin.add_group"), options: others.map((name) => [name, name]) },
      }),
    ]),
    section(t("admin.tags"), [
      bullets(
        tags.map((tag) => {
          const field = { name: "tag", value: tag, type: "hidden", label: "" } as const;
          return [tag, actionForm(path, "remove_tag", { submit: t("admin.remove_tag", { tag }), field })];
        }),
      ),
      actionForm(path, "add_tag", {
        submit: t("admin.add_tag"),
        field: { name: "tag", label: t("admin.new_tag"), required: true },
      }),
    ]),
  ];
}

const NEW_PASSWORD = {
  name: "password",
  label: t("admin.new_password"),
  type: "password",
  required: true,
  autocomplete: "new-password",
} as const;

function actionForm(
  path: string,
  action: string,
  { submit, field, isDangerous = false }: { submit: Piece; field?: InputField; isDangerous?: boolean },
): Markup {
  const hidden = { name: "action", label: "", type: "hidden", value: action } as const;
  return form({
    action: path,
    fields: field === undefined ? [hidden] : [hidden, field],
    submit,
    isDangerous,
  });
}
