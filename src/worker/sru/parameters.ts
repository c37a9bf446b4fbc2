import * as z from "zod";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { type RecordSchema, RECORD_SCHEMAS } from "./schemas.ts";

const text = (description: string) => z.string().optional().describe(description);

/** Parameters of SRU 1.1, 1.2 and 2.0. What is wrong with one is told by a diagnostic, so that any text is taken. */
export const sruParameters = {
  version: text("1.1, 1.2 or 2.0; without it 1.2 where an operation is named, else 2.0"),
  operation: text("searchRetrieve, scan or explain; without it what the other parameters ask for"),
  query: text("Which works: CQL 1.2"),
  queryType: text("2.0: cql, or searchTerms for words without any grammar"),
  startRecord: text("Position of the first record, from 1"),
  maximumRecords: text("How many records at most: 10 if absent, 100 at most"),
  recordSchema: text(RECORD_SCHEMAS.map(({ name }) => name).join(", ")),
  recordPacking: text("1.x: xml or string; 2.0: packed or unpacked, which are the same here"),
  recordXMLEscaping: text("2.0: xml or string"),
  sortKeys: text("Indexes to sort by, where the query does not say it: title date,,0"),
  scanClause: text("What a list of terms begins at: dc.subject = love"),
  responsePosition: text("Where in the list the term is to be, from 1"),
  maximumTerms: text("How many terms at most: 20 if absent, 200 at most"),
  // Known, and not supported: an answer says so.
  resultSetTTL: text("Not supported: there are no result sets"),
  recordXPath: text("Not supported"),
  stylesheet: text("Not supported"),
};

export type SruParameters = { readonly [name in keyof typeof sruParameters]?: string | undefined };

export const VERSIONS = ["1.1", "1.2", "2.0"] as const;
export type SruVersion = (typeof VERSIONS)[number];
const OPERATIONS = ["searchRetrieve", "scan", "explain"] as const;
type SruOperation = (typeof OPERATIONS)[number];

/** The version that is to be answered in, as far as it can be told: failures are answered in it too. */
export function versionOf({ version, operation }: SruParameters): SruVersion {
  return VERSIONS.find((one) => one === version) ?? (operation === undefined ? "2.0" : "1.2");
}

/** The operation that is asked for. Throws diagnostics 4 and 5. */
export function operationOf({ version, operation, query, scanClause }: SruParameters): SruOperation {
  if (version !== undefined && !VERSIONS.some((one) => one === version))
    throw new Diagnostic(5, VERSIONS.join(" "));
  if (operation !== undefined) {
    const known = OPERATIONS.find((one) => one === operation);
    if (known === undefined) throw new Diagnostic(4, operation);
    return known;
  }
  if (query !== undefined) return "searchRetrieve";
  return scanClause === undefined ? "explain" : "scan";
}

/** What an answer leaves out although it was asked for. */
export function warningsOf(parameters: SruParameters, sent: Iterable<string>): Diagnostic[] {
  const { resultSetTTL, recordXPath, stylesheet } = parameters;
  const unknown = [...new Set(sent)].filter((name) => !(name in sruParameters) && !ACCEPTED.test(name));
  return [
    ...(resultSetTTL === undefined ? [] : [new Diagnostic(50, "resultSetTTL")]),
    ...(recordXPath === undefined ? [] : [new Diagnostic(72, "recordXPath")]),
    ...(stylesheet === undefined ? [] : [new Diagnostic(110, "stylesheet")]),
    ...unknown.slice(0, WARNINGS_MAX).map((name) => new Diagnostic(8, name.slice(0, WARNING_LENGTH))),
  ];
}

/** Extensions that a server may not know, and the media type that every answer has. */
const ACCEPTED = /^(?:x-.*|httpAccept|extraRequestData)$/;
/** Unknown parameters that are told, and characters of each. */
const WARNINGS_MAX = 10;
const WARNING_LENGTH = 100;
const DIGITS = /^\d{1,9}$/;

/** A number from a parameter, at most `most`. Throws diagnostic 6. */
export function numberOf(
  parameters: SruParameters,
  name: "startRecord" | "maximumRecords" | "responsePosition" | "maximumTerms",
  { absent, least, most }: { readonly absent: number; readonly least: number; readonly most: number },
): number {
  const written = parameters[name]?.trim() ?? "";
  if (written === "") return absent;
  if (!DIGITS.test(written) || Number(written) < least) throw new Diagnostic(6, name);
  return Math.min(most, Number(written));
}

/** The schema of the records. Throws diagnostic 66. */
export function schemaOf({ recordSchema = "" }: SruParameters): RecordSchema {
  const [usual] = RECORD_SCHEMAS;
  if (recordSchema === "") return usual;
  const known = RECORD_SCHEMAS.find(({ name, identifier }) => [name, identifier].includes(recordSchema));
  if (known === undefined) throw new Diagnostic(66, recordSchema);
  return known;
}

/** Whether records are text in the answer, with their signs escaped. Throws diagnostic 71. */
export function isEscaped({ recordPacking = "", recordXMLEscaping = "" }: SruParameters): boolean {
  for (const value of [recordXMLEscaping, recordPacking]) {
    if (!["", "xml", "string", "packed", "unpacked"].includes(value)) throw new Diagnostic(71, value);
  }
  return recordXMLEscaping === "string" || (recordXMLEscaping === "" && recordPacking === "string");
}
