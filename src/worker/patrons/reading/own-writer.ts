import { readGroups } from "../../../db/records/users.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { READ_ONLY_GROUP } from "../../../catalog/roles.ts";
import { forbidden } from "../../http/errors.ts";
import type { RequestContext, Session } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";

/** Session of a patron who may write, and the patron's object. */
export interface OwnWriter {
  readonly session: Session;
  readonly patron: ReturnType<typeof patronOf>;
}

/** Responses to a change of the patron's own data, besides success. */
export const OWN_WRITE_RESPONSES = {
  303: { description: "For people: back to the page with the form" },
  401: { description: "Not logged in" },
  403: { description: "The account may read only" },
};

/** Returns the patron for a write to their own data. Throws 403 for members of the group `read-only`. */
export async function ownWriter(context: RequestContext): Promise<OwnWriter> {
  const session = await ownSession(context);
  const groups = await readGroups(context.stores.catalog, session.key);
  // Q211: the patron is known, so the answer says why, and does not ask for a login.
  if (groups.includes(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
  return { session, patron: patronOf(context.stores, session.username) };
}
