import { joinedBytes } from "../../catalog/bytes.ts";
import { IMPORT_DATA_BYTES, TOO_LONG } from "../batch-line.ts";
import { ImportFailure } from "../failure.ts";
import { recordOfJson } from "../json.ts";
import { type FileEntry, type OpenFile, itemOf } from "./entry.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COMMENT = 0x23;
/** Maximum length of a buffered line in bytes. JSON whitespace may make a line longer than the stored record. */
export const FILE_LINE_BYTES = 2 * IMPORT_DATA_BYTES;

/** Reads the records of a JSON lines file. Skips blank lines and lines that start with `#`. */
export async function* jsonLines({ name, source, start, records }: OpenFile): AsyncGenerator<FileEntry> {
  let number = records;
  for await (const { offset, end, bytes } of linesOf(source, start)) {
    number += 1;
    if (bytes !== undefined && (bytes.length === 0 || bytes[0] === COMMENT)) {
      yield { end };
      continue;
    }
    const place = { id: `batch:${name}:${offset}:${end - offset}`, place: number };
    const item = await itemOf(place, () => {
      if (bytes === undefined) throw new ImportFailure("invalid-value", TOO_LONG);
      return recordOfJson(bytes);
    });
    yield { end, item };
  }
}

interface Line {
  readonly offset: number;
  /** Offset after the newline. */
  readonly end: number;
  /** Line without its terminator; undefined if it is longer than `FILE_LINE_BYTES`. */
  readonly bytes: Uint8Array | undefined;
}

/** Splits a stream into lines and buffers at most one. */
async function* linesOf(source: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<Line> {
  let offset = start;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length <= FILE_LINE_BYTES) parts.push(part.slice());
    else parts = [];
  };
  const take = (newline: number): Line => {
    const bytes = length > FILE_LINE_BYTES ? undefined : trimmed(joinedBytes(parts, length));
    const line = { offset, end: offset + length + newline, bytes };
    [offset, parts, length] = [line.end, [], 0];
    return line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      yield take(1);
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take(0);
}

function trimmed(line: Uint8Array): Uint8Array {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}
