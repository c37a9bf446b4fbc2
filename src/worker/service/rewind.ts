import * as z from "zod";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { RESTARTED } from "../../durable/protocol.ts";
import { resendOne } from "../patrons/activity/projection.ts";
import { badData, notFound, unavailable } from "../http/errors.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { jsonBody } from "./json-body.ts";

/** Largest body, in bytes. */
const REWIND_BODY_BYTES = 1024;
/** How long the platform keeps earlier states of objects, in days. */
export const REWIND_DAYS_MAX = 30;
const DAY_MS = 86_400_000;

const body = z.strictObject({
  patron: z.string().min(1).max(100),
  time: z.iso.datetime().describe("UTC, such as 2026-11-20T10:00:00Z"),
});

/**
 * `POST /system/rewind`: what a patron keeps becomes again what it was at a time, because he, or a program of his,
 * has spoilt it. His sessions end, and projections follow.
 */
export const rewind = operation({
  id: "rewind",
  summary: "Make a patron's own data be as it was at an earlier time",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: '`{"patron": "ann", "time": "2026-11-20T10:00:00Z"}`',
  },
  responses: {
    200: {
      description: "It was done",
      schema: z.object({
        patron: z.string(),
        undo: z.string().describe("The state before, as the platform names it"),
      }),
    },
    404: { description: "There is no such account" },
    503: { description: "The platform keeps no earlier states, as a local one" },
  },
  async handle(_input, context) {
    const { patron, time } = await commandOf(context);
    const account = await findAccount(context.stores.patrons, { username: patron });
    // What was removed stays so: that is what was promised.
    if (account === undefined) throw notFound();
    const undo = await goBack(context, account, time);
    await settle(context, account);
    logLine("warn", "rewind", { patron: account.usernameFolded, time: new Date(time).toISOString(), undo });
    return json({ patron: account.username, undo }, { cacheControl: NO_STORE });
  },
});

async function commandOf({ request, now }: RequestContext): Promise<{ patron: string; time: number }> {
  const expected = "a patron and a time";
  const { patron, time: text } = await jsonBody(request, body, { limit: REWIND_BODY_BYTES, expected });
  const time = Date.parse(text);
  const isKept = time < now && time > now - REWIND_DAYS_MAX * DAY_MS;
  if (!isKept) throw badData(`The time must be one of the last ${REWIND_DAYS_MAX} days`);
  return { patron, time };
}

async function goBack({ stores }: RequestContext, account: FoundAccount, time: number): Promise<string> {
  const object = patronOf(stores, account.username);
  let undo = "";
  try {
    undo = await object.rewind(time);
  } catch (error) {
    logLine("error", "rewind", { patron: account.usernameFolded, error: String(loggable(error)) });
    throw unavailable("The platform does not give back what the patron had at that time.");
  }
  try {
    await object.restart();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(RESTARTED)) throw error;
  }
  return undo;
}

/** Sessions of that time open nothing, who was blocked since then stays so, and others learn what there is now. */
async function settle(
  context: RequestContext,
  { username, usernameFolded, status }: FoundAccount,
): Promise<void> {
  const object = patronOf(context.stores, username);
  await object.closeSessions("", context.sources.now());
  if (status === "blocked") await object.bar(true);
  await resendOne(context, usernameFolded);
}
