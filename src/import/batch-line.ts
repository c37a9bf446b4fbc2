import { stringsOf } from "../catalog/record.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportRecord, parseRecord } from "./record.ts";
import { type ImportTime, checkRecord } from "./records/prepare.ts";
import { REPORTED_VIOLATIONS_MAX, VIOLATIONS, violationsOf } from "./validate.ts";

export interface LineError {
  /** Line number from 1, counting every line of the file. */
  readonly line_number: number;
  readonly error_message: string;
}

/**
 * Parses and checks a line of a batch that is not a comment. Returns all errors, or the first source and the record as
 * parsed. Q328: records of promised books get the same checks.
 */
export function parseBatchLine(
  line: string,
  lineNumber: number,
  time: ImportTime,
): readonly LineError[] | { readonly ia_id: string; readonly data: ImportRecord } {
  const errorOf = (message: string): LineError => ({ line_number: lineNumber, error_message: message });
  try {
    const data = parseRecord(line);
    const violations = violationsOf(data);
    if (violations.length > 0) {
      return violations
        .slice(0, REPORTED_VIOLATIONS_MAX)
        .map(({ location, type }) =>
          errorOf(`${location.join(", ")} field: ${VIOLATIONS[type]}. (Type: ${type})`),
        );
    }
    checkRecord(data, time);
    // The validator guarantees a source.
    const [source = ""] = stringsOf(data["source_records"]);
    return { ia_id: source, data };
  } catch (error) {
    if (error instanceof ImportFailure) return [errorOf(error.message)];
    throw error;
  }
}

/** Maximum size of a queued record, in bytes of JSON. */
export const IMPORT_DATA_BYTES = 900_000;

export const TOO_LONG = `The record is larger than ${IMPORT_DATA_BYTES} bytes.`;
