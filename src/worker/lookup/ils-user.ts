import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { makeAccountRecords, checkLogin } from "../accounts/authentication.ts";
import { isAttempt } from "../accounts/login-failures.ts";
import { parseJsonLogin } from "../accounts/login.ts";
import { parseBasic } from "../http/bearer.ts";
import { type FailureKey, Failure, failure } from "../http/failure.ts";
import { type Actor, type RequestContext, baseUrl } from "../http/operation.ts";
import { actorOf } from "../http/session.ts";
import type { TextValues } from "../../catalog/texts.ts";

export const ilsErrorSchema = z.object({ status: z.literal("error"), reason: z.string() });

export function ilsError(
  key: FailureKey,
  values?: TextValues,
  headers: Readonly<Record<string, string>> = {},
): Failure {
  return toIlsError(failure(key, values, { headers }));
}

/** Returns a failure in the form that library systems read. */
function toIlsError({ status, message, text, headers }: Failure): Failure {
  const body = { status: "error", reason: message };
  return new Failure(status, "ils", { message, ...(text && { text }), body, headers });
}

export function ilsUnauthorized(
  context: RequestContext,
  key: "unauthenticated.credentials" | "unauthenticated.no_credentials",
): Failure {
  return ilsError(key, {}, { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"` });
}

/** Converts every error of `run` to the form that library systems read, with the same status (Q380). */
export async function withIlsErrors<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ImportFailure) throw importError(error);
    if (!(error instanceof Failure) || error.code === "ils") throw error;
    throw toIlsError(error);
  }
}

function importError({ message, extra }: ImportFailure): Failure {
  if (message !== "permission_denied") return toIlsError(new Failure(400, "ils", { message }));
  const { message: reason } = extra;
  return toIlsError(new Failure(403, "ils", { message: typeof reason === "string" ? reason : message }));
}

/**
 * Returns the context of the account whose Basic credentials a request has; undefined without credentials (Q382). They
 * are checked and rate-limited like logins, but create no session. Throws 401 for wrong credentials, 429 after too many,
 * and 503 if they cannot be checked.
 */
export async function authenticateBasic(context: RequestContext): Promise<RequestContext | undefined> {
  const header = context.request.headers.get("Authorization");
  if (header === null || header === "") return undefined;
  const credentials = parseJsonLogin(parseBasic(header));
  if (credentials === undefined) throw ilsUnauthorized(context, "unauthenticated.credentials");
  const login = await checkLogin(context, credentials);
  if (!login.ok) {
    if (!isAttempt(login.reason)) throw failure("unavailable.accounts");
    throw ilsUnauthorized(context, "unauthenticated.credentials");
  }
  await makeAccountRecords(context, login);
  const { username } = login;
  let actor: Promise<Actor> | undefined;
  return {
    ...context,
    actor: () => (actor ??= actorOf(context, { username, key: `/people/${username}` })),
  };
}
