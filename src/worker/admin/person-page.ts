import * as z from "zod";
import { ROLE_GROUPS } from "../../catalog/roles.ts";
import { pageOrJson } from "../accounts/account-page.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { field, form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { changeTable } from "./changes.ts";
import { type PersonView, accountOf, personSchema, personView } from "./person.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

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
    ["Name", person.displayname],
    ["E-mail address", person.email],
    ["Status", person.status],
    ["Bot", person.bot ? "yes" : "no"],
    ["Since", moment(person.created)],
    ["Last login", person.last_login === null ? "never" : moment(person.last_login)],
    ["At the identity provider", person.subject],
    ["Profile", link(key, key)],
    ["Changes", link(`${path}/edits`, edits)],
    [
      "Audit log",
      commas([
        link(`/admin/audit?${new URLSearchParams({ actor: key })}`, "by this account"),
        link(`/admin/audit?${new URLSearchParams({ subject: key })}`, "about it"),
      ]),
    ],
  ])}
${statusForms(path, person)}
${groupForms(path, person)}
${tagForms(path, person)}
<h2>Account</h2>
${action(path, { name: "update_email", submit: "Change address", fields: [{ name: "email", label: "New e-mail address", type: "email", required: true }] })}
${action(path, { name: "update_password", submit: "Set password", fields: [{ name: "password", label: "New password", type: "password", required: true, autocomplete: "new-password" }] })}
${sessionsOf(path, person)}
<h2>Removal</h2>
<p>This cannot be undone. What was read and rated stays counted, under no name; what was edited stays in the history.</p>
${action(path, { name: "anonymize_account", submit: "Count what would be removed", fields: [{ name: "dry_run", label: "", type: "hidden", value: "true" }] })}
${action(path, { name: "anonymize_account", submit: "Remove the account" })}
${changeTable("Last changes", changes)}`;
  return adminPage({ title: `Account ${username}`, body });
}

interface Action {
  readonly name: string;
  readonly submit: string;
  readonly fields?: Parameters<typeof form>[0]["fields"];
}

function action(path: string, { name, submit, fields = [] }: Action): Markup {
  const named = { name: "action", label: "", type: "hidden", value: name } as const;
  return form({ action: path, fields: [named, ...fields], submit });
}

function statusForms(path: string, { status, bot }: PersonView): Markup {
  const value = String(!bot);
  return markup`<h2>Status</h2>
${status === "pending" && action(path, { name: "activate_account", submit: "Activate" })}
${
  status === "blocked"
    ? action(path, { name: "unblock_account", submit: "Unblock" })
    : action(path, { name: "block_account", submit: "Block" })
}
${action(path, { name: "block_account_and_revert", submit: "Block and revert all changes" })}
${action(path, { name: "set_bot_flag", submit: bot ? "Is no bot" : "Is a bot", fields: [{ name: "bot", label: "", type: "hidden", value }] })}`;
}

function groupForms(path: string, { groups }: PersonView): Markup {
  return markup`<h2>Groups</h2>
${
  groups.length > 0 &&
  markup`<ul>${groups.map(
    (group) => markup`<li>${group} <form method="post" action="${path}/groups">
<input type="hidden" name="action" value="remove"><input type="hidden" name="group" value="${group}">
<button type="submit">Remove from ${group}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}/groups"><input type="hidden" name="action" value="add">
<label for="group">Add to group</label>
<select id="group" name="group">${ROLE_GROUPS.filter((group) => !groups.includes(group)).map(
    (group) => markup`<option>${group}</option>`,
  )}</select>
<p><button type="submit">Add</button></p></form>`;
}

function tagForms(path: string, { tags }: PersonView): Markup {
  return markup`<h2>Tags</h2>
${
  tags.length > 0 &&
  markup`<ul>${tags.map(
    (tag) => markup`<li>${tag} <form method="post" action="${path}">
<input type="hidden" name="action" value="remove_tag"><input type="hidden" name="tag" value="${tag}">
<button type="submit">Remove ${tag}</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${path}"><input type="hidden" name="action" value="add_tag">
${field({ name: "tag", label: "New tag", required: true })}
<p><button type="submit">Add tag</button></p></form>`;
}

function sessionsOf(path: string, { sessions }: PersonView): Markup {
  if (sessions.length === 0) return markup`<h2>Sessions</h2><p>There are none.</p>`;
  return markup`<h2>Sessions</h2>
${table({
  caption: "Open sessions",
  columns: ["Session", "Opened", "Last used", "From"],
  rows: sessions.map(({ hash, opened, seen, client }) => [hash, moment(opened), moment(seen), client]),
})}
${action(path, { name: "close_sessions", submit: "End all sessions" })}`;
}
