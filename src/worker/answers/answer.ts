import type { RequestContext } from "../context.ts";
import type { Keep } from "../operation.ts";
import type { Reply } from "../reply.ts";
import { fromEdge, toEdge } from "./edge-cache.ts";
import type { KeptAnswer } from "./isolate-cache.ts";
import { answerName, keptAnswer } from "./kept-answer.ts";
import { respond, respondKept } from "./respond.ts";

/** Most records an answer may show to be kept in the edge cache: their keys travel in a header. */
const EDGE_RECORDS = 100;

/**
 * Answers a request of a route whose answers may be kept: from the edge cache if it has a fresh one, else by
 * running the operation, and keeps what came out. (The isolate's own cache was asked before routing.)
 */
export async function answerKept(
  keep: Keep,
  context: RequestContext,
  run: () => Promise<Reply> | Reply,
): Promise<Response> {
  const { cache, sources } = context;
  const name = answerName(context);
  if (name === undefined) return respond(await run(), context);
  const started = sources.now();
  const stored = await edgeAnswer(name, keep, context);
  if (stored !== undefined) {
    context.trace.source = "edge";
    cache.set(name, { ...stored, expires: Math.min(stored.expires, started + keep.isolate * 1000) });
    return respondKept(stored, context);
  }
  context.trace.source = "made";
  const reply = await run();
  if (!mayBeKept(reply)) return respond(reply, context);
  const answer = keptAnswer(reply, started + keep.isolate * 1000);
  // A record may have been written here while the answer was on its way.
  if (!cache.isOutdated(answer.records, started)) {
    cache.set(name, answer);
    keepAtEdge(name, answer, { keep, context, started });
  }
  return respondKept(answer, context);
}

/** What clients may not keep, and what is for one reader alone (`private, no-store`), no cache of the service keeps. */
function mayBeKept({ status, cacheControl = "", isVolatile = false }: Reply): boolean {
  return status === 200 && !isVolatile && !cacheControl.includes("no-store");
}

/** The data centre's answer, unless a record in it has been written in this isolate since. */
async function edgeAnswer(
  name: string,
  keep: Keep,
  { settings, sources, url, cache }: RequestContext,
): Promise<KeptAnswer | undefined> {
  if (!settings.EDGE_CACHE || keep.edge === 0) return undefined;
  const options = { origin: url.origin, now: sources.now(), seconds: keep.edge };
  const answer = await fromEdge(name, options);
  if (answer === undefined) return undefined;
  const read = answer.expires - keep.edge * 1000;
  return cache.isOutdated(answer.records, read) ? undefined : answer;
}

interface Keeping {
  readonly keep: Keep;
  readonly context: RequestContext;
  /** When the answer began to be made, in milliseconds since the epoch: its age counts from then. */
  readonly started: number;
}

function keepAtEdge(name: string, answer: KeptAnswer, { keep, context, started }: Keeping): void {
  const { settings, url } = context;
  if (!settings.EDGE_CACHE || keep.edge === 0 || answer.records.length > EDGE_RECORDS) return;
  const options = { origin: url.origin, now: started, seconds: keep.edge };
  context.waitUntil(toEdge(name, answer, options));
}
