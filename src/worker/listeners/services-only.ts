import { createMiddleware } from "hono/factory";
import { CarrelError } from "../http/errors.ts";
import { LOOPBACK } from "../http/local-development.ts";
import type { Carried } from "../http/serve.ts";

/**
 * Refuses requests that a page makes a browser send, before reading any of it (Q520). A browser sends `Origin` and
 * `Sec-Fetch-Site`; if it sends neither, a page has pointed its own host name at the address of this machine.
 */
export const servicesOnly = createMiddleware<Carried>((c, next) => {
  const { request, url, settings } = c.env.carrel;
  const site = request.headers.get("Sec-Fetch-Site") ?? "none";
  if (request.headers.has("Origin") || (site !== "none" && site !== "same-origin")) {
    throw new CarrelError(403, "cross_site", { message: "Cross-site request refused" });
  }
  if (!LOOPBACK.test(url.hostname) && !settings.SERVICE_HOSTS.includes(url.hostname)) {
    throw new CarrelError(421, "unknown_host", { message: "SERVICE_HOSTS does not name this host." });
  }
  return next();
});
