import { createMiddleware } from "hono/factory";
import { COVER_LISTENER_ROUTES, COVER_READING_ROUTES } from "../covers/routes.ts";
import { accessLog, preflight } from "../http/middleware.ts";
import { type Sources, systemSources } from "../http/bindings.ts";
import { PUBLIC_ERRORS } from "../http/error-answers.ts";
import { isolateCache } from "../http/isolate-cache.ts";
import { type Site, createSite } from "../http/site.ts";
import { auditRefusals } from "../platform/audit.ts";
import { servicesOnly } from "./service-site.ts";
import { type HonoEnv, isRead } from "../http/operation.ts";

export function createCoverStore(prefix: string, sources: Sources = systemSources): Site {
  return createSite({
    routes: [...COVER_READING_ROUTES, ...COVER_LISTENER_ROUTES],
    prefix,
    cache: isolateCache,
    sources,
    middleware: [accessLog, auditRefusals, preflight, writingServicesOnly],
    errors: {
      ...PUBLIC_ERRORS,
      page: async (error) => (await import("../ui/error-page.ts")).errorPage(error),
    },
  });
}

/** Protects writes only, because pages of all sites show images. */
const writingServicesOnly = createMiddleware<HonoEnv>((c, next) =>
  isRead(c.env.carrel.request.method) ? next() : servicesOnly(c, next),
);
