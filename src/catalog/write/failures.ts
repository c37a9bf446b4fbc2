import type { Json } from "../record.ts";
import type { FailurePlace, WriteFailure } from "./failure.ts";

/** 400: a document is not as it must be (records.md 4.2). `value` is what was found, as it was sent. */
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
