import * as z from "zod";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { type LoginFields, loginOfJson } from "./login-form.ts";
import { logIn } from "./login.ts";
import { loginFailed } from "./login-failure.ts";

/** Who has logged in with a JSON object. */
export const loginAnswer = z.object({ status: z.literal("ok"), username: z.string(), key: z.string() });

/** Logs in with a JSON object; the session ends with the browser (patrons.md 1.4). */
export async function jsonLogin(context: RequestContext, body: unknown): Promise<Reply> {
  const credentials = loginOfJson(body);
  if (credentials === undefined) throw loginFailed("missing_fields");
  const { username } = await logIn(context, { credentials, remember: false });
  return privateJson({ status: "ok", username, key: `/people/${username}` });
}

/** The JSON object that a form's fields were made of. */
export function bodyOf({ access, secret, username, password }: LoginFields): unknown {
  return { access, secret, username, password };
}
