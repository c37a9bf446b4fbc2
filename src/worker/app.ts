import { createMiddleware } from "hono/factory";
import {
  accessLog,
  logRequest,
  httpsOnly,
  isPlainHttp,
  preflight,
  normalPath,
  knownHooks,
  sameOrigin,
} from "./http/middleware.ts";
import { cacheKeyOf, respondFromCache } from "./http/answer-cache.ts";
import { ANSWER_PART_BYTES } from "./http/answer-room.ts";
import { type Sources, systemSources } from "./http/bindings.ts";
import { blockedAddresses } from "./http/client-address.ts";
import { type ErrorFormat, PUBLIC_ERRORS } from "./http/error-answers.ts";
import { IsolateCache, isolateCache } from "./http/isolate-cache.ts";
import { type HonoEnv, type RequestContext, rootPath } from "./http/operation.ts";
import { EVENTS_TYPE } from "./http/reply.ts";
import { RateLimit, rateLimit } from "./http/rate-limit.ts";
import { type Site, createSite } from "./http/site.ts";
import { staticFiles } from "./http/static-files.ts";
import { auditRefusals } from "./platform/audit.ts";
import { ROUTES } from "./routes.ts";

const OPDS = /^\/opds(?:$|[./])/;

const renderProtocolError: ErrorFormat["protocol"] = async (error, context) => {
  const { url } = context;
  if (url.pathname === "/oai") return (await import("./oai/oai-request.ts")).oaiError(error);
  if (url.pathname === "/sru") return (await import("./sru/sru.ts")).sruError(error, url);
  return OPDS.test(url.pathname) ? (await import("./opds/feeds.ts")).opdsError(error, context) : undefined;
};

/**
 * Serves a recent answer from the in-memory cache, before routing and all other middleware: matching a route costs more
 * than the answer itself. Rate-limited clients fall through to the rate-limit middleware, which sends the 429; large
 * answers fall through too, because they may have to wait for room.
 */
function serveFromMemory(limit: RateLimit) {
  return (context: RequestContext): Response | undefined => {
    // A token is checked first.
    const key = context.bearer === undefined ? cacheKeyOf(context) : undefined;
    const answer = key === undefined ? undefined : context.cache.get(key, context.now);
    if (answer === undefined || answer.body.byteLength > ANSWER_PART_BYTES) return undefined;
    if (isPlainHttp(context) || limit.take(context) > 0) return undefined;
    context.trace.source = "isolate";
    const response = respondFromCache(answer, context);
    logRequest(context, response.status);
    return response;
  };
}

/** Imports the streams of live pages for the clients that want one. */
const liveParts = createMiddleware<HonoEnv>(async (c, next) => {
  if (c.env.carrel.request.headers.get("Accept") !== EVENTS_TYPE) return next();
  const { streamLiveParts } = await import("./history/change-stream.ts");
  return streamLiveParts(c, next);
});

/** Overrides for tests. Each test app gets its own cache, like a separate isolate. */
interface AppOptions {
  sources?: Sources;
  cache?: IsolateCache;
}

/** Creates the main site. Middleware is in the order in which a request meets it. */
export function createApp(
  prefix: string,
  { sources = systemSources, cache = new IsolateCache() }: AppOptions = {},
): Site {
  const limit = new RateLimit();
  const site = createSite({
    routes: ROUTES,
    prefix,
    cache,
    sources,
    readsBearer: true,
    middleware: [
      accessLog,
      auditRefusals,
      httpsOnly,
      preflight,
      rateLimit(limit),
      sameOrigin,
      blockedAddresses,
      normalPath,
      staticFiles,
      knownHooks(ROUTES, prefix),
      liveParts,
    ],
    errors: {
      ...PUBLIC_ERRORS,
      page: async (error) => (await import("./ui/error-page.ts")).errorPage(error),
      protocol: renderProtocolError,
    },
    shortcut: serveFromMemory(limit),
  });
  return {
    ...site,
    fetch(request, env, execution) {
      const response = site.fetch(request, env, execution);
      // Invalid settings are reported by the response.
      const { BASE_URL = "" } = env;
      const root = rootPath(BASE_URL);
      return root === "" ? response : Promise.resolve(response).then((sent) => withRootInHeaders(sent, root));
    },
  };
}

/** Headers with addresses, which begin the value or follow a `<`. */
const ADDRESS_HEADERS = ["Location", "Link"];

/** Puts the path of the site before addresses of headers (Q867), after the calls inside of the service. */
function withRootInHeaders(response: Response, root: string): Response {
  for (const name of ADDRESS_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, value.replaceAll(/(^|<)\/(?!\/)/g, `$1${root}/`));
  }
  return response;
}

export function createMainSite(prefix: string): Site {
  return createApp(prefix, { cache: isolateCache });
}
