import { ImportFailure } from "../failure.ts";
import type { ImportRecord } from "../record.ts";
import { cleanedRecord } from "./clean.ts";
import { violationsOfCleaned } from "./models.ts";
import { reportText } from "./report.ts";
import type { Violation } from "./violation.ts";

/**
 * The record as it is imported, cleaned (import.md 11.1); the one that was given stays as it is. Throws ImportFailure
 * `invalid-value` with a report when it is neither complete nor identified by an ISBN or LCCN.
 */
export function validatedRecord(record: ImportRecord): ImportRecord {
  const cleaned = cleanedRecord(record);
  const violations = violationsOfCleaned(cleaned);
  if (violations.length > 0) throw new ImportFailure("invalid-value", reportText(violations));
  return cleaned;
}

/** Why the record is refused; nothing when it is not. */
export function violationsOf(record: ImportRecord): readonly Violation[] {
  return violationsOfCleaned(cleanedRecord(record));
}
