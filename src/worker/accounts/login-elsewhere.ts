import type { Text } from "../../catalog/texts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { cookieValue, openToken, sealToken } from "../http/cookie.ts";
import { failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { cookieText, ownCookieName, secretsOf } from "../http/session.ts";
import type { Settings } from "../http/settings.ts";
import type { InputField } from "../ui/form.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { passwordField } from "./account-form.ts";
import { ownSession } from "./own-session.ts";

/** Returns true if users log in at an issuer or a proxy only: this service takes no password (Q856). */
export function isLoginElsewhere(settings: Settings): boolean {
  return settings.IDENTITY_PROVIDER === "forward" || isRedirectLogin(settings);
}

export function isRedirectLogin({ IDENTITY_PROVIDER: provider, OIDC_FLOW: flow }: Settings): boolean {
  return provider === "oidc" && flow === "redirect";
}

/** Returns the name of the issuer on pages. */
export function issuerName({ OIDC_NAME: name, OIDC_ISSUER: issuer }: Settings): string {
  return name === "" ? (URL.parse(issuer)?.host ?? issuer) : name;
}

const NEEDED = {
  local: [],
  xauth: ["XAUTH_URL", "XAUTH_KEY_URL"],
  oidc: ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  forward: ["FORWARD_AUTH_SECRET"],
} as const satisfies Readonly<Record<Settings["IDENTITY_PROVIDER"], readonly (keyof Settings)[]>>;

/** Returns the names of the settings that logins need and lack, "" if none. */
export function missingLoginSettings(settings: Settings): string {
  return NEEDED[settings.IDENTITY_PROVIDER].filter((name) => (settings[name] ?? "") === "").join(", ");
}

/** Returns the reason why no user can log in; undefined if users can. */
export function loginProblem(settings: Settings): Text | undefined {
  const names = missingLoginSettings(settings);
  return names === "" ? undefined : { key: "status.no_login", values: { names } };
}

/** Minutes after a login in which it confirms an action, if the service has no passwords (Q858). */
const RECENT_LOGIN_MINUTES = 10;

const RECENT_COOKIE = "recent-login";

/** Derives secrets that differ from those of sessions, so that neither cookie can replace the other. */
function recentSecrets({ settings }: RequestContext): string[] {
  return secretsOf(settings).map((secret) => `recent ${secret}`);
}

/** Marks the browser of a login at the issuer or proxy. Logins of programs by key pair have no such mark. */
export async function markRecentLogin(context: RequestContext, username: string): Promise<void> {
  const [secret] = recentSecrets(context);
  if (secret === undefined) return;
  const token = { username, time: formatDatetime(context.now).slice(0, 19), id: context.sources.newSecret() };
  const name = ownCookieName(RECENT_COOKIE, context);
  const options = { context, seconds: RECENT_LOGIN_MINUTES * 60 };
  context.cookies.push(cookieText(name, await sealToken(token, secret), options));
}

/** Throws 403 unless the user of the session logged in a short time ago: a thief of its cookie cannot log in again. */
export async function requireRecentLogin(context: RequestContext): Promise<null> {
  const { username } = await ownSession(context);
  const name = ownCookieName(RECENT_COOKIE, context);
  const text = cookieValue(context.request.headers.get("Cookie"), name);
  const token = text === undefined ? undefined : await openToken(text, recentSecrets(context));
  const oldestAccepted = formatDatetime(context.now - RECENT_LOGIN_MINUTES * 60_000);
  if (token?.username === username && token.time > oldestAccepted) return null;
  throw failure("forbidden.recent_login", { minutes: RECENT_LOGIN_MINUTES });
}

/**
 * Returns the field by which a form confirms an action, and a paragraph of the form: the password, or without passwords
 * a link to log in again. `here`: path of the form.
 */
export function confirmation(settings: Settings, here: string): { fields: InputField[]; more: Piece } {
  return isLoginElsewhere(settings)
    ? { fields: [], more: markup`<p class="hint">${logInAgainHint(here)}</p>` }
    : { fields: [passwordField()], more: undefined };
}

export function logInAgainHint(here: string): Markup {
  const again = link(`/account/login?${new URLSearchParams({ redirect: here })}`, t("accounts.log_in_again"));
  return t("accounts.log_in_again_hint", { minutes: RECENT_LOGIN_MINUTES, link: again });
}
