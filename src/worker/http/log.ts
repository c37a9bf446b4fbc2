import { AsyncLocalStorage } from "node:async_hooks";

/** `error`: for an operator to look at; `warn`: handled, but worth counting; `info`: for the record. */
type LogLevel = "info" | "warn" | "error";

interface LogScope {
  readonly fields: Readonly<Record<string, string>>;
  failed(event: string): void;
}

export const LOG_TEXT_LENGTH = 2000;
/** Longest matched part of an email address before and after its `@`, in UTF-16 units. */
const ADDRESS_PART = 64;

const scopes = new AsyncLocalStorage<LogScope>();
/** In a path the `@` may be percent-encoded. */
const ADDRESS = new RegExp(
  `[^\\s@<>"'=:/]{1,${ADDRESS_PART}}(?:@|%40)[^\\s@<>"',:;)/]{1,${ADDRESS_PART}}`,
  "g",
);

/** Query strings, which contain search terms of people and secrets of links. */
const QUERY = /\?[^\s?="'<>]{0,64}=[^\s"'<>]*/g;

export function inLogScope<Result>(scope: LogScope, run: () => Result): Result {
  return scopes.run(scope, run);
}

/** Writes one structured line. `fields` must contain no secret, cookie or email address. */
export function logLine(level: LogLevel, event: string, fields: Readonly<Record<string, unknown>>): void {
  const scope = scopes.getStore();
  const line = JSON.stringify({ level, event, ...scope?.fields, ...fields }, redact);
  if (level === "error") {
    console.error(line);
    scope?.failed(event);
  } else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** Removes query strings and email addresses, in case the message of an error contains them. */
function redact(_name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.length > LOG_TEXT_LENGTH ? `${value.slice(0, LOG_TEXT_LENGTH)}…`.toWellFormed() : value;
  const withoutQueries = text.replace(QUERY, "?…");
  return /@|%40/.test(withoutQueries) ? withoutQueries.replace(ADDRESS, "<address>") : withoutQueries;
}

/** Returns the error that may be logged: Drizzle's errors repeat the values of their statement. */
export function loggable(error: unknown): unknown {
  return error instanceof Error && "params" in error ? error.cause : error;
}

/** Returns a path that may be logged, without the codes of emailed links. */
export function loggablePath(pathname: string): string {
  return pathname.replace(/^(\/account\/(?:[a-z_]+\/)+)[0-9a-f]{16,}/i, "$1…");
}
