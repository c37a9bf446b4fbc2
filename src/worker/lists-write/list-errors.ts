import { CarrelError, forbidden } from "../errors.ts";
import { listNotFound } from "../lists/list-path.ts";

/** 403 of somebody who may not change a list (patrons.md 0.1). */
export function listDenied(): CarrelError {
  return forbidden("Permission denied.");
}

/** 400 of a request about a list. */
export function badList(message: string): CarrelError {
  return new CarrelError(400, "bad_data", { message });
}

/**
 * Does something with a list; the errors of saving become those of lists (patrons.md 14.13): `{"detail"}` with their
 * status, a record that is not there is a seed that was not found, and who may not write is not told why.
 */
export async function withListErrors<Result>(list: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof CarrelError ? listError(error, list) : error;
  }
}

function listError(error: CarrelError, list: string): CarrelError {
  const { status, code, message, body, headers } = error;
  // Q257: errors of saving say `error`; all others are as they should be.
  if (body === null || !("error" in body)) return error;
  if (status === 403) return listDenied();
  const { key } = body;
  if (status === 404) return key === list ? listNotFound() : badList(`Seed not found: ${String(key)}`);
  return new CarrelError(status, code, { message, headers });
}
