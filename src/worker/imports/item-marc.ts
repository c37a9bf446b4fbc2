import { ImportFailure } from "../../import/failure.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { type MarcRecord, MarcError } from "../../import/marc/record.ts";
import { readMarcXml } from "../../import/marc/xml.ts";
import { decodeXml } from "../../import/xml/decode.ts";
import { XmlError } from "../../import/xml/error.ts";
import type { ItemDescription, ItemSource } from "../platform/item.ts";

/**
 * Reads the MARC record of an item: the binary file if the item lists one, otherwise the XML file. Returns undefined if
 * it has neither.
 */
export async function itemMarc(
  source: ItemSource,
  id: string,
  { files }: ItemDescription,
): Promise<MarcRecord | undefined> {
  const listed = (name: string) => (files.includes(name) ? source.file(id, name) : undefined);
  const binary = await listed(`${id}_meta.mrc`);
  if (binary !== undefined) return readMarc(binary);
  const xml = await listed(`${id}_marc.xml`);
  return xml === undefined ? undefined : readMarcXml(decodeXml(xml));
}

/** Runs a MARC reader. Throws ImportFailure for an unreadable record; `describe` makes its message from the problem. */
export async function readingMarc<T>(
  read: () => Promise<T> | T,
  describe: (problem: string) => string,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MarcError || error instanceof XmlError) {
      throw new ImportFailure("invalid-marc-record", describe(error.message));
    }
    throw error;
  }
}
