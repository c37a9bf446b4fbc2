import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { type Reply, privateJson, seeOther } from "../../http/reply.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { type RequestContext, type Session, operation } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";

const row = z.object({
  subscriber: z.string(),
  publisher: z.string(),
  disabled: z.boolean(),
  updated: z.string().nullable(),
  created: z.string().nullable(),
});

/** `GET /people/<u>/follows.json`: whom the patron follows, for himself alone (patrons.md 11). */
export const follows = operation({
  id: "follows",
  summary: "Patrons whom one follows",
  tag: "people",
  path: { username: z.string() },
  query: { redir_url: z.string().default("/").describe("Path on this site to go to after the login") },
  responses: {
    200: { description: "All of them, the last one first", schema: z.array(row) },
    303: { description: "Somebody else: to the login" },
  },
  async handle({ path: { username }, query: { redir_url } }, context) {
    const session = await ownSessionOf(context, username);
    if (session === undefined) return toLogin(redir_url);
    const following = await patronOf(context.stores, session.username).circle.following();
    return privateJson(
      following.map(({ username: publisher, disabled, updated, created }) => ({
        subscriber: session.username,
        publisher,
        disabled,
        updated: timeText(updated),
        created: timeText(created),
      })),
    );
  },
});

/** Naive UTC, without a fraction that is zero (patrons.md 0.5). */
function timeText(milliseconds: number): string {
  return datetimeText(milliseconds).replace(/\.0+$/, "");
}

/** The session of the patron whose page it is; undefined for everybody else. */
export async function ownSessionOf(context: RequestContext, username: string): Promise<Session | undefined> {
  const session = await context.session();
  return session?.username.toLowerCase() === username.toLowerCase() ? session : undefined;
}

/** To the login, and on to where somebody wanted to go as far as that is on this site. */
export function toLogin(target: string): Reply {
  return seeOther(`/account/login?redir_url=${encodeURIComponent(redirectTarget(target) ?? "/")}`);
}
