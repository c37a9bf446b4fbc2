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
