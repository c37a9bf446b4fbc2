import { createMiddleware } from "hono/factory";
import { CarrelError } from "./errors.ts";
import { type RequestContext, isEncrypted } from "./operation.ts";
import { READING } from "./preflight.ts";
import type { Carried } from "./serve.ts";

/** True for a request that others on the way can read, though the service is to be asked over HTTPS. */
export function isInTheOpen({ request, settings }: RequestContext): boolean {
  return request.url.startsWith("http:") && settings.ENVIRONMENT === "production" && isEncrypted(settings);
}

/** Q522: leads to the same address over HTTPS; what would change something is refused, so that its sender hears of it. */
export const httpsOnly = createMiddleware<Carried>((c, next) => {
  const context = c.env.carrel;
  if (!isInTheOpen(context)) return next();
  if (!READING.has(context.request.method)) {
    throw new CarrelError(403, "https_required", { message: "Only requests over HTTPS are taken." });
  }
  const target = new URL(context.url);
  target.protocol = "https:";
  target.port = "";
  const headers = { ...context.headers, Location: target.href };
  return Promise.resolve(new Response(null, { status: 308, headers }));
});
