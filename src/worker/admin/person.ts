import * as z from "zod";
import { createHash } from "node:crypto";
import { formatDatetime } from "../../catalog/datetime.ts";
import { ROLE_GROUPS, groupNameOf } from "../../catalog/roles.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { countEdits, readChanges } from "../../db/history/changes.ts";
import { readGroups } from "../../db/records/users.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageOrJson } from "../http/accept.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { factList } from "../ui/facts.ts";
import { field, form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, moment, number, t } from "../ui/words.ts";
import { adminPage } from "./admin-page.ts";
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
type PersonView = z.infer<typeof personSchema>;

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

async function readPerson({ stores, now }: RequestContext, account: FoundAccount): Promise<PersonView> {
  const { catalog } = stores;
  const key = `/people/${account.username}`;
  const [groups, sessions, edits, changes] = await Promise.all([
    readGroups(catalog, key),
    patronOf(stores, account.username).sessions(now),
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
      hash: shortHash(id),
      opened: formatDatetime(opened),
      expires: formatDatetime(expires),
      seen: formatDatetime(seen),
      remembered,
      client,
    })),
    edits,
    changes: changes.map(toChangeView),
  };
}

function shortHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, SESSION_HASH_LENGTH);
}

export const adminPerson = operation({
  id: "adminPerson",
  summary: "Get an account",
  tag: "administration",
  path: { username: z.string().describe("Username, case-insensitive") },
  responses: {
    200: { description: "Account, as JSON or HTML", schema: personSchema },
  },
  async handle({ path: { username } }, context) {
    const account = await requireAccount(context, username);
    return pageOrJson(context, await readPerson(context, account), personPage);
  },
});

function personPage(person: PersonView): Reply {
  const { username, key, edits, changes } = person;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const body = markup`${factList([
    [t("desk.name"), person.displayname],
    [t("admin.email"), person.email],
    [t("admin.status"), t(ACCOUNT_STATUS_WORDS[person.status])],
    [t("admin.bot"), t(person.bot ? "admin.yes" : "admin.no")],
    [t("desk.since"), moment(person.created)],
    [t("admin.last_login"), person.last_login === null ? t("admin.never") : moment(person.last_login)],
    [t("admin.provider"), person.subject],
    [t("admin.profile"), link(key, key)],
    [t("admin.changes"), link(`${path}/edits`, number(edits))],
    [
      t("admin.audit"),
      commas([
        link(`/admin/audit?${new URLSearchParams({ actor: key })}`, t("admin.by_account")),
        link(`/admin/audit?${new URLSearchParams({ subject: key })}`, t("admin.about_account")),
      ]),
    ],
  ])}
${statusForms(path, person)}
${groupForms(path, person)}
${tagForms(path, person)}
<h2>${t("admin.account_heading")}</h2>
${actionForm(path, { name: "update_email", words: "admin.change_email", fields: [{ name: "email", label: t("admin.new_email"), type: "email", required: true }] })}
${actionForm(path, { name: "update_password", words: "admin.set_password", fields: [{ name: "password", label: t("admin.new_password"), type: "password", required: true, autocomplete: "new-password" }] })}
${sessionTable(path, person)}
<h2>${t("admin.removal")}</h2>
<p>${t("admin.removal_hint")}</p>
${actionForm(path, { name: "anonymize_account", words: "admin.remove_account", isDangerous: true })}
${adminChangeTable(t("admin.last_changes"), changes)}`;
  return adminPage({ title: t("admin.account", { name: username }), body });
}

interface Action {
  name: string;
  words: Words;
  fields?: Parameters<typeof form>[0]["fields"];
  isDangerous?: boolean;
}

function actionForm(path: string, { name, words, fields = [], ...options }: Action): Markup {
  const hidden = { name: "action", label: "", type: "hidden", value: name } as const;
  return form({ action: path, fields: [hidden, ...fields], submit: t(words), ...options });
}

function statusForms(path: string, { status, bot }: PersonView): Markup {
  const value = String(!bot);
  return markup`<h2>${t("admin.status")}</h2>
${status === "pending" && actionForm(path, { name: "activate_account", words: "admin.activate" })}
${
  status === "blocked"
    ? actionForm(path, { name: "unblock_account", words: "admin.unblock" })
    : actionForm(path, { name: "block_account", words: "admin.block" })
}
${actionForm(path, { name: "block_account_and_revert", words: "admin.block_revert", isDangerous: true })}
${actionForm(path, { name: "set_bot_flag", words: bot ? "admin.bot_is_not" : "admin.bot_is", fields: [{ name: "bot", label: "", type: "hidden", value }] })}`;
}

function groupForms(path: string, { groups }: PersonView): Markup {
  const others = ROLE_GROUPS.filter((group) => !groups.includes(group));
  return markup`<h2>${t("admin.groups")}</h2>
${
  groups.length > 0 &&
  markup`<ul>${groups.map(
    (group) => markup`<li>${group} <form method="post" action="${path}/groups">
<input type="hidden" name="action" value="remove"><input type="hidden" name="group" value="${group}">
<button type="submit">${t("admin.group_remove", { group })}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}/groups"><input type="hidden" name="action" value="add">
<label for="group">${t("admin.add_group")}</label>
<select id="group" name="group">${others.map((group) => markup`<option>${group}</option>`)}</select>
<p><button type="submit">${t("admin.add")}</button></p></form>`;
}

function tagForms(path: string, { tags }: PersonView): Markup {
  return markup`<h2>${t("admin.tags")}</h2>
${
  tags.length > 0 &&
  markup`<ul>${tags.map(
    (tag) => markup`<li>${tag} <form method="post" action="${path}">
<input type="hidden" name="action" value="remove_tag"><input type="hidden" name="tag" value="${tag}">
<button type="submit">${t("admin.remove_tag", { tag })}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}"><input type="hidden" name="action" value="add_tag">
${field({ name: "tag", label: t("admin.new_tag"), required: true })}
<p><button type="submit">${t("admin.add_tag")}</button></p></form>`;
}

function sessionTable(path: string, { sessions }: PersonView): Markup {
  if (sessions.length === 0) return markup`<h2>${t("admin.sessions")}</h2><p>${t("admin.sessions_none")}</p>`;
  return markup`<h2>${t("admin.sessions")}</h2>
${table({
  caption: t("admin.open_sessions"),
  columns: [t("admin.session"), t("admin.opened"), t("admin.last_used"), t("admin.client")],
  rows: sessions.map(({ hash, opened, seen, client }) => [hash, moment(opened), moment(seen), client]),
})}
${actionForm(path, { name: "close_sessions", words: "admin.end_sessions" })}`;
}
