import { missingFields } from "../records/prepare.ts";
import { TextError } from "../../catalog/texts.ts";
import { withoutControls } from "../../catalog/storable-text.ts";
import { joinBytes, utf8Length } from "../../catalog/bytes.ts";
import { IMPORT_DATA_BYTES, TOO_LONG } from "../validate.ts";
import { ImportFailure } from "../failure.ts";
import type { ImportWarning } from "../warning.ts";
import { type ImportRecord, recordOfJson, canonicalJson } from "../record.ts";
import { withHeaderFields } from "../builder.ts";
import { withoutMark } from "../head.ts";
import { XML_LENGTH_MAX, decodeXml, XmlError } from "../xml/decode.ts";
import { type XmlElement, parseXml } from "../xml/document.ts";
import { requireBook } from "../item.ts";
import { readMarc } from "../marc/binary.ts";
import { editionOfMarc } from "../marc/edition.ts";
import { type MarcRecord, MarcError } from "../marc/record.ts";
import { splitMarcRecords } from "../marc/stream.ts";
import { splitMarcXmlRecords } from "../marc/xml-stream.ts";
import { decodeMarcXml } from "../marc/xml.ts";
import { stringsOf } from "../../catalog/record.ts";

interface FileItem {
  /** Source of the record, or a name from its position if it cannot be read. */
  readonly ia_id: string;
  readonly place: number;
  readonly data?: string;
  readonly status?: "failed";
  readonly error?: string;
  readonly comments?: string;
  /** JSON text of the warnings of the reader. */
  readonly warnings?: string;
}

/** Piece of a batch's file. The next piece starts at `end`. */
export interface FileEntry {
  readonly end: number;
  /** Absent for comments and blank lines. */
  readonly item?: FileItem;
}

/** Open file of a batch: its bytes from `start` on. */
interface OpenFile {
  /** Name of the batch, which is the prefix of its records' sources. */
  readonly name: string;
  readonly source: AsyncIterable<Uint8Array>;
  /** Offset of the first byte: 0 or the `end` of an entry. */
  readonly start: number;
  /** Number of records or lines before `start`. */
  readonly records: number;
  /** Latest possible year of publication. */
  readonly latest?: number;
}

/** Reader for the files of a format. Throws `FileProblem` if it cannot continue. */
export type FileReader = (file: OpenFile) => AsyncIterable<FileEntry>;

/** Error in a file that ends its reading, with a message for the uploader. */
export class FileProblem extends TextError {}

/** Returns the name `<item>/<file>` of a batch's file in sources of records. */
export function sourceFile(name: string): string {
  return name.includes("/") ? name : `imports/${name}`;
}

/** Returns the item of the record that `read` returns, or a failed item with the reason. */
async function toFileItem(
  place: { id: string; place: number },
  read: (warnings: ImportWarning[]) => Promise<ImportRecord> | ImportRecord,
): Promise<FileItem> {
  const warnings: ImportWarning[] = [];
  try {
    const record = await read(warnings);
    const [source = ""] = stringsOf(record["source_records"]);
    if (source === "") throw missingFields(["source_records"]);
    const data = canonicalJson(record);
    if (utf8Length(data) > IMPORT_DATA_BYTES) throw new ImportFailure("invalid-value", TOO_LONG);
    const more = warnings.length > 0 && { warnings: JSON.stringify(warnings) };
    return { ia_id: withoutControls(source), data, place: place.place, ...more };
  } catch (error) {
    const { code, message } = toFailure(error);
    return { ia_id: place.id, place: place.place, status: "failed", error: code, comments: message };
  }
}

/** Error code of a record that crashed its reader: a bug in the reader, not an error in the record. */
export const BROKEN_READER = "unhandled-exception";

function toFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ImportFailure) return error;
  if (error instanceof MarcError) return { code: "invalid-marc-record", message: error.message };
  if (error instanceof XmlError) return { code: "invalid-xml", message: error.message };
  // No record may stop the whole file: this one is reported and the others continue.
  return { code: BROKEN_READER, message: String(error) };
}

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
      return recordOfJson(offset === 0 ? withoutMark(bytes) : bytes);
    });
    yield { end, item };
  }
}

interface Line {
  readonly offset: number;
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
    const bytes = length > FILE_LINE_BYTES ? undefined : withoutReturn(joinBytes(parts, length));
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
    if (length > XML_LENGTH_MAX) throw new FileProblem("not_imported.file_bytes", { most: XML_LENGTH_MAX });
    parts.push(part.slice());
  }
  return joinBytes(parts, length);
}

type Read = (bytes: Uint8Array) => Promise<MarcRecord> | MarcRecord;

export function readMarcEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  return readEntries(file, splitMarcRecords(file.source, { offset: file.start }), readMarc);
}

/** Reads the records of a MARCXML collection of any size. Needs the bytes of the whole file. */
export function readMarcXmlEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  const records = splitMarcXmlRecords(file.source, { from: file.start });
  return readEntries(file, records, decodeMarcXml);
}

/** Converts records to editions, whose sources hold the position: `marc:<item>/<file>:<offset>:<length>`. */
async function* readEntries(
  { name, latest }: OpenFile,
  records: AsyncIterable<{ readonly offset: number; readonly length: number; readonly bytes: Uint8Array }>,
  read: Read,
): AsyncGenerator<FileEntry> {
  for await (const { offset, length, bytes } of records) {
    const id = `marc:${sourceFile(name)}:${offset}:${length}`;
    const item = await toFileItem({ id, place: offset }, async (warnings) => {
      const record = await read(bytes);
      // Q352: same check as for records imported one by one from a file.
      requireBook(record);
      return { ...editionOfMarc(record, warnings, latest), source_records: [id] };
    });
    yield { end: offset + length, item };
  }
}
