import { ownSessions } from "../../accounts/session-views.ts";
import { operation } from "../../http/operation.ts";
import { sessionsPage } from "../../pages/account/sessions-page.ts";

/** `GET /account/sessions`: where one is logged in. */
export const sessionsForm = operation({
  id: "sessionsPage",
  summary: "Page of the own sessions",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: async (_input, context) => sessionsPage(await ownSessions(context)),
});
