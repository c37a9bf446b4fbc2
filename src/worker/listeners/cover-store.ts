import { createMiddleware } from "hono/factory";
import { COVER_LISTENER_ROUTES, COVER_READING_ROUTES } from "../covers/routes.ts";
import { accessLog } from "../http/access-log.ts";
import { type Sources, systemSources } from "../http/bindings.ts";
import { PUBLIC_ERRORS } from "../http/error-answers.ts";
import { isolateCache } from "../http/isolate-cache.ts";
import { READING, preflight } from "../http/preflight.ts";
import type { Carried } from "../http/serve.ts";
import { type Site, siteOf } from "../http/site.ts";
import { auditRefusals } from "../platform/audit.ts";
import { errorPage } from "../ui/error-page.ts";
import { servicesOnly } from "./services-only.ts";

/** Creates the cover store: the cover operations of the main site, and no others. */
export function createCoverStore(prefix: string, sources: Sources = systemSources): Site {
  return siteOf({
    routes: [...COVER_READING_ROUTES, ...COVER_LISTENER_ROUTES],
    prefix,
    cache: isolateCache,
    sources,
    middleware: [accessLog, auditRefusals, preflight, writingServicesOnly],
    errors: { ...PUBLIC_ERRORS, page: errorPage },
  });
}

/** Protects writes only, because pages of all sites show images. */
const writingServicesOnly = createMiddleware<Carried>((c, next) =>
  READING.has(c.env.carrel.request.method) ? next() : servicesOnly(c, next),
);
