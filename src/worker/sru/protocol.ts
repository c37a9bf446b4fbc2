import { type XmlElement, denseDocument, denseText, element, textElement } from "../../catalog/xml.ts";
import type { Diagnostic } from "../../search/cql/diagnostic.ts";
import type { Reply } from "../http/reply.ts";
import type { SruVersion } from "./parameters.ts";

/** Namespaces of SRU 1.1 and 1.2, and those of 2.0: of answers, of answers to `scan`, of diagnostics. */
const NAMESPACES = {
  old: {
    answer: "http://www.loc.gov/zing/srw/",
    scan: "http://www.loc.gov/zing/srw/",
    diagnostic: "http://www.loc.gov/zing/srw/diagnostic/",
  },
  new: {
    answer: "http://docs.oasis-open.org/ns/search-ws/sruResponse",
    scan: "http://docs.oasis-open.org/ns/search-ws/scan",
    diagnostic: "http://docs.oasis-open.org/ns/search-ws/diagnostic",
  },
};

function namespaces(version: SruVersion) {
  return version === "2.0" ? NAMESPACES.new : NAMESPACES.old;
}

/** Clients of 1.x take no other type. */
const XML_TYPE = "application/xml; charset=utf-8";

/** An answer of SRU: the names of its parts are the same in all versions. Yaz counts blanks between terms as terms. */
export function sruReply(
  name: "searchRetrieveResponse" | "scanResponse" | "explainResponse",
  { version, parts }: { readonly version: SruVersion; readonly parts: readonly XmlElement[] },
  more: Partial<Reply> = {},
): Reply {
  const { scan, answer } = namespaces(version);
  const xmlns = name === "scanResponse" ? scan : answer;
  // The list of terms of 2.0 has no version.
  const hasVersion = xmlns !== NAMESPACES.new.scan;
  const root = element(name, [...(hasVersion ? [element("version", version)] : []), ...parts], { xmlns });
  return { status: 200, contentType: XML_TYPE, ...more, body: denseDocument(root) };
}

/** What is wrong, or left out. */
export function diagnosticsElement(
  diagnostics: readonly Diagnostic[],
  version: SruVersion,
  name = "diagnostics",
): XmlElement[] {
  if (diagnostics.length === 0) return [];
  return [
    element(
      name,
      diagnostics.map((one) => diagnosticElement(one, version)),
    ),
  ];
}

function diagnosticElement({ number, details, message }: Diagnostic, version: SruVersion): XmlElement {
  return element(
    "diagnostic",
    [
      element("uri", `info:srw/diagnostic/1/${number}`),
      ...textElement("details", details),
      element("message", message),
    ],
    { xmlns: namespaces(version).diagnostic },
  );
}

/** The schema of a diagnostic in the place of a record. */
const DIAGNOSTIC_SCHEMA = "info:srw/schema/1/diagnostics-v1.1";

/** A record of an answer, as XML or as text. */
export interface SruRecord {
  readonly schema: string;
  /** The record, or why it is not there. */
  readonly data: XmlElement | Diagnostic;
  readonly identifier?: string;
  readonly position?: number;
}

/** A record as it stands in an answer. */
export function recordElement(
  { schema, data, identifier, position }: SruRecord,
  { version, isText }: { readonly version: SruVersion; readonly isText: boolean },
): XmlElement {
  const isMissing = data instanceof Error;
  const xml = isMissing ? diagnosticElement(data, version) : data;
  return element("record", [
    element("recordSchema", isMissing ? DIAGNOSTIC_SCHEMA : schema),
    element(version === "2.0" ? "recordXMLEscaping" : "recordPacking", isText ? "string" : "xml"),
    element("recordData", isText ? denseText(xml) : [xml]),
    ...(version === "1.1" ? [] : textElement("recordIdentifier", identifier)),
    ...(position === undefined ? [] : [element("recordPosition", String(position))]),
  ]);
}

/** What was asked, as it was understood; parameters that were not sent are left out. */
export function echoElement(
  name: string,
  values: readonly (readonly [name: string, value: string | undefined])[],
): XmlElement {
  return element(
    name,
    values.flatMap(([own, value]) => textElement(own, value)),
  );
}
