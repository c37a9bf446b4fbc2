import type { Handler } from "hono";
import type { HonoBase } from "hono/hono-base";
import { wantsHtml } from "./accept.ts";
import { loginRequired, requireAccess, requireScope } from "./access.ts";
import { respondCached } from "./answer-cache.ts";
import { respond } from "./answer.ts";
import { leaveAnswerRoom } from "./answer-room.ts";
import { withBodyRoom } from "./body-room.ts";
import { CALLBACK, denyJsonp } from "./cookie.ts";
import { type Received, checkInput, inputSchemas } from "./input.ts";
import { answerForTarget, mayBeMerged } from "./resolve-path.ts";
import type { AnyOperation, HonoEnv, RequestContext, Route } from "./operation.ts";
import { ANY_RECORD, pathMethods, pathParameters, pathPattern, rawParameters } from "./paths.ts";
import { isClosedInReadOnly, requireWritable, requireWritableOwnData } from "./read-only.ts";
import { type Reply, PRIVATE, varyByAccept } from "./reply.ts";
import { receiveBody } from "./request-body.ts";

/** Adds routes to a site. `hasRawPaths`: their parameters are not percent-decoded. */
export function mountRoutes(
  app: HonoBase<HonoEnv>,
  {
    routes,
    prefix,
    hasRawPaths = false,
  }: { routes: readonly Route[]; prefix: string; hasRawPaths?: boolean },
): void {
  const parameters = hasRawPaths ? rawParameters : pathParameters;
  const methodsOf = pathMethods(routes, prefix);
  for (const route of routes) {
    const pattern = pathPattern(route, prefix);
    const { method, path } = route;
    const isWriting = path === ANY_RECORD && method !== "GET";
    const readPath = (pathname: string) =>
      isWriting && !methodsOf(pathname).includes(method) ? undefined : parameters(pattern, pathname);
    app.on(method, pattern.hono, createHandler(route, readPath));
  }
}

/** Feeds and protocols, whose answers have the name of the service. */
const NAMED = /^\/(?:opds|oai|sru|reconcile)(?:$|[./])|\.atom$|\/feed\.json$/;

type PathValues = Readonly<Record<string, string>>;

function createHandler(
  route: Route,
  readPath: (pathname: string) => PathValues | undefined,
): Handler<HonoEnv> {
  let loaded: LoadedHandler | undefined;
  return async (c, next) => {
    const context = c.env.carrel;
    const raw = readPath(context.url.pathname);
    // Hono's `/isbn/*` matches `/isbn` too, which is another route's. Paths that cannot be records are not written to.
    if (raw === undefined) return next();
    const handle = (loaded ??= loadHandler(route, await route.load()));
    return withBodyRoom(context, () => handle(raw, context));
  };
}

type LoadedHandler = (path: PathValues, context: RequestContext) => Promise<Response>;

function loadHandler(route: Route, operation: AnyOperation): LoadedHandler {
  const { access, isAboutWork, sessionCheckedByPatron } = route;
  const answer = createAnswer(operation);
  const isClosable = isClosedInReadOnly({ method: route.method, access, operation });
  const admit = async (path: PathValues, context: RequestContext): Promise<void> => {
    if (sessionCheckedByPatron) await admitOwnAction(path, context);
    else if (isClosable) await allOrFirstError(requireAccess(access, context), requireWritable(context));
    else if (access !== "public") await requireAccess(access, context);
  };
  return async (raw, context) => {
    context.trace.operation = operation.id;
    if (denyJsonp(context.request)) {
      context.url.searchParams.delete(CALLBACK);
      // A client without a session gets a script at this address.
      context.headers["Cache-Control"] = PRIVATE;
    }
    await requireScope(route, context);
    // Q360: a client that may not import gets no details, not even that the body is invalid.
    if (access === "importer") await requireAccess(access, context);
    // A failure is thrown where the operation awaits the actor.
    // Needed at the end: begun here, the read costs no round trip of its own.
    if (wantsHtml(context.request) || NAMED.test(context.url.pathname)) void context.site();
    if (operation.needsActor === true) context.actor().catch(() => {});
    // Order: invalid JSON is reported before a missing session, and that before wrong parameters.
    const body = await receiveBody(operation, context.request);
    const query = context.url.searchParams;
    const run = () =>
      answerForTarget(context, { path: raw, isAboutWork }, (path) => answer({ path, query, body }, context));
    try {
      await admit(raw, context);
      return operation.cache === undefined
        ? await respond(await run(), context)
        : await respondCached(operation.cache, context, run);
    } catch (error) {
      leaveAnswerRoom(context);
      // It may be that the action found the session closed; clients without a session learn of no other error.
      if (sessionCheckedByPatron) await requireAccess(access, context);
      throw error;
    }
  };
}

/**
 * Throws 401 unless the client claims a session, which the action itself checks (`Route.sessionCheckedByPatron`), and 503 while the
 * service is read-only. Reads side by side what else the action depends on.
 */
async function admitOwnAction(path: PathValues, context: RequestContext): Promise<void> {
  const session = await context.claim();
  if (session === undefined) throw loginRequired(context);
  await Promise.all([
    requireWritableOwnData(context, session.key),
    path["work_id"] !== undefined && mayBeMerged(context, Number(path["work_id"])),
  ]);
}

type Answer = (received: Received, context: RequestContext) => Promise<Reply>;

function createAnswer(operation: AnyOperation): Answer {
  const schemas = inputSchemas(operation);
  const forPrograms = operation.programs === undefined ? undefined : createAnswer(operation.programs);
  return async (received, context) => {
    const input = checkInput(schemas, received);
    if (forPrograms === undefined || wantsHtml(context.request)) return operation.handle(input, context);
    return varyByAccept(await forPrograms(received, context));
  };
}

async function allOrFirstError(first: Promise<void>, second: Promise<void>): Promise<void> {
  for (const result of await Promise.allSettled([first, second])) {
    if (result.status === "rejected") throw result.reason;
  }
}
