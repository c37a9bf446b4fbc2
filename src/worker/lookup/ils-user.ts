import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { type Credentials, makeAccountRecords, checkLogin } from "../accounts/authentication.ts";
import { isAttempt } from "../accounts/login-failures.ts";
import { parseJsonLogin } from "../accounts/login.ts";
import { CarrelError } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type Actor, type RequestContext, baseUrl } from "../http/operation.ts";
import { actorOf } from "../http/session.ts";

export const ilsErrorSchema = z.object({ status: z.literal("error"), reason: z.string() });

export function ilsError(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): CarrelError {
  return new CarrelError(status, "ils", { message: reason, body: { status: "error", reason }, headers });
}

export function ilsUnauthorized(context: RequestContext, reason: string): CarrelError {
  return ilsError(401, reason, { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"` });
}

/** Converts every error of `run` to the form that library systems read, with the same status (Q380). */
export async function withIlsErrors<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ImportFailure) throw importError(error);
    if (!(error instanceof CarrelError) || error.code === "ils") throw error;
    throw ilsError(error.status, error.message, error.headers);
  }
}

function importError({ message, extra }: ImportFailure): CarrelError {
  if (message !== "permission_denied") return ilsError(400, message);
  const { message: reason } = extra;
  return ilsError(403, typeof reason === "string" ? reason : "Permission Denied.");
}

const BASIC = /^Basic +([\w+/=-]+) *$/i;

/** Returns the credentials of a Basic `Authorization` header; undefined if it is malformed or of another scheme. */
function basicCredentials(header: string): Credentials | undefined {
  const encoded = BASIC.exec(header)?.[1];
  const text = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return parseJsonLogin({ username: text.slice(0, colon), password: text.slice(colon + 1) });
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(encoded));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Returns the context of the account whose Basic credentials a request has; undefined without credentials (Q382). They
 * are checked and rate-limited like logins, but create no session. Throws 401 for wrong credentials, 429 after too many,
 * and 503 if they cannot be checked.
 */
export async function authenticateBasic(context: RequestContext): Promise<RequestContext | undefined> {
  const header = context.request.headers.get("Authorization");
  if (header === null || header === "") return undefined;
  const credentials = basicCredentials(header);
  if (credentials === undefined) throw ilsUnauthorized(context, "Invalid credentials");
  const login = await checkLogin(context, credentials);
  if (!login.ok) {
    if (!isAttempt(login.reason)) throw failure("unavailable.accounts");
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
