import {
  type FileReader,
  readElementEntries,
  readJsonLines,
  readMarcEntries,
  readMarcXmlEntries,
} from "./files/readers.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportRecord, recordOfJson } from "./record.ts";
import { requireCurrent } from "./item.ts";
import { readMarc } from "./marc/binary.ts";
import { editionOfMarc } from "./marc/edition.ts";
import { type MarcRecord, MarcError, readStatedLength } from "./marc/record.ts";
import { MARC_NAMESPACES, readMarcXml } from "./marc/xml.ts";
import { ATOM, RDF, recordOfOpds, recordOfRdf } from "./xml-records.ts";
import type { ImportWarning } from "./warning.ts";
import { type XmlElement, childrenNamed, isElement, parseXml } from "./xml/document.ts";

export interface Reading {
  /** List to which warnings about the record are added. */
  readonly warnings: ImportWarning[];
  /** Latest possible year of publication. */
  readonly latest: number | undefined;
}

interface BytesFormat {
  readonly isBody: (body: Uint8Array) => boolean;
  readonly read: (body: Uint8Array, reading: Reading) => Promise<ImportRecord> | ImportRecord;
}

/** XML format, recognised by the root element, `{namespace}name`. */
interface XmlFormat {
  readonly roots: readonly string[];
  readonly read: (text: string, reading: Reading) => ImportRecord;
}

interface Format {
  readonly label: string;
  readonly unit: "lines" | "records";
  readonly single: BytesFormat | XmlFormat;
  readonly entries: FileReader;
  /** True if the reader needs the file from the start, at any position. */
  readonly isWhole: boolean;
  /** True for library records. Q324: these are not held to the standard of retail data. */
  readonly isCatalogued?: boolean;
}

const formats = {
  jsonl: {
    label: "JSON",
    unit: "lines",
    single: { isBody: (body) => body[0] === 0x7b && body.at(-1) === 0x7d, read: recordOfJson },
    entries: readJsonLines,
    isWhole: false,
  },
  marc: {
    label: "MARC",
    unit: "records",
    single: { isBody: (body) => readStatedLength(body) !== undefined, read: readWholeMarc },
    entries: readMarcEntries,
    isWhole: false,
    isCatalogued: true,
  },
  marcxml: {
    label: "MARCXML",
    unit: "records",
    single: {
      // Q320: collections are accepted too.
      roots: MARC_NAMESPACES.flatMap((space) => [`{${space}}record`, `{${space}}collection`]),
      read: (text: string, reading: Reading) => toCurrentEdition(readMarcXml(text), reading),
    },
    entries: readMarcXmlEntries,
    isWhole: true,
    isCatalogued: true,
  },
  rdf: {
    label: "RDF",
    unit: "records",
    single: { roots: [`{${RDF}}RDF`], read: (text: string) => recordOfRdf(parseXml(text)) },
    entries: (file) =>
      readElementEntries(file, {
        prefix: "rdf",
        find: (root) => rootIfNamed(root, RDF, "RDF"),
        read: recordOfRdf,
      }),
    isWhole: true,
  },
  opds: {
    label: "OPDS",
    unit: "records",
    single: { roots: [`{${ATOM}}entry`], read: (text: string) => recordOfOpds(parseXml(text)) },

    entries: (file) =>
      readElementEntries(file, { prefix: "opds", find: findOpdsEntries, read: recordOfOpds }),
    isWhole: true,
  },
} satisfies Readonly<Record<string, Format>>;

export type ImportFormat = keyof typeof formats;

/** Import formats. Register a new format here, with its reader. */
export const IMPORT_FORMATS: Readonly<Record<ImportFormat, Format>> = formats;

// The compiler types member names as plain strings.
export const IMPORT_FORMAT_NAMES = Object.keys(formats).toSorted() as ImportFormat[];

/** Converts a MARC record to an edition. Throws MarcError, and ImportFailure for a record that was deleted. */
export function toCurrentEdition(record: MarcRecord, { warnings, latest }: Reading): ImportRecord {
  requireCurrent(record);
  return editionOfMarc(record, warnings, latest);
}

async function readWholeMarc(body: Uint8Array, reading: Reading): Promise<ImportRecord> {
  try {
    return toCurrentEdition(await readMarc(body), reading);
  } catch (error) {
    const isCut = error instanceof MarcError && error.problem === "bad-length";
    throw isCut ? new ImportFailure("no-marc-record", UNREADABLE) : error;
  }
}

export const UNREADABLE = "not_imported.unreadable";

function findOpdsEntries(root: XmlElement): XmlElement[] {
  return isElement(root, ATOM, "feed")
    ? childrenNamed(root, ATOM, "entry")
    : rootIfNamed(root, ATOM, "entry");
}

function rootIfNamed(root: XmlElement, namespace: string, name: string): XmlElement[] {
  return isElement(root, namespace, name) ? [root] : [];
}
