import { Hono } from "hono";
import { isolateCache } from "../http/isolate-cache.ts";
import { type Sources, systemSources } from "../http/bindings.ts";
import { settingsOf } from "../http/settings.ts";
import { accessLog } from "../http/access-log.ts";
import { preflight } from "../http/preflight.ts";
import { nothingMatched, renderError } from "../http/error-answers.ts";
import { COVER_LISTENER_ROUTES, COVER_READING_ROUTES } from "../covers/routes.ts";
import { type Carried, mount } from "../http/serve.ts";
import { type Site, siteOf } from "../http/site.ts";

/** The cover store: the same operations as on the main site, and nothing else of it. */
export function createCoverStore(prefix: string, sources: Sources = systemSources): Site {
  const app = new Hono<Carried>();
  const routes = [...COVER_READING_ROUTES, ...COVER_LISTENER_ROUTES];
  app.use(accessLog);
  app.use(preflight);
  mount(app, routes, prefix);
  app.onError(renderError);
  app.notFound(nothingMatched(routes, prefix));
  return siteOf(app, { cache: isolateCache, sources, routes });
}

let site: Site | undefined;

/** Answers a request to the cover store's own listener. */
export function coverStore(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  site ??= createCoverStore(settingsOf(env).RECORD_PREFIX);
  return site.fetch(request, env, context);
}
