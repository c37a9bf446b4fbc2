import { privateJson } from "../accounts/private.ts";
import type { RequestContext } from "../context.ts";
import { backOr } from "../people/back.ts";
import type { Reply } from "../reply.ts";

/** The answer to a change of one's own: programs get `value`, people go back to the page with the form. */
export function done(context: RequestContext, value: unknown, target?: string): Reply {
  return backOr(context, privateJson(value), target);
}
