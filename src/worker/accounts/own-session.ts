import type { RequestContext } from "../context.ts";
import { authenticationRequired } from "../errors.ts";
import type { Session } from "../sessions/session.ts";

/** The session of a request to a route that asks for one. */
export async function ownSession(context: RequestContext): Promise<Session> {
  const session = await context.session();
  if (session === undefined) throw authenticationRequired("Session");
  return session;
}
