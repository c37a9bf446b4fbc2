import { createMiddleware } from "hono/factory";
import { inLogScope, logLine, loggedPath } from "./log.ts";
import { countAnswer, countedScope, writePoint } from "./metrics.ts";
import type { RequestContext } from "./operation.ts";
import type { Carried } from "./serve.ts";

/** Requests slower than this are logged, in milliseconds. */
const SLOW_REQUEST_MS = 2000;

/**
 * Logs one line per request: all of them with `LOG_REQUESTS=all`, else those that failed or were slow. The query is
 * left out, because it may contain search terms of people. Writes a data point for every request.
 */
export const accessLog = createMiddleware<Carried>((c, next) => {
  const context = c.env.carrel;
  const { stores, requestId } = context;
  return inLogScope(countedScope(stores.metrics, { requestId }), async () => {
    await next();
    noteRequest(context, c.res.status);
  });
});

export function noteRequest(context: RequestContext, status: number): void {
  const { sources, settings, stores, request, requestId, trace } = context;
  const { method } = request;
  const { operation, source } = trace;
  const duration = sources.now() - context.now;
  countAnswer(status, source);
  writePoint(stores.metrics, "request", [[operation, method, String(status), source], [duration]]);
  const isProblem = status >= 500 || duration > SLOW_REQUEST_MS;
  if (settings.LOG_REQUESTS !== "all" && !isProblem) return;
  logLine(status >= 500 ? "error" : "info", "request", {
    // Answers from the in-memory cache have no scope.
    requestId,
    method,
    path: loggedPath(context.url.pathname),
    operation,
    source,
    status,
    duration,
  });
}
