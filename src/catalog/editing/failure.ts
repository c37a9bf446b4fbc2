import type { Json } from "../record.ts";

/** Where in a document something is wrong. */
export interface FailurePlace {
  readonly key: string;
  readonly property?: string;
}

/** Why a document cannot be saved, as the wire has it. */
export interface WriteFailure {
  readonly status: 400 | 403 | 404 | 409 | 413 | 503;
  readonly error:
    | "bad_data"
    | "permission_denied"
    | "notfound"
    | "conflict"
    | "too_large"
    | "busy"
    | "read_only";
  readonly message: string;
  /** Key of what is missing, or was changed by somebody else. */
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly value?: Json;
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
