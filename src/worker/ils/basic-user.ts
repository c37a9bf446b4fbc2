import { loginOfJson } from "../accounts/login-form.ts";
import { isAttempt, loginMessage } from "../accounts/login-failure.ts";
import { type Credentials, proveLogin } from "../accounts/login.ts";
import { makeAccountRecords } from "../accounts/new-account.ts";
import type { RequestContext } from "../context.ts";
import { unavailable } from "../errors.ts";
import { type Actor, actorOf } from "../sessions/actor.ts";
import { ilsUnauthorized } from "./ils-error.ts";

const BASIC = /^Basic +([\w+/=-]+) *$/i;

/** What an `Authorization` header of the kind Basic says; undefined when it is another, or broken. */
export function basicCredentials(header: string): Credentials | undefined {
  const encoded = BASIC.exec(header)?.[1];
  const text = encoded === undefined ? undefined : decoded(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return loginOfJson({ username: text.slice(0, colon), password: text.slice(colon + 1) });
}

function decoded(encoded: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(encoded));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The request as one of the account whose name and password it carries (Q382), checked and counted as logins are; no session is
 * opened. Undefined without such a header. Throws 401 for wrong ones, 429 after too many, 503 when nobody can tell.
 */
export async function asBasicUser(context: RequestContext): Promise<RequestContext | undefined> {
  const header = context.request.headers.get("Authorization");
  if (header === null || header === "") return undefined;
  const credentials = basicCredentials(header);
  if (credentials === undefined) throw ilsUnauthorized(context, "Invalid credentials");
  const login = await proveLogin(context, credentials);
  if (!login.ok) {
    if (!isAttempt(login.reason)) throw unavailable(loginMessage(login.reason));
    throw ilsUnauthorized(context, "Invalid credentials");
  }
  await makeAccountRecords(context, login);
  const { username } = login;
  let actor: Promise<Actor> | undefined;
  return {
    ...context,
    actor: () => (actor ??= actorOf(context, { username, key: `/people/${username}` })),
  };
}
