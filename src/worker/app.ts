import { Hono } from "hono";
import { IsolateCache, isolateCache } from "./answers/isolate-cache.ts";
import { type Sources, settingsOf, systemSources } from "./context.ts";
import { accessLog } from "./middleware/access-log.ts";
import { blockedAddresses } from "./middleware/blocked-addresses.ts";
import { cors } from "./middleware/cors.ts";
import { nothingMatched, renderError } from "./middleware/errors.ts";
import { hotAnswers } from "./middleware/hot-answers.ts";
import { knownHooks } from "./middleware/known-hooks.ts";
import { normalPath } from "./middleware/normal-path.ts";
import { sameOrigin } from "./middleware/same-origin.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { staticFiles } from "./middleware/static-files.ts";
import { requestContext } from "./middleware/request-context.ts";
import { ROUTES } from "./routes.ts";
import { type Variables, mount } from "./serve.ts";

/** What tests decide of an app. Each of theirs has a cache of its own, as if it were an isolate. */
interface Surroundings {
  readonly sources?: Sources;
  readonly cache?: IsolateCache;
}

/** The main site: middleware in the order in which a request meets it, then the route table. */
export function createApp(
  prefix: string,
  { sources = systemSources, cache = new IsolateCache() }: Surroundings = {},
): Hono<Variables> {
  const app = new Hono<Variables>();
  app.use(requestContext({ cache, sources, routes: ROUTES }));
  app.use(accessLog);
  app.use(cors);
  app.use(rateLimit());
  // Answers kept are of reads; the two after it look at everything else.
  app.use(hotAnswers);
  app.use(sameOrigin);
  app.use(blockedAddresses);
  app.use(normalPath);
  app.use(staticFiles);
  app.use("/api/*", knownHooks(ROUTES, prefix));
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
  app ??= createApp(settingsOf(env).RECORD_PREFIX, { cache: isolateCache });
  return app.fetch(request, env, context);
}
