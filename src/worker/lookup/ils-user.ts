import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { type Credentials, makeAccountRecords, proveLogin } from "../accounts/authentication.ts";
import { isAttempt, loginMessage } from "../accounts/login-failures.ts";
import { parseJsonLogin } from "../accounts/login.ts";
import { CarrelError, unavailable } from "../http/errors.ts";
import { type Actor, type RequestContext, baseUrl } from "../http/operation.ts";
import { actorOf } from "../http/session.ts";

/** What an error is as library systems read it. */
export const ilsErrorSchema = z.object({ status: z.literal("error"), reason: z.string() });

/** An error as library systems read it. */
export function ilsError(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): CarrelError {
  return new CarrelError(status, "ils", { message: reason, body: { status: "error", reason }, headers });
}

/** 401 of somebody without credentials, or with wrong ones. */
export function ilsUnauthorized(context: RequestContext, reason: string): CarrelError {
  return ilsError(401, reason, { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"` });
}

/** Q380: whatever is refused on the way has the shape that library systems read, with the status that it has elsewhere. */
export async function withIlsErrors<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ImportFailure) throw importError(error);
    if (!(error instanceof CarrelError) || error.code === "ils") throw error;
    throw ilsError(error.status, error.message, error.headers);
  }
}

/** A record that is wrong, or one that the account may not change. */
function importError({ message, extra }: ImportFailure): CarrelError {
  if (message !== "permission_denied") return ilsError(400, message);
  const { message: reason } = extra;
  return ilsError(403, typeof reason === "string" ? reason : "Permission Denied.");
}

const BASIC = /^Basic +([\w+/=-]+) *$/i;

/** What an `Authorization` header of the kind Basic says; undefined when it is another, or broken. */
function basicCredentials(header: string): Credentials | undefined {
  const encoded = BASIC.exec(header)?.[1];
  const text = encoded === undefined ? undefined : decoded(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return parseJsonLogin({ username: text.slice(0, colon), password: text.slice(colon + 1) });
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
 * The request as one of the account whose name and password it carries (Q382), checked and counted as logins are; no
 * session is opened. Undefined without such a header. Throws 401 for wrong ones, 429 after too many, 503 when nobody
 * can tell.
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
