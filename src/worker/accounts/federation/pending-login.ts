import { Buffer } from "node:buffer";
import * as z from "zod";
import { tryParseJson } from "../../../catalog/record.ts";
import { cookieValue, signerOf } from "../../http/cookie.ts";
import { failure } from "../../http/failure.ts";
import type { RequestContext } from "../../http/operation.ts";
import { cookieText, deletedCookie, ownCookieName, secretsOf } from "../../http/session.ts";

/** Lifetime of a login at the issuer (Q857), in seconds: users may have to register there. */
const PENDING_SECONDS = 900;
/** Logins of a browser that are open at the issuer, such as in two tabs; one more ends them all. */
const PENDING_MAX = 5;
/** Characters of a cookie, of which browsers keep 4,096 bytes with its name and attributes. */
const COOKIE_LENGTH = 3800;
const COOKIE = "oidc-";
/** Characters of the state in the name of its cookie, so that logins in several tabs are apart. */
const STATE_START = 10;

const pendingSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path to go to afterwards. */
  target: z.string(),
  action: z.string(),
  remember: z.boolean(),
  /** Milliseconds since the epoch. */
  expires: z.number(),
});
export type PendingLogin = z.infer<typeof pendingSchema>;

/** Derives secrets that differ from those of sessions, so that neither cookie can replace the other. */
function pendingSecrets({ settings }: RequestContext): string[] {
  return secretsOf(settings).map((secret) => `oidc ${secret}`);
}

function nameOf(state: string, context: RequestContext): string {
  return ownCookieName(COOKIE + state.slice(0, STATE_START), context);
}

/** Stores a login that has begun in a signed cookie, so only this browser can finish it. Throws 503 without a secret. */
export async function beginLogin(
  context: RequestContext,
  login: Omit<PendingLogin, "expires">,
): Promise<void> {
  const [secret] = pendingSecrets(context);
  if (secret === undefined) throw failure("unavailable.login");
  const others = (context.request.headers.get("Cookie") ?? "")
    .split(";")
    .map((part) => part.split("=", 1)[0]?.trim() ?? "")
    .filter((name) => name.startsWith(ownCookieName(COOKIE, context)));
  if (others.length >= PENDING_MAX) {
    for (const name of others) context.cookies.push(deletedCookie(name, context));
  }
  const { sign } = await signerOf(secret);
  const seal = async (target: string) => {
    const expires = context.now + PENDING_SECONDS * 1000;
    const text = Buffer.from(JSON.stringify({ ...login, target, expires })).toString("base64url");
    return `${text}.${await sign(text)}`;
  };
  const sealed = await seal(login.target);
  const value = sealed.length <= COOKIE_LENGTH ? sealed : await seal("/");
  context.cookies.push(
    cookieText(nameOf(login.state, context), value, { context, seconds: PENDING_SECONDS }),
  );
}

/**
 * Returns the login of this browser to which the issuer answers with `state`, once. Returns undefined if there is none, it
 * has expired or was finished before.
 */
export async function takeLogin(context: RequestContext, state: string): Promise<PendingLogin | undefined> {
  const name = nameOf(state, context);
  const cookie = cookieValue(context.request.headers.get("Cookie"), name);
  if (cookie === undefined) return undefined;
  context.cookies.push(deletedCookie(name, context));
  const [text = "", mac = ""] = cookie.split(".");
  const signers = await Promise.all(pendingSecrets(context).map(signerOf));
  const checks = await Promise.all(signers.map(({ verify }) => verify(text, mac)));
  if (!checks.includes(true)) return undefined;
  const { data: login } = pendingSchema.safeParse(tryParseJson(Buffer.from(text, "base64url").toString()));
  if (login?.state !== state || login.expires <= context.now) return undefined;
  // Deleting the cookie ends the login in this browser; the object ends it for a copy of the cookie.
  const { throttle } = context.stores;
  const once = [{ limit: 1, seconds: PENDING_SECONDS }];
  const wait = await throttle.getByName(`oidc state ${state}`).spend(context.now, 1, once);
  return wait === 0 ? login : undefined;
}
