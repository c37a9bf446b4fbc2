import type { Context } from "hono";
import { isRemoved } from "../../durable/patron/removal.ts";
import { errorPage } from "../ui/error-page.ts";
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
import { type PathPattern, pathPattern } from "./paths.ts";
import type { Carried } from "./serve.ts";

/** The one place where an error becomes an answer. What is not of our family is our fault: 500. */
export function renderError(thrown: unknown, c: Context<Carried>): Response {
  const context = c.env.carrel;
  const error = loggable(thrown);
  const shown = knownError(error) ?? failure(error, context.url.pathname, context.requestId);
  // People get the same in words; Q180.
  if (shown.body !== null && wantsHtml(context.request)) return respond(errorPage(shown), context);
  return errorAnswer(shown, context);
}

/** Answers a request that failed before the app had it, with settings that make no sense for instance. */
export function failureAnswer(thrown: unknown, { url }: Request, requestId: string): Response {
  const error = failure(loggable(thrown), URL.parse(url)?.pathname ?? "", requestId);
  return errorAnswer(error, { headers: { "X-Request-Id": requestId }, cookies: [] });
}

/** Logs what is our fault; the client is told no more than that. */
function failure(error: unknown, pathname: string, requestId: string): CarrelError {
  const path = loggedPath(pathname);
  logLine("error", "failure", { requestId, path, error: String(error), stack: stackOf(error) });
  return new CarrelError(500, "internal", { message: "Internal Server Error" });
}

/** An error as programs read it. */
export function errorAnswer(
  { status, body, headers }: CarrelError,
  context: Pick<RequestContext, "headers" | "cookies">,
): Response {
  const type = body === null ? undefined : { "Content-Type": "application/json" };
  const response = new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: { "Cache-Control": "no-store", ...context.headers, ...type, ...headers },
  });
  return withCookies(response, context.cookies);
}

/** What an error says to who asked; undefined for one that is our fault. */
export function knownError(error: unknown): CarrelError | undefined {
  const own = ownError(error);
  if (own !== undefined) return own;
  if (error instanceof Error && /bookmark/i.test(error.message))
    return badData("The bookmark is not one of ours.");
  // Somebody's request was under way when his account was removed.
  if (isRemoved(error)) return authenticationRequired("Session");
  // The database's own limits, such as 30 seconds a query, and its restarts.
  if (error instanceof Error && /^D1_ERROR: .*(overloaded|timed? ?out|exceeded|reset)/i.test(error.message)) {
    return unavailable("The database did not answer in time. Please try again.");
  }
  return undefined;
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}

/** Answers what no route took: 405 when the path exists for other methods, else 404. */
export function nothingMatched(routes: readonly Route[], prefix: string) {
  const patterns = routes.map((route): [Route, PathPattern] => [route, pathPattern(route, prefix)]);
  return (c: Context<Carried>): Response => {
    const { pathname } = c.env.carrel.url;
    const methods = patterns
      .filter(([, { expression }]) => expression.test(pathname))
      .flatMap(([{ method }]) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const error = methods.length === 0 ? notFound() : methodNotAllowed([...new Set([...methods, "OPTIONS"])]);
    return renderError(error, c);
  };
}
