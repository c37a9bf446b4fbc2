import { joinedBytes } from "../../catalog/bytes.ts";
import { IMPORT_DATA_BYTES, TOO_LONG } from "../batch-line.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, recordOfJson } from "../record.ts";
import { type FileEntry, type OpenFile, FileProblem, toFileItem, sourceFile } from "./file-entry.ts";
import { withHeaderFields } from "../builder.ts";
import { XML_LENGTH_MAX, decodeXml } from "../xml/decode.ts";
import { type XmlElement, parseXml } from "../xml/document.ts";
import { requireBook } from "../item.ts";
import { readMarc } from "../marc/binary.ts";
import { editionOfMarc } from "../marc/edition.ts";
import type { MarcRecord } from "../marc/record.ts";
import { splitMarcRecords } from "../marc/stream.ts";
import { splitMarcXmlRecords } from "../marc/xml-stream.ts";
import { readMarcXml } from "../marc/xml.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COMMENT = 0x23;
/** Maximum length of a buffered line in bytes. JSON whitespace may make a line longer than the stored record. */
export const FILE_LINE_BYTES = 2 * IMPORT_DATA_BYTES;

/** Reads the records of a JSON lines file. Skips blank lines and lines that start with `#`. */
export async function* readJsonLines({ name, source, start, records }: OpenFile): AsyncGenerator<FileEntry> {
  let number = records;
  for await (const { offset, end, bytes } of splitLines(source, start)) {
    number += 1;
    if (bytes !== undefined && (bytes.length === 0 || bytes[0] === COMMENT)) {
      yield { end };
      continue;
    }
    const place = { id: `batch:${name}:${offset}:${end - offset}`, place: number };
    const item = await toFileItem(place, () => {
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

async function* splitLines(source: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<Line> {
  let offset = start;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length <= FILE_LINE_BYTES) parts.push(part.slice());
    else parts = [];
  };
  const take = (newline: number): Line => {
    const bytes = length > FILE_LINE_BYTES ? undefined : withoutReturn(joinedBytes(parts, length));
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

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}

interface ElementFormat {
  readonly prefix: string;
  find(root: XmlElement): XmlElement[];
  read(element: XmlElement): ImportRecord;
}

/** Reads the records of an XML document. Needs the bytes of the whole file. */
export async function* readElementEntries(
  { name, source, start }: OpenFile,
  { prefix, find, read }: ElementFormat,
): AsyncGenerator<FileEntry> {
  const bytes = await readWhole(source);
  const elements = find(parseXml(decodeXml(bytes)));
  for (const [index, element] of elements.entries()) {
    const number = index + 1;
    // The parser does not report byte offsets. Any value that increases with the element's number will do.
    const end = Math.floor((bytes.length * number) / elements.length);
    if (end <= start) continue;
    const id = `${prefix}:${sourceFile(name)}:${number}`;
    // These formats have no member for the source.
    const item = await toFileItem({ id, place: number }, () =>
      withHeaderFields(read(element), [{ name: "source_record", value: id }]),
    );
    yield { end, item };
  }
}

async function readWhole(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    length += part.length;
    if (length > XML_LENGTH_MAX) throw new FileProblem(`The file is larger than ${XML_LENGTH_MAX} bytes.`);
    parts.push(part.slice());
  }
  return joinedBytes(parts, length);
}

type Read = (bytes: Uint8Array) => Promise<MarcRecord> | MarcRecord;

/** Reads the records of a MARC 21 file. */
export function readMarcEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  return readEntries(file, splitMarcRecords(file.source, { offset: file.start }), readMarc);
}

/** Reads the records of a MARCXML collection of any size. Needs the bytes of the whole file. */
export function readMarcXmlEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  const records = splitMarcXmlRecords(file.source, { from: file.start });
  return readEntries(file, records, (bytes) => readMarcXml(decodeXml(bytes)));
}

/** Converts records to editions, whose sources hold the position: `marc:<item>/<file>:<offset>:<length>`. */
async function* readEntries(
  { name }: OpenFile,
  records: AsyncIterable<{ readonly offset: number; readonly length: number; readonly bytes: Uint8Array }>,
  read: Read,
): AsyncGenerator<FileEntry> {
  for await (const { offset, length, bytes } of records) {
    const id = `marc:${sourceFile(name)}:${offset}:${length}`;
    const item = await toFileItem({ id, place: offset }, async () => {
      const record = await read(bytes);
      // Q352: same check as for records imported one by one from a file.
      requireBook(record);
      return { ...editionOfMarc(record), source_records: [id] };
    });
    yield { end: offset + length, item };
  }
}
