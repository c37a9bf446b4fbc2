import { createMiddleware } from "hono/factory";
import { type ErrorLook } from "../http/error-answers.ts";
import { CarrelError, methodNotAllowed } from "../http/errors.ts";
import { isolateCache } from "../http/isolate-cache.ts";
import { inLogScope } from "../http/log.ts";
import { JSON_TYPE } from "../http/reply.ts";
import type { Carried } from "../http/serve.ts";
import type { SiteDefinition } from "../http/site.ts";

/** What is special about a site that other services ask. */
interface ServiceSite extends Omit<SiteDefinition, "cache" | "errors" | "hasRawPaths"> {
  /** What it says of an error, in the form that its clients read; null: nothing. */
  errorBody(error: CarrelError): Readonly<Record<string, unknown>> | null;
  unknownPath: ErrorLook["unknownPath"];
}

/** A site that other services ask, and no browser: its answers have no more headers than they need. */
export function serviceSite({ errorBody, unknownPath, middleware, ...site }: ServiceSite): SiteDefinition {
  const errors: ErrorLook = {
    answer(error) {
      const { status, headers } = error;
      const body = errorBody(error);
      if (body === null) return new Response(null, { status });
      const type = { "Content-Type": JSON_TYPE };
      return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
    },
    failure(requestId) {
      const code = "internal_error";
      return new CarrelError(500, code, { body: { error: code }, headers: { "X-Request-Id": requestId } });
    },
    unknownPath,
    otherMethods: methodNotAllowed,
  };
  const steps = [logged, ...middleware];
  return { ...site, cache: isolateCache, errors, hasRawPaths: true, middleware: steps };
}

/** Lines of the log name their request. Data points there are none: those of the callers, other services, count. */
const logged = createMiddleware<Carried>((c, next) =>
  inLogScope({ fields: { requestId: c.env.carrel.requestId }, failed: () => {} }, next),
);
