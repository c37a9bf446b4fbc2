import * as z from "zod";
import { privateJson } from "../../http/reply.ts";
import { ownSessions } from "../../accounts/session-views.ts";
import { operation } from "../../http/operation.ts";

const session = z.object({
  id: z.string(),
  opened: z.string(),
  expires: z.string(),
  seen: z.string(),
  remembered: z.boolean(),
  client: z.string(),
  current: z.boolean(),
});
/** The sessions of an account. */
export const sessionsAnswer = z.object({ sessions: z.array(session) });

/** `GET /account/sessions.json`: where one is logged in. */
export const sessions = operation({
  id: "sessions",
  summary: "Own sessions",
  tag: "account",
  responses: {
    200: { description: "The last used first", schema: sessionsAnswer },
  },
  handle: async (_input, context) => privateJson({ sessions: await ownSessions(context) }),
});
