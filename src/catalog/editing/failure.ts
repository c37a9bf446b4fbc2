import type { Json } from "../record.ts";

export interface FailurePlace {
  readonly key: string;
  readonly property?: string;
}

/** Reason why a document cannot be saved, in wire format. */
export interface WriteFailure {
  readonly status: 400 | 403 | 404 | 409 | 413 | 429 | 503;
  readonly error:
    | "bad_data"
    | "permission_denied"
    | "notfound"
    | "conflict"
    | "too_large"
    | "too_many_requests"
    | "busy"
    | "read_only";
  readonly message: string;
  /** Key of the record that is missing, or was changed concurrently. */
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly value?: Json;
  /** Seconds after which the request may be retried. */
  readonly seconds?: number;
}

/** Returns a 400 failure for an invalid document. `value` is the invalid value as sent. */
export function documentFailure(
  message: string,
  at: FailurePlace | undefined,
  value?: Json | undefined,
): WriteFailure {
  return {
    status: 400,
    error: "bad_data",
    message,
    ...(at === undefined ? {} : { at }),
    ...(value === undefined ? {} : { value }),
  };
}

/** Returns a 404 failure for a reference to a record that does not exist. */
export function missingRecordFailure(key: string, at: FailurePlace): WriteFailure {
  return { status: 404, error: "notfound", message: `no record '${key}'`, key, at };
}

/** Returns a 403 failure for a writer without the right to a change. */
export function permissionFailure(message: string, at: FailurePlace): WriteFailure {
  return { status: 403, error: "permission_denied", message, at };
}

/** Returns a 429 failure for an account that has used up its byte budget. */
export function byteBudgetFailure(seconds: number): WriteFailure {
  const message = `This account has saved as many bytes as it may for now. Try again in ${seconds} seconds.`;
  return { status: 429, error: "too_many_requests", message, seconds };
}
