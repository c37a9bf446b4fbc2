import type { Handler, Hono } from "hono";
import { answerKept } from "./answers/answer.ts";
import { respond } from "./answers/respond.ts";
import type { RequestContext } from "./context.ts";
import { requireOperator } from "./middleware/operator.ts";
import type { Route } from "./operation.ts";
import { type PathPattern, pathParameters, pathPattern } from "./path-pattern.ts";
import { checkInput, inputSchemas } from "./validation/input.ts";

/** What travels with a request through Hono. */
export interface Variables {
  Variables: { carrel: RequestContext };
  Bindings: Env;
}

/** Puts the route table onto the app. */
export function mount(app: Hono<Variables>, routes: readonly Route[], prefix: string): void {
  for (const route of routes) {
    const pattern = pathPattern(route, prefix);
    app.on(route.method, pattern.hono, handler(route, pattern));
  }
}

function handler(route: Route, pattern: PathPattern): Handler<Variables> {
  const { operation, access } = route;
  const schemas = inputSchemas(operation);
  return async (c, next) => {
    const context = c.get("carrel");
    const raw = pathParameters(pattern, context.url.pathname);
    // Hono's `/isbn/*` takes `/isbn` too, which is another route's.
    if (raw === undefined) return next();
    if (access === "operator") await requireOperator(context);
    const run = () => operation.handle(checkInput(schemas, raw, context.url.searchParams), context);
    return operation.keep === undefined
      ? respond(await run(), context)
      : answerKept(operation.keep, context, run);
  };
}
