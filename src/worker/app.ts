import { Hono } from "hono";
import { hotAnswers } from "./answers/hot-answers.ts";
import { IsolateCache, isolateCache } from "./answers/isolate-cache.ts";
import { type Sources, settingsOf, systemSources } from "./context.ts";
import { accessLog } from "./middleware/access-log.ts";
import { blockedAddresses } from "./middleware/blocked-addresses.ts";
import { preflight } from "./middleware/preflight.ts";
import { nothingMatched, renderError } from "./middleware/errors.ts";
import { knownHooks } from "./middleware/known-hooks.ts";
import { normalPath } from "./middleware/normal-path.ts";
import { sameOrigin } from "./middleware/same-origin.ts";
import { RateLimit, rateLimit } from "./middleware/rate-limit.ts";
import { staticFiles } from "./middleware/static-files.ts";
import { ROUTES } from "./routes.ts";
import { type Carried, mount } from "./serve.ts";
import { type Site, siteOf } from "./site.ts";

/** What tests decide of an app. Each of theirs has a cache of its own, as if it were an isolate. */
interface Surroundings {
  readonly sources?: Sources;
  readonly cache?: IsolateCache;
}

/** The main site: what was kept, middleware in the order in which a request meets it, then the route table. */
export function createApp(
  prefix: string,
  { sources = systemSources, cache = new IsolateCache() }: Surroundings = {},
): Site {
  const limit = new RateLimit();
  const app = new Hono<Carried>();
  app.use(accessLog);
  app.use(preflight);
  app.use(rateLimit(limit));
  app.use(sameOrigin);
  app.use(blockedAddresses);
  app.use(normalPath);
  app.use(staticFiles);
  app.use("/api/*", knownHooks(ROUTES, prefix));
  mount(app, ROUTES, prefix);
  app.onError(renderError);
  app.notFound(nothingMatched(ROUTES, prefix));
  return siteOf(app, { cache, sources, routes: ROUTES }, hotAnswers(limit));
}

let site: Site | undefined;

/** Answers a request to the main site. */
export function mainSite(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  site ??= createApp(settingsOf(env).RECORD_PREFIX, { cache: isolateCache });
  return site.fetch(request, env, context);
}
