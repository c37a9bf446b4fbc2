import type { RequestContext, Session } from "../http/operation.ts";
import { authenticationRequired } from "../http/errors.ts";

/** The session of a request to a route that asks for one. */
export async function ownSession(context: RequestContext): Promise<Session> {
  const session = await context.session();
  if (session === undefined) throw authenticationRequired("Session");
  return session;
}
