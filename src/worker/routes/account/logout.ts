import { deleteLoginCookies } from "../../accounts/login-cookies.ts";
import { seeOther } from "../../http/reply.ts";
import { methodNotAllowed } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { closeSession } from "../../http/session.ts";

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
