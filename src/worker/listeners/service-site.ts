import { createMiddleware } from "hono/factory";
import { json } from "itty-router-extras/response/json";
import { status as emptyResponse } from "itty-router-extras/response/status";
import type { ErrorFormat } from "../http/error-answers.ts";
import { methodNotAllowed } from "../http/errors.ts";
import type { Failure } from "../http/failure.ts";
import { failure } from "../http/failure.ts";
import { isolateCache } from "../http/isolate-cache.ts";
import { inLogScope } from "../http/log.ts";
import { JSON_TYPE } from "../http/reply.ts";
import { type Site, type SiteDefinition, createSite } from "../http/site.ts";
import type { HonoEnv } from "../http/operation.ts";
import { LOOPBACK } from "../http/access.ts";

interface ServiceSiteDefinition extends Omit<SiteDefinition, "cache" | "errors" | "hasRawPaths"> {
  /** Returns the body of an error in the format of the site's clients; null: no body. */
  errorBody(error: Failure): Readonly<Record<string, unknown>> | null;
  unknownPath: ErrorFormat["unknownPath"];
}

/**
 * Creates a site for other services, not for browsers: its answers have no more headers than necessary, and failures
 * have the status that they have on the main site (Q502).
 */
export function createServiceSite({
  errorBody,
  unknownPath,
  middleware,
  ...site
}: ServiceSiteDefinition): Site {
  const errors: ErrorFormat = {
    answer(error) {
      const { status, headers } = error;
      const body = errorBody(error);
      if (body === null) return emptyResponse(status);
      return json(body, { status, headers: { "Content-Type": JSON_TYPE, ...headers } });
    },
    unknownPath,
    otherMethods: methodNotAllowed,
  };
  return createSite({
    ...site,
    cache: isolateCache,
    errors,
    hasRawPaths: true,
    middleware: [logged, servicesOnly, ...middleware],
  });
}

/** Adds the request id to log lines. Writes no data points, because the calling services write their own. */
const logged = createMiddleware<HonoEnv>((c, next) =>
  inLogScope({ fields: { requestId: c.env.carrel.requestId }, failed: () => {} }, async () => {
    await next();
    // The header is for browsers and proxies.
    c.res.headers.delete("Cache-Control");
  }),
);

/**
 * Refuses requests that a page makes a browser send, before reading any of it (Q520). A browser sends `Origin` and
 * `Sec-Fetch-Site`; if it sends neither, a page has pointed its own host name at the address of this machine.
 */
export const servicesOnly = createMiddleware<HonoEnv>((c, next) => {
  const { request, url, settings } = c.env.carrel;
  const site = request.headers.get("Sec-Fetch-Site") ?? "none";
  if (request.headers.has("Origin") || (site !== "none" && site !== "same-origin")) {
    throw failure("forbidden.cross_site", {}, { code: "cross_site" });
  }
  if (!LOOPBACK.test(url.hostname) && !settings.SERVICE_HOSTS.includes(url.hostname)) {
    throw failure("bad_request.unknown_host", {}, { status: 421, code: "unknown_host" });
  }
  return next();
});
