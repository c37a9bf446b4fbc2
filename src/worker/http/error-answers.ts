import { toWellFormedJson } from "../../catalog/bytes.ts";
import { isRemoved } from "../../durable/protocol.ts";
import { wantsHtml } from "./accept.ts";
import { respond, withCookies } from "./answer.ts";
import { authenticationRequired, methodNotAllowed, notFound, ownError } from "./errors.ts";
import { type Failure, failure } from "./failure.ts";
import { logLine, loggable, loggablePath } from "./log.ts";
import type { RequestContext, Route } from "./operation.ts";
import { pathMethods } from "./paths.ts";
import { JSON_TYPE, type Reply } from "./reply.ts";
import { isJson } from "./request-body.ts";

export interface ErrorFormat {
  answer(error: Failure, context: Pick<RequestContext, "headers" | "cookies" | "bearer">): Response;
  /** Renders an error for people; absent if only programs call the site. */
  page?(error: Failure): Promise<Reply>;
  /** Renders an error in the form of the protocol that the path belongs to; undefined for other paths. */
  protocol?(error: Failure, context: RequestContext): Promise<Reply | undefined>;
  unknownPath(pathname: string): Failure;
  otherMethods(methods: readonly string[]): Failure;
}

export const PUBLIC_ERRORS: ErrorFormat = {
  answer({ status, body, headers }, context) {
    const type = body === null ? undefined : { "Content-Type": JSON_TYPE };
    const response = new Response(body === null ? null : toWellFormedJson(JSON.stringify(body)), {
      status,
      headers: { "Cache-Control": "no-store", ...context.headers, ...type, ...headers },
    });
    return withCookies(response, context);
  },
  unknownPath: notFound,
  otherMethods: (methods) => methodNotAllowed(withSafeMethods(methods)),
};

export function withSafeMethods(methods: readonly string[]): string[] {
  const all = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set([...all, "OPTIONS"])];
}

/** Converts a thrown error into an answer: the only place that does. Errors that are not `Failure` become a 500. */
export async function renderError(thrown: unknown, context: RequestContext, format: ErrorFormat) {
  const { url, requestId, request } = context;
  const error = knownError(loggable(thrown)) ?? storageOrInternalError(thrown, url.pathname, requestId);
  if (error.body === null) return format.answer(error, context);
  try {
    const reply =
      (await format.protocol?.(error, context)) ??
      // People get the error in words (Q180); a body in JSON is a program's (Q881).
      (wantsHtml(request) && !isJson(request) ? await format.page?.(error) : undefined);
    return reply === undefined ? format.answer(error, context) : await respond(reply, context);
  } catch (renderingError) {
    return format.answer(internalError(renderingError, url.pathname, requestId), context);
  }
}

/** Logs an internal failure and returns its error, which tells the client no details. */
export function internalError(thrown: unknown, pathname: string, requestId: string): Failure {
  logFailure(thrown, pathname, requestId);
  const headers = { "X-Request-Id": requestId };
  return failure("internal_error.unexpected", {}, { message: "Internal Server Error", headers });
}

function logFailure(thrown: unknown, pathname: string, requestId: string): void {
  const error = loggable(thrown);
  const stack = error instanceof Error ? error.stack : undefined;
  logLine("error", "failure", { requestId, path: loggablePath(pathname), error: String(error), stack });
}

/** `Retry-After` after a storage failure, in seconds: an operator has to make room. */
const STORAGE_RETRY_SECONDS = 60;
const DISK_FULL = /SQLITE_FULL|ENOSPC/;
/** Messages of the platform for a disk that is full or fails, or for storage that is unreachable. */
const STORAGE_FAILED =
  /SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|^(?:D1_ERROR: )?internal error; reference = /;

function storageOrInternalError(thrown: unknown, pathname: string, requestId: string): Failure {
  const error = loggable(thrown);
  const text = error instanceof Error ? error.message : "";
  if (!STORAGE_FAILED.test(text)) return internalError(thrown, pathname, requestId);
  logFailure(thrown, pathname, requestId);
  const key = DISK_FULL.test(text) ? "unavailable.disk_full" : "unavailable.storage";
  return failure(key, {}, { retryAfter: STORAGE_RETRY_SECONDS });
}

/** `Retry-After` of database errors, in seconds. */
const DATABASE_RETRY_SECONDS = 5;
/** Messages for the database's own limits, such as 30 seconds a query, and for its restarts. */
const DATABASE_BUSY = /^(?:D1_ERROR: .*(?:overloaded|timed? ?out|exceeded|reset)|POSTGRES_UNAVAILABLE: )/i;

function knownError(error: unknown): Failure | undefined {
  const carrelError = ownError(error);
  if (carrelError !== undefined) return carrelError;
  if (error instanceof Error && /bookmark/i.test(error.message)) return failure("bad_data.bookmark");
  // The account was removed while a request of its patron was under way.
  if (isRemoved(error)) return authenticationRequired("Session");
  if (error instanceof Error && DATABASE_BUSY.test(error.message))
    return failure("unavailable.slow", {}, { retryAfter: DATABASE_RETRY_SECONDS });
  return undefined;
}

export function createUnmatchedError(routes: readonly Route[], prefix: string, format: ErrorFormat) {
  const methodsOf = pathMethods(routes, prefix);
  return (pathname: string): Failure => {
    const methods = methodsOf(pathname);
    return methods.length === 0 ? format.unknownPath(pathname) : format.otherMethods(methods);
  };
}
