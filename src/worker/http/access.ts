import { type Role, READ_ONLY_GROUP, hasRole, isWriter } from "../../catalog/roles.ts";
import { wantsHtml } from "./accept.ts";
import { CarrelError, authenticationRequired, forbidden, notFound, permissionDenied } from "./errors.ts";
import { isLocalDevelopment } from "./local-development.ts";
import type { Access, Actor, RequestContext } from "./operation.ts";
import { requireCoverWriter, requireOperator } from "./operator.ts";
import { JSON_TYPE } from "./reply.ts";

const READING = new Set(["GET", "HEAD"]);

/** Longest target after a login, in percent-encoded characters: clients read headers of a few kilobytes. */
const LOGIN_TARGET_LENGTH = 4000;

/** Throws unless the client may call a route with this access level. */
export async function requireAccess(access: Access, context: RequestContext): Promise<void> {
  switch (access) {
    case "public":
      return;
    case "operator":
      return requireOperator(context);
    case "cover-writer":
      return requireCoverWriter(context);
    case "development":
      if (!isLocalDevelopment(context)) throw notFound();
      return;
    case "inspector":
      if (!(await isInspector(context))) throw notFound();
      return;
    case "session":
      if ((await context.session()) === undefined) throw loginRequired(context);
      return;
    case "session-page":
      if ((await context.session()) === undefined) throw pageLoginRequired(context);
      return;
    case "writer":
      if (!isWriter(await context.actor())) throw permissionDenied("Permission Denied.");
      return;
    case "importer":
      if (!isImporter(await context.actor())) throw importerRequired();
      return;
    default:
      return requireRole(access, context);
  }
}

/**
 * Returns true for clients that may read the service's internals: all clients on the machine of a development service,
 * administrators elsewhere.
 */
async function isInspector(context: RequestContext): Promise<boolean> {
  if (isLocalDevelopment(context)) return true;
  return hasRole(await context.actor(), "admin");
}

async function requireRole(role: Role, context: RequestContext): Promise<void> {
  const actor = await context.actor();
  if (actor.key === null) throw loginRequired(context);
  // Members of the read-only group have their roles for reading only.
  const isBound = !READING.has(context.request.method) && actor.groups.has(READ_ONLY_GROUP);
  if (isBound || !hasRole(actor, role)) throw forbidden();
}

function isImporter(actor: Actor): boolean {
  return isWriter(actor) && !actor.groups.has(READ_ONLY_GROUP);
}

// Q360: no body, but a JSON type.
function importerRequired(): CarrelError {
  return new CarrelError(403, "permission_denied", {
    message: "Permission Denied.",
    body: null,
    headers: { "Content-Type": JSON_TYPE },
  });
}

/** Returns a 401 for programs. People are sent to the login page and come back from there. */
function loginRequired(context: RequestContext): CarrelError {
  const { request } = context;
  const isPerson = READING.has(request.method) && wantsHtml(request);
  return isPerson ? toLogin(context) : authenticationRequired("Session");
}

/** Returns a redirect to the login for every client of a page (Q154), but a 401 for a form that a program has sent. */
function pageLoginRequired(context: RequestContext): CarrelError {
  const { request } = context;
  const isForm = request.method !== "GET" && request.method !== "HEAD";
  return isForm && !wantsHtml(request) ? authenticationRequired("Session") : toLogin(context);
}

function toLogin({ url }: RequestContext): CarrelError {
  const target = encodeURIComponent(url.pathname + url.search);
  // Q466
  const isShort = target.length <= LOGIN_TARGET_LENGTH;
  return new CarrelError(303, "login", {
    body: null,
    headers: { Location: isShort ? `/account/login?redirect=${target}` : "/account/login" },
  });
}

/** Returns the `/people/<username>` that owns a list; undefined for series and lists of the community. */
export function ownerOfList(key: string): string | undefined {
  return /^(\/people\/[^/]+)\/lists\//.exec(key)?.[1];
}

/** Returns true for owners and administrators; always false for members of the read-only group. */
export function mayWriteLists(actor: Actor, owner: string | undefined): boolean {
  if (actor.key === null || actor.status !== "active") return false;
  if (actor.groups.has(READ_ONLY_GROUP)) return false;
  return owner === undefined || actor.key === owner || hasRole(actor, "admin");
}
