/** What a value can be wrong in, and how reports put it (import.md 11.3). */
export const MESSAGES = {
  missing: "Field required",
  string_type: "Input should be a valid string",
  string_too_short: "String should have at least 1 character",
  list_type: "Input should be a valid list",
  too_short: "List should have at least 1 item after validation, not 0",
} as const;

export type ViolationType = keyof typeof MESSAGES;

/** A rule that a record breaks. */
export interface Violation {
  /** Names and places down to the value, such as `["authors", 0, "name"]`. */
  readonly location: readonly (string | number)[];
  readonly type: ViolationType;
  readonly message: string;
}

/** A violation with the message of its type. */
export function violation(type: ViolationType, location: readonly (string | number)[]): Violation {
  return { location, type, message: MESSAGES[type] };
}
