import { createMiddleware } from "hono/factory";
import type { RequestContext } from "../context.ts";
import { type LogScope, inLogScope } from "../log.ts";
import { countedScope } from "../metrics/job-scope.ts";
import type { Variables } from "../serve.ts";

/** By which the lines of a request are known in the log. */
export function requestScope({ stores, requestId }: RequestContext): LogScope {
  return countedScope(stores.metrics, { requestId });
}

/** Whatever is written to the log from here on belongs to this request. */
export const logScope = createMiddleware<Variables>((c, next) =>
  inLogScope(requestScope(c.get("carrel")), next),
);
