import { wantsHtml } from "./accept.ts";
import type { RequestContext } from "./operation.ts";
import { type Reply, privateJson } from "./reply.ts";

/** True if the response goes to a person: `.json` paths are for programs, other paths go by the `Accept` header. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** Returns a value as a page for people or as JSON for programs. */
export function pageOrJson<Value>(
  context: RequestContext,
  value: Value,
  pageOf: (value: Value) => Reply,
): Reply {
  if (isForPeople(context)) return pageOf(value);
  return { ...privateJson(value), headers: { Vary: "Accept" } };
}
