import type { RequestContext } from "../context.ts";
import { requireBearer } from "./bearer.ts";

/** Lets only the holder of `LOAD_TOKEN` through. */
export function requireOperator(context: RequestContext): Promise<void> {
  return requireBearer(context, {
    secret: context.settings.LOAD_TOKEN,
    missing: "No LOAD_TOKEN is configured, so nothing can be loaded.",
  });
}

/** Q417: lets only those through who may write into the cover store. They hold `COVERS_SECRET`. */
export function requireCoverWriter(context: RequestContext): Promise<void> {
  return requireBearer(context, {
    secret: context.settings.COVERS_SECRET,
    missing: "No COVERS_SECRET is configured, so no covers can be written.",
  });
}
