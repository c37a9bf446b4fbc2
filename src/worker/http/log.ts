import { AsyncLocalStorage } from "node:async_hooks";

/** `error`: somebody should look at it; `warn`: it was dealt with, and is worth counting; `info`: for the record. */
type LogLevel = "info" | "warn" | "error";

/** What is going on while lines are written: a request, a batch of messages, a run of the sweep. */
export interface LogScope {
  /** Members that every line of it gets, such as `requestId`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Is told the event of every line of level `error`. */
  failed(event: string): void;
}

/** Longest text in a line, in UTF-16 units; the rest is left out. */
export const LOG_TEXT_LENGTH = 2000;
/** Longest part of an address before its `@` that is looked for. */
const ADDRESS_PART = 64;

const scopes = new AsyncLocalStorage<LogScope>();
/** In a path the `@` may be percent-encoded. */
const address = new RegExp(
  `[^\\s@<>"'=:/]{1,${ADDRESS_PART}}(?:@|%40)[^\\s@<>"',:;)/]{1,${ADDRESS_PART}}`,
  "g",
);

/** A query holds what people look for, and secrets of links. */
const QUERY = /\?[^\s?="'<>]{0,64}=[^\s"'<>]*/g;

/** Runs something whose lines in the log, whoever writes them, are known by the scope's members. */
export function inLogScope<Result>(scope: LogScope, run: () => Result): Result {
  return scopes.run(scope, run);
}

/**
 * Writes one structured line. `fields` must hold no secret, cookie or e-mail address; docs/operations.md lists the
 * events.
 */
export function logLine(level: LogLevel, event: string, fields: Readonly<Record<string, unknown>>): void {
  const scope = scopes.getStore();
  const line = JSON.stringify({ level, event, ...scope?.fields, ...fields }, writable);
  if (level === "error") {
    console.error(line);
    scope?.failed(event);
  } else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** What is not to be in the log is taken out here as well, should it ever stand in the message of an error. */
function writable(_name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.length > LOG_TEXT_LENGTH ? `${value.slice(0, LOG_TEXT_LENGTH)}…`.toWellFormed() : value;
  const bare = text.replace(QUERY, "?…");
  return /@|%40/.test(bare) ? bare.replace(address, "<address>") : bare;
}

/**
 * The error that may be written to the log: drizzle's repeat the values of their statement, e-mail addresses and
 * hashes among them, so what the database said stands for them.
 */
export function loggable(error: unknown): unknown {
  return error instanceof Error && "params" in error ? error.cause : error;
}

/** A path as it may be written to the log: codes out of mails stand in some. */
export function loggedPath(pathname: string): string {
  return pathname.replace(/^(\/account\/(?:[a-z_]+\/)+)[0-9a-f]{16,}/i, "$1…");
}
