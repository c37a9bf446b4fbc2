import { type XmlElement, element, xmlDocument } from "../../catalog/xml.ts";
import type { HarvestedRow } from "../../db/history/harvest.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { lastSegment } from "../../catalog/keys.ts";
import { datestamp, utc } from "./dates.ts";
import type { OaiError } from "./errors.ts";
import { setSpec, setsOf } from "./sets.ts";

/** Media type of all answers (OAI-PMH 2.0, 3.1.2.1). */
const OAI_TYPE = "text/xml; charset=utf-8";

const ROOT = {
  xmlns: "http://www.openarchives.org/OAI/2.0/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd",
};

/** Where the protocol is spoken. */
export function oaiUrl(context: RequestContext): string {
  return `${baseUrl(context)}/oai`;
}

/** An answer: what was asked, where that is an answerable question, and the element of its verb or of its error. */
export function answer(
  asked: Readonly<Record<string, string>>,
  content: XmlElement,
  context: RequestContext,
): Reply {
  const children = [
    element("responseDate", utc(context.now)),
    element("request", oaiUrl(context), asked),
    content,
  ];
  const body = xmlDocument(element("OAI-PMH", children, ROOT));
  return { status: 200, body, contentType: OAI_TYPE, cacheControl: NO_STORE };
}

/** What the protocol says of a refusal. */
export function errorElement({ code, message }: OaiError): XmlElement {
  return element("error", message, { code });
}

/** In front of the number of a record in its identifier. */
export function identifierPrefix(context: RequestContext): string {
  return `oai:${new URL(baseUrl(context)).hostname}:`;
}

/** What is said of a record: who it is, when it changed, which sets it is in. */
export function header(
  row: HarvestedRow,
  { isDeleted, set }: { readonly isDeleted: boolean; readonly set: string | undefined },
  context: RequestContext,
): XmlElement {
  const asked = set === undefined ? undefined : setSpec(set);
  return element(
    "header",
    [
      element("identifier", identifierPrefix(context) + lastSegment(row.key)),
      element("datestamp", datestamp(row.changed)),
      ...setsOf(row, isDeleted, asked).map((spec) => element("setSpec", spec)),
    ],
    isDeleted ? { status: "deleted" } : {},
  );
}
