import {
  type SerializedElement,
  renderDenseDocument,
  renderDenseElement,
  element,
  textElement,
} from "../../catalog/xml.ts";
import type { Diagnostic } from "../../search/cql/diagnostic.ts";
import type { Reply } from "../http/reply.ts";
import type { SruVersion } from "./sru-request.ts";

const NAMESPACES = {
  old: {
    response: "http://www.loc.gov/zing/srw/",
    scan: "http://www.loc.gov/zing/srw/",
    diagnostic: "http://www.loc.gov/zing/srw/diagnostic/",
  },
  new: {
    response: "http://docs.oasis-open.org/ns/search-ws/sruResponse",
    scan: "http://docs.oasis-open.org/ns/search-ws/scan",
    diagnostic: "http://docs.oasis-open.org/ns/search-ws/diagnostic",
  },
};

function namespaces(version: SruVersion) {
  return version === "2.0" ? NAMESPACES.new : NAMESPACES.old;
}

/** Clients of 1.x accept no other type. */
const XML_TYPE = "application/xml; charset=utf-8";

/** Makes a response. It has no blanks between elements: YAZ takes those between terms for terms. */
export function makeSruReply(
  name: "searchRetrieveResponse" | "scanResponse" | "explainResponse",
  { version, parts }: { version: SruVersion; parts: readonly SerializedElement[] },
  more: Partial<Reply> = {},
): Reply {
  const { scan, response } = namespaces(version);
  const xmlns = name === "scanResponse" ? scan : response;
  // Lists of terms in 2.0 have no version.
  const hasVersion = xmlns !== NAMESPACES.new.scan;
  const root = element(name, [...(hasVersion ? [element("version", version)] : []), ...parts], { xmlns });
  return { status: 200, contentType: XML_TYPE, ...more, body: renderDenseDocument(root) };
}

export function makeDiagnostics(
  diagnostics: readonly Diagnostic[],
  version: SruVersion,
): SerializedElement[] {
  if (diagnostics.length === 0) return [];
  const elements = diagnostics.map((diagnostic) => diagnosticElement(diagnostic, version));
  return [element("diagnostics", elements)];
}

function diagnosticElement({ number, details, message }: Diagnostic, version: SruVersion): SerializedElement {
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

const DIAGNOSTIC_SCHEMA = "info:srw/schema/1/diagnostics-v1.1";

export interface SruRecord {
  readonly schema: string;
  readonly data: SerializedElement | Diagnostic;
  readonly identifier?: string;
  readonly position?: number;
}

export function renderSruRecord(
  { schema, data, identifier, position }: SruRecord,
  { version, isText }: { version: SruVersion; isText: boolean },
): SerializedElement {
  const isMissing = data instanceof Error;
  const xml = isMissing ? diagnosticElement(data, version) : data;
  return element("record", [
    element("recordSchema", isMissing ? DIAGNOSTIC_SCHEMA : schema),
    element(version === "2.0" ? "recordXMLEscaping" : "recordPacking", isText ? "string" : "xml"),
    element("recordData", isText ? renderDenseElement(xml) : [xml]),
    ...(version === "1.1" ? [] : textElement("recordIdentifier", identifier)),
    ...(position === undefined ? [] : [element("recordPosition", String(position))]),
  ]);
}

/** Repeats the request as it was understood; undefined values are left out. */
export function makeEcho(
  name: string,
  values: readonly (readonly [name: string, value: string | undefined])[],
): SerializedElement {
  return element(
    name,
    values.flatMap(([child, value]) => textElement(child, value)),
  );
}
