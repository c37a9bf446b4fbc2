import { Buffer } from "node:buffer";
import { decodeXml } from "../../../src/import/xml/decode.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import { MarcError } from "../../../src/import/marc/record.ts";
import { marcRecords } from "../../../src/import/marc/stream.ts";
import { marcXmlRecords } from "../../../src/import/marc/xml-stream.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import { XmlError } from "../../../src/import/xml/error.ts";
import type { ImportRecord } from "../../../src/import/record.ts";

declare global {
  interface ImportMeta {
    // As Vite does it, when it is called with these words.
    glob(patterns: readonly string[], options: object): Record<string, () => Promise<string>>;
  }
}

/** Files of libraries, which are no part of this project, by their path: how each is read, as a data URL. */
const FILES = import.meta.glob(
  [
    "../../../../shared/fixtures/marc/{bin,xml,extra/load}/*.{mrc,xml}",
    "../../../../shared/fixtures/external/marc/*.{mrc,xml}",
  ],
  { query: "?url&inline", import: "default" },
);

/** Whether there are any to be read. */
export const HAS_LIBRARY_FILES = Object.keys(FILES).length > 0;
if (!HAS_LIBRARY_FILES) console.warn("files of libraries: skipped, there are none to read");

/** Paths of the files in some folders, below the folder of all. */
export function libraryFiles(...folders: readonly string[]): string[] {
  const paths = Object.keys(FILES).map((file) =>
    file.slice(file.indexOf("/fixtures/") + "/fixtures/".length),
  );
  return paths.filter((file) => folders.includes(file.slice(0, file.lastIndexOf("/")))).toSorted();
}

/** The bytes of a file. */
export async function libraryBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const read = FILES[`../../../../shared/fixtures/${path}`];
  if (read === undefined) throw new Error(`no file ${path}`);
  const url = await read();
  return new Uint8Array(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
}

/** The records of a file, with their place in it as their source; those that cannot be read are left out. */
export async function libraryRecords(path: string): Promise<ImportRecord[]> {
  const isXml = path.endsWith(".xml");
  const chunks = chunksOf(await libraryBytes(path));
  const records: ImportRecord[] = [];
  for await (const { offset, length, bytes } of isXml ? marcXmlRecords(chunks) : marcRecords(chunks)) {
    try {
      const marc = isXml ? readMarcXml(decodeXml(bytes)) : await readMarc(bytes);
      records.push({ ...editionOfMarc(marc), source_records: [`marc:${path}:${offset}:${length}`] });
    } catch (error) {
      if (!(error instanceof MarcError || error instanceof XmlError)) throw error;
    }
  }
  return records;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
