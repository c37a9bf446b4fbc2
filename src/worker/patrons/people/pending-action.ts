import { readGroups } from "../../../db/records/users.ts";
import { READ_ONLY_GROUP } from "../../http/access.ts";
import { CarrelError } from "../../http/errors.ts";
import { logLine, loggable } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";
import { requireWritable } from "../../http/read-only.ts";
import { follow } from "../../people/follow.ts";

const FOLLOW = /^follow:(.+)$/;

/** The action with which the login page has somebody follow a patron. */
export function followAction(publisher: string): string {
  return `follow:${publisher}`;
}

/**
 * Does what somebody wanted to do when he was asked to log in (patrons.md 1.3): `follow:<username>` follows that patron.
 * What is not known, or cannot be done, does not keep anybody from logging in.
 */
export async function doPending(context: RequestContext, username: string, action: string): Promise<void> {
  const publisher = FOLLOW.exec(action)?.[1];
  if (publisher === undefined) return;
  try {
    await requireWritable(context);
    const groups = await readGroups(context.stores.catalog, `/people/${username}`);
    if (groups.includes(READ_ONLY_GROUP)) return;
    await follow(context, { subscriber: username, publisher });
  } catch (error) {
    if (error instanceof CarrelError) return;
    logLine("error", "pending-action", { request: context.requestId, error: String(loggable(error)) });
  }
}
