import { type RequestContext, baseUrl } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { ImportFailure } from "../../import/failure.ts";

/** An error as library systems read it (import.md 5). */
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
