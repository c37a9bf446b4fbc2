import { type HeaderFields, withHeaderFields } from "./builder.ts";
import { type ImportErrorCode, ImportFailure } from "./failure.ts";
import { recordOfJson } from "./json.ts";
import { requireMembers } from "./load/prepared-record.ts";
import { readMarc } from "./marc/binary.ts";
import { editionOfMarc } from "./marc/edition.ts";
import { MarcError } from "./marc/record.ts";
import { readMarcXml } from "./marc/xml.ts";
import { ATOM, recordOfOpds } from "./opds.ts";
import { RDF, recordOfRdf } from "./rdf.ts";
import type { ImportRecord } from "./record.ts";
import { type StagedLookup, needsSupplement, supplementIds, supplemented } from "./supplement.ts";
import { validatedRecord } from "./validate.ts";
import { decodeXml } from "./xml/decode.ts";
import { XmlError } from "./xml/error.ts";
import { parseXml } from "./xml/parse.ts";
import { XmlPull } from "./xml/pull.ts";

/** Formats told apart by how a body begins and ends; the root of XML tells the rest. */
type BodyKind = "xml" | "json" | "marc" | "unknown";

/** Where a declaration of XML has to stand to be seen. */
const DECLARATION_WITHIN = 10;
const DECLARATION = "<?xml";
/** The length that a MARC record begins with. */
const LENGTH_DIGITS = 5;

/** A body without the ASCII whitespace around it. */
function stripped(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

/** The kind of a stripped body. */
function bodyKind(body: Uint8Array): BodyKind {
  const start = String.fromCharCode(...body.subarray(0, DECLARATION_WITHIN));
  if (start.includes(DECLARATION)) return "xml";
  if (start.startsWith("{") && body.at(-1) === 0x7d) return "json";
  return /^[0-9]{5}/.test(start) ? "marc" : "unknown";
}

/** The length that a MARC record says it has. */
function statedLength(body: Uint8Array): number {
  return Number(String.fromCharCode(...body.subarray(0, LENGTH_DIGITS)));
}

/** Blank, tab, line feed, vertical tab, form feed, carriage return. The ends of MARC records are none of them. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/** Format of an import, as told apart by its content. */
type ImportFormat = "json" | "marc" | "marcxml" | "rdf" | "opds";

const MARC = "http://www.loc.gov/MARC21/slim";
const UNREADABLE = "Failed to parse import data";

interface Read {
  readonly format: ImportFormat;
  readonly record: ImportRecord;
}

/**
 * The record of a body in any of the formats, with the fields of the headers added, checked as its
 * format asks. An incomplete JSON record is filled from what `staged` finds. Throws ImportFailure, and what `staged` throws.
 */
export async function parseImport(
  bytes: Uint8Array,
  fields: HeaderFields,
  staged?: StagedLookup,
): Promise<ImportRecord> {
  const { format, record: read } = await readBody(stripped(bytes));
  const filled = format === "json" ? await filledRecord(read, staged) : read;
  const record = withHeaderFields(filled, fields);
  if (Object.keys(record).length === 0) throw unreadable("unknown-error");
  // Q324: what libraries catalogue is not measured by what shops know of a book.
  if (format !== "marc" && format !== "marcxml") return validatedRecord(record);
  requireMembers(record);
  return record;
}

async function readBody(body: Uint8Array): Promise<Read> {
  const kind = bodyKind(body);
  try {
    switch (kind) {
      case "xml":
        return readXml(decodeXml(body));
      case "json":
        return { format: "json", record: recordOfJson(body) };
      case "marc":
        if (statedLength(body) !== body.length) throw unreadable("no-marc-record");
        return { format: "marc", record: editionOfMarc(await readMarc(body)) };
      default:
        throw unreadable("unrecognised-import-format");
    }
  } catch (error) {
    if (error instanceof MarcError) throw new ImportFailure("invalid-marc-record", error.message);
    if (error instanceof XmlError) throw new ImportFailure("invalid-xml", error.message);
    throw error;
  }
}

/** The root alone tells the format: what is no import at all is not read further. */
function readXml(text: string): Read {
  const root = new XmlPull(text).next();
  const name = root?.kind === "start" ? `{${root.namespace}}${root.name}` : "";
  switch (name) {
    case `{${RDF}}RDF`:
      return { format: "rdf", record: recordOfRdf(parseXml(text)) };
    case `{${ATOM}}entry`:
      return { format: "opds", record: recordOfOpds(parseXml(text)) };
    case `{${MARC}}record`:
    case `{${MARC}}collection`: // Q320
      return { format: "marcxml", record: editionOfMarc(readMarcXml(text)) };
    default:
      throw unreadable("unrecognized-XML-format");
  }
}

async function filledRecord(record: ImportRecord, staged: StagedLookup | undefined): Promise<ImportRecord> {
  if (staged === undefined || !needsSupplement(record)) return record;
  const identifiers = supplementIds(record);
  const found = identifiers.length === 0 ? undefined : await staged(identifiers);
  return found === undefined ? record : supplemented(record, found);
}

function unreadable(code: ImportErrorCode): ImportFailure {
  return new ImportFailure(code, UNREADABLE);
}
