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

/** What is special about a site that other services ask. */
interface ServiceSite extends Omit<SiteDefinition, "cache" | "errors" | "hasRawPaths"> {
  /** What it says of an error, in the form that its clients read; null: nothing. */
  errorBody(error: CarrelError): Readonly<Record<string, unknown>> | null;
  unknownPath: ErrorLook["unknownPath"];
}

/**
 * A site that other services ask, and no browser: its answers have no more headers than they need, and what fails has
 * the status that it has on the main site (Q502).
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

/** Lines of the log name their request. Data points there are none: those of the callers, other services, count. */
const logged = createMiddleware<Carried>((c, next) =>
  inLogScope({ fields: { requestId: c.env.carrel.requestId }, failed: () => {} }, async () => {
    await next();
    // That is for browsers, and what lies between them and here.
    c.res.headers.delete("Cache-Control");
  }),
);
