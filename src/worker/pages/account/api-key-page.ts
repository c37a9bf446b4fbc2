import type { ApiKey } from "../../../db/accounts/api-keys.ts";
import type { Reply } from "../../http/reply.ts";
import { form } from "../../ui/form.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { definitions, moment } from "../../ui/parts.ts";
import { accountPage } from "./account-page.ts";

/** The page of a patron's key pair. `made` is a new one, whose secret is shown this once. */
export function apiKeyPage(
  key: { readonly access: string; readonly created: string } | undefined,
  made?: ApiKey,
): Reply {
  const body = markup`<p>With a key pair a program logs in as you, without your password: it sends
<code>access</code> and <code>secret</code> as JSON to <code>/account/login</code>.</p>
${made === undefined ? keyOf(key) : newKey(made)}
${form({
  action: "/account/api-key",
  fields: [],
  submit: key === undefined ? "Make a key pair" : "Make another key pair",
  more:
    key !== undefined &&
    markup`<p class="hint">Programs with the present pair can no longer log in then.</p>`,
})}
${key !== undefined && form({ action: "/account/api-key/delete", fields: [], submit: "Delete the key pair" })}`;
  return accountPage({ title: "Keys for programs", body });
}

function keyOf(key: { readonly access: string; readonly created: string } | undefined): Markup | undefined {
  if (key === undefined) return markup`<p>You have none.</p>`;
  return definitions([
    ["Access", key.access],
    ["Made", moment(key.created)],
  ]);
}

function newKey({ access, secret }: ApiKey): Markup {
  return markup`<div role="status"><p>This is your key pair. The secret is not shown again.</p>
${definitions([
  ["Access", markup`<code>${access}</code>`],
  ["Secret", markup`<code>${secret}</code>`],
])}</div>`;
}
