import { elementEntries } from "./files/elements.ts";
import type { FileReader } from "./files/entry.ts";
import { jsonLines } from "./files/lines.ts";
import { marcEntries, marcXmlEntries } from "./files/marc.ts";
import { ImportFailure } from "./failure.ts";
import { recordOfJson } from "./json.ts";
import { readMarc } from "./marc/binary.ts";
import { editionOfMarc } from "./marc/edition.ts";
import { statedLength } from "./marc/record.ts";
import { MARCXML_NAMESPACE, readMarcXml } from "./marc/xml.ts";
import { ATOM, recordOfOpds } from "./opds.ts";
import { RDF, recordOfRdf } from "./rdf.ts";
import type { ImportRecord } from "./record.ts";
import { type XmlElement, childrenNamed, isElement } from "./xml/element.ts";
import { parseXml } from "./xml/parse.ts";

/** A format that bodies of a single record are told to be in by their bytes, without whitespace around them. */
interface BytesFormat {
  readonly isBody: (body: Uint8Array) => boolean;
  readonly read: (body: Uint8Array) => Promise<ImportRecord> | ImportRecord;
}

/** A format of XML: its documents are told apart by their roots, `{namespace}name`. */
interface XmlFormat {
  readonly roots: readonly string[];
  readonly read: (text: string) => ImportRecord;
}

/** A format of records that are imported. */
interface Format {
  /** What people call it. */
  readonly label: string;
  /** What a file is made of, as people read it. */
  readonly unit: "lines" | "records";
  /** How one record is recognised and read. */
  readonly single: BytesFormat | XmlFormat;
  /** How a file of many is read. */
  readonly entries: FileReader;
  /** True when that needs the beginning of the file, however far it is. */
  readonly isWhole: boolean;
  /** Q324: what libraries catalogue is not measured by what shops know of a book. */
  readonly isCatalogued?: boolean;
}

const formats = {
  jsonl: {
    label: "JSON",
    unit: "lines",
    single: { isBody: (body) => body[0] === 0x7b && body.at(-1) === 0x7d, read: recordOfJson },
    entries: jsonLines,
    isWhole: false,
  },
  marc: {
    label: "MARC",
    unit: "records",
    single: { isBody: (body) => statedLength(body) !== undefined, read: wholeMarc },
    entries: marcEntries,
    isWhole: false,
    isCatalogued: true,
  },
  marcxml: {
    label: "MARCXML",
    unit: "records",
    single: {
      // Q320: collections too.
      roots: [MARCXML_NAMESPACE, ""].flatMap((space) => [`{${space}}record`, `{${space}}collection`]),
      read: (text: string) => editionOfMarc(readMarcXml(text)),
    },
    entries: marcXmlEntries,
    isWhole: true,
    isCatalogued: true,
  },
  rdf: {
    label: "RDF",
    unit: "records",
    single: { roots: [`{${RDF}}RDF`], read: (text: string) => recordOfRdf(parseXml(text)) },
    entries: (file) =>
      elementEntries(file, { prefix: "rdf", find: (root) => only(root, RDF, "RDF"), read: recordOfRdf }),
    isWhole: true,
  },
  opds: {
    label: "OPDS",
    unit: "records",
    single: { roots: [`{${ATOM}}entry`], read: (text: string) => recordOfOpds(parseXml(text)) },

    entries: (file) => elementEntries(file, { prefix: "opds", find: opdsEntries, read: recordOfOpds }),
    isWhole: true,
  },
} satisfies Readonly<Record<string, Format>>;

export type ImportFormat = keyof typeof formats;

/** The formats of imports. A new one has its reader, and stands here. */
export const IMPORT_FORMATS: Readonly<Record<ImportFormat, Format>> = formats;

// The compiler takes the names of members for any texts.
export const IMPORT_FORMAT_NAMES = Object.keys(formats).toSorted() as ImportFormat[];

async function wholeMarc(body: Uint8Array): Promise<ImportRecord> {
  if (statedLength(body) !== body.length) throw new ImportFailure("no-marc-record", UNREADABLE);
  return editionOfMarc(await readMarc(body));
}

/** What is said of a body that is no record. */
export const UNREADABLE = "Failed to parse import data";

/** Those of a catalog, or a single one. */
function opdsEntries(root: XmlElement): XmlElement[] {
  return isElement(root, ATOM, "feed") ? childrenNamed(root, ATOM, "entry") : only(root, ATOM, "entry");
}

function only(root: XmlElement, namespace: string, name: string): XmlElement[] {
  return isElement(root, namespace, name) ? [root] : [];
}
