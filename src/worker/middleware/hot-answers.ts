import { createMiddleware } from "hono/factory";
import { answerName } from "../answers/kept-answer.ts";
import { respondKept } from "../answers/respond.ts";
import type { Variables } from "../serve.ts";

/** The first step of a read: an answer that this isolate gave seconds ago. */
export const hotAnswers = createMiddleware<Variables>((c, next) => {
  const context = c.get("carrel");
  const name = answerName(context);
  const answer = name === undefined ? undefined : context.cache.get(name, context.now);
  if (answer === undefined) return next();
  context.trace.source = "isolate";
  return Promise.resolve(respondKept(answer, context));
});
