import type { LendingStates } from "../../search/present/availability.ts";
import type { RequestContext } from "../context.ts";
import { lendingOf } from "../lending/lending-of.ts";
import { logLine, loggable } from "../log.ts";

/**
 * How scanned items stand; undefined when lending does not answer, which makes no answer fail that shows it beside
 * other things. Without ids nobody is asked.
 */
export async function lendingStates(
  context: RequestContext,
  ocaids: readonly string[],
): Promise<LendingStates> {
  if (ocaids.length === 0) return new Map();
  try {
    return await lendingOf(context).statuses([...new Set(ocaids)]);
  } catch (thrown) {
    const { requestId, url } = context;
    logLine("error", "lending", { requestId, path: url.pathname, error: String(loggable(thrown)) });
    return undefined;
  }
}
