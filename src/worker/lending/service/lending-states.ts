import type { LendingStates } from "../../../search/present/availability.ts";
import { logLine, loggable } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Reads the state of scanned items; undefined if the lending service does not answer, so that pages show the rest. */
export async function lendingStates(
  context: RequestContext,
  ocaids: readonly string[],
): Promise<LendingStates> {
  if (ocaids.length === 0) return new Map();
  try {
    const { lendingOf } = await import("./lending-of.ts");
    return await lendingOf(context).statuses([...new Set(ocaids)]);
  } catch (error) {
    const { requestId, url } = context;
    logLine("error", "lending", { requestId, path: url.pathname, error: String(loggable(error)) });
    return undefined;
  }
}
