import { ImportFailure } from "../../import/failure.ts";
import { leaderRefusal } from "../../import/item-marc.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import type { MarcRecord } from "../../import/marc/record.ts";
import { marcRecords } from "../../import/marc/stream.ts";
import type { ImportRecord } from "../../import/record.ts";
import { type FileEntry, type OpenFile, itemOf, sourceFile } from "./file-entry.ts";

/** The records of a file of MARC 21. Their source says where each stands: `marc:<item>/<file>:<offset>:<length>`. */
export async function* marcEntries({ name, source, start }: OpenFile): AsyncGenerator<FileEntry> {
  for await (const { offset, length, bytes } of marcRecords(source, { offset: start })) {
    const id = marcSource(name, offset, length);
    const item = await itemOf({ id, place: offset }, async () => editionFrom(await readMarc(bytes), id));
    yield { end: offset + length, item };
  }
}

/** How a record of a file names where it comes from. */
export function marcSource(name: string, offset: number, length: number): string {
  return `marc:${sourceFile(name)}:${offset}:${length}`;
}

/** The edition of a record that its leader calls a book, with its source. */
export function editionFrom(record: MarcRecord, source: string): ImportRecord {
  const refusal = leaderRefusal(record.leader);
  // Q352: as with records that are imported one by one out of a file.
  if (refusal !== undefined) throw new ImportFailure(refusal, "Item rejected");
  return { ...editionOfMarc(record), source_records: [source] };
}
