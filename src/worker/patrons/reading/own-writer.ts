import { readGroups } from "../../../db/records/users.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { READ_ONLY_GROUP } from "../../../catalog/roles.ts";
import { forbidden } from "../../http/errors.ts";
import type { RequestContext, Session } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";

/** The patron whose request it is, and the part of the service that keeps what is his. */
export interface OwnWriter {
  readonly session: Session;
  readonly patron: ReturnType<typeof patronOf>;
}

/** What is answered to a change of one's own, besides that it is done. */
export const OWN_WRITE_RESPONSES = {
  303: { description: "For people: back to the page with the form" },
  401: { description: "Not logged in" },
  403: { description: "The account may read only" },
};

/** The patron who wants to write something of his own. Those of the group `read-only` may not: 403. */
export async function ownWriter(context: RequestContext): Promise<OwnWriter> {
  const session = await ownSession(context);
  const groups = await readGroups(context.stores.catalog, session.key);
  // Q211: he is known, so he is told why, and not asked to log in.
  if (groups.includes(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
  return { session, patron: patronOf(context.stores, session.username) };
}
