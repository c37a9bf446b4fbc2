import { createMiddleware } from "hono/factory";
import { loggedPath, logLine } from "../log.ts";
import type { Variables } from "../serve.ts";

/** From how many milliseconds on a request is worth a line in the log. */
export const SLOW_REQUEST_MS = 2000;

/**
 * One line per request: all of them with `LOG_REQUESTS=all`, else those that failed or were slow. The query
 * is left out: it may hold what people look for.
 */
export const accessLog = createMiddleware<Variables>(async (c, next) => {
  const context = c.get("carrel");
  const { sources, settings, request, requestId } = context;
  await next();
  const duration = sources.now() - context.now;
  const { status } = c.res;
  const isProblem = status >= 500 || duration > SLOW_REQUEST_MS;
  if (settings.LOG_REQUESTS !== "all" && !isProblem) return;
  const { method } = request;
  logLine(status >= 500 ? "error" : "info", "request", {
    requestId,
    method,
    path: loggedPath(context.url.pathname),
    status,
    duration,
  });
});
