import type { Json } from "../record.ts";
import { type Text, type TextKey, english } from "../texts.ts";

export interface FailurePlace {
  readonly key: string;
  readonly property?: string;
}

/** Reason why a document cannot be saved. */
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
  readonly text: Text;
  /** Key of the record that is missing, or was changed concurrently. */
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly value?: Json;
  /** Seconds after which the request may be retried. */
  readonly seconds?: number;
}

/** Returns a 400 failure for an invalid document. `value` is the invalid value as sent. */
export function documentFailure(
  text: Text,
  at: FailurePlace | undefined,
  value?: Json | undefined,
): WriteFailure {
  return {
    status: 400,
    error: "bad_data",
    text,
    ...(at === undefined ? {} : { at }),
    ...(value === undefined ? {} : { value }),
  };
}

/** Returns a 404 failure for a reference to a record that does not exist. */
export function missingRecordFailure(key: string, at: FailurePlace): WriteFailure {
  return { status: 404, error: "notfound", text: { key: "bad_data.no_record", values: { key } }, key, at };
}

/** Returns a 403 failure for a writer without the right to a change. */
export function permissionFailure(
  text: TextKey & `permission_denied.${string}`,
  key: string,
  property?: string,
): WriteFailure {
  const at = { key, ...(property !== undefined && { property }) };
  return { status: 403, error: "permission_denied", text: { key: text, values: { key } }, at };
}

/** Returns a 429 failure for an account that has used up its byte budget. */
export function byteBudgetFailure(seconds: number): WriteFailure {
  return { status: 429, error: "too_many_requests", text: { key: "too_many_requests.bytes" }, seconds };
}

/** Returns the members of a failure as clients see them. */
export function failureBody({ status: _status, seconds: _seconds, error, text, ...more }: WriteFailure) {
  return { error, message: english(text), ...more };
}
