/** Writes one structured line. `fields` must hold no secret, cookie or e-mail address. */
export function logLine(
  level: "info" | "error",
  event: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === "error") console.error(line);
  else console.log(line);
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
