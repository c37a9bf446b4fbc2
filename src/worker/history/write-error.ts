import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { CarrelError } from "../http/errors.ts";

/** After how many seconds a busy service may be asked again. */
const RETRY_SECONDS = 2;

/**
 * The error of a change that was refused: status and body are those of the first failure; with several of them, all
 * stand in `errors` (Q96).
 */
export function writeError(failures: readonly WriteFailure[]): CarrelError {
  const [first] = failures;
  if (first === undefined) throw new Error("a change was refused without a reason");
  const errors = failures.map(bodyOf);
  const body = failures.length === 1 ? bodyOf(first) : { ...bodyOf(first), errors };
  const headers: Record<string, string> =
    first.status === 503 ? { "Retry-After": String(RETRY_SECONDS) } : {};
  return new CarrelError(first.status, first.error, { message: first.message, body, headers });
}

function bodyOf({ status: _status, error, ...more }: WriteFailure): Readonly<Record<string, unknown>> {
  return { error, ...more };
}
