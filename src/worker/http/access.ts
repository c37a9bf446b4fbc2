import { type Role, READ_ONLY_GROUP, hasRole, isWriter } from "../../catalog/roles.ts";
import { wantsHtml } from "./accept.ts";
import { CarrelError, authenticationRequired, forbidden, notFound, permissionDenied } from "./errors.ts";
import { isLocalDevelopment } from "./local-development.ts";
import type { Access, Actor, RequestContext } from "./operation.ts";
import { requireCoverWriter, requireOperator } from "./operator.ts";
import { JSON_TYPE } from "./reply.ts";

const READING = new Set(["GET", "HEAD"]);

/**
 * Longest address, percent-encoded, that somebody is led back to from the login: clients read headers of a few
 * kilobytes.
 */
const LOGIN_TARGET_LENGTH = 4000;

/** Refuses the request of somebody who may not call a route with this access level. */
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

/** True for those who may look inside: everybody on the machine of a development service, administrators elsewhere. */
async function isInspector(context: RequestContext): Promise<boolean> {
  if (isLocalDevelopment(context)) return true;
  return hasRole(await context.actor(), "admin");
}

async function requireRole(role: Role, context: RequestContext): Promise<void> {
  const actor = await context.actor();
  if (actor.key === null) throw loginRequired(context);
  // Who may read only has roles for reading.
  const isBound = !READING.has(context.request.method) && actor.groups.has(READ_ONLY_GROUP);
  if (isBound || !hasRole(actor, role)) throw forbidden();
}

function isImporter(actor: Actor): boolean {
  return isWriter(actor) && !actor.groups.has(READ_ONLY_GROUP);
}

// Q360: no body, and a JSON type all the same.
function importerRequired(): CarrelError {
  return new CarrelError(403, "permission_denied", {
    message: "Permission Denied.",
    body: null,
    headers: { "Content-Type": JSON_TYPE },
  });
}

/** 401 for programs; people are sent to the login page and come back from there. */
function loginRequired(context: RequestContext): CarrelError {
  const { request } = context;
  const isPerson = READING.has(request.method) && wantsHtml(request);
  return isPerson ? toLogin(context) : authenticationRequired("Session");
}

/** Pages lead everybody to the login (Q154); a form that a program has sent is answered 401. */
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

/** `/people/<username>` of a list below it; undefined for series and lists of the community. */
export function ownerOfList(key: string): string | undefined {
  return /^(\/people\/[^/]+)\/lists\//.exec(key)?.[1];
}

/** True for owners and administrators; whoever may read only may nothing. */
export function mayWriteLists(actor: Actor, owner: string | undefined): boolean {
  if (actor.key === null || actor.status !== "active") return false;
  if (actor.groups.has(READ_ONLY_GROUP)) return false;
  return owner === undefined || actor.key === owner || hasRole(actor, "admin");
}
