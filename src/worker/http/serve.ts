import type { Handler, Hono } from "hono";
import { wantsHtml } from "./accept.ts";
import { requireAccess } from "./access.ts";
import { answerKept, respond } from "./answer.ts";
import { CALLBACK, getsNoScript } from "./cookie.ts";
import { type Received, checkInput, inputSchemas } from "./input.ts";
import type { AnyOperation, RequestContext, Route } from "./operation.ts";
import { ANY_RECORD, pathMethods, pathParameters, pathPattern, rawParameters } from "./paths.ts";
import { isClosedInReadOnly, requireWritable } from "./read-only.ts";
import { type Reply, PRIVATE } from "./reply.ts";
import { receiveBody } from "./request-body.ts";
import { whateverTheCase } from "./username.ts";

/** What travels with a request through Hono. */
export interface Carried {
  /** In place of the bindings, of which only `stores` and `settings` of the context are to be used. */
  Bindings: { carrel: RequestContext };
}

/** A route table, and how paths are read by it. */
interface Mounted {
  readonly routes: readonly Route[];
  readonly prefix: string;
  readonly hasRawPaths?: boolean;
}

/** Puts the route table onto the app. */
export function mount(app: Hono<Carried>, { routes, prefix, hasRawPaths = false }: Mounted): void {
  const parameters = hasRawPaths ? rawParameters : pathParameters;
  const methodsOf = pathMethods(routes, prefix);
  for (const route of routes) {
    const pattern = pathPattern(route, prefix);
    const { method, path } = route;
    const isWriting = path === ANY_RECORD && method !== "GET";
    const readPath = (pathname: string) =>
      isWriting && !methodsOf(pathname).includes(method) ? undefined : parameters(pattern, pathname);
    app.on(method, pattern.hono, handler(route, readPath));
  }
}

type ReadPath = (pathname: string) => Readonly<Record<string, string>> | undefined;

function handler(route: Route, readPath: ReadPath): Handler<Carried> {
  const { operation, access } = route;
  const answer = answerOf(operation);
  const isClosable = isClosedInReadOnly(route);
  return async (c, next) => {
    const context = c.env.carrel;
    const raw = readPath(context.url.pathname);
    // Hono's `/isbn/*` takes `/isbn` too, which is another route's. Nothing is written to an address of no record.
    if (raw === undefined) return next();
    context.trace.operation = operation.id;
    if (getsNoScript(context.request)) {
      context.url.searchParams.delete(CALLBACK);
      // Somebody without a session gets a script at this address.
      context.headers["Cache-Control"] = PRIVATE;
    }
    // Q360: who may not import is told nothing, not even that the body is none.
    if (access === "importer") await requireAccess(access, context);
    // In this order: a body that is no JSON is told before a missing session, and that before wrong parameters.
    const body = await receiveBody(operation, context.request);
    if (isClosable) await inOrder(requireAccess(access, context), requireWritable(context));
    else if (access !== "public") await requireAccess(access, context);
    const run = () =>
      whateverTheCase(raw, context, (path) => {
        return answer({ path, query: context.url.searchParams, body }, context);
      });
    return operation.keep === undefined
      ? respond(await run(), context)
      : answerKept(operation.keep, context, run);
  };
}

type Answer = (received: Received, context: RequestContext) => Promise<Reply>;

/** Checks what came and does it; programs at the address of a page get what they get with `.json`. */
function answerOf(operation: AnyOperation): Answer {
  const schemas = inputSchemas(operation);
  const forPrograms = operation.programs === undefined ? undefined : answerOf(operation.programs);
  return async (received, context) => {
    const input = checkInput(schemas, received);
    if (forPrograms === undefined || wantsHtml(context.request)) return operation.handle(input, context);
    const reply = await forPrograms(received, context);
    const { Vary: varied } = reply.headers ?? {};
    const Vary = varied === undefined ? "Accept" : `Accept, ${varied}`;
    return { ...reply, headers: { ...reply.headers, Vary } };
  };
}

/** Waits for both at a time; of two errors the first one's is told. */
async function inOrder(first: Promise<void>, second: Promise<void>): Promise<void> {
  for (const result of await Promise.allSettled([first, second])) {
    if (result.status === "rejected") throw result.reason;
  }
}
