import * as z from "zod";
import { type SerializedElement, element } from "../../catalog/xml.ts";
import type { Book } from "../../export/book.ts";
import { OAI_DC, toDublinCore, MODS, modsOfBook } from "../../export/xml-formats.ts";
import { MARCXML, toMarcXml } from "../../export/marc/containers.ts";
import { marcOfBook } from "../../export/marc/record.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";

export interface RecordSchema {
  readonly name: string;
  /** From http://www.loc.gov/standards/sru/recordSchemas/. */
  readonly identifier: string;
  /** Pattern of other names that programs send, such as its namespace. */
  readonly aliases: RegExp;
  readonly title: string;
  readonly write: (book: Book) => SerializedElement;
}

/** Dublin Core without the container of OAI. */
const SRW_DC = {
  "xmlns:srw_dc": "info:srw/schema/1/dc-schema",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
};

/** Record schemas; the first one is the default. */
export const RECORD_SCHEMAS: readonly [RecordSchema, ...RecordSchema[]] = [
  {
    name: "marcxml",
    identifier: "info:srw/schema/1/marcxml-v1.1",
    aliases:
      /^(?:marc-?xml|marc21(?:-?xml)?|http:\/\/www\.loc\.gov\/marc21\/slim\/?|info:srw\/schema\/1\/marcxml)$/i,
    title: "MARCXML",
    write: (book) => toMarcXml(marcOfBook(book), MARCXML),
  },
  {
    name: "mods",
    identifier: "info:srw/schema/1/mods-v3.8",
    aliases:
      /^(?:mods(?:-?xml|3\d?)?|http:\/\/www\.loc\.gov\/mods\/v3\/?|info:srw\/schema\/1\/mods-v3\.\d)$/i,
    title: "MODS 3.8",
    write: (book) => modsOfBook(book, MODS),
  },
  {
    name: "dc",
    identifier: "info:srw/schema/1/dc-v1.1",
    aliases:
      /^(?:dc|dublincore|info:srw\/schema\/1\/dc(?:-schema)?|http:\/\/purl\.org\/dc\/elements\/1\.1\/?)$/i,
    title: "Dublin Core",
    write: (book) => element("srw_dc:dc", toDublinCore(book).content, SRW_DC),
  },
  {
    name: "oai_dc",
    identifier: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    aliases: /^(?:oai_dc|http:\/\/www\.openarchives\.org\/oai\/2\.0\/oai_dc)$/i,
    title: "Dublin Core as in OAI-PMH",
    write: (book) => toDublinCore(book, OAI_DC),
  },
];

const text = (description: string) => z.string().optional().describe(description);

/** Parameters of SRU 1.1, 1.2 and 2.0. Any text is accepted: invalid values are reported by diagnostics. */
export const sruParameters = {
  version: text("SRU version: 1.1, 1.2 or 2.0; default 1.2 if `operation` is given, else 2.0"),
  operation: text("searchRetrieve, scan or explain; by default inferred from the other parameters"),
  query: text("CQL 1.2 query for works"),
  queryType: text("`cql`, or `searchTerms` for plain words; 2.0 only"),
  startRecord: text("Position of the first record, from 1"),
  maximumRecords: text("Number of records, at most 100; default 10"),
  recordSchema: text(RECORD_SCHEMAS.map(({ name }) => name).join(", ")),
  recordPacking: text("xml or string in 1.x; packed or unpacked in 2.0, which are equivalent here"),
  recordXMLEscaping: text("xml or string; 2.0 only"),
  sortKeys: text("Indexes to sort by, for example title date,,0; used unless the query has sortBy"),
  scanClause: text("Clause with the term to start at, for example dc.subject = love"),
  responsePosition: text("Position of the term in the list, from 1"),
  maximumTerms: text("Number of terms, at most 200; default 20"),
  // Responses warn that these are not supported.
  resultSetTTL: text("Not supported: there are no result sets"),
  recordXPath: text("Not supported"),
  stylesheet: text("Not supported"),
};

export type SruParameters = { readonly [name in keyof typeof sruParameters]?: string | undefined };

export const VERSIONS = ["1.1", "1.2", "2.0"] as const;
export type SruVersion = (typeof VERSIONS)[number];
const OPERATIONS = ["searchRetrieve", "scan", "explain"] as const;
type SruOperation = (typeof OPERATIONS)[number];

/** Returns the version of the response, also of a failure: the default version if the request has no valid one. */
export function versionOf({ version, operation }: SruParameters): SruVersion {
  return VERSIONS.find((known) => known === version) ?? (operation === undefined ? "2.0" : "1.2");
}

/** Reads the operation. Throws diagnostics 4 and 5, and 7 for a body without parameters: an address alone is explained. */
export function operationOf(
  { version, operation, query, scanClause }: SruParameters,
  method: string,
): SruOperation {
  if (version !== undefined && !VERSIONS.some((known) => known === version)) {
    throw new Diagnostic(5, VERSIONS.join(" "));
  }
  if (operation !== undefined) {
    const known = OPERATIONS.find((name) => name === operation);
    if (known === undefined) throw new Diagnostic(4, operation);
    return known;
  }
  if (query !== undefined) return "searchRetrieve";
  if (scanClause === undefined && method === "POST") throw new Diagnostic(7, "query");
  return scanClause === undefined ? "explain" : "scan";
}

/** Warns of parameters that have no effect: `names` are those of the request. */
export function findSruWarnings(parameters: SruParameters, names: Iterable<string>): Diagnostic[] {
  const { resultSetTTL, recordXPath, stylesheet } = parameters;
  const unknown = [...new Set(names)].filter((name) => !(name in sruParameters) && !ACCEPTED.test(name));
  return [
    ...(resultSetTTL === undefined ? [] : [new Diagnostic(50, "resultSetTTL")]),
    ...(recordXPath === undefined ? [] : [new Diagnostic(72, "recordXPath")]),
    ...(stylesheet === undefined ? [] : [new Diagnostic(110, "stylesheet")]),
    ...unknown.slice(0, WARNINGS_MAX).map((name) => new Diagnostic(8, name.slice(0, WARNING_LENGTH))),
  ];
}

/** Parameters that are ignored without a warning: extensions, and the media type that every response has. */
const ACCEPTED = /^(?:x-.*|httpAccept|extraRequestData)$/;
const WARNINGS_MAX = 10;
const WARNING_LENGTH = 100;
const DIGITS = /^\d{1,9}$/;

/** Reads a number, at most `most`. Throws diagnostic 6. */
export function parseSruNumber(
  parameters: SruParameters,
  name: "startRecord" | "maximumRecords" | "responsePosition" | "maximumTerms",
  { absent, least, most }: { absent: number; least: number; most: number },
): number {
  const digits = parameters[name]?.trim() ?? "";
  if (digits === "") return absent;
  if (!DIGITS.test(digits) || Number(digits) < least) throw new Diagnostic(6, name);
  return Math.min(most, Number(digits));
}

/** Reads the schema of the records. Throws diagnostic 66. */
export function schemaOf({ recordSchema = "" }: SruParameters): RecordSchema {
  if (recordSchema === "") return RECORD_SCHEMAS[0];
  const known = RECORD_SCHEMAS.find(
    ({ name, identifier, aliases }) =>
      name === recordSchema || identifier === recordSchema || aliases.test(recordSchema),
  );
  if (known === undefined) throw new Diagnostic(66, recordSchema);
  return known;
}

/** Returns true if records are escaped text in the response. Throws diagnostic 71. */
export function isEscaped({ recordPacking = "", recordXMLEscaping = "" }: SruParameters): boolean {
  for (const value of [recordXMLEscaping, recordPacking]) {
    if (!["", "xml", "string", "packed", "unpacked"].includes(value)) throw new Diagnostic(71, value);
  }
  return recordXMLEscaping === "string" || (recordXMLEscaping === "" && recordPacking === "string");
}
