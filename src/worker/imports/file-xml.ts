import { withHeaderFields } from "../../import/builder.ts";
import { marcXmlRecords } from "../../import/marc/xml-stream.ts";
import { readMarcXml } from "../../import/marc/xml.ts";
import { ATOM, recordOfOpds } from "../../import/opds.ts";
import { RDF, recordOfRdf } from "../../import/rdf.ts";
import type { ImportRecord } from "../../import/record.ts";
import { decodeXml } from "../../import/xml/decode.ts";
import { type XmlElement, childrenNamed, isElement } from "../../import/xml/element.ts";
import { XML_LENGTH_MAX } from "../../import/xml/error.ts";
import { parseXml } from "../../import/xml/parse.ts";
import { type FileEntry, type OpenFile, FileProblem, itemOf, sourceFile } from "./file-entry.ts";
import { editionFrom, marcSource } from "./file-marc.ts";

/** The records of a collection of MARCXML, whatever its size. The bytes are those of the whole file. */
export async function* marcXmlEntries({ name, source, start }: OpenFile): AsyncGenerator<FileEntry> {
  for await (const { offset, length, bytes } of marcXmlRecords(source, { from: start })) {
    const id = marcSource(name, offset, length);
    const item = await itemOf({ id, place: offset }, () => editionFrom(readMarcXml(decodeXml(bytes)), id));
    yield { end: offset + length, item };
  }
}

/** The entries of an OPDS catalog, or its single one. The bytes are those of the whole file. */
export function opdsEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  return entriesOf(file, {
    prefix: "opds",
    find: (root) =>
      isElement(root, ATOM, "feed") ? childrenNamed(root, ATOM, "entry") : only(root, ATOM, "entry"),
    read: recordOfOpds,
  });
}

/** The record of an RDF document. The bytes are those of the whole file. */
export function rdfEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  return entriesOf(file, { prefix: "rdf", find: (root) => only(root, RDF, "RDF"), read: recordOfRdf });
}

function only(root: XmlElement, namespace: string, name: string): XmlElement[] {
  return isElement(root, namespace, name) ? [root] : [];
}

/** A format whose records are elements of one document. */
interface ElementFormat {
  /** What sources of its records begin with. */
  readonly prefix: string;
  /** The elements that are records. */
  find(root: XmlElement): XmlElement[];
  read(element: XmlElement): ImportRecord;
}

async function* entriesOf(
  { name, source, start }: OpenFile,
  { prefix, find, read }: ElementFormat,
): AsyncGenerator<FileEntry> {
  const bytes = await wholeFile(source);
  const elements = find(parseXml(decodeXml(bytes)));
  for (const [index, element] of elements.entries()) {
    const number = index + 1;
    // The parser does not tell where an element stands. Any place does that grows with its number.
    const end = Math.floor((bytes.length * number) / elements.length);
    if (end <= start) continue;
    const id = `${prefix}:${sourceFile(name)}:${number}`;
    // These formats have no member for a source.
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
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
