import { StatusError } from "itty-router-extras/classes/StatusError";
import { AnswerTooLarge } from "../../catalog/byte-budget.ts";

/** One entry of a 422 answer, in FastAPI's shape. */
export interface ValidationFailure {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/**
 * The one error family. Thrown anywhere, rendered in `error-answers.ts` only. `body` is what the client
 * sees; null means an empty body.
 */
export class CarrelError extends StatusError {
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, options: ErrorOptions = {}) {
    super(status, options.message ?? code);
    this.code = code;
    this.body = options.body === undefined ? { detail: this.message } : options.body;
    this.headers = options.headers ?? {};
  }
}

interface ErrorOptions {
  readonly message?: string;
  readonly body?: Readonly<Record<string, unknown>> | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 404 of a route or resource that is not a record. */
export function notFound(): CarrelError {
  return new CarrelError(404, "not_found", { message: "Not Found" });
}

/** 404 of a record, in the record API's own shape (Q13). */
export function recordNotFound(key: string): CarrelError {
  return new CarrelError(404, "notfound", { message: `no record ${key}`, body: { error: "notfound", key } });
}

/** 405 with the methods that the path has. */
export function methodNotAllowed(allowed: readonly string[]): CarrelError {
  return new CarrelError(405, "method_not_allowed", {
    message: "Method Not Allowed",
    headers: { Allow: allowed.join(", ") },
  });
}

/** 406 of a mode that lacks the encoding asked for: empty body. */
export function notAcceptable(): CarrelError {
  return new CarrelError(406, "not_acceptable", { message: "Not Acceptable", body: null });
}

/** An error in the record API's shape. */
export function refusal(
  status: number,
  body: { readonly error: string; readonly message: string } & Readonly<Record<string, unknown>>,
): CarrelError {
  return new CarrelError(status, body.error, { message: body.message, body });
}

/** 400 in the record API's shape. */
export function badData(message: string, more: Readonly<Record<string, unknown>> = {}): CarrelError {
  return refusal(400, { error: "bad_data", message, ...more });
}

/** 401 of a route that needs a session or a token. */
export function authenticationRequired(scheme: "Session" | "Bearer"): CarrelError {
  return new CarrelError(401, "authentication_required", {
    message: "Authentication required",
    headers: { "WWW-Authenticate": scheme },
  });
}

/** 403 in the record API's shape. */
export function permissionDenied(message: string): CarrelError {
  return refusal(403, { error: "permission_denied", message });
}

/** 403 of somebody who is known and may not. */
export function forbidden(message = "Insufficient permissions"): CarrelError {
  return new CarrelError(403, "forbidden", { message });
}

/** 413 with the limit that was exceeded, in bytes. */
export function tooLarge(limit: number): CarrelError {
  return refusal(413, { error: "too_large", message: `the request body is larger than ${limit} bytes` });
}

/** 413 of documents that have more bytes together than are answered at once. */
export function answerTooLarge(limit: number): CarrelError {
  return fewerAtOnce(`The documents are larger than ${limit} bytes together.`);
}

function fewerAtOnce(reason: string): CarrelError {
  return refusal(413, { error: "too_large", message: `${reason} Please ask for fewer at once.` });
}

/** The error of ours that something thrown means; undefined for what is no error of ours. */
export function ownError(error: unknown): CarrelError | undefined {
  if (error instanceof CarrelError) return error;
  // Q495: fewer records at once are answered.
  return error instanceof AnswerTooLarge ? fewerAtOnce(error.message) : undefined;
}

/** 422 with every failure of path, query and body at once. */
export function validationFailed(failures: readonly ValidationFailure[]): CarrelError {
  return new CarrelError(422, "validation", { message: "invalid parameters", body: { detail: failures } });
}

/** 429 in the reference's shape, with the seconds to wait. */
export function tooManyRequests(seconds: number, message: string): CarrelError {
  return new CarrelError(429, "too_many_requests", {
    message,
    body: { status: 429, message },
    headers: { "Retry-After": String(seconds) },
  });
}

/** 503 of a query that would take too long. */
export function queryTimeout(message: string): CarrelError {
  return refusal(503, { error: "timeout", message });
}

/** 503 of a part of the service that is not configured or not reachable. */
export function unavailable(message: string, headers: Readonly<Record<string, string>> = {}): CarrelError {
  return new CarrelError(503, "unavailable", { message, headers });
}

/** True for the error of a call to an object that has too much to do: it refuses calls before it sees them. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}

/** 409: what is asked for cannot be done as things are. */
export function conflict(message: string): CarrelError {
  return new CarrelError(409, "conflict", { message });
}
