import type { RequestContext } from "../context.ts";
import { wantsJson } from "../wants-html.ts";

/** Q350: batches are pages, and JSON under `.json` or where `Accept` likes it best. */
export function wantsPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && !wantsJson(request);
}
