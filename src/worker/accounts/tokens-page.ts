import { SCOPES, isTokenScope } from "../../catalog/scopes.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { form } from "../ui/form.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { table } from "../ui/table.ts";
import { day, moment, t } from "../ui/words.ts";
import { confirmation } from "./login-elsewhere.ts";
import { SCOPE_WORDS } from "./scope-words.ts";

/** Grant as its account sees it. Times are naive UTC. */
interface GrantRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_used: string | null;
  /** Network of the last use. */
  readonly network: string;
}

interface TokenList {
  readonly tokens: readonly (GrantRow & { readonly expires: string | null })[];
  /** `place`: host or scheme of the app. */
  readonly apps: readonly (GrantRow & { readonly place: string })[];
}

interface TokensView {
  /** Token that was just made, which is shown only now. */
  readonly made?: string;
  readonly refusal?: Failure;
  readonly typed?: { readonly name: string; readonly scope: readonly string[]; readonly days: number };
}

/** Renders the apps with access, the personal tokens, and the form for another one. */
export function tokensPage(
  { settings }: Pick<RequestContext, "settings">,
  { tokens, apps }: TokenList,
  { made, refusal, typed }: TokensView = {},
): Reply {
  const { ACCESS_DAYS_MAX: daysMax } = settings;
  const { fields, more } = confirmation(settings, "/account/tokens");
  const body = markup`${made !== undefined && madeNotice(made)}
${
  apps.length === 0
    ? markup`<h2>${t("tokens.apps")}</h2><p>${t("tokens.no_apps")}</p>`
    : table({
        caption: t("tokens.apps"),
        columns: [t("tokens.app"), t("tokens.scopes"), t("accounts.last_used"), t("tokens.revoke")],
        rows: apps.map(({ id, name, place, scopes, last_used: used, network }) => [
          markup`${name} <span class="hint">${place}</span>`,
          scopeList(scopes),
          lastUse(used, network),
          revokeForm(id),
        ]),
      })
}
${
  tokens.length > 0 &&
  table({
    caption: t("tokens.personal"),
    columns: [
      t("tokens.name"),
      t("tokens.scopes"),
      t("accounts.last_used"),
      t("tokens.expires"),
      t("tokens.revoke"),
    ],
    rows: tokens.map(({ id, name, scopes, last_used: used, network, expires }) => [
      name,
      scopeList(scopes),
      lastUse(used, network),
      expires === null ? "" : day(expires),
      revokeForm(id),
    ]),
  })
}
<h2>${t("tokens.make")}</h2>
<p>${t("tokens.lead", { header: markup`<code>Authorization: Bearer</code>`, docs: markup`<a href="/docs">${t("nav.docs")}</a>` })}</p>
${form({
  action: "/account/tokens",
  refusal,
  fields: [
    { name: "name", label: t("tokens.name"), value: typed?.name, required: true, maxlength: 80 },
    {
      name: "days",
      label: t("tokens.days"),
      type: "number",
      value: String(typed?.days ?? Math.min(90, daysMax)),
      hint: t("tokens.days_hint", { most: daysMax }),
    },
    ...fields,
  ],
  more,
  before: markup`<fieldset><legend>${t("tokens.scopes")}</legend>
${SCOPES.map((scope) => scopeBox(scope, typed?.scope.includes(scope) ?? scope === "read"))}</fieldset>`,
  submit: t("tokens.make"),
})}`;
  return accountPage({ title: t("tokens.title"), body });
}

function madeNotice(token: string): Markup {
  return markup`${notice("good", t("tokens.made"))}<p><code class="token">${token}</code></p>`;
}

/** Makes a checkbox of a scope, with its name for programs and in words. */
export function scopeBox(scope: keyof typeof SCOPE_WORDS, isChecked: boolean): Markup {
  const id = `scope-${scope}`;
  return markup`<div class="check"><input type="checkbox" id="${id}" name="scope" value="${scope}"${isChecked && markup` checked`}>
<label for="${id}">${t(SCOPE_WORDS[scope])}</label></div>`;
}

function scopeList(scopes: readonly string[]): Markup {
  return markup`<ul>${scopes.filter(isTokenScope).map((scope) => markup`<li>${t(SCOPE_WORDS[scope])}</li>`)}</ul>`;
}

function lastUse(used: string | null, network: string): Piece {
  return used === null ? t("accounts.never") : markup`${moment(used)}${network !== "" && ` · ${network}`}`;
}

function revokeForm(id: string): Markup {
  return markup`<form method="post" action="/account/tokens/revoke"><input type="hidden" name="id" value="${id}">
<button type="submit">${t("tokens.revoke")}</button></form>`;
}
