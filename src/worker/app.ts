import { Hono } from "hono";
import { accessLog, noteRequest } from "./http/access-log.ts";
import { answerName, respondKept } from "./http/answer.ts";
import { type Sources, systemSources } from "./http/bindings.ts";
import { blockedAddresses } from "./http/blocked-addresses.ts";
import { nothingMatched, renderError } from "./http/error-answers.ts";
import { IsolateCache, isolateCache } from "./http/isolate-cache.ts";
import { knownHooks } from "./http/known-hooks.ts";
import { normalPath } from "./http/normal-path.ts";
import { preflight } from "./http/preflight.ts";
import { RateLimit, rateLimit } from "./http/rate-limit.ts";
import { sameOrigin } from "./http/same-origin.ts";
import { type Carried, mount } from "./http/serve.ts";
import { settingsOf } from "./http/settings.ts";
import { type Shortcut, type Site, siteOf } from "./http/site.ts";
import { staticFiles } from "./http/static-files.ts";
import { ROUTES } from "./routes.ts";

/**
 * The first step of a read: an answer that this isolate gave seconds ago. It comes before all middleware, because finding
 * the route would take longer than answering. Whoever has asked too much is left to the middleware, which tells him so.
 */
function hotAnswers(limit: RateLimit): Shortcut {
  return (context) => {
    const name = answerName(context);
    const answer = name === undefined ? undefined : context.cache.get(name, context.now);
    if (answer === undefined || limit.take(context) > 0) return undefined;
    context.trace.source = "isolate";
    const response = respondKept(answer, context);
    noteRequest(context, response.status);
    return response;
  };
}

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
