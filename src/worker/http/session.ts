import { DAY_MS, DAY_SECONDS } from "../../catalog/units.ts";
import { ADMIN_GROUP, ADMIN_USER } from "../../catalog/roles.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import { type AccessState, readAccessState } from "../../db/service/service-state.ts";
import { openBearer } from "./bearer.ts";
import type { Stores } from "./bindings.ts";
import { SESSION_COOKIE, cookieValue, openToken, sealToken } from "./cookie.ts";
import { parseTokenId } from "../../catalog/scopes.ts";
import { clientGroup } from "./client-address.ts";
import { IsolateMemo } from "./isolate-cache.ts";
import { type Actor, type RequestContext, type Session, isEncrypted, rootPath } from "./operation.ts";
import type { Settings } from "./settings.ts";
import { failure } from "./failure.ts";

/** Lifetime of a session from its opening, in seconds: remembered, or the default. */
export const REMEMBERED_SECONDS = 365 * DAY_SECONDS;
const SESSION_SECONDS = 30 * DAY_SECONDS;

export function patronOf({ patron }: Pick<Stores, "patron">, username: string) {
  return patron.getByName(username.toLowerCase());
}

/**
 * Reads the session of a token, the value of the session's cookie. If it is forged, expired, revoked, or of a removed
 * or blocked account, returns undefined and deletes the cookie. `mayBeRecent`: a token of a program that was open
 * within five seconds counts as open.
 */
export async function readSession(
  context: RequestContext,
  text: string | undefined,
  {
    claimed = readClaim(context, text),
    mayBeRecent = false,
  }: { claimed?: Promise<Session | undefined>; mayBeRecent?: boolean } = {},
): Promise<Session | undefined> {
  const session = await claimed;
  if (session !== undefined) {
    const { username, id, scopes } = session;
    const name = `${username} ${id}`;
    const isOpen =
      scopes === undefined
        ? await patronOf(context.stores, username).useSession(id, context.now)
        : await (mayBeRecent ? openTokens.get(context, name) : isOpenToken(context, name));
    if (isOpen) return session;
  }
  if (text !== undefined && text !== "") context.cookies.push(deletedCookie(SESSION_COOKIE, context));
  return undefined;
}

/** Pause after which the use of a token is an event of the audit log, in milliseconds. */
const LONG_PAUSE_MS = 30 * DAY_MS;

/** Tokens by whether they were open at most five seconds ago (Q853). */
const openTokens = new IsolateMemo(isOpenToken);

/** Discards what is known of open tokens, after some of them have ended. */
export function forgetTokens(context: RequestContext): void {
  openTokens.forget(context);
}

async function isOpenToken(context: RequestContext, name: string): Promise<boolean> {
  const [username = "", id = ""] = name.split(" ");
  const use = { id, now: context.now, network: clientGroup(context.client) };
  const pause = await patronOf(context.stores, username).tokens.use(use);
  if (pause !== undefined && pause > LONG_PAUSE_MS) context.trace.longUnused = `/people/${username}`;
  return pause !== undefined;
}

/** Returns the session that a token claims, without asking the patron's object whether it is still open. */
export async function readClaim(
  { settings, bearer }: Pick<RequestContext, "settings" | "bearer">,
  text: string | undefined,
): Promise<Session | undefined> {
  if (text === undefined || text === "") return undefined;
  if (bearer !== undefined) {
    const opened = await openBearer(bearer, secretsOf(settings));
    const isUsable = opened?.kind === "pat" || opened?.kind === "oat";
    return isUsable ? { key: `/people/${opened.username}`, ...opened } : undefined;
  }
  const token = await openToken(text, secretsOf(settings));
  if (token === undefined) return undefined;
  const { username, id, time: issued } = token;
  // Of a cookie that was made from a token.
  return { username, key: `/people/${username}`, id, issued, ...parseTokenId(id) };
}

/** Replaces the request's session by a new one and sets its cookie. Returns false if the patron is barred. */
export async function openSession(
  context: RequestContext,
  { username, remember }: { username: string; remember: boolean },
): Promise<boolean> {
  const [secret] = secretsOf(context.settings);
  if (secret === undefined) throw failure("unavailable.login");
  const id = context.sources.newSecret();
  const seconds = remember ? REMEMBERED_SECONDS : SESSION_SECONDS;
  const isOpen = await patronOf(context.stores, username).openSession({
    id,
    opened: context.now,
    expires: context.now + seconds * 1000,
    remembered: remember,
    client: context.client,
  });
  if (!isOpen) return false;
  await closePreviousSession(context);
  const token = await sealToken({ username, time: formatDatetime(context.now).slice(0, 19), id }, secret);
  const lifetime = remember ? { seconds } : {};
  context.cookies.push(cookieText(SESSION_COOKIE, token, { context, ...lifetime }));
  return true;
}

/** Ends the session of the request's cookie, no matter whose: this client could not end it later. */
async function closePreviousSession({ request, settings, stores }: RequestContext): Promise<void> {
  const text = cookieValue(request.headers.get("Cookie"), SESSION_COOKIE) ?? "";
  const token = text === "" ? undefined : await openToken(text, secretsOf(settings));
  if (token !== undefined) await patronOf(stores, token.username).closeSession(token.id);
}

/** Ends all sessions of an account but the request's own, and logins that have begun. */
export async function closeOtherSessions(context: RequestContext, username: string): Promise<void> {
  const session = await context.session();
  const keptId = session?.username === username ? session.id : "";
  await patronOf(context.stores, username).closeSessions(keptId, context.sources.now());
}

export async function closeSession(context: RequestContext): Promise<void> {
  const session = await context.session();
  if (session !== undefined) await patronOf(context.stores, session.username).closeSession(session.id);
  context.cookies.push(deletedCookie(SESSION_COOKIE, context));
}

function isSecure({ url, settings }: RequestContext): boolean {
  return url.protocol === "https:" || isEncrypted(settings);
}

/**
 * Returns the name of a cookie that clients do not know by name: with the prefix, browsers accept it over HTTPS only,
 * and from no neighbour under the same domain (Q523).
 */
export function ownCookieName(name: string, context: RequestContext): string {
  if (!isSecure(context)) return name;
  // Browsers accept `__Host-` for the root of a host only.
  return `${rootPath(context.settings.BASE_URL) === "" ? "__Host-" : "__Secure-"}${name}`;
}

/** Returns a `Set-Cookie` text. Without `seconds` it lasts as long as the browser; `isReadable`: by scripts. */
export function cookieText(
  name: string,
  value: string,
  {
    context,
    seconds,
    isReadable = false,
  }: { context: RequestContext; seconds?: number; isReadable?: boolean },
): string {
  const parts = [`${name}=${value}`, `Path=${rootPath(context.settings.BASE_URL) || "/"}`];
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  if (!isReadable) parts.push("HttpOnly");
  parts.push("SameSite=Lax");
  if (isSecure(context)) parts.push("Secure");
  return parts.join("; ");
}

export function deletedCookie(name: string, context: RequestContext): string {
  return cookieText(name, "", { context, seconds: 0 });
}

/** Returns the current secret, and an older one whose signatures are still accepted. */
export function secretsOf({ SESSION_SECRET: current, SESSION_SECRET_BEFORE: before }: Settings): string[] {
  return [current, before].filter((secret) => secret !== undefined);
}

/** Returns the session, with `Vary: Cookie`. Looks nothing up without a cookie, so that caches may store the answer. */
export async function optionalSession(context: RequestContext): Promise<Session | undefined> {
  return hasSessionCookie(context) ? context.session() : undefined;
}

/** Returns the claimed session like `optionalSession`, for a call of the patron's object that checks it. */
export async function optionalClaim(context: RequestContext): Promise<Session | undefined> {
  return hasSessionCookie(context) ? context.claim() : undefined;
}

function hasSessionCookie({ request, bearer }: RequestContext): boolean {
  return bearer !== undefined || (cookieValue(request.headers.get("Cookie"), SESSION_COOKIE) ?? "") !== "";
}

const ANONYMOUS: Actor = {
  key: null,
  username: null,
  status: "anonymous",
  bot: false,
  groups: new Set(),
  email: null,
};

/**
 * Reads account and groups of the session's patron from the primaries: roles decide permissions. The session itself is
 * checked at the same time.
 */
export async function readActor(
  context: RequestContext,
  claimed: Promise<Session | undefined>,
): Promise<Actor> {
  const readUnchecked = async () => {
    const session = await claimed;
    return session && toActor(session, readAccount(context.stores.patrons, session), context.accessState());
  };
  const [session, actor] = await Promise.all([context.session(), readUnchecked()]);
  return session === undefined || actor === undefined ? ANONYMOUS : actor;
}

/** Reads read-only mode, and the groups of the patron whom a token names. */
export async function readAccess(
  { stores }: RequestContext,
  claimed: Promise<Session | undefined>,
): Promise<AccessState> {
  return readAccessState(stores.catalog, (await claimed)?.key);
}

export function actorOf(
  { stores: { patrons, catalog } }: Pick<RequestContext, "stores">,
  user: Pick<Session, "username" | "key">,
): Promise<Actor> {
  return toActor(user, readAccount(patrons, user), readAccessState(catalog, user.key));
}

/** Most requests have no session, and the module of accounts brings a query builder, so it is imported here. */
async function readAccount(patrons: Stores["patrons"], user: Pick<Session, "username">) {
  const { findAccount } = await import("../../db/accounts/read-accounts.ts");
  return findAccount(patrons, user);
}

async function toActor(
  user: Pick<Session, "username" | "key" | "grant">,
  reading: Promise<FoundAccount | undefined>,
  access: Promise<AccessState>,
): Promise<Actor> {
  const { username, key } = user;
  const [account, { groups }] = await Promise.all([reading, access]);
  if (account === undefined || account.status === "blocked") return ANONYMOUS;
  const { status, bot, email } = account;
  const { grant } = user;
  const all = key === ADMIN_USER ? [...groups, ADMIN_GROUP] : groups;
  return { key, username, status, bot, email, groups: new Set(all), ...(grant && { grant }) };
}
