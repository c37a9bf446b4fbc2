import { utf8Length, utf8Text } from "../../catalog/bytes.ts";
import type { NewItem } from "../../db/imports/items.ts";
import { type LineError, IMPORT_DATA_BYTES, lineErrors, TOO_LONG } from "../../import/batch-line.ts";
import { canonicalJson } from "../../import/json.ts";
import type { LoadTime } from "../../import/load/checks.ts";

/** Maximum number of lines per upload. */
export const BATCH_LINES = 10_000;
/** Maximum number of errors reported per upload. Further errors are only counted. */
export const BATCH_ERRORS_MAX = 50_000;

/** Result of checking an upload. `items` is complete only if there are no errors. */
interface CheckedLines {
  readonly errors: readonly LineError[];
  readonly items: readonly NewItem[];
}

/** Time of the check, and the members common to all items. */
interface Checking {
  readonly time: LoadTime;
  readonly common: Pick<NewItem, "submitter" | "status">;
}

/**
 * Checks all lines of an upload. Lines end with LF or CRLF. Lines that start with `#` are comments; empty lines at the
 * end are ignored.
 */
export function checkedLines(bytes: Uint8Array, checking: Checking): CheckedLines {
  // Some editors start a file with a byte order mark.
  const text = utf8Text(bytes)?.replace(/^\uFEFF/, "");
  if (text === undefined) return refused(1, "The file is not UTF-8.");
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  while (lines.at(-1) === "") lines.pop();
  // Q351: the limit counts comment lines too.
  if (lines.length > BATCH_LINES) {
    return refused(BATCH_LINES + 1, `There are more than ${BATCH_LINES} lines. Please divide the file.`);
  }
  const errors: LineError[] = [];
  const items: NewItem[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("#")) continue;
    const checked = checkedLine(line, index + 1, checking);
    if (Array.isArray(checked)) errors.push(...checked);
    else items.push(checked);
  }
  if (errors.length + items.length === 0) return refused(1, "There is no record in the file.");
  return { errors: errors.length <= BATCH_ERRORS_MAX ? errors : shortened(errors), items };
}

function shortened(errors: readonly LineError[]): LineError[] {
  const told = errors.slice(0, BATCH_ERRORS_MAX);
  const { line_number: line } = errors[BATCH_ERRORS_MAX] ?? { line_number: 1 };
  const further = errors.length - BATCH_ERRORS_MAX;
  return [...told, { line_number: line, error_message: `From here on there are ${further} further errors.` }];
}

function checkedLine(line: string, number: number, { time, common }: Checking): LineError[] | NewItem {
  const checked = lineErrors(line, number, time);
  if (!("data" in checked)) return [...checked];
  const data = canonicalJson(checked.data);
  if (utf8Length(data) <= IMPORT_DATA_BYTES) return { ...common, ia_id: checked.ia_id, data, place: number };
  return [{ line_number: number, error_message: TOO_LONG }];
}

function refused(line: number, message: string): CheckedLines {
  return { errors: [{ line_number: line, error_message: message }], items: [] };
}
