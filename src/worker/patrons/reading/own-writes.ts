import { READ_ONLY_GROUP } from "../../../catalog/roles.ts";
import { readGroups } from "../../../db/records/users.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { forbidden } from "../../http/errors.ts";
import type { RequestContext, Session } from "../../http/operation.ts";
import { setFlash } from "../../http/pages/flash.ts";
import type { BookMove } from "../../http/pages/reader.ts";
import { backOr } from "../../http/redirect-target.ts";
import { type Reply, PRIVATE, json, privateJson } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { notify } from "../../ui/notice.ts";
import type { Words } from "../../ui/words.ts";

export interface Owner {
  readonly session: Session;
  readonly patron: ReturnType<typeof patronOf>;
}

export const OWN_WRITE_RESPONSES = {
  303: { description: "For people: back to the page with the form" },
  401: { description: "Not logged in" },
  403: { description: "The account may read only" },
};

/** Returns the session, and the object of its patron. Throws 401 without a session. */
export async function requireOwner(context: RequestContext): Promise<Owner> {
  const session = await ownSession(context);
  return { session, patron: patronOf(context.stores, session.username) };
}

/** Authorizes a write to the patron's own data. Throws 403 for members of the group `read-only`. */
export async function requireOwnWriter(context: RequestContext): Promise<Owner> {
  const owner = await requireOwner(context);
  const groups = await readGroups(context.stores.catalog, owner.session.key);
  // Q211: the patron is known, so the response says why, and does not demand a login.
  if (groups.includes(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
  return owner;
}

/** Responds to a change of the patron's own data: programs get `value`, people go back to the page with the form. */
export function sendWritten(
  context: RequestContext,
  value: unknown,
  page: { target?: string | undefined; words?: Words; move?: BookMove | undefined } = {},
): Reply {
  const { target, words, move } = page;
  if (words !== undefined) notify(context, words);
  if (move !== undefined && wantsHtml(context.request)) setFlash(context, { type: "success", move });
  return backOr(context, privateJson(value), target);
}

const COUNTS_SECONDS = 60;

/** Sends counts, which are equal for all clients unless they contain the patron's own recent change. */
export function countsJson(value: unknown, { isOwn }: { isOwn: boolean }): Reply {
  const cacheControl = isOwn ? PRIVATE : `public, max-age=${COUNTS_SECONDS}`;
  return json(value, { cacheControl, headers: { Vary: "Cookie" } });
}
