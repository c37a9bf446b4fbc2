import { Hono } from "hono";
import { IsolateCache } from "./answers/isolate-cache.ts";
import { type Sources, settingsOf, systemSources } from "./context.ts";
import { accessLog } from "./middleware/access-log.ts";
import { cors } from "./middleware/cors.ts";
import { nothingMatched, renderError } from "./middleware/errors.ts";
import { hotAnswers } from "./middleware/hot-answers.ts";
import { normalPath } from "./middleware/normal-path.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { staticFiles } from "./middleware/static-files.ts";
import { requestContext } from "./middleware/request-context.ts";
import { ROUTES } from "./routes.ts";
import { type Variables, mount } from "./serve.ts";

/** The main site: middleware in the order in which a request meets it, then the route table. */
export function createApp(prefix: string, sources: Sources = systemSources): Hono<Variables> {
  const app = new Hono<Variables>();
  app.use(requestContext({ cache: new IsolateCache(), sources, routes: ROUTES }));
  app.use(accessLog);
  app.use(cors);
  app.use(rateLimit());
  app.use(hotAnswers);
  app.use(normalPath);
  app.use(staticFiles);
  mount(app, ROUTES, prefix);
  app.onError(renderError);
  app.notFound(nothingMatched(ROUTES, prefix));
  return app;
}

let app: Hono<Variables> | undefined;

/** Answers a request to the main site. */
export function mainSite(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  app ??= createApp(settingsOf(env).RECORD_PREFIX);
  return app.fetch(request, env, context);
}
