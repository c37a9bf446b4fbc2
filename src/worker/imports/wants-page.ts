import type { RequestContext } from "../http/operation.ts";
import { wantsJson } from "../http/accept.ts";

/** Q350: batches are pages, and JSON under `.json` or where `Accept` likes it best. */
export function wantsPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && !wantsJson(request);
}
