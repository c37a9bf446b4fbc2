import { requireBook } from "../item-marc.ts";
import { readMarc } from "../marc/binary.ts";
import { editionOfMarc } from "../marc/edition.ts";
import type { MarcRecord } from "../marc/record.ts";
import { marcRecords } from "../marc/stream.ts";
import { marcXmlRecords } from "../marc/xml-stream.ts";
import { readMarcXml } from "../marc/xml.ts";
import { decodeXml } from "../xml/decode.ts";
import { type FileEntry, type OpenFile, itemOf, sourceFile } from "./entry.ts";

type Read = (bytes: Uint8Array) => Promise<MarcRecord> | MarcRecord;

/** Reads the records of a MARC 21 file. */
export function marcEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  return entriesOf(file, marcRecords(file.source, { offset: file.start }), readMarc);
}

/** Reads the records of a MARCXML collection of any size. Needs the bytes of the whole file. */
export function marcXmlEntries(file: OpenFile): AsyncGenerator<FileEntry> {
  const records = marcXmlRecords(file.source, { from: file.start });
  return entriesOf(file, records, (bytes) => readMarcXml(decodeXml(bytes)));
}

/** Converts records to editions, whose sources hold the position: `marc:<item>/<file>:<offset>:<length>`. */
async function* entriesOf(
  { name }: OpenFile,
  records: AsyncIterable<{ readonly offset: number; readonly length: number; readonly bytes: Uint8Array }>,
  read: Read,
): AsyncGenerator<FileEntry> {
  for await (const { offset, length, bytes } of records) {
    const id = `marc:${sourceFile(name)}:${offset}:${length}`;
    const item = await itemOf({ id, place: offset }, async () => {
      const record = await read(bytes);
      // Q352: same check as for records imported one by one from a file.
      requireBook(record);
      return { ...editionOfMarc(record), source_records: [id] };
    });
    yield { end: offset + length, item };
  }
}
