import { lastSegmentOf } from "../../catalog/keys.ts";
import { type SerializedElement, element, renderXmlDocument } from "../../catalog/xml.ts";
import type { HarvestedRow } from "../../db/history/harvest.ts";
import type { Book } from "../../export/book.ts";
import { OAI_DC, toDublinCore } from "../../export/xml-formats.ts";
import { MARCXML, toMarcXml } from "../../export/marc/containers.ts";
import { marcOfBook } from "../../export/marc/record.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import type { ListedRecord } from "./harvest.ts";
import { OaiError, datestampOf, utcTextOf } from "./oai-request.ts";
import { setSpecOf, setsOf } from "./sets.ts";

/** Media type of all responses (OAI-PMH 2.0, 3.1.2.1). */
const OAI_TYPE = "text/xml; charset=utf-8";

const ROOT = {
  xmlns: "http://www.openarchives.org/OAI/2.0/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd",
};

export function oaiUrlOf(context: RequestContext): string {
  return `${baseUrl(context)}/oai`;
}

export function makeOaiReply(
  request: Readonly<Record<string, string>>,
  content: SerializedElement,
  context: RequestContext,
): Reply {
  const children = [
    element("responseDate", utcTextOf(context.now)),
    element("request", oaiUrlOf(context), request),
    content,
  ];
  const body = renderXmlDocument(element("OAI-PMH", children, ROOT));
  return { status: 200, body, contentType: OAI_TYPE, cacheControl: NO_STORE };
}

export function identifierPrefixOf(context: RequestContext): string {
  return `oai:${new URL(baseUrl(context)).hostname}:`;
}

export function makeHeader(
  row: HarvestedRow,
  { isDeleted, set }: { isDeleted: boolean; set: string | undefined },
  context: RequestContext,
): SerializedElement {
  const specs = setsOf(row, isDeleted, set === undefined ? undefined : setSpecOf(set));
  return element(
    "header",
    [
      element("identifier", identifierPrefixOf(context) + lastSegmentOf(row.key)),
      element("datestamp", datestampOf(row.changed)),
      ...specs.map((spec) => element("setSpec", spec)),
    ],
    isDeleted ? { status: "deleted" } : {},
  );
}

export function renderOaiRecord(
  { row, book }: ListedRecord,
  { write, set }: { write: MetadataFormat["write"]; set: string | undefined },
  context: RequestContext,
): SerializedElement {
  const header = makeHeader(row, { isDeleted: book === undefined, set }, context);
  return element("record", book === undefined ? [header] : [header, element("metadata", [write(book)])]);
}

interface MetadataFormat {
  schema: string;
  namespace: string;
  write: (book: Book) => SerializedElement;
}

const MARC_SCHEMA = "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd";
const MARC = {
  ...MARCXML,
  "xmlns:xsi": ROOT["xmlns:xsi"],
  "xsi:schemaLocation": `${MARCXML.xmlns} ${MARC_SCHEMA}`,
};

const FORMATS = new Map<string, MetadataFormat>([
  [
    "oai_dc",
    {
      schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
      namespace: OAI_DC["xmlns:oai_dc"],
      write: (book) => toDublinCore(book, OAI_DC),
    },
  ],
  [
    "marc21",
    {
      schema: MARC_SCHEMA,
      namespace: MARCXML.xmlns,
      write: (book) => toMarcXml(marcOfBook(book), MARC),
    },
  ],
]);

/** Returns the writer of the format that a prefix names. Throws cannotDisseminateFormat. */
export function metadataWriterOf(prefix: string): MetadataFormat["write"] {
  const format = FORMATS.get(prefix);
  if (format === undefined) throw new OaiError("cannotDisseminateFormat", "oai.format");
  return format.write;
}

export function makeFormats(): SerializedElement[] {
  return [...FORMATS].map(([prefix, { schema, namespace }]) =>
    element("metadataFormat", [
      element("metadataPrefix", prefix),
      element("schema", schema),
      element("metadataNamespace", namespace),
    ]),
  );
}
