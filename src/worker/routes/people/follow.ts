import * as z from "zod";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { seeOther } from "../../http/reply.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { forbidden, notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { follow, unfollow } from "../../people/follow.ts";
import { READ_ONLY_GROUP } from "../../http/access.ts";
import { ownSessionOf, toLogin } from "./follows.ts";

/** Q226: what a page says that shows a patron whom its reader does not follow. */
const NOT_FOLLOWED = "0";

/** `POST /people/<u>/follows.json`: follows somebody, or no longer; `state` is what the page knew (patrons.md 11). */
export const changeFollow = operation({
  id: "follow",
  summary: "Follow a patron, or no longer",
  tag: "people",
  path: { username: z.string() },
  form: {
    // An empty field counts as one that is not there (patrons.md 0.3).
    publisher: z
      .preprocess((text) => (text === "" ? undefined : text), z.string())
      .describe("Username of the patron"),
    state: z.string().default("").describe("0: is not followed, and will be; anything else: the reverse"),
    redir_url: z.string().default("/").describe("Path on this site to go to"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    303: { description: "Done: to `redir_url`. Somebody else: to the login" },
    404: { description: "There is no such patron" },
  },
  async handle({ path: { username }, form }, context) {
    const { publisher, state, redir_url } = form;
    const session = await ownSessionOf(context, username);
    if (session === undefined) return toLogin(redir_url);
    const { groups } = await context.actor();
    if (groups.has(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
    const change = state === NOT_FOLLOWED ? follow : unfollow;
    if (!(await change(context, { subscriber: session.username, publisher }))) throw notFound();
    return seeOther(redirectTarget(redir_url) ?? "/");
  },
});
