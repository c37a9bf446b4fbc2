import { Buffer } from "node:buffer";
import * as z from "zod";
import { isEmail, normalizeEmail } from "../../../catalog/accounts.ts";
import { tryParseJson } from "../../../catalog/record.ts";
import { isSameText } from "../../http/access.ts";
import { failure } from "../../http/failure.ts";
import { logLine } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { audit } from "../../platform/audit.ts";
import { leaveLogin, orLoginPage } from "../after-login.ts";
import { startSession } from "../authentication.ts";
import type { Identity } from "../identity.ts";
import { completeLogin } from "../link-identity.ts";
import { loginFailed } from "../login-failures.ts";
import type { TypedLogin } from "../login-page.ts";
import { markRecentLogin, missingLoginSettings } from "../login-elsewhere.ts";

/** `<FORWARD_AUTH_SECRET> <base64url of JSON>`, from the front of `npm run serve`. */
const HEADER = "Carrel-Forward-Auth";

const proxyUser = z.object({
  user: z.string().regex(/^\P{Cc}{1,200}$/u),
  email: z.string().transform(normalizeEmail).refine(isEmail),
  name: z.string().max(200).nullish(),
});

/**
 * Logs in the user whom the proxy names (Q860), instead of the user of an open session. Throws 403 without a valid header, 400 for accounts that
 * cannot log in. HEAD and tokens open no session.
 */
export function logInByProxy(context: RequestContext, view: TypedLogin): Promise<Reply> {
  return orLoginPage(context, view, async () => {
    const missing = missingLoginSettings(context.settings);
    if (missing !== "") throw failure("unavailable.settings", { settings: missing });
    const identity = await readProxyUser(context);
    if (identity === undefined) throw failure("forbidden.proxy_login");
    if (context.request.method !== "GET" || context.bearer !== undefined) return seeOther(view.target);
    const login = await completeLogin(context, { ok: true, identity });
    if (!login.ok) {
      await audit(context, { event: "login-failed", details: { reason: login.reason } });
      throw loginFailed(login.reason);
    }
    await startSession(context, login, false);
    await markRecentLogin(context, login.username);
    return leaveLogin(context, login.username, { redirect: view.target, action: view.action });
  });
}

/** Returns the user in the header; undefined without it. Logs why a header is not valid. */
async function readProxyUser({
  request,
  settings,
  requestId,
}: RequestContext): Promise<Identity | undefined> {
  const header = request.headers.get(HEADER);
  const { FORWARD_AUTH_SECRET: secret } = settings;
  if (header === null || secret === undefined) return undefined;
  const [sent = "", text = ""] = header.split(" ");
  const isRight = await isSameText(sent, secret);
  const { data } = proxyUser.safeParse(tryParseJson(Buffer.from(text, "base64url").toString()));
  if (!isRight || data === undefined) {
    const problem = isRight ? "no user with an email address" : "wrong secret";
    logLine("warn", "forward-auth", { requestId, problem });
    return undefined;
  }
  const { user, email, name } = data;
  const preferredName = user.split("@").find((part) => part !== "") ?? user;
  return {
    subject: `forward#${user}`,
    email,
    emailVerified: true,
    screenName: (name ?? "").trim() === "" ? preferredName : String(name),
    preferredName,
    locked: false,
    specialAccess: false,
  };
}
