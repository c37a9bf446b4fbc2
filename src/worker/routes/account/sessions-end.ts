import * as z from "zod";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson, seeOther } from "../../http/reply.ts";
import { ownSessions } from "../../accounts/session-views.ts";
import { operation } from "../../http/operation.ts";
import { sessionsAnswer } from "./sessions.ts";
import { patronOf } from "../../http/session.ts";
import { boolean } from "../../http/parameters.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `POST /account/sessions`: ends one session, or all but the one that asks. Unknown ones are no error. */
export const endSessions = operation({
  id: "endSessions",
  summary: "End own sessions",
  tag: "account",
  form: {
    id: z.string().optional().describe("The session to be ended"),
    others: boolean().default(false).describe("End all but the one that asks"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "What is left, as of GET", schema: sessionsAnswer },
    303: { description: "For people: back to the list" },
  },
  async handle({ form: { id, others } }, context) {
    const own = await ownSession(context);
    const patron = patronOf(context.stores, own.username);
    if (others) await patron.closeSessions(own.id, context.sources.now());
    else if (id !== undefined) await patron.closeSession(id);
    if (wantsHtml(context.request)) return seeOther("/account/sessions");
    return privateJson({ sessions: await ownSessions(context) });
  },
});
