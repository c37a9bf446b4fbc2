import type { ApiKey, ApiKeyInfo } from "../../db/accounts/read-secrets.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { day, moment, t } from "../ui/words.ts";
import { confirmation } from "./login-elsewhere.ts";

const LEAD = {
  access: markup`<code>access</code>`,
  secret: markup`<code>secret</code>`,
  address: markup`<code>/account/login</code>`,
};

/** Renders the page of the key pair. `made`: the pair that was just made, whose secret is shown only now. */
export function apiKeyPage(
  { settings }: Pick<RequestContext, "settings">,
  key: ApiKeyInfo | undefined,
  { made, refusal }: { made?: ApiKey; refusal?: Failure } = {},
): Reply {
  const { fields, more } = confirmation(settings, "/account/api-key");
  let facts: Piece = markup`<p>${t("accounts.key_none")}</p>`;
  if (made !== undefined) {
    facts = markup`${notice("good", t("accounts.key_made"))}
${factList([
  [t("accounts.access"), markup`<code>${made.access}</code>`],
  [t("accounts.secret"), markup`<code>${made.secret}</code>`],
])}`;
  } else if (key !== undefined) {
    facts = factList([
      [t("accounts.access"), key.access],
      [t("accounts.made"), moment(key.created)],
      [t("accounts.last_used"), key.lastUsed === null ? t("accounts.never") : day(key.lastUsed)],
    ]);
  }
  const body = markup`<p>${t("accounts.key_lead", LEAD)}</p>
${facts}
${form({
  action: "/account/api-key",
  refusal,
  fields,
  submit: t(key === undefined ? "accounts.key_make" : "accounts.key_make_other"),
  more: [more, key !== undefined && markup`<p class="hint">${t("accounts.key_replaces")}</p>`],
})}
${key !== undefined && form({ action: "/account/api-key/delete", fields: [], submit: t("accounts.key_delete") })}`;
  return accountPage({ title: t("accounts.keys"), body });
}
