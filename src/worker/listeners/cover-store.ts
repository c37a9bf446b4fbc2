import { Hono } from "hono";
import { isolateCache } from "../answers/isolate-cache.ts";
import { type Sources, settingsOf, systemSources } from "../context.ts";
import { accessLog } from "../middleware/access-log.ts";
import { cors } from "../middleware/cors.ts";
import { nothingMatched, renderError } from "../middleware/errors.ts";
import { requestContext } from "../middleware/request-context.ts";
import { COVER_LISTENER_ROUTES } from "../route-table/cover-store.ts";
import { COVER_READING_ROUTES } from "../route-table/covers.ts";
import { type Variables, mount } from "../serve.ts";

/** The cover store: the same operations as on the main site, and nothing else of it. */
export function createCoverStore(prefix: string, sources: Sources = systemSources): Hono<Variables> {
  const app = new Hono<Variables>();
  const routes = [...COVER_READING_ROUTES, ...COVER_LISTENER_ROUTES];
  app.use(requestContext({ cache: isolateCache, sources, routes }));
  app.use(accessLog);
  app.use(cors);
  mount(app, routes, prefix);
  app.onError(renderError);
  app.notFound(nothingMatched(routes, prefix));
  return app;
}

let app: Hono<Variables> | undefined;

/** Answers a request to the cover store's own listener. */
export function coverStore(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  app ??= createCoverStore(settingsOf(env).RECORD_PREFIX);
  return app.fetch(request, env, context);
}
