import type { Violation } from "./violation.ts";

/** Violations that a report tells about one record; the others are counted. */
export const REPORTED_VIOLATIONS_MAX = 100;

const BETWEEN = ": ";

/** What is told about a record that was refused (import.md 11.4), on one line. */
export function reportText(violations: readonly Violation[]): string {
  const { length } = violations;
  const first = `${length} validation error${length === 1 ? "" : "s"} for CompleteBook`;
  const told = violations
    .slice(0, REPORTED_VIOLATIONS_MAX)
    .flatMap(({ location, type, message }) => [location.join("."), `  ${message} [type=${type}]`]);
  return [first, ...told].join(BETWEEN);
}
