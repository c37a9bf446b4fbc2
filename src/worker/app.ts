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
import { type Sources, systemSources } from "./http/bindings.ts";
import { blockedAddresses } from "./http/client-address.ts";
import { PUBLIC_ERRORS } from "./http/error-answers.ts";
import type { CarrelError } from "./http/errors.ts";
import { IsolateCache, isolateCache } from "./http/isolate-cache.ts";
import type { RequestContext } from "./http/operation.ts";
import { RateLimit, rateLimit } from "./http/rate-limit.ts";
import type { Reply } from "./http/reply.ts";
import { liveParts } from "./history/change-stream.ts";
import { type Site, lazySite, createSite } from "./http/site.ts";
import { staticFiles } from "./http/static-files.ts";
import { oaiError } from "./oai/oai-request.ts";
import { opdsError } from "./opds/feeds.ts";
import { auditRefusals } from "./platform/audit.ts";
import { ROUTES } from "./routes.ts";
import { sruError } from "./sru/sru.ts";
import { errorPage } from "./ui/error-page.ts";

const OPDS = /^\/opds(?:$|[./])/;

function protocolError(error: CarrelError, context: RequestContext): Reply | undefined {
  const { url } = context;
  if (url.pathname === "/oai") return oaiError(error);
  if (url.pathname === "/sru") return sruError(error, url);
  return OPDS.test(url.pathname) ? opdsError(error, context) : undefined;
}

/**
 * Serves a recent answer from the in-memory cache, before routing and all other middleware: matching a route costs more
 * than the answer itself. Rate-limited clients fall through to the rate-limit middleware, which sends the 429.
 */
function serveFromMemory(limit: RateLimit) {
  return (context: RequestContext): Response | undefined => {
    const key = cacheKeyOf(context);
    const answer = key === undefined ? undefined : context.cache.get(key, context.now);
    if (answer === undefined || isPlainHttp(context) || limit.take(context) > 0) return undefined;
    context.trace.source = "isolate";
    const response = respondFromCache(answer, context);
    logRequest(context, response.status);
    return response;
  };
}

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
  return createSite({
    routes: ROUTES,
    prefix,
    cache,
    sources,
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
    errors: { ...PUBLIC_ERRORS, page: errorPage, protocol: protocolError },
    shortcut: serveFromMemory(limit),
  });
}

export const mainSite = lazySite((prefix) => createApp(prefix, { cache: isolateCache }));
