import { type HeaderFields, withHeaderFields } from "./builder.ts";
import { type ImportErrorCode, ImportFailure } from "./failure.ts";
import {
  type ImportFormat,
  type Reading,
  IMPORT_FORMATS,
  IMPORT_FORMAT_NAMES,
  UNREADABLE,
} from "./formats.ts";
import { requireMembers } from "./records/prepare.ts";
import { MarcError } from "./marc/record.ts";
import { type ImportRecord, isFalsy, isTextList, nonIsbnAsin } from "./record.ts";
import { MARC_NAMESPACES } from "./marc/xml.ts";
import { decodeHead, findForeignFormat, withoutMark } from "./head.ts";
import { validateRecord } from "./validate.ts";
import type { ImportWarning } from "./warning.ts";
import { XmlError, decodeXml } from "./xml/decode.ts";
import { XmlPull } from "./xml/pull.ts";
import { bothIsbnsOf } from "../catalog/identifiers/isbn.ts";
import { stringsOf } from "../catalog/record.ts";

/** Start of an XML body. Q527: pymarc writes MARCXML without a declaration, as envelopes may be. */
const XML =
  /^(?:.{0,5}<\?xml|\uFEFF?<(?:[\w-]{1,20}:)?(?:record|collection|OAI-PMH|searchRetrieveResponse)[\s>])/s;

const MARC_ROOT = "{}record";

function stripSpace(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

/** Returns true for ASCII whitespace. MARC records never end with it. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

interface ParsedBody {
  readonly format: ImportFormat;
  readonly record: ImportRecord;
}

interface ParseOptions {
  readonly staged?: StagedLookup;
  /** List to which warnings about the record are added. */
  readonly warnings?: ImportWarning[];
  /** Latest possible year of publication. */
  readonly latest?: number;
}

/**
 * Parses a body in any of the formats, adds the header fields and applies the checks of the format. An incomplete JSON
 * record is completed from the record that `staged` finds. Throws ImportFailure, and any error of `staged`.
 */
export async function parseImport(
  bytes: Uint8Array,
  fields: HeaderFields,
  { staged, warnings = [], latest }: ParseOptions = {},
): Promise<ImportRecord> {
  const { format, record: parsed } = await readBody(stripSpace(withoutMark(bytes)), { warnings, latest });
  const filled = format === "jsonl" ? await fillFromStaged(parsed, staged) : parsed;
  const record = withHeaderFields(filled, fields);
  if (Object.keys(record).length === 0) throw unreadableError("unknown-error");
  if (IMPORT_FORMATS[format].isCatalogued !== true) return validateRecord(record, warnings);
  requireMembers(record);
  return record;
}

async function readBody(body: Uint8Array, reading: Reading): Promise<ParsedBody> {
  try {
    const start = decodeHead(body);
    if (XML.test(start)) return readXml(decodeXml(body, reading.warnings), reading);
    for (const format of IMPORT_FORMAT_NAMES) {
      const { single } = IMPORT_FORMATS[format];
      if ("isBody" in single && single.isBody(body)) {
        return { format, record: await single.read(body, reading) };
      }
    }
    throw new ImportFailure("unrecognised-import-format", findForeignFormat(start) ?? UNREADABLE);
  } catch (error) {
    if (error instanceof MarcError) throw new ImportFailure("invalid-marc-record", error.text);
    if (error instanceof XmlError) throw new ImportFailure("invalid-xml", error.text);
    throw error;
  }
}

/** Detects the format from the root element, so that other documents are not parsed any further. */
function readXml(text: string, reading: Reading): ParsedBody {
  const root = new XmlPull(text).next();
  const name = root?.kind === "start" ? `{${root.namespace}}${root.name}` : "";
  // Q778: any other root may be an envelope of MARC.
  const isEnvelope = MARC_NAMESPACES.some((namespace) => namespace !== "" && text.includes(namespace));
  for (const known of isEnvelope ? [name, MARC_ROOT] : [name]) {
    for (const format of IMPORT_FORMAT_NAMES) {
      const { single } = IMPORT_FORMATS[format];
      if ("roots" in single && single.roots.includes(known)) {
        return { format, record: single.read(text, reading) };
      }
    }
  }
  throw unreadableError("unrecognized-XML-format");
}

async function fillFromStaged(record: ImportRecord, staged: StagedLookup | undefined): Promise<ImportRecord> {
  const identifiers = needsSupplement(record) ? supplementIdsOf(record) : [];
  const stagedRecord = identifiers.length === 0 ? undefined : await staged?.(identifiers);
  return stagedRecord === undefined ? record : supplementRecord(record, stagedRecord);
}

function unreadableError(code: ImportErrorCode): ImportFailure {
  return new ImportFailure(code, UNREADABLE);
}

const COMPLETE_MEMBERS = ["title", "authors", "publish_date"];
const SUPPLEMENTED_MEMBERS = [
  "authors",
  "description",
  "isbn_10",
  "isbn_13",
  "number_of_pages",
  "physical_format",
  "publish_date",
  "publishers",
  "title",
];

/**
 * Lookup of staged records by identifier: returns the record of the first staged or pending item, or undefined. Item
 * names are `<source>:<identifier>`, for all sources that stage records.
 */
export type StagedLookup = (identifiers: readonly string[]) => Promise<ImportRecord | undefined>;

/** Returns true if a record should be completed from a staged item. */
export function needsSupplement(record: ImportRecord): boolean {
  return COMPLETE_MEMBERS.some((name) => isFalsy(record[name]));
}

/** Returns the identifiers under which items for this record are staged: both forms of its ISBN, and its ASIN. */
export function supplementIdsOf(record: ImportRecord): string[] {
  const forms = ["isbn_13", "isbn_10"]
    .map((name) => bothIsbnsOf(stringsOf(record[name])[0] ?? ""))
    .find((both) => both.some((form) => form !== undefined));
  const identifiers = [...(forms ?? []), nonIsbnAsin(record)];
  return identifiers.filter((identifier) => identifier !== undefined);
}

/** Returns a copy of the record with its missing members taken from a staged one, and the sources of both. */
export function supplementRecord(record: ImportRecord, staged: ImportRecord): ImportRecord {
  const taken = SUPPLEMENTED_MEMBERS.filter((name) => isFalsy(record[name]) && !isFalsy(staged[name]));
  const filled = Object.fromEntries(taken.map((name) => [name, staged[name]]));
  const sources = [...new Set([record, staged].flatMap((source) => stringsOf(source["source_records"])))];
  const { source_records: present = null } = record;
  // Sources of a wrong type are left for the validator to report.
  const isReadable = present === null || isTextList(present);
  return { ...record, ...filled, ...(isReadable && sources.length > 0 && { source_records: sources }) };
}
