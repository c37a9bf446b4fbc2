import { StatusError } from "itty-router-extras/classes/StatusError";
import { ResponseTooLarge } from "../../catalog/bytes.ts";

/** Entry of a 422 answer, in FastAPI's shape. */
export interface ValidationFailure {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/**
 * Base error of the service. Thrown anywhere, rendered in `error-answers.ts` only. `body` is the client's view of it;
 * null means an empty body.
 */
export class CarrelError extends StatusError {
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    { message, body, headers }: Partial<Pick<CarrelError, "message" | "body" | "headers">> = {},
  ) {
    super(status, message ?? code);
    this.code = code;
    this.body = body === undefined ? { detail: this.message } : body;
    this.headers = headers ?? {};
  }
}

/** Returns the 404 of a route or of a resource that is not a record. */
export function notFound(): CarrelError {
  return new CarrelError(404, "not_found", { message: "Not Found" });
}

/** Returns the 404 of a record, in the record API's own shape (Q13). */
export function recordNotFound(key: string): CarrelError {
  return new CarrelError(404, "notfound", { message: `no record ${key}`, body: { error: "notfound", key } });
}

export function methodNotAllowed(allowed: readonly string[]): CarrelError {
  return new CarrelError(405, "method_not_allowed", {
    message: "Method Not Allowed",
    headers: { Allow: allowed.join(", ") },
  });
}

/** Returns the 406 of a mode that lacks the requested encoding, with an empty body. */
export function notAcceptable(): CarrelError {
  return new CarrelError(406, "not_acceptable", { message: "Not Acceptable", body: null });
}

export function refusal(
  status: number,
  body: { error: string; message: string } & Readonly<Record<string, unknown>>,
): CarrelError {
  return new CarrelError(status, body.error, { message: body.message, body });
}

export function badData(message: string, extra: Readonly<Record<string, unknown>> = {}): CarrelError {
  return refusal(400, { error: "bad_data", message, ...extra });
}

export function authenticationRequired(scheme: "Session" | "Bearer"): CarrelError {
  return new CarrelError(401, "authentication_required", {
    message: "Authentication required",
    headers: { "WWW-Authenticate": scheme },
  });
}

/** Returns a 403 in the record API's shape. */
export function permissionDenied(message: string): CarrelError {
  return refusal(403, { error: "permission_denied", message });
}

/** Returns the 403 of a client that is signed in but lacks permission. */
export function forbidden(message = "Insufficient permissions"): CarrelError {
  return new CarrelError(403, "forbidden", { message });
}

export function tooLarge(limit: number): CarrelError {
  return refusal(413, { error: "too_large", message: `the request body is larger than ${limit} bytes` });
}

/** Returns the 413 of documents that together exceed the limit for one answer, in bytes. */
export function answerTooLarge(limit: number): CarrelError {
  return tooLargeTogether(`The documents are larger than ${limit} bytes together.`);
}

function tooLargeTogether(reason: string): CarrelError {
  return refusal(413, { error: "too_large", message: `${reason} Request fewer records.` });
}

/** Returns the `CarrelError` for a thrown error; undefined if it is not one of the service's own. */
export function ownError(error: unknown): CarrelError | undefined {
  if (error instanceof CarrelError) return error;
  // Q495: a request for fewer records succeeds.
  return error instanceof ResponseTooLarge ? tooLargeTogether(error.message) : undefined;
}

export function validationFailed(failures: readonly ValidationFailure[]): CarrelError {
  return new CarrelError(422, "validation", { message: "invalid parameters", body: { detail: failures } });
}

/** Returns a 429 in the reference's shape, with the seconds to wait. */
export function tooManyRequests(seconds: number, message: string): CarrelError {
  return new CarrelError(429, "too_many_requests", {
    message,
    body: { status: 429, message },
    headers: { "Retry-After": String(seconds) },
  });
}

export function queryTimeout(message: string): CarrelError {
  return refusal(503, { error: "timeout", message });
}

export function unavailable(message: string, headers: Readonly<Record<string, string>> = {}): CarrelError {
  return new CarrelError(503, "unavailable", { message, headers });
}

/** Returns true for the error of a call to an overloaded object, which refuses calls before it sees them. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}

export function conflict(message: string): CarrelError {
  return new CarrelError(409, "conflict", { message });
}
