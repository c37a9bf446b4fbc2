import type { Hono } from "hono";
import type { RequestContext } from "./context.ts";
import { badAddress } from "./errors.ts";
import { errorAnswer, failureAnswer } from "./middleware/errors.ts";
import { type SiteParts, newRequestContext } from "./request-context.ts";
import type { Carried } from "./serve.ts";

/** What answers requests. */
export interface Site {
  fetch(request: Request, env: Env, execution: ExecutionContext): Response | Promise<Response>;
  /** What its router knows. */
  readonly routes: Hono<Carried>["routes"];
}

/** Answers what needs no routing. */
export type Shortcut = (context: RequestContext) => Response | undefined;

/** A site: its app, with a context for each request, and what is answered without asking the app. */
export function siteOf(app: Hono<Carried>, parts: SiteParts, shortcut?: Shortcut): Site {
  return {
    routes: app.routes,
    fetch(request, env, execution) {
      try {
        const carrel = newRequestContext(parts, { request, env, execution });
        const kept = shortcut?.(carrel);
        if (kept !== undefined) return kept;
        // Q501: the host is whatever the client says, and nothing can be done with an address that is none.
        if (!URL.canParse(request.url)) return errorAnswer(badAddress(), carrel);
        return app.fetch(request, { carrel }, execution);
      } catch (error) {
        return failureAnswer(error, request, parts.sources.newRequestId());
      }
    },
  };
}
