import { type Reply, privateJson } from "../http/reply.ts";
import type { RequestContext } from "../http/operation.ts";
import { backOr } from "../http/redirect-target.ts";

/** The answer to a change of one's own: programs get `value`, people go back to the page with the form. */
export function done(context: RequestContext, value: unknown, target?: string): Reply {
  return backOr(context, privateJson(value), target);
}
