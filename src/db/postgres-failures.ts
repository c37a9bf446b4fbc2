/**
 * The database cannot be had: not connected, or the connection broke off. Its message begins with this class's word, since
 * that is all that is left of an error which an object throws.
 */
export class PostgresUnavailable extends Error {
  /** False where nothing can have happened. */
  readonly isSent: boolean;

  constructor(what: string, cause: unknown, { isSent = true }: { readonly isSent?: boolean } = {}) {
    super(`POSTGRES_UNAVAILABLE: ${what}: ${String(cause)}`, { cause });
    this.isSent = isSent;
  }
}

/** True for an error that the server told, with an SQLSTATE. */
export function isOfServer(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
}

/** Somebody else was faster, and all of the transaction is undone: a serialization failure, a deadlock. */
const OUTRUN = /^40/;
/** The server is going, starting, full, or no longer the one that takes changes; or it has given a statement up. */
const UNAVAILABLE = /^(?:08|53|57|25006)/;

/** An error of the server as it is told: PostgresUnavailable where it is none of the statement. */
export function toldFailure(error: unknown): unknown {
  return isOfServer(error) && UNAVAILABLE.test(error.code)
    ? new PostgresUnavailable("the server", error)
    : error;
}

/** Whether a transaction may be tried again, so that nothing is done twice. */
export function isRepeatable(error: unknown, isChange: boolean): boolean {
  if (isOfServer(error)) return OUTRUN.test(error.code);
  return error instanceof PostgresUnavailable && (!isChange || !error.isSent);
}
