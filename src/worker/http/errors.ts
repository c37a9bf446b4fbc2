import { ResponseTooLarge } from "../../catalog/bytes.ts";
import type { Text } from "../../catalog/texts.ts";
import { Failure, failure } from "./failure.ts";

/** Entry of a 422 answer, in FastAPI's shape. `text` is for pages only. */
export interface ValidationFailure {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
  readonly text?: Text | undefined;
}

/** Returns the 404 of a route or of a resource that is not a record. */
export function notFound(): Failure {
  return failure("not_found.page", {}, { message: "Not Found" });
}

/** Returns the 404 of a record, in the record API's own shape (Q13). */
export function recordNotFound(key: string): Failure {
  return failure("not_found.record", { key }, { code: "notfound", body: { error: "notfound", key } });
}

export function methodNotAllowed(allowed: readonly string[]): Failure {
  const headers = { Allow: allowed.join(", ") };
  return failure("method_not_allowed.page", {}, { message: "Method Not Allowed", headers });
}

/** Returns the 406 of a mode that lacks the requested encoding, with an empty body. */
export function notAcceptable(): Failure {
  return new Failure(406, "not_acceptable", { body: null });
}

export function authenticationRequired(scheme: "Session" | "Bearer"): Failure {
  return failure(
    "unauthenticated.login",
    {},
    {
      code: "authentication_required",
      message: "Authentication required",
      headers: { "WWW-Authenticate": scheme },
    },
  );
}

/** Returns the 403 of a client that is signed in but lacks permission. */
export function forbidden(): Failure {
  return failure("forbidden.permission", {}, { message: "Insufficient permissions" });
}

export function tooLarge(limit: number): Failure {
  return failure("too_large.body", { limit });
}

/** Returns the 413 of documents that together exceed the limit for one answer, in bytes. */
export function answerTooLarge(limit: number): Failure {
  return failure("too_large.records", { limit });
}

/** Returns the `Failure` for a thrown error; undefined if it is not one of the service's own. */
export function ownError(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  // Q495: a request for fewer records succeeds.
  return error instanceof ResponseTooLarge ? failure("too_large.response") : undefined;
}

/** Shown to people instead of FastAPI's words. */
const FILL_IN = { key: "bad_data.missing_field" } as const;

export function validationFailed(failures: readonly ValidationFailure[]): Failure {
  const detail = failures.map(({ text: _text, ...entry }) => entry);
  const reasons = failures.map(({ type, loc, text = { key: "validation.invalid" } as const }) => ({
    field: loc.slice(1).join(" "),
    text: type === "missing" ? FILL_IN : text,
  }));
  return new Failure(422, "validation", { message: "invalid parameters", reasons, body: { detail } });
}

/** Returns true for the error of a call to an overloaded object, which refuses calls before it sees them. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}
