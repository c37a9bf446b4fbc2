import { deleteLoginCookies } from "../../accounts/cookies.ts";
import { seeOther } from "../../accounts/private.ts";
import { methodNotAllowed } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { closeSession } from "../../sessions/session.ts";

/** `POST /account/logout`: ends the session, on the server too, and deletes the cookies. */
export const logout = operation({
  id: "logout",
  summary: "Log out",
  tag: "account",
  inReadOnly: true,
  responses: { 303: { description: "To the front page" } },
  async handle(_input, context) {
    // A link must not log anybody out; nor is the path the key of a record, as it would be without the GET route.
    if (context.request.method !== "POST") throw methodNotAllowed(["POST", "OPTIONS"]);
    await closeSession(context);
    deleteLoginCookies(context);
    return seeOther("/");
  },
});
