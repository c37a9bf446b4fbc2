import { stringsOf } from "../catalog/record.ts";
import { ImportFailure } from "./failure.ts";
import { parsedRecord } from "./json.ts";
import { type LoadTime, checkRecord } from "./load/checks.ts";
import type { ImportRecord } from "./record.ts";
import { REPORTED_VIOLATIONS_MAX, VIOLATIONS, violationsOf } from "./validate.ts";

/** Why a line of a batch is refused, as the wire tells it. */
export interface LineError {
  /** From 1; every line of the file counts. */
  readonly line_number: number;
  readonly error_message: string;
}

/**
 * Reads a line of a batch that is no comment: all errors, or its first source and the object as it stands. Q328: promised
 * books are checked as others are.
 */
export function lineErrors(
  line: string,
  lineNumber: number,
  time: LoadTime,
): readonly LineError[] | { readonly ia_id: string; readonly data: ImportRecord } {
  const refused = (message: string): LineError => ({ line_number: lineNumber, error_message: message });
  try {
    const data = parsedRecord(line);
    const violations = violationsOf(data);
    if (violations.length > 0) {
      return violations
        .slice(0, REPORTED_VIOLATIONS_MAX)
        .map(({ location, type }) =>
          refused(`${location.join(", ")} field: ${VIOLATIONS[type]}. (Type: ${type})`),
        );
    }
    checkRecord(data, time);
    // The validator has seen that there is a source.
    const [source = ""] = stringsOf(data["source_records"]);
    return { ia_id: source, data };
  } catch (error) {
    if (error instanceof ImportFailure) return [refused(error.message)];
    throw error;
  }
}

/** Largest record in the queue, in bytes of its JSON. */
export const IMPORT_DATA_BYTES = 900_000;

/** Why a record is not queued that is too large. */
export const TOO_LONG = `The record is larger than ${IMPORT_DATA_BYTES} bytes.`;
