import { noteRequest } from "../middleware/access-log.ts";
import type { RateLimit } from "../middleware/rate-limit.ts";
import type { Shortcut } from "../site.ts";
import { answerName } from "./kept-answer.ts";
import { respondKept } from "./respond.ts";

/**
 * The first step of a read: an answer that this isolate gave seconds ago. It comes before all middleware, because finding
 * the route would take longer than answering. Whoever has asked too much is left to the middleware, which tells him so.
 */
export function hotAnswers(limit: RateLimit): Shortcut {
  return (context) => {
    const name = answerName(context);
    const answer = name === undefined ? undefined : context.cache.get(name, context.now);
    if (answer === undefined || limit.take(context) > 0) return undefined;
    context.trace.source = "isolate";
    const response = respondKept(answer, context);
    noteRequest(context, response.status);
    return response;
  };
}
