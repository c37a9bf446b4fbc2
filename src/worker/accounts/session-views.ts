import { datetimeText } from "../../catalog/datetime.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { ownSession } from "./own-session.ts";

/** A session as its patron sees it. Times are naive UTC. */
export interface SessionView {
  readonly id: string;
  readonly opened: string;
  readonly expires: string;
  readonly seen: string;
  readonly remembered: boolean;
  /** Address from which it was opened. */
  readonly client: string;
  /** True of the session that asks. */
  readonly current: boolean;
}

/** The open sessions of the one who asks, the last used first. */
export async function ownSessions(context: RequestContext): Promise<SessionView[]> {
  const { username, id: own } = await ownSession(context);
  const sessions = await patronOf(context.stores, username).sessions(context.now);
  return sessions.map(({ id, opened, expires, seen, remembered, client }) => ({
    id,
    opened: datetimeText(opened),
    expires: datetimeText(expires),
    seen: datetimeText(seen),
    remembered,
    client,
    current: id === own,
  }));
}
