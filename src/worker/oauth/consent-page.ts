import type { TokenScope } from "../../catalog/scopes.ts";
import type { OAuthClient } from "../../db/accounts/oauth-clients.ts";
import type { Reply } from "../http/reply.ts";
import { scopeBox } from "../accounts/tokens-page.ts";
import { accountPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";

/** Request of an app that an account can allow. */
export interface Authorization {
  readonly client: OAuthClient;
  readonly redirect: string;
  readonly scopes: readonly TokenScope[];
  readonly challenge: string;
  readonly state: string | undefined;
}

/** Renders the question whether an app may use the account, with its scopes to choose from. */
export function consentPage(
  { client, redirect, scopes, challenge, state }: Authorization,
  { username, place }: { username: string; place: string },
): Reply {
  const hidden: Readonly<Record<string, string | undefined>> = {
    client_id: client.id,
    redirect_uri: redirect,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    state,
    asked: scopes.join(" "),
  };
  const body = markup`<p>${t("consent.lead", { app: markup`<b>${client.name}</b>`, username: markup`<b>${username}</b>` })}</p>
${factList([
  [t("consent.place"), markup`<b>${place}</b>`],
  ...(client.uri === ""
    ? []
    : [
        [
          t("consent.page"),
          markup`<a href="${client.uri}" rel="noopener nofollow">${client.uri}</a>`,
        ] as const,
      ]),
])}
<p class="hint">${t("consent.unchecked")}</p>
<form method="post" action="/oauth2/authorize">
${Object.entries(hidden).map(([name, value]) => value !== undefined && markup`<input type="hidden" name="${name}" value="${value}">`)}
<fieldset><legend>${t("consent.scopes")}</legend>${scopes.map((scope) => scopeBox(scope, true))}</fieldset>
<p><button type="submit" class="primary" name="decision" value="allow">${t("consent.allow")}</button>
<button type="submit" name="decision" value="deny">${t("consent.deny")}</button></p>
</form>
<p class="hint">${t("consent.later", { page: markup`<a href="/account/tokens">${t("tokens.title")}</a>` })}</p>`;
  return accountPage({ title: t("consent.title", { app: client.name }), body, formsLeadTo: redirect });
}
