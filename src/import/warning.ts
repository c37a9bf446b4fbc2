import { withoutControls } from "../catalog/storable-text.ts";
import type { Json } from "../catalog/record.ts";

/** Changes that an import makes to a record instead of refusing it, by code in wire format. */
const MESSAGES = {
  "read-as-utf-8": "Another encoding is declared, but the text is UTF-8 and was read as such.",
  "read-as-marc-8": "The leader says UTF-8, but the text is not. It was read as MARC-8.",
  "read-as-windows-1252":
    "The text is not in the encoding that is declared. It was read as Windows-1252, which includes Latin-1.",
  "mixed-encoding": "These fields are not in the encoding of the others. They were read in their own.",
  "damaged-text": "These fields have bytes that are no text. They were replaced or left out.",
  "unreadable-field": "This field cannot be read and was left out.",
  "damaged-record":
    "The length, directory or end of the record is wrong. Its fields were found by their ends.",
  "control-characters": "Control characters were dropped.",
  "other-records":
    "A request imports one record. These were not imported; send each on its own, or all in a file.",
  "invalid-isbn": "This is not an ISBN and was dropped.",
  "invalid-lccn": "This is not an LCCN and was dropped.",
  "invalid-oclc-number": "This is not an OCLC number and was dropped.",
  "invalid-language": "This is not a known language and was dropped.",
  "invalid-date": "This is not a date of publication and was dropped.",
  "invalid-author": "This is not an author's name and was dropped.",
  "wrong-type": "This is not of the type that the member has and was dropped.",
  "converted-type": "This is not of the type that the member has and was converted.",
  "too-long": "This is longer than the catalog stores and was dropped.",
  "invalid-value": "The catalog cannot store this. It was dropped.",
} as const;

export type WarningCode = keyof typeof MESSAGES;

// The compiler types member names as plain strings.
export const WARNING_CODES = Object.keys(MESSAGES) as WarningCode[];

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
  warnings.push({ field: name, value: text, code, message: MESSAGES[code] });
}

function cutText(sent: string): string {
  const text = withoutControls(sent);
  return text.length <= WARNING_TEXT_LENGTH ? text : `${text.slice(0, WARNING_TEXT_LENGTH).toWellFormed()}…`;
}
