import { type Role, READ_ONLY_GROUP, hasRole, isWriter } from "../../catalog/roles.ts";
import { wantsHtml } from "./accept.ts";
import { authenticationRequired, forbidden, notFound } from "./errors.ts";
import { Failure, failure } from "./failure.ts";
import { type Access, type Actor, type RequestContext, type Route, baseUrl, isRead } from "./operation.ts";
import { countProgram } from "./rate-limit.ts";
import { JSON_TYPE } from "./reply.ts";
import { clientGroup } from "./client-address.ts";

/** Longest target after a login, in percent-encoded characters: clients read headers of a few kilobytes. */
const LOGIN_TARGET_LENGTH = 4000;

export async function requireAccess(access: Access, context: RequestContext): Promise<void> {
  switch (access) {
    case "public":
      return;
    case "operator":
      return requireOperator(context);
    case "cover-writer":
      // Q417
      return requireBearer(context, "COVERS_SECRET");
    case "development":
      if (!isLocalDevelopment(context)) throw notFound();
      return;
    case "inspector":
      if (!isLocalDevelopment(context) && !hasRole(await context.actor(), "admin")) throw notFound();
      return;
    case "session":
      if ((await context.session()) === undefined) throw loginRequired(context);
      return;
    case "session-page":
      if ((await context.session()) === undefined) throw pageLoginRequired(context);
      return;
    case "writer":
      if (!isWriter(await context.actor())) throw permissionDenied();
      return;
    case "importer":
      return requireImporter(context);
    default:
      return requireRole(access, context);
  }
}

/** Token in a query (Q852): addresses are logged, and sent to other sites. */
const TOKEN_IN_QUERY = /=carrel_(?:pat|oat|ort)_/;

/**
 * Checks the token of a program, and its scope for the route (Q851). Throws 401 for a token that has ended, 403 for a missing
 * scope, both with a challenge (RFC 6750), 429, and 400 for a token in the address. Requests without a token pass.
 */
export async function requireScope(
  { method, access, scope, sessionCheckedByPatron }: Route,
  context: RequestContext,
): Promise<void> {
  if (TOKEN_IN_QUERY.test(context.request.url)) throw failure("bad_request.token_in_query");
  const isReading = isRead(method);
  const token = context.token({ mayBeRecent: isReading || sessionCheckedByPatron === true });
  if (token === undefined) return;
  const session = await token;
  if (session === undefined) {
    if (context.bearer === undefined) return;
    throw failure("unauthenticated.token", {}, challenge(context, { error: "invalid_token" }));
  }
  const { scopes = [], grant = "", key } = session;
  countProgram(context, `${key} ${grant}`);
  const needed = scope ?? "read";
  if (needed === "any" || scopes.some((granted) => granted === needed)) return;
  if (scope === undefined || (access === "public" && isReading)) return context.dropSession();
  if (scope === "login") throw failure("forbidden.token_login");
  throw failure("forbidden.scope", { scope }, challenge(context, { error: "insufficient_scope", scope }));
}

/** Returns code and headers of a refused token. Clients find there how to get another one (RFC 9728). */
function challenge(context: RequestContext, parameters: Readonly<Record<string, string>>) {
  const { error: code = "invalid_token" } = parameters;
  const resource = context.url.pathname === "/mcp" ? "/mcp" : "";
  const metadata = `${baseUrl(context)}/.well-known/oauth-protected-resource${resource}`;
  const parts = Object.entries({ ...parameters, resource_metadata: metadata });
  const text = parts.map(([name, value]) => `${name}="${value}"`).join(", ");
  return { code, members: { error: code }, headers: { "WWW-Authenticate": `Bearer ${text}` } };
}

async function requireRole(role: Role, context: RequestContext): Promise<void> {
  const actor = await context.actor();
  if (actor.key === null) throw loginRequired(context);
  // Members of the read-only group have their roles for reading only.
  const isBound = !isRead(context.request.method) && actor.groups.has(READ_ONLY_GROUP);
  if (isBound || !hasRole(actor, role)) throw forbidden();
}

async function requireImporter(context: RequestContext): Promise<void> {
  const actor = await context.actor();
  if (isWriter(actor) && !actor.groups.has(READ_ONLY_GROUP)) return;
  // Q360: no body, but a JSON type.
  throw permissionDenied({ body: null, headers: { "Content-Type": JSON_TYPE } });
}

function permissionDenied(
  options: object = { body: { error: "permission_denied", message: "Permission Denied." } },
): Failure {
  return failure("forbidden.permission", {}, { code: "permission_denied", ...options });
}

export function loginRequired(context: RequestContext): Failure {
  const { request } = context;
  const isPerson = isRead(request.method) && wantsHtml(request);
  return isPerson ? loginRedirect(context) : authenticationRequired("Session");
}

/** Returns a redirect to the login for every client of a page (Q154), but a 401 for a form that a program has sent. */
function pageLoginRequired(context: RequestContext): Failure {
  const { request } = context;
  const isForm = !isRead(request.method);
  return isForm && !wantsHtml(request) ? authenticationRequired("Session") : loginRedirect(context);
}

function loginRedirect({ url }: RequestContext): Failure {
  const target = encodeURIComponent(url.pathname + url.search);
  // Q466
  const isShort = target.length <= LOGIN_TARGET_LENGTH;
  return new Failure(303, "login", {
    body: null,
    headers: { Location: isShort ? `/account/login?redirect=${target}` : "/account/login" },
  });
}

export function ownerOfList(key: string): string | undefined {
  return /^(\/people\/[^/]+)\/lists\//.exec(key)?.[1];
}

/** Returns true for owners and administrators; always false for members of the read-only group. */
export function canWriteLists(actor: Actor, owner: string | undefined): boolean {
  if (actor.key === null || actor.status !== "active") return false;
  if (actor.groups.has(READ_ONLY_GROUP)) return false;
  return owner === undefined || actor.key === owner || hasRole(actor, "admin");
}

/** Wrong tokens of any kind that a client may send in a quarter of an hour. */
const TOKEN_FAILURES = { limit: 10, seconds: 900 };

/**
 * Throws unless the client sends the secret as bearer token. Compared in constant time. Wrong tokens are counted
 * exactly; after too many of them a client gets 429, and its token is not compared.
 */
async function requireBearer(
  { request, settings, stores, client, now }: RequestContext,
  setting: "COVERS_SECRET" | "LOAD_TOKEN",
): Promise<void> {
  const secret = settings[setting];
  if (secret === undefined) throw failure("unavailable.setting", { setting });
  const token = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (token === undefined) throw authenticationRequired("Bearer");
  const throttle = stores.throttle.getByName(`token ${clientGroup(client)}`);
  const wait = await throttle.wait(now, TOKEN_FAILURES);
  if (wait > 0) throw failure("too_many_requests.attempts", {}, { retryAfter: wait });
  if (await isSameText(token, secret)) return;
  await throttle.count(now, TOKEN_FAILURES);
  throw failure("forbidden.token");
}

/** Compares digests, so that the time reveals neither content nor length. */
export async function isSameText(a: string, b: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const digest = (text: string) => crypto.subtle.digest("SHA-256", encoder.encode(text));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}

export function requireOperator(context: RequestContext): Promise<void> {
  return requireBearer(context, "LOAD_TOKEN");
}

export const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** Host names that no public server can have (RFC 6761). */
export const RESERVED = /\.(?:localhost|test)$/;
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/;

/**
 * Returns true for a request to a development service that comes from its own machine. Through a proxy or a tunnel any
 * client could use the development accounts, whose passwords are known, and read the outbox.
 */
export function isLocalDevelopment({
  settings,
  request,
  url,
}: Pick<RequestContext, "settings" | "request" | "url">): boolean {
  if (settings.ENVIRONMENT !== "development") return false;
  const isProxied = [...request.headers.keys()].some((name) => PROXY_HEADER.test(name));
  return !isProxied && (LOOPBACK.test(url.hostname) || RESERVED.test(url.hostname));
}
