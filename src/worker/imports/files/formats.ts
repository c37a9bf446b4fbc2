import type { BatchFormat } from "../../../db/imports/batches.ts";
import type { FileReader } from "./entry.ts";
import { jsonLines } from "./lines.ts";
import { marcEntries } from "./marc.ts";
import { marcXmlEntries, opdsEntries, rdfEntries } from "./xml.ts";

/** How files of a format are read. */
interface Format {
  readonly read: FileReader;
  /** True when the reader needs the beginning of the file, however far it is. */
  readonly isWhole: boolean;
}

export const FORMATS: Readonly<Record<BatchFormat, Format>> = {
  jsonl: { read: jsonLines, isWhole: false },
  marc: { read: marcEntries, isWhole: false },
  marcxml: { read: marcXmlEntries, isWhole: true },
  opds: { read: opdsEntries, isWhole: true },
  rdf: { read: rdfEntries, isWhole: true },
};
