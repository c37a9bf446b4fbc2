import { isRemoved } from "../../durable/patron/removal.ts";
import { wantsHtml } from "./accept.ts";
import { respond, withCookies } from "./answer.ts";
import {
  CarrelError,
  authenticationRequired,
  badData,
  methodNotAllowed,
  notFound,
  ownError,
  unavailable,
} from "./errors.ts";
import { logLine, loggable, loggedPath } from "./log.ts";
import type { RequestContext, Route } from "./operation.ts";
import { pathMethods } from "./paths.ts";
import { JSON_TYPE, type Reply } from "./reply.ts";

/** How the errors of a site look. */
export interface ErrorLook {
  /** An error as programs read it. */
  answer(error: CarrelError, context: Pick<RequestContext, "headers" | "cookies">): Response;
  /** As people read it; absent where only programs ask. */
  page?(error: CarrelError): Reply;
  /** As protocols have it, by the paths of those that have a form of their own for some errors. */
  readonly protocols?: ReadonlyMap<string, (error: CarrelError, url: URL) => Reply | undefined>;
  /** What is told of a path that no route has. */
  unknownPath(pathname: string): CarrelError;
  /** What is told of a path whose routes have other methods. */
  otherMethods(methods: readonly string[]): CarrelError;
}

/** Errors of what is open to everybody. */
export const PUBLIC_ERRORS: ErrorLook = {
  answer({ status, body, headers }, context) {
    const type = body === null ? undefined : { "Content-Type": JSON_TYPE };
    const response = new Response(body === null ? null : JSON.stringify(body), {
      status,
      headers: { "Cache-Control": "no-store", ...context.headers, ...type, ...headers },
    });
    return withCookies(response, context.cookies);
  },
  unknownPath: notFound,
  otherMethods: (methods) => methodNotAllowed(withReading(methods)),
};

/** Every path answers OPTIONS, and HEAD where it answers GET. */
export function withReading(methods: readonly string[]): string[] {
  const all = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set([...all, "OPTIONS"])];
}

/** The one place where an error becomes an answer. What is not of our family is our fault: 500. */
export async function renderError(
  thrown: unknown,
  context: RequestContext,
  look: ErrorLook,
): Promise<Response> {
  const { url, requestId, request } = context;
  const error = knownError(loggable(thrown)) ?? failureOf(thrown, url.pathname, requestId);
  if (error.body === null) return look.answer(error, context);
  try {
    const told =
      look.protocols?.get(url.pathname)?.(error, url) ??
      // People get the same in words; Q180.
      (wantsHtml(request) ? look.page?.(error) : undefined);
    return told === undefined ? look.answer(error, context) : await respond(told, context);
  } catch (again) {
    return look.answer(failure(again, url.pathname, requestId), context);
  }
}

/** The error of what is our fault, which is logged: the client is told no more than that. */
export function failure(thrown: unknown, pathname: string, requestId: string): CarrelError {
  logFailure(thrown, pathname, requestId);
  const headers = { "X-Request-Id": requestId };
  return new CarrelError(500, "internal_error", { message: "Internal Server Error", headers });
}

function logFailure(thrown: unknown, pathname: string, requestId: string): void {
  const error = loggable(thrown);
  const stack = error instanceof Error ? error.stack : undefined;
  logLine("error", "failure", { requestId, path: loggedPath(pathname), error: String(error), stack });
}

/** When to try again after the storage failed, in seconds: an operator has to make room. */
const STORAGE_RETRY_SECONDS = "60";
const DISK_FULL = /SQLITE_FULL|ENOSPC/;
/** What the platform says when a disk is full or fails, or when it cannot reach where something is stored. */
const STORAGE_FAILED =
  /SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|^(?:D1_ERROR: )?internal error; reference = /;

/** The logged error of a request that failed: 503 where the storage is to blame, else 500. */
function failureOf(thrown: unknown, pathname: string, requestId: string): CarrelError {
  const error = loggable(thrown);
  const text = error instanceof Error ? error.message : "";
  if (!STORAGE_FAILED.test(text)) return failure(thrown, pathname, requestId);
  logFailure(thrown, pathname, requestId);
  const message = DISK_FULL.test(text)
    ? "The disk of the service is full: nothing can be stored. Please try again later."
    : "The storage of the service failed; its disk may be full. Please try again later.";
  return unavailable(message, { "Retry-After": STORAGE_RETRY_SECONDS });
}

/** When to try again, in seconds. */
const DATABASE_RETRY_SECONDS = "5";
/** The database's own limits, such as 30 seconds a query, and its restarts. */
const DATABASE_BUSY = /^(?:D1_ERROR: .*(?:overloaded|timed? ?out|exceeded|reset)|POSTGRES_UNAVAILABLE: )/i;

/** What an error says to who asked; undefined for one that is our fault. */
function knownError(error: unknown): CarrelError | undefined {
  const own = ownError(error);
  if (own !== undefined) return own;
  if (error instanceof Error && /bookmark/i.test(error.message))
    return badData("The bookmark is not one of ours.");
  // Somebody's request was under way when his account was removed.
  if (isRemoved(error)) return authenticationRequired("Session");
  if (error instanceof Error && DATABASE_BUSY.test(error.message)) {
    const message = "The database did not answer in time. Please try again.";
    return unavailable(message, { "Retry-After": DATABASE_RETRY_SECONDS });
  }
  return undefined;
}

/** The error of a request that no route took: 405 when the path exists for other methods, else 404. */
export function unmatched(routes: readonly Route[], prefix: string, look: ErrorLook) {
  const methodsOf = pathMethods(routes, prefix);
  return (pathname: string): CarrelError => {
    const methods = methodsOf(pathname);
    return methods.length === 0 ? look.unknownPath(pathname) : look.otherMethods(methods);
  };
}
