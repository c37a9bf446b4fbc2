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
  const name = answerName(context);
  if (name === undefined) return respond(await run(), context);
  const stored = await edgeAnswer(name, keep, context);
  if (stored !== undefined) {
    keepInIsolate(name, stored, context);
    return respondKept(stored, context);
  }
  const reply = await run();
  if (reply.status !== 200) return respond(reply, context);
  const answer = keptAnswer(reply, context.sources.now() + keep.isolate * 1000);
  context.cache.set(name, answer);
  keepAtEdge(name, answer, { keep, context });
  return respondKept(answer, context);

  function keepInIsolate(id: string, kept: KeptAnswer, { cache, sources }: RequestContext): void {
    const expires = Math.min(kept.expires, sources.now() + keep.isolate * 1000);
    cache.set(id, { ...kept, expires });
  }
}

async function edgeAnswer(
  name: string,
  keep: Keep,
  context: RequestContext,
): Promise<KeptAnswer | undefined> {
  const { settings, sources, url } = context;
  if (!settings.EDGE_CACHE || keep.edge === 0) return undefined;
  return fromEdge(name, { origin: url.origin, now: sources.now(), seconds: keep.edge });
}

function keepAtEdge(
  name: string,
  answer: KeptAnswer,
  { keep, context }: { keep: Keep; context: RequestContext },
): void {
  const { settings, sources, url } = context;
  if (!settings.EDGE_CACHE || keep.edge === 0 || answer.records.length > EDGE_RECORDS) return;
  const options = { origin: url.origin, now: sources.now(), seconds: keep.edge };
  context.waitUntil(toEdge(name, answer, options));
}
