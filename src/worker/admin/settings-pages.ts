import type { ReadOnlyMode } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import type { SpamSettings } from "../platform/spam-words.ts";
import { form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { moment } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { type EditPolicy, POLICIES, POLICY_FOLDERS } from "./edit-policy.ts";

/** The page of the blocked addresses. */
export function blockPage({ ips }: { readonly ips: readonly { readonly ip: string }[] }): Reply {
  const value = ips.map(({ ip }) => ip).join("\n");
  const hint = "One a line. From them nobody can change anything, but for administrators.";
  return adminPage({
    title: "Blocked addresses",
    body: form({
      action: "/admin/block",
      fields: [{ name: "ips", label: "Addresses", type: "textarea", value, hint }],
      submit: "Save",
    }),
  });
}

/** The page of the spam words. */
export function spamPage({ spamwords, domains, rev }: SpamSettings): Reply {
  const body = form({
    action: "/admin/spamwords",
    fields: [
      {
        name: "spamwords",
        label: "Spam words",
        type: "textarea",
        value: spamwords.join("\n"),
        hint: "Regular expressions, one a line; case does not matter.",
      },
      {
        name: "domains",
        label: "Mail domains",
        type: "textarea",
        value: domains.join("\n"),
        hint: "One a line.",
      },
      { name: "rev", label: "", type: "hidden", value: String(rev) },
    ],
    submit: "Save",
  });
  return adminPage({ title: "Spam words", body });
}

const POLICY_NAMES = {
  open: "everybody",
  loggedinusers: "everybody with a session",
  restricted: "administrators",
};

/** The page of who may edit. */
export function policyPage({ permissions }: { readonly permissions: EditPolicy }): Reply {
  const body = markup`<form method="post" action="/admin/permissions">
${Object.entries(POLICY_FOLDERS).map(([name, key]) => policyField(name, key, permissions[key] ?? null))}
<p><button type="submit">Save</button></p></form>`;
  return adminPage({ title: "Who may edit", body });
}

function policyField(name: string, key: string, permission: string | null): Markup {
  const options = POLICIES.map((policy) => {
    const chosen = permission === `/permission/${policy}` && markup` selected`;
    return markup`<option value="${policy}"${chosen}>${POLICY_NAMES[policy]}</option>`;
  });
  return markup`<div><label for="${name}">Below ${key}</label>
<select id="${name}" name="${name}"><option value="">${permission ?? "nothing is set"}</option>${options}</select></div>`;
}

/** The page for building search documents anew. */
export function solrPage(): Reply {
  const hint = "Keys of works, editions, authors, lists or series, one a line.";
  return adminPage({
    title: "Build search documents anew",
    body: form({
      action: "/admin/solr",
      fields: [{ name: "keys", label: "Records", type: "textarea", hint, required: true }],
      submit: "Build",
    }),
  });
}

/** The page of the read-only mode. */
export function readOnlyPage({ read_only: isReadOnly, changed, by }: ReadOnlyMode): Reply {
  const state = isReadOnly ? "The service is read-only." : "Everything can be changed.";
  const body = markup`<p>${state}${changed !== null && markup` Set by ${by ?? "the operator"}, ${moment(changed)}.`}</p>
${form({
  action: "/admin/read-only",
  fields: [{ name: "read_only", label: "", type: "hidden", value: String(!isReadOnly) }],
  submit: isReadOnly ? "Let everything be changed again" : "Make the service read-only",
})}`;
  return adminPage({ title: "Read-only mode", body });
}
