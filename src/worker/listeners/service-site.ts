import { createMiddleware } from "hono/factory";
import { json } from "itty-router-extras/response/json";
import { status as emptyResponse } from "itty-router-extras/response/status";
import type { ErrorLook } from "../http/error-answers.ts";
import { type CarrelError, methodNotAllowed } from "../http/errors.ts";
import { isolateCache } from "../http/isolate-cache.ts";
import { inLogScope } from "../http/log.ts";
import { JSON_TYPE } from "../http/reply.ts";
import type { Carried } from "../http/serve.ts";
import { type Site, type SiteDefinition, siteOf } from "../http/site.ts";
import { servicesOnly } from "./services-only.ts";

interface ServiceSite extends Omit<SiteDefinition, "cache" | "errors" | "hasRawPaths"> {
  /** Returns the body of an error in the format of the site's clients; null: no body. */
  errorBody(error: CarrelError): Readonly<Record<string, unknown>> | null;
  unknownPath: ErrorLook["unknownPath"];
}

/**
 * Creates a site for other services, not for browsers: its answers have no more headers than necessary, and failures
 * have the same status as on the main site (Q502).
 */
export function serviceSite({ errorBody, unknownPath, middleware, ...site }: ServiceSite): Site {
  const errors: ErrorLook = {
    answer(error) {
      const { status, headers } = error;
      const body = errorBody(error);
      if (body === null) return emptyResponse(status);
      return json(body, { status, headers: { "Content-Type": JSON_TYPE, ...headers } });
    },
    unknownPath,
    otherMethods: methodNotAllowed,
  };
  return siteOf({
    ...site,
    cache: isolateCache,
    errors,
    hasRawPaths: true,
    middleware: [logged, servicesOnly, ...middleware],
  });
}

/** Adds the request id to log lines. Writes no data points, because the calling services write their own. */
const logged = createMiddleware<Carried>((c, next) =>
  inLogScope({ fields: { requestId: c.env.carrel.requestId }, failed: () => {} }, async () => {
    await next();
    // The header is for browsers and proxies.
    c.res.headers.delete("Cache-Control");
  }),
);
