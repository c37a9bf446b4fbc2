import { accessLog, noteRequest } from "./http/access-log.ts";
import { answerName, respondKept } from "./http/answer.ts";
import { type Sources, systemSources } from "./http/bindings.ts";
import { blockedAddresses } from "./http/blocked-addresses.ts";
import { PUBLIC_ERRORS } from "./http/error-answers.ts";
import { httpsOnly, isInTheOpen } from "./http/https-only.ts";
import { IsolateCache, isolateCache } from "./http/isolate-cache.ts";
import { knownHooks } from "./http/known-hooks.ts";
import { normalPath } from "./http/normal-path.ts";
import type { RequestContext } from "./http/operation.ts";
import { preflight } from "./http/preflight.ts";
import { RateLimit, rateLimit } from "./http/rate-limit.ts";
import { liveParts } from "./history/live.ts";
import { sameOrigin } from "./http/same-origin.ts";
import { type Site, lazySite, siteOf } from "./http/site.ts";
import { staticFiles } from "./http/static-files.ts";
import { oaiError } from "./oai/oai-request.ts";
import { auditRefusals } from "./platform/audit.ts";
import { ROUTES } from "./routes.ts";
import { sruError } from "./sru/sru.ts";
import { errorPage } from "./ui/error-page.ts";

const PROTOCOL_ERRORS = new Map([
  ["/oai", oaiError],
  ["/sru", sruError],
]);

/**
 * Serves a recent answer from the in-memory cache, before routing and all other middleware: matching a route costs more
 * than the answer itself. Rate-limited clients fall through to the rate-limit middleware, which sends the 429.
 */
function hotAnswers(limit: RateLimit) {
  return (context: RequestContext): Response | undefined => {
    const name = answerName(context);
    const answer = name === undefined ? undefined : context.cache.get(name, context.now);
    if (answer === undefined || isInTheOpen(context) || limit.take(context) > 0) return undefined;
    context.trace.source = "isolate";
    const response = respondKept(answer, context);
    noteRequest(context, response.status);
    return response;
  };
}

/** Overrides for tests. Each test app gets its own cache, like a separate isolate. */
interface Surroundings {
  readonly sources?: Sources;
  readonly cache?: IsolateCache;
}

/**
 * Creates the main site: the in-memory cache, the middleware in the order in which a request meets it, then the route
 * table.
 */
export function createApp(
  prefix: string,
  { sources = systemSources, cache = new IsolateCache() }: Surroundings = {},
): Site {
  const limit = new RateLimit();
  return siteOf({
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
    errors: { ...PUBLIC_ERRORS, page: errorPage, protocols: PROTOCOL_ERRORS },
    shortcut: hotAnswers(limit),
  });
}

/** Answers a request to the main site. */
export const mainSite = lazySite((prefix) => createApp(prefix, { cache: isolateCache }));
