import * as z from "zod";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** `GET /health`: the service answers. Says nothing of the stores behind it; `/status` does. */
export const health = operation({
  id: "health",
  summary: "Liveness",
  tag: "service",
  responses: { 200: { description: "Alive", schema: z.record(z.string(), z.string()) } },
  handle: () => json({ status: "ok" }, { cacheControl: NO_STORE }),
});
