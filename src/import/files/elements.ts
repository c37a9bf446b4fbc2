import { joinedBytes } from "../../catalog/bytes.ts";
import { withHeaderFields } from "../builder.ts";
import type { ImportRecord } from "../record.ts";
import { decodeXml } from "../xml/decode.ts";
import type { XmlElement } from "../xml/element.ts";
import { XML_LENGTH_MAX } from "../xml/error.ts";
import { parseXml } from "../xml/parse.ts";
import { type FileEntry, type OpenFile, FileProblem, itemOf, sourceFile } from "./entry.ts";

interface ElementFormat {
  /** Prefix of the sources of these records. */
  readonly prefix: string;
  /** Returns the elements that are records. */
  find(root: XmlElement): XmlElement[];
  read(element: XmlElement): ImportRecord;
}

/** Reads the records of an XML document. Needs the bytes of the whole file. */
export async function* elementEntries(
  { name, source, start }: OpenFile,
  { prefix, find, read }: ElementFormat,
): AsyncGenerator<FileEntry> {
  const bytes = await wholeFile(source);
  const elements = find(parseXml(decodeXml(bytes)));
  for (const [index, element] of elements.entries()) {
    const number = index + 1;
    // The parser does not report byte offsets. Any value that increases with the element's number will do.
    const end = Math.floor((bytes.length * number) / elements.length);
    if (end <= start) continue;
    const id = `${prefix}:${sourceFile(name)}:${number}`;
    // These formats have no member for the source.
    const item = await itemOf({ id, place: number }, () =>
      withHeaderFields(read(element), [{ name: "source_record", value: id }]),
    );
    yield { end, item };
  }
}

async function wholeFile(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    length += part.length;
    if (length > XML_LENGTH_MAX) throw new FileProblem(`The file is larger than ${XML_LENGTH_MAX} bytes.`);
    parts.push(part.slice());
  }
  return joinedBytes(parts, length);
}
