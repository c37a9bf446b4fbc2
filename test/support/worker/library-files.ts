import { Buffer } from "node:buffer";
import { XmlError, decodeXml } from "../../../src/import/xml/decode.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import { MarcError } from "../../../src/import/marc/record.ts";
import { splitMarcRecords } from "../../../src/import/marc/stream.ts";
import { splitMarcXmlRecords } from "../../../src/import/marc/xml-stream.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { marcBytes } from "../marc/build-marc.ts";
import { ALL_LIBRARY_RECORDS, sampleOf } from "../marc/library-records.ts";

declare global {
  interface ImportMeta {
    // As Vite does it, when it is called with these words.
    glob(patterns: readonly string[], options: object): Record<string, () => Promise<string>>;
  }
}

/** Readers of library files outside the repository by path. Each returns a data URL. */
const FILES = import.meta.glob(
  [
    "../../../../shared/fixtures/marc/{bin,xml}/*.{mrc,xml}",
    "../../../../shared/fixtures/external/marc/*.{mrc,xml}",
  ],
  { query: "?url&inline", import: "default" },
);

/** Most records of one file. */
const RECORDS_MAX = 10;

export const HAS_LIBRARY_FILES = Object.keys(FILES).length > 0;

/** Reads the records of this repository. */
export async function ownLibraryRecords(): Promise<ImportRecord[]> {
  return Promise.all(
    ALL_LIBRARY_RECORDS.map(async ({ name, ...parts }) => {
      const edition = editionOfMarc(await readMarc(marcBytes(parts)));
      return { ...edition, source_records: [`marc:own:${name.replaceAll(" ", "_")}`] };
    }),
  );
}

/** Reads some records of each of those files, except damaged ones. The place in the file is the source. */
export async function realRecords(): Promise<ImportRecord[]> {
  const files = await Promise.all(Object.keys(FILES).toSorted().map(recordsIn));
  return files.flatMap((records) => sampleOf(records, RECORDS_MAX));
}

async function recordsIn(file: string): Promise<ImportRecord[]> {
  const isXml = file.endsWith(".xml");
  const chunks = chunksOf(await bytesOf(file));
  const records: ImportRecord[] = [];
  for await (const { offset, length, bytes } of isXml
    ? splitMarcXmlRecords(chunks)
    : splitMarcRecords(chunks)) {
    try {
      const marc = isXml ? readMarcXml(decodeXml(bytes)) : await readMarc(bytes);
      records.push({ ...editionOfMarc(marc), source_records: [`marc:${file}:${offset}:${length}`] });
    } catch (error) {
      if (!(error instanceof MarcError || error instanceof XmlError)) throw error;
    }
  }
  return records;
}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = (await FILES[file]?.()) ?? "";
  return new Uint8Array(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
