import * as z from "zod";
import { notFound } from "../../http/errors.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { boolean } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { audit } from "../../platform/audit.ts";
import { ACCOUNT_BODY_BYTES } from "../account-form.ts";
import { NEXT_FIELDS, leaveLogin, orLoginPage, toLoginView } from "../after-login.ts";
import { startSession } from "../authentication.ts";
import { LOGIN_FAILURES, attempt, byAddress } from "../budgets.ts";
import { refuse } from "../identity.ts";
import { completeLogin } from "../link-identity.ts";
import { isRedirectLogin, issuerName, markRecentLogin, missingLoginSettings } from "../login-elsewhere.ts";
import { isAttempt, loginFailed } from "../login-failures.ts";
import { findRedirectIssuer, finishAtIssuer, startAtIssuer } from "./oidc-redirect.ts";
import { beginLogin, takeLogin } from "./pending-login.ts";

/** Throws 404 unless users log in at an issuer by redirect, 503 if a setting of it is missing. */
function requireRedirectLogin({ settings }: RequestContext): void {
  if (!isRedirectLogin(settings)) throw notFound();
  const missing = missingLoginSettings(settings);
  if (missing !== "") throw failure("unavailable.settings", { settings: missing });
}

export const startOidcLogin = operation({
  id: "startOidcLogin",
  summary: "Start a login at the issuer",
  tag: "account",
  form: {
    ...NEXT_FIELDS,
    remember: boolean().default(false).describe("Keep the session for a year after its last use"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    303: { description: "Redirect to the issuer" },
    400: { description: "The issuer is not available" },
    404: { description: "Users do not log in by redirect" },
  },
  async handle({ form: { remember, ...next } }, context) {
    requireRedirectLogin(context);
    const view = toLoginView(next);
    return orLoginPage(context, view, async () => {
      const found = await findRedirectIssuer(context);
      if (typeof found === "string") throw loginFailed(found);
      const { url, secrets } = await startAtIssuer(context, found.page);
      await beginLogin(context, { ...secrets, target: view.target, action: view.action, remember });
      return seeOther(url.href);
    });
  },
});

/** `GET /account/login/oidc/callback`: the issuer sends the browser here, with a code or an error. */
export const finishOidcLogin = operation({
  id: "finishOidcLogin",
  summary: "Finish a login at the issuer",
  tag: "account",
  query: { state: z.string().default("").describe("Text that the login has sent to the issuer") },
  responses: {
    303: { description: "Logged in; cookies set" },
    400: { description: "Login failed" },
    404: { description: "Users do not log in by redirect" },
    429: { description: "Too many failed logins" },
  },
  async handle({ query: { state } }, context) {
    requireRedirectLogin(context);
    // HEAD must not use the code up.
    const pending = context.request.method === "GET" ? await takeLogin(context, state) : undefined;
    const next = { redirect: pending?.target ?? "/", action: pending?.action ?? "" };
    return orLoginPage(context, toLoginView(next), async () => {
      if (pending === undefined) throw loginFailed("login_expired");
      const login = await attempt(
        context,
        byAddress(context, "login", LOGIN_FAILURES),
        async () => {
          const found = await findRedirectIssuer(context);
          const result =
            typeof found === "string" ? refuse(found) : await finishAtIssuer(context, found.issuer, pending);
          const value = await completeLogin(context, result);
          if (!value.ok) await audit(context, { event: "login-failed", details: { reason: value.reason } });
          return { value, isCounted: !value.ok && isAttempt(value.reason) };
        },
        () => audit(context, { event: "login-throttled" }),
      );
      if (!login.ok) {
        const reason = login.reason === "ia_account_not_verified" ? "login_unverified" : login.reason;
        throw loginFailed(reason, { name: issuerName(context.settings) });
      }
      await startSession(context, login, pending.remember);
      await markRecentLogin(context, login.username);
      return leaveLogin(context, login.username, next);
    });
  },
});
