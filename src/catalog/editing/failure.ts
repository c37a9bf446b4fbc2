import type { Json } from "../record.ts";

/** Where in a document something is wrong. */
export interface FailurePlace {
  readonly key: string;
  readonly property?: string;
}

/** Why a document cannot be saved, as the wire has it. */
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
  /** Key of what is missing, or was changed by somebody else. */
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly value?: Json;
  /** Seconds after which the same may be tried again. */
  readonly seconds?: number;
}

/** 400: a document is not as it must be. `value` is what was found, as it was sent. */
export function badDocument(
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

/** 404: a document names a record that does not exist. */
export function missingRecord(key: string, at: FailurePlace): WriteFailure {
  return { status: 404, error: "notfound", message: `no record '${key}'`, key, at };
}

/** 403: the writer may not do this to a record. */
export function denied(message: string, at: FailurePlace): WriteFailure {
  return { status: 403, error: "permission_denied", message, at };
}

/** 429: the account has used up a byte budget. */
export function tooMuchWritten(seconds: number): WriteFailure {
  const message = `This account has saved as many bytes as it may for now. Try again in ${seconds} seconds.`;
  return { status: 429, error: "too_many_requests", message, seconds };
}
