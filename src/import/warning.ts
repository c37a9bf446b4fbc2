import { english } from "../catalog/texts.ts";
import { withoutControls } from "../catalog/storable-text.ts";
import type { Json } from "../catalog/record.ts";

/** Texts of the changes that an import makes to a record instead of refusing it, by code in wire format. */
export const WARNINGS = {
  "read-as-utf-8": "imports.warning_read_as_utf_8",
  "read-as-marc-8": "imports.warning_read_as_marc_8",
  "read-as-windows-1252": "imports.warning_read_as_windows_1252",
  "mixed-encoding": "imports.warning_mixed_encoding",
  "damaged-text": "imports.warning_damaged_text",
  "unreadable-field": "imports.warning_unreadable_field",
  "damaged-record": "imports.warning_damaged_record",
  "control-characters": "imports.warning_control_characters",
  "other-records": "imports.warning_other_records",
  "invalid-isbn": "imports.warning_invalid_isbn",
  "invalid-lccn": "imports.warning_invalid_lccn",
  "invalid-oclc-number": "imports.warning_invalid_oclc_number",
  "invalid-language": "imports.warning_invalid_language",
  "invalid-date": "imports.warning_invalid_date",
  "invalid-author": "imports.warning_invalid_author",
  "wrong-type": "imports.warning_wrong_type",
  "converted-type": "imports.warning_converted_type",
  "too-long": "imports.warning_too_long",
  "invalid-value": "imports.warning_invalid_value",
} as const;

export type WarningCode = keyof typeof WARNINGS;

// The compiler types member names as plain strings.
export const WARNING_CODES = Object.keys(WARNINGS) as WarningCode[];

/** Change or loss of a value in an import, and its reason, in wire format (Q701). */
export interface ImportWarning {
  /** Member of the record, such as `authors.0.name`, or field of a MARC record, such as `020 $a`. */
  readonly field: string;
  /** The value as sent; JSON unless it is a text. */
  readonly value: string;
  readonly code: WarningCode;
  readonly message: string;
}

/** Maximum number of warnings about one record. Further ones are left out. */
const RECORD_WARNINGS_MAX = 25;
/** Maximum length of the value, and of the field, in a warning, in UTF-16 units. Longer ones are cut. */
const WARNING_TEXT_LENGTH = 120;

/** Adds a warning to a list, unless it is there already. */
export function addWarning(
  warnings: ImportWarning[],
  code: WarningCode,
  [field, value]: [string, Json],
): void {
  if (warnings.length >= RECORD_WARNINGS_MAX) return;
  const text = cutText(typeof value === "string" ? value : JSON.stringify(value));
  const name = cutText(field);
  if (warnings.some((known) => known.code === code && known.field === name && known.value === text)) return;
  warnings.push({ field: name, value: text, code, message: english({ key: WARNINGS[code] }) });
}

function cutText(sent: string): string {
  const text = withoutControls(sent);
  return text.length <= WARNING_TEXT_LENGTH ? text : `${text.slice(0, WARNING_TEXT_LENGTH).toWellFormed()}…`;
}
