import * as z from "zod";
import { ROLE_GROUPS } from "../../catalog/roles.ts";
import { pageOrJson } from "../http/page-or-json.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { field, form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { changeTable } from "./changes.ts";
import { type PersonView, STATUS_WORDS, accountOf, personSchema, personView } from "./person.ts";
import { table } from "../ui/table.ts";
import { type Words, moment, number, say } from "../ui/words.ts";

/** `GET /admin/people/<username>[.json]`: an account with its groups, sessions and last changes. */
export const adminPerson = operation({
  id: "adminPerson",
  summary: "One account",
  tag: "administration",
  path: { username: z.string().describe("Whatever its case") },
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: personSchema,
    },
    404: { description: "No such account" },
  },
  async handle({ path: { username } }, context) {
    const account = await accountOf(context, username);
    return pageOrJson(context, await personView(context, account), personPage);
  },
});

function personPage(person: PersonView): Reply {
  const { username, key, edits, changes } = person;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const body = markup`${factList([
    [say("desk.name"), person.displayname],
    [say("admin.email"), person.email],
    [say("admin.status"), say(STATUS_WORDS[person.status])],
    [say("admin.bot"), say(person.bot ? "admin.yes" : "admin.no")],
    [say("desk.since"), moment(person.created)],
    [say("admin.last_login"), person.last_login === null ? say("admin.never") : moment(person.last_login)],
    [say("admin.provider"), person.subject],
    [say("admin.profile"), link(key, key)],
    [say("admin.changes"), link(`${path}/edits`, number(edits))],
    [
      say("admin.audit"),
      commas([
        link(`/admin/audit?${new URLSearchParams({ actor: key })}`, say("admin.by_account")),
        link(`/admin/audit?${new URLSearchParams({ subject: key })}`, say("admin.about_account")),
      ]),
    ],
  ])}
${statusForms(path, person)}
${groupForms(path, person)}
${tagForms(path, person)}
<h2>${say("admin.account_heading")}</h2>
${action(path, { name: "update_email", words: "admin.change_email", fields: [{ name: "email", label: say("admin.new_email"), type: "email", required: true }] })}
${action(path, { name: "update_password", words: "admin.set_password", fields: [{ name: "password", label: say("admin.new_password"), type: "password", required: true, autocomplete: "new-password" }] })}
${sessionsOf(path, person)}
<h2>${say("admin.removal")}</h2>
<p>${say("admin.removal_hint")}</p>
${action(path, { name: "anonymize_account", words: "admin.remove_account", isDangerous: true })}
${changeTable(say("admin.last_changes"), changes)}`;
  return adminPage({ title: say("admin.account", { name: username }), body });
}

interface Action {
  readonly name: string;
  readonly words: Words;
  readonly fields?: Parameters<typeof form>[0]["fields"];
  readonly isDangerous?: boolean;
}

function action(path: string, { name, words, fields = [], ...look }: Action): Markup {
  const named = { name: "action", label: "", type: "hidden", value: name } as const;
  return form({ action: path, fields: [named, ...fields], submit: say(words), ...look });
}

function statusForms(path: string, { status, bot }: PersonView): Markup {
  const value = String(!bot);
  return markup`<h2>${say("admin.status")}</h2>
${status === "pending" && action(path, { name: "activate_account", words: "admin.activate" })}
${
  status === "blocked"
    ? action(path, { name: "unblock_account", words: "admin.unblock" })
    : action(path, { name: "block_account", words: "admin.block" })
}
${action(path, { name: "block_account_and_revert", words: "admin.block_revert", isDangerous: true })}
${action(path, { name: "set_bot_flag", words: bot ? "admin.bot_is_not" : "admin.bot_is", fields: [{ name: "bot", label: "", type: "hidden", value }] })}`;
}

function groupForms(path: string, { groups }: PersonView): Markup {
  return markup`<h2>${say("admin.groups")}</h2>
${
  groups.length > 0 &&
  markup`<ul>${groups.map(
    (group) => markup`<li>${group} <form method="post" action="${path}/groups">
<input type="hidden" name="action" value="remove"><input type="hidden" name="group" value="${group}">
<button type="submit">${say("admin.group_remove", { group })}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}/groups"><input type="hidden" name="action" value="add">
<label for="group">${say("admin.add_group")}</label>
<select id="group" name="group">${ROLE_GROUPS.filter((group) => !groups.includes(group)).map(
    (group) => markup`<option>${group}</option>`,
  )}</select>
<p><button type="submit">${say("admin.add")}</button></p></form>`;
}

function tagForms(path: string, { tags }: PersonView): Markup {
  return markup`<h2>${say("admin.tags")}</h2>
${
  tags.length > 0 &&
  markup`<ul>${tags.map(
    (tag) => markup`<li>${tag} <form method="post" action="${path}">
<input type="hidden" name="action" value="remove_tag"><input type="hidden" name="tag" value="${tag}">
<button type="submit">${say("admin.remove_tag", { tag })}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}"><input type="hidden" name="action" value="add_tag">
${field({ name: "tag", label: say("admin.new_tag"), required: true })}
<p><button type="submit">${say("admin.add_tag")}</button></p></form>`;
}

function sessionsOf(path: string, { sessions }: PersonView): Markup {
  if (sessions.length === 0)
    return markup`<h2>${say("admin.sessions")}</h2><p>${say("admin.sessions_none")}</p>`;
  return markup`<h2>${say("admin.sessions")}</h2>
${table({
  caption: say("admin.open_sessions"),
  columns: [say("admin.session"), say("admin.opened"), say("admin.last_used"), say("admin.client")],
  rows: sessions.map(({ hash, opened, seen, client }) => [hash, moment(opened), moment(seen), client]),
})}
${action(path, { name: "close_sessions", words: "admin.end_sessions" })}`;
}
