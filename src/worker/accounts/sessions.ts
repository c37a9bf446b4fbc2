import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { methodNotAllowed } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { privateJson, seeOther } from "../http/reply.ts";
import { closeSession, patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { deleteLoginCookies } from "./login-cookies.ts";
import { isRedirectLogin } from "./login-elsewhere.ts";
import { ACCOUNT_BODY_BYTES, PAGE } from "./account-form.ts";
import { ownSession } from "./own-session.ts";
import { notify } from "../ui/notice.ts";
import { command } from "../ui/command.ts";
import { sessionsPage } from "./sessions-page.ts";

/** Session as shown to its patron. Times are naive UTC. */
const sessionView = z.object({
  id: z.string(),
  opened: z.string(),
  expires: z.string(),
  seen: z.string(),
  remembered: z.boolean(),
  // Client address that opened the session.
  client: z.string(),
  // True for the session of the request.
  current: z.boolean(),
});

const sessionsAnswer = z.object({ sessions: z.array(sessionView) });

export const sessions = operation({
  id: "sessions",
  summary: "List your sessions",
  tag: "account",
  responses: { 200: { description: "Sessions, last used first", schema: sessionsAnswer } },
  handle: async (_input, context) => privateJson({ sessions: await readOwnSessions(context) }),
});

type SessionView = z.output<typeof sessionView>;

async function readOwnSessions(context: RequestContext): Promise<SessionView[]> {
  const { username, id: currentId } = await ownSession(context);
  const rows = await patronOf(context.stores, username).sessions(context.now);
  return rows.map(({ id, opened, expires, seen, remembered, client }) => ({
    id,
    opened: formatDatetime(opened),
    expires: formatDatetime(expires),
    seen: formatDatetime(seen),
    remembered,
    client,
    current: id === currentId,
  }));
}

export const sessionsForm = operation({
  id: "sessionsPage",
  summary: "Show the sessions page",
  tag: "account",
  responses: PAGE,
  handle: async (_input, context) => sessionsPage(await readOwnSessions(context)),
});

/** `POST /account/sessions`: ends one session, or all but the caller's. Unknown ids are no error. */
export const endSessions = command({
  id: "endSessions",
  summary: "End sessions",
  tag: "account",
  form: {
    id: z.string().optional().describe("Session to end"),
    others: boolean().default(false).describe("End all sessions except the current one"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Remaining sessions", schema: sessionsAnswer },
    303: { description: "For browsers: redirect to the sessions page" },
  },
  async submit({ form: { id, others } }, context) {
    const session = await ownSession(context);
    const patron = patronOf(context.stores, session.username);
    if (others) await patron.closeSessions(session.id, context.sources.now(), { keepsTokens: true });
    else if (id !== undefined) await patron.closeSession(id);
    await audit(context, { event: "sessions-ended", subject: session.key });
  },
  asJson: async (_ended, context) => privateJson({ sessions: await readOwnSessions(context) }),
  done: {
    to: "/account/sessions",
    notice: ({ form }) => (form.others ? "accounts.ended_others" : "accounts.ended"),
  },
});

export const logout = operation({
  id: "logout",
  summary: "Log out",
  tag: "account",
  inReadOnly: true,
  responses: {
    303: { description: "Redirect to the front page, or to the login that offers to log out at the issuer" },
  },
  async handle(_input, context) {
    // A link must not log patrons out. Without the GET route, the path would be taken for the key of a record.
    if (context.request.method !== "POST") throw methodNotAllowed(["POST", "OPTIONS"]);
    await closeSession(context);
    deleteLoginCookies(context);
    notify(context, "accounts.logged_out");
    // Q859
    return seeOther(isRedirectLogin(context.settings) ? "/account/login?logged_out=true" : "/");
  },
});
