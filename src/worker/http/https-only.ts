import { createMiddleware } from "hono/factory";
import { CarrelError } from "./errors.ts";
import { type RequestContext, isEncrypted } from "./operation.ts";
import { READING } from "./preflight.ts";
import type { Carried } from "./serve.ts";

/** Returns true for an unencrypted request to a service that requires HTTPS. */
export function isInTheOpen({ request, settings }: RequestContext): boolean {
  return request.url.startsWith("http:") && settings.ENVIRONMENT === "production" && isEncrypted(settings);
}

/**
 * Redirects to the same address over HTTPS (Q522). Requests that change something are refused, so that the client
 * learns of the mistake.
 */
export const httpsOnly = createMiddleware<Carried>((c, next) => {
  const context = c.env.carrel;
  if (!isInTheOpen(context)) return next();
  if (!READING.has(context.request.method)) {
    throw new CarrelError(403, "https_required", { message: "Use HTTPS." });
  }
  const target = new URL(context.url);
  target.protocol = "https:";
  target.port = "";
  const headers = { ...context.headers, Location: target.href };
  return Promise.resolve(new Response(null, { status: 308, headers }));
});
