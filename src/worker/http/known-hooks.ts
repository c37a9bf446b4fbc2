import { createMiddleware } from "hono/factory";
import { CarrelError } from "./errors.ts";
import type { Route } from "./operation.ts";
import { withReading } from "./error-answers.ts";
import { pathPattern, plainPath } from "./paths.ts";
import type { Carried } from "./serve.ts";

const FOLDER = /^\/api(?:\/|$)/;
/** Routes below the folder that are not older hooks: they answer other methods like routes elsewhere. */
const NEWER = /^\/api\/(?:books|volumes|likes?|patron|monthly_logins)(?:[./]|$)/;

/**
 * Fails unknown hooks of the older API without a body: 404 for one that does not exist, 405 for one that takes other
 * methods. No record has such a key, so the routes of records are skipped. Q367
 */
export function knownHooks(routes: readonly Route[], prefix: string) {
  const hooks = routes
    .filter(({ path }) => FOLDER.test(path))
    .map((route) => ({ method: route.method, expression: pathPattern(route, prefix).expression }));
  return createMiddleware<Carried>((c, next) => {
    const { request, url } = c.env.carrel;
    const path = plainPath(url.pathname);
    if (!FOLDER.test(path) || NEWER.test(path)) return next();
    const methods = hooks.filter(({ expression }) => expression.test(path)).map(({ method }) => method);
    // A HEAD is a GET without its body.
    const asked = request.method === "HEAD" ? "GET" : request.method;
    if (methods.some((method) => method === asked)) return next();
    if (methods.length === 0) throw new CarrelError(404, "not_found", { body: null });
    const headers = { Allow: withReading(methods).join(", ") };
    throw new CarrelError(405, "method_not_allowed", { body: null, headers });
  });
}
